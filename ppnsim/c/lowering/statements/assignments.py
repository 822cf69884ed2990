"""Makes the statements of a loop program from assignments and calls."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import product

from ppnsim.c.lowering.places.arrays import shape_of
from ppnsim.c.lowering.places.elements import indexed, place
from ppnsim.c.lowering.places.unions import is_covered
from ppnsim.c.lowering.scope import ArrayPlace, Scope, Sum
from ppnsim.c.lowering.statements.lists import some_of
from ppnsim.c.lowering.statements.operations import Reading, whole
from ppnsim.c.lowering.statements.recast import stored_as
from ppnsim.c.lowering.values.literals import is_literal, with_literals
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Execution, Loop, Node, Operation, Position, Statement

MOST = 1024
"""Most elements of an array in a loop that its initialiser list sets one by one."""


def assignment(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Statement:
    """Return the statement of an assignment; a compound assignment reads its target first."""
    target, value = node.children
    found = place(target, scope)
    if found.pointer and not found.subscripts:
        found = replace(found, pointer=False)
    written = whole(found, scope, target)
    reading = Reading(scope)
    old = token = None
    if node.text != "=" or found.path:
        # A struct is one token: a write of one member reads the token and keeps the other members.
        old = reading.access(found, target.type, target)
        token = old.operands[0] if old.kind in ("member", "join") else old
        index = token.operands
        old = None if node.text == "=" else old
    else:
        index = reading.indices(found, target.position)
    tree = reading.operation(value)
    if old is not None:
        wider = _wider(target.type, value.type)
        if wider.kind == "real" and target.type.kind == "integer":
            old = Operation("cast", wider.text, (old,), position=node.position)
        tree = Operation(node.text[:-1], wider.text, (old, tree), position=node.position)
        if wider.text != target.type.text:
            tree = Operation("cast", target.type.text, (tree,), position=node.position)
    if (
        token is not None
        and scope.context.policy.vendor_types
        and _is_part(target)
        and target.children[0].type.base().shared
    ):
        tree = _new_union(tree, token, target)
    if stored := stored_as(found, target.type, target, scope):
        tree = Operation("join", stored, (tree,), position=node.position)
    called = value.bare
    function = reading.functions[0] if called.kind == "call" and reading.functions and node.text == "=" else ""
    name = function or scope.context.arrays[written.array].name
    made = statement_of(name, reading, scope, timing, node.position, writes=(written,), function=function, value=tree)
    return replace(made, member=found.path, index=index)


def of_bits(node: SyntaxNode) -> SyntaxNode:
    """Return an assignment to some bits of a number as an assignment to the whole number."""
    target, value = node.children
    number, high, low = target.bare.children[0].bare, *target.bare.children[1:]
    if number.type.kind == "pointer" and number.type.element is not None:  # p->range(7, 0) = x
        number = replace(
            number, kind="unary", text="*", type=number.type.element, children=(number,), variable=None, value=None
        )
    if node.text != "=":
        value = replace(node, kind="binary", text=node.text[:-1], type=target.type, children=(target, value))
    if (high.value, low.value) == (number.type.bits - 1, 0):  # no old bit remains
        bits = replace(value, kind="cast", type=target.bare.type, children=(value,), text="", value=None, variable=None)
        made = replace(node, kind="join", text="", type=number.type, children=(bits,))
    else:
        made = replace(node, kind="insert", text="", type=number.type, children=(number, high, low, value))
    return replace(node, text="=", type=number.type, children=(number, made))


def call(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Statement:
    """Return the statement of a call whose result is not used."""
    reading = Reading(scope)
    tree = reading.operation(node)
    made = statement_of(node.text, reading, scope, timing, node.position, function=node.text, value=tree)
    return replace(made, member=None)


def returned(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Statement:
    """Return the statement that computes the return value of a kernel."""
    reading = Reading(scope)
    tree = reading.operation(node.children[0])
    name = f"{scope.function.name}_result"
    target = scope.context.new_array(name, (), node.children[0].type, "parameter")
    if len(scope.path) == 1:
        scope.context.spelling.results.add(target.array)
    return statement_of(target.array, reading, scope, timing, node.position, writes=(target.access(),), value=tree)


def copied(target: ArrayPlace, value: SyntaxNode, scope: Scope, timing: StatementTiming) -> Statement:
    """Return the statement that copies a value into a scalar."""
    return summed(target, (value,), scope, timing, value.position)


def summed(target: ArrayPlace, parts: Sum, scope: Scope, timing: StatementTiming, at: Position) -> Statement:
    """Return the statement that adds values into a scalar."""
    reading = Reading(scope)
    tree = reading.sum(parts, at)
    return statement_of(target.array, reading, scope, timing, at, writes=(target.access(),), value=tree)


def _initialises(target: ArrayPlace, known: Collection[str], scope: Scope, *, declares: bool) -> bool:
    """Return whether a list initialises a whole array unconditionally and before any other access."""
    whole = scope.context.arrays[target.array]
    first = whole.name not in known and whole.role == "local" and not whole.static
    return not target.subscripts and (declares or (first and not scope.context.undecided))


def listed(
    name: SyntaxNode, values: SyntaxNode, scope: Scope, timing: StatementTiming, *, declares: bool = True
) -> tuple[Node, ...]:  # fmt: skip
    """Return the statements of a list; numbers that initialise an array outside loops exist at time 0 and need none.

    The same holds for numbers that an assignment (``declares`` is false) gives a local array before any other access.
    """
    known = frozenset(scope.context.arrays)
    whole_place = place(name, scope)
    begins = _initialises(whole_place, known, scope, declares=declares)
    if name.type.kind != "array":
        found, writes = Reading(scope), (whole_place.access(),)
        if values.kind == "list":
            parts = tuple(found.operation(child) for child in values.children)
            tree = Operation("list", values.type.text, parts, position=values.position)
        else:
            tree = found.operation(values)
        return (Execution(statement_of(str(name), found, scope, timing, name.position, writes, value=tree)),)
    values = with_literals(values, scope, name.type.base())
    numbers = is_literal(values)
    if numbers and (some := some_of(name.type, values, scope)):
        return _stores(whole_place, some, scope, timing)
    if numbers and begins and (not scope.depth or name.type.base().const):
        scope.context.spelling.initials[whole_place.array] = str(values)
        return ()
    shape = shape_of(name.type, name, scope)
    zero = SyntaxNode("integer", name.position, replace(name.type.base(), const=False), value=0)
    result: list[Node] = []
    if len(shape) * max(shape, default=0) > MOST:
        if len(shape) > 1 or values.kind != "list" or len(values.children) > MOST:
            refuse(name.position, f"'{name}' has too many elements for an initialiser list inside a loop; write a loop")
        result, shape = [_cleared(whole_place, shape[0], zero, scope, timing)], (len(values.children),)
    for subscripts in product(*(range(size) for size in shape)):
        target, value = whole_place, values
        for at in subscripts:
            target = indexed(target, Affine.of(at))
            value = value.children[at] if value.kind == "list" and at < len(value.children) else zero
        result.append(Execution(copied(target, value, scope, timing)))
    return tuple(result)


def _stores(row: ArrayPlace, values: tuple[SyntaxNode, ...], scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    return tuple(Execution(copied(indexed(row, Affine.of(n)), v, scope, timing)) for n, v in enumerate(values))


def _cleared(array: ArrayPlace, size: int, zero: SyntaxNode, scope: Scope, timing: StatementTiming) -> Loop:
    """Return the loop that sets all elements of a long array to 0, before the list sets single elements."""
    name = scope.context.new_iterator("i")
    scope.ranges[name] = (0, size - 1)
    scope.context.open_iterators.append(name)
    set_ = Execution(copied(indexed(array, Affine.of(name)), zero, scope, timing))
    scope.context.open_iterators.pop()
    ends = (Affine.of(0),), (Affine.of(size - 1),)
    return Loop(
        iterator=name, first=ends[0], last=ends[1], body=(set_,), position=zero.position, end=zero.position.line
    )


def _new_union(value: Operation, token: Operation, target: SyntaxNode) -> Operation:
    """Return the new number of a union after a write of one member: the new bits, and any old bits that remain.

    The position of the bits does not matter, because all of it is wiring.
    """
    at = target.position
    if is_covered(target):
        return Operation("join", token.type, (value,), position=at)
    high, low = (Operation("constant", "int", text=str(bit), position=at) for bit in (target.type.bits - 1, 0))
    return Operation("insert", token.type, (token, high, low, value), position=at)


def _is_part(target: SyntaxNode) -> bool:
    while target.kind in ("index", "cast"):
        if target.kind == "index" and target.children[0].kind == "member":
            return False
        target = target.children[0]
    return target.kind == "member"


def _wider(left: CType, right: CType) -> CType:
    if (left.kind == "real") != (right.kind == "real"):
        return left if left.kind == "real" else right
    return left if left.bits >= right.bits else right


def statement_of(
    name: str, reading: Reading, scope: Scope, timing: StatementTiming, position: Position,
    writes: tuple[Access, ...] = (), function: str = "", value: Operation | None = None,
) -> Statement:  # fmt: skip
    """Return a statement with the accesses that a reading has found, and the accesses that control it."""
    control = [access for access in dict.fromkeys(scope.context.control) if access not in reading.reads]
    for each in reading.functions:
        if (box := scope.context.pragmas.boxes.get(each)) is not None:
            timing = timing.under(box.timing)
    return Statement(
        name=scope.context.statement_names.unique(name), reads=(*reading.reads, *control),
        writes=(*writes, *reading.writes), function=function, value=value, ii=timing.ii, latency=timing.latency,
        path=scope.path, position=position,
    )  # fmt: skip
