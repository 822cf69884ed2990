"""How high-level synthesis reads C: functions are opened everywhere, data may decide what is executed.

A call in an expression is executed before the statement that it is in. A condition that is data is a number of one bit
that a statement of its own computes, and that what depends on it is executed under.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.lowering.control.counted import is_affine
from ppnsim.c.lowering.control.returns import returns, without_returns
from ppnsim.c.lowering.functions.inline import opened, timing_of
from ppnsim.c.lowering.places.bindings import bare
from ppnsim.c.lowering.places.elements import carried, indexed, pointer
from ppnsim.c.lowering.scope import Place, Scope
from ppnsim.c.lowering.statements import assignments
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.lowering.values.conditions import condition
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.pragmas.read import Timing
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare, Condition, Not
from ppnsim.loops.program import Execution, Frame, Loop, Node, Operation, Statement

BIT = CType("integer", "bool", 1)
_HEADS = {"assign": 2, "declare": 1, "if": 1, "return": 1, "unary": 1, "call": 1 << 30, "cast": 1}
Block = Callable[[tuple[SyntaxNode, ...], Scope, Timing, int], tuple[Node, ...]]


def is_open(node: SyntaxNode, scope: Scope) -> Function | None:
    """Return the function of a call whose body takes the place of the call, None for other nodes."""
    function = scope.context.unit.functions.get(node.text) if node.kind == "call" else None
    return function if function is not None and function.body is not None and not function.system else None


def without_calls(node: SyntaxNode, scope: Scope, timing: Timing, block: Block) -> tuple[tuple[Node, ...], SyntaxNode]:
    """Return what the calls in the expressions of a statement become, and the statement with their results."""
    found: list[Node] = []

    def changed(inner: SyntaxNode) -> SyntaxNode:
        children = tuple(changed(child) for child in inner.children)
        if any(a is not b for a, b in zip(children, inner.children, strict=True)):
            inner = replace(inner, children=children)
        function = is_open(inner, scope)
        if function is None or function.result.kind == "void":
            return inner
        before, result = _called(inner, function, scope, timing, block)
        found.extend(before)
        return result

    heads = _HEADS.get(node.kind, 0)
    if not any(is_open(inner, scope) for child in node.children[:heads] for inner in child.walk()):
        return (), node
    children = tuple(changed(child) for child in node.children[:heads])
    return tuple(found), replace(node, children=(*children, *node.children[heads:]))


def called(node: SyntaxNode, function: Function, scope: Scope, timing: Timing, block: Block) -> tuple[Node, ...]:
    """Return what a call that stands alone becomes: the body of its function."""
    return _called(node, function, scope, timing, block)[0]


def copied_block(node: SyntaxNode, scope: Scope, timing: Timing) -> tuple[Node, ...]:
    """Return the loop that ``memcpy`` is: an element per iteration.

    Raises
    ------
    InputError
        If the number of bytes is data, or no whole number of elements.
    """
    target, source = (pointer(bare(child), scope) for child in node.children[:2])
    try:
        size = read(node.children[2], scope)
    except (NotAffine, NotBound) as reason:
        refuse(node.position, f"'{node}' copies no constant number of bytes: {reason}")
    bits = scope.context.arrays[target.array].bits
    if not isinstance(size, Affine) or not size.is_constant or 8 * size.constant % max(bits, 1):
        refuse(node.position, f"'{node}' copies no constant number of elements of {bits} bits")
    name = scope.context.new_iterator("copy")
    count = 8 * size.constant // bits
    scope.ranges[name] = (0, max(0, count - 1))
    places = [_element(each, Affine.of(name), scope) for each in (target, source)]
    value = Operation("read", scope.context.arrays[source.array].type, read=0, position=node.position)
    statement = Statement(
        name=scope.context.statement_names.unique("memcpy"), reads=(places[1].access(),), writes=(places[0].access(),),
        value=value, ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
    )  # fmt: skip
    first, last = (Affine.of(0),), (Affine.of(count - 1),)
    body = (Execution(statement),)
    return (Loop(iterator=name, first=first, last=last, body=body, position=node.position, end=node.end),)


def _element(base: Place, at: Affine, scope: Scope) -> Place:
    """Return an element of a block that begins at a place, counted through all rows."""
    missing = len(scope.context.arrays[base.array].shape) - len(base.subscripts)
    start = Place(base.array, base.subscripts + (Affine.of(0),) * missing, pointer=True)
    return carried(indexed(start, at), scope)


def _called(
    node: SyntaxNode, function: Function, scope: Scope, timing: Timing, block: Block
) -> tuple[tuple[Node, ...], SyntaxNode]:
    inner, copies = opened(node, function, scope, timing)
    own = timing_of(function, inner, timing)
    result = Variable(f"{function.name}_result", function.result, "local", node.position)
    assert function.body is not None
    body = without_returns(function.body, result)
    name = SyntaxNode("name", node.position, function.result, variable=result, end=node.end)
    if len(body.children) == 1 and function.result.kind == "integer" and body.children[0].kind == "assign":
        try:
            scope.bindings[result] = read(body.children[0].children[1], inner)
        except (NotAffine, NotBound):
            pass
        else:
            return copies, name
    if function.result.kind != "void":
        inner.bindings[result] = scope.bindings[result] = scope.context.new_array(
            result.name, (), function.result, "local"
        )
    statements = block(body.children, inner, own, body.position.line)
    scope.context.frames.append(frame_of(function, inner))
    return (*copies, *statements), name


def single_exit(kernel: Function, scope: Scope) -> SyntaxNode:
    """Return the body of a kernel; one that returns from several places has its result in a variable first."""
    assert kernel.body is not None
    if all(node is kernel.body.children[-1] for node in returns(kernel.body)):
        return kernel.body
    result = Variable(f"{kernel.name}_result", kernel.result, "local", kernel.position)
    if kernel.result.kind != "void":
        scope.bindings[result] = scope.context.new_array(result.name, (), kernel.result, "parameter")
    return without_returns(kernel.body, result)


def frame_of(function: Function, scope: Scope) -> Frame:
    """Return what the names of a function meant when its body had been read."""
    names = {variable.name: "" for variable in (*function.parameters, *_declared(function))}
    for table in (scope.context.globals, scope.bindings):
        names |= {variable.name: known.array for variable, known in table.items() if isinstance(known, Place)}
    return Frame(
        scope.path, function.position, function.end, tuple(sorted(names.items())),
        tuple(sorted(constants(scope).items())),
    )  # fmt: skip


def constants(scope: Scope) -> dict[str, int]:
    """Return the names that stand for whole numbers in a function: macros, constants, integers with a known value."""
    found = {**scope.context.macros, **dict(scope.function.values)}
    for variable in (*scope.context.unit.variables, *_declared(scope.function)):
        if variable.type.const and variable.initial is not None and variable.type.kind == "integer":
            with suppress(InputError):
                _note(found, variable, read(variable.initial, scope))
    for variable, known in scope.bindings.items():
        _note(found, variable, known)
    return found


def _note(found: dict[str, int], variable: Variable, known: Place | Value) -> None:
    if isinstance(known, Affine) and known.is_constant:
        found[variable.name] = known.constant


def _declared(function: Function) -> list[Variable]:
    nodes = function.body.walk() if function.body else ()
    return [node.variable for node in nodes if node.kind == "declare" and node.variable]


def given_trips(node: SyntaxNode, scope: Scope) -> int | None:
    """Return the trip count that ``#pragma HLS loop_tripcount`` in a loop gives, None where its bounds say it."""
    if node.kind == "for" and is_affine(node, scope):
        return None
    inner = [
        each.position.line for child in node.children for each in child.walk()
        if each.kind in ("for", *UNCOUNTED)
    ]  # fmt: skip
    until = min(inner, default=node.end + 1)
    return scope.context.pragmas.trips(node.position.file, node.position.line, until, constants(scope))


def data_condition(
    node: SyntaxNode, scope: Scope, timing: Timing, *, alone: bool
) -> tuple[list[Condition], list[Node], Condition]:
    """Return the parts of a condition that are affine, the statement that computes the others, and what it is then.

    Parameters
    ----------
    alone : nothing is executed where it does not hold, so that its parts may be asked one after the other.
    """
    affine: list[Condition] = []
    data: SyntaxNode | None = None
    for part in _conjuncts(node) if alone else [node]:
        try:
            affine.append(condition(part, scope))
        except (NotAffine, NotBound):
            data = part if data is None else replace(node, kind="binary", text="&&", children=(data, part), type=BIT)
    assert data is not None
    target = scope.context.new_array(f"if@{node.position.line}", (), BIT, "local")
    test = Execution(assignments.copied(target, data, scope, timing))
    return affine, [test], Not(Compare(Affine.of(target.array), "="))


def _conjuncts(node: SyntaxNode) -> Iterator[SyntaxNode]:
    while node.kind == "cast":
        node = node.children[0]
    if node.kind == "binary" and node.text == "&&":
        for child in node.children:
            yield from _conjuncts(child)
    else:
        yield node
