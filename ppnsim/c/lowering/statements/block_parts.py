"""Handles the elements of a block that ``memcpy`` copies: members of structs, and parts of wider numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.layout import held, laid_out
from ppnsim.c.lowering.places.elements import carried, indexed
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA, Access, Execution, Node, Operation, Position, Statement

_MOST_PARTS = 8
"""Most elements that one statement each copies from a 64-bit number; more elements become a loop."""


def in_parts(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, target: ArrayPlace, source: ArrayPlace
) -> tuple[Node, ...] | None:
    """Return the copy between one number and the narrower elements that hold its bits; None for other copies.

    The number is read or written once, like a load or store through a pointer of its type.
    """
    bits = 8 * (size_of(node, scope) or 0)
    to, by, of = bits_of(target, scope), bits_of(source, scope), _type(target, scope)
    is_struct = scope.context.arrays[target.array].fields and not target.path
    if is_struct or bits != max(to, by) or to == by or bits % min(to, by) or (to < by and bits // to > _MOST_PARTS):
        return None
    first, wide = Affine.of(0), to == bits
    narrow = [Affine.of(at) for at in range(bits // min(to, by))]
    copies = [(first, narrow)] if wide else [(each, [first]) for each in narrow]
    found = []
    for place, places in copies:
        reads = tuple(element_of(source, each, scope).access() for each in places)
        parts = tuple(read_of(node, source, k, scope) for k in range(len(reads)))
        if not wide:
            parts = (part_of(parts[0], to, _number(node, place.constant * to)),)
        found.append(Execution(Statement(
            name=scope.context.statement_names.unique(node.text), reads=with_control(reads, scope),
            writes=(element_of(target, place, scope).access(),),
            value=Operation("join", of, parts, position=node.position),
            member=target.path, ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
        )))  # fmt: skip
    return tuple(found)


def member_of(place: ArrayPlace, scope: Scope) -> CType | None:
    """Return the type of the member at a place in an array of structs; None for other places."""
    of = dict(scope.context.spelling.types[place.array].base().fields).get(place.path) if place.path else None
    return of if of is not None and of.kind in ("integer", "real") and of.bits else None


def read_of(node: SyntaxNode, place: ArrayPlace, number: int, scope: Scope) -> Operation:
    """Return the value that a statement reads at a place; for a struct, the value of its member."""
    array, member = scope.context.arrays[place.array], member_of(place, scope)
    whole = Operation("read", array.type, read=number, position=node.position)
    return whole if member is None else Operation("member", member.text, (whole,), place.path, position=node.position)


def _number(node: SyntaxNode, value: int) -> Operation:
    return Operation("constant", "int", text=str(value), position=node.position)


def part_of(whole: Operation, bits: int, low: Operation) -> Operation:
    """Return ``bits`` bits of a number, from bit ``low`` on."""
    high = Operation("+", "int", (low, replace(low, kind="constant", operands=(), text=str(bits - 1))))
    return Operation("bits", f"ap_uint<{bits}>", (whole, high, low), position=whole.position)


def _type(place: ArrayPlace, scope: Scope) -> str:
    member = member_of(place, scope)
    return scope.context.arrays[place.array].type if member is None else member.text


def bits_of(place: ArrayPlace, scope: Scope) -> int:
    """Return the bits that an element of a block takes in memory."""
    array, member = scope.context.arrays[place.array], member_of(place, scope)
    if array.fields and not place.path:
        return 8 * laid_out(scope.context.spelling.types[place.array].base())[0]
    return held(array.bits if member is None else member.bits)


def size_of(node: SyntaxNode, scope: Scope) -> int | None:
    """Return the bytes of a block, None if they are not a constant."""
    try:
        found = read(node.children[2], scope)
    except (NotAffine, NotBound):
        return None
    return found.constant if isinstance(found, Affine) and found.is_constant else None


def check_member(node: SyntaxNode, place: ArrayPlace, scope: Scope) -> None:
    """Raise InputError if a block begins with a member and is longer than the member."""
    size = size_of(node, scope)
    if size is not None and member_of(place, scope) is not None and 8 * size > bits_of(place, scope):
        words = f"'{node}' goes on behind member '{place.path}', which has {bits_of(place, scope) // 8} bytes; copy "
        refuse(node.position, f"{words}each member by itself, or whole structs")


def low_of(node: SyntaxNode, name: str, bits: int, parts: int) -> Operation:
    """Return the first bit of the part that an iteration copies, for a number of several parts."""
    at = Operation("iterator", "int", text=name, position=node.position)
    within = Operation("%", "int", (at, _number(node, parts)), position=node.position)
    return Operation("*", "int", (within, _number(node, bits)), position=node.position)


def addressed(value: Operation, places: Sequence[ArrayPlace], reading: Reading, at: Position) -> Operation:
    """Return a value with the sums that compute the subscripts of its reads, which are those of some places in turn.

    Structs need them: members are in one word if the same sums compute their subscripts (R6.22).
    """
    index = [reading.indices(each, at) for each in places]
    return _with_index(value, index) if any(index) else value


def _with_index(value: Operation, index: Sequence[tuple[Operation, ...]]) -> Operation:
    if value.kind == "read" and value.read is not None and value.read < len(index):
        return replace(value, operands=index[value.read])
    return replace(value, operands=tuple(_with_index(each, index) for each in value.operands))


def with_control(reads: Sequence[Access], scope: Scope) -> tuple[Access, ...]:
    """Return some reads, and the reads of the data conditions around them."""
    return (*reads, *(each for each in dict.fromkeys(scope.context.control) if each not in reads))


def element_of(base: ArrayPlace, at: Affine, scope: Scope) -> ArrayPlace:
    """Return element ``at`` of a block that begins at a place and continues through all rows."""
    missing = len(scope.context.arrays[base.array].shape) - len(base.subscripts)
    zeros = (Affine.of(0),) * missing
    index = (*base.index, *((each,) for each in zeros)) if base.index else ()
    start = ArrayPlace(base.array, base.subscripts + zeros, pointer=True, path=base.path, index=index)
    found = indexed(start, at)
    if DATA in found.subscripts:
        return replace(found, subscripts=(DATA,) * len(found.subscripts), random=True)  # the start of the block is data
    return carried(found, scope)
