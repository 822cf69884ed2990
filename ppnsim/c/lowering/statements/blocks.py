"""``memcpy`` and ``memset`` as loops over the elements of a block of memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from struct import unpack

from ppnsim.c.layout import held, laid_out
from ppnsim.c.lowering.places.elements import carried, indexed, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import ADDRESSES, DATA, Access, Execution, Loop, Node, Operation, Statement

_MOST_PARTS = 8
"""Elements that hold the bits of one number in a copy of it: a number of 64 bits has 8 bytes."""


def copied_block(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return ``memcpy`` as a loop that copies one element per iteration; one number into its bytes is no loop.

    Raises
    ------
    InputError
        If nothing says how many bytes there are, they are not a whole number of elements, or more than the member that
        they begin with.
    """
    target, source = (pointer(child.bare, scope) for child in node.children[:2])
    for each in (target, source):
        _check_member(node, each, scope)
    if (parts := _in_parts(node, scope, timing, target, source)) is not None:
        return parts
    of, given = scope.context.arrays[target.array], scope.context.arrays[source.array]
    value = _read(node, source, 0, scope)
    if of.type != given.type and not (of.fields or given.fields or target.path or source.path):  # bits, not numbers
        value = Operation("join", of.type, (value,), position=node.position)
        if held(of.bits) != held(given.bits):
            words = f"'{node.text}' in line {node.position.line} copies elements of {given.bits} bits to elements of "
            words += f"{of.bits} bits: one load for each store is assumed; a loop that takes bits says how many"
            scope.context.assumed[str(node.position)] = words
    return (_over(node, scope, timing, (target, source), value),)


def _in_parts(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, target: ArrayPlace, source: ArrayPlace
) -> tuple[Node, ...] | None:
    """Return the copy between one number and the narrower elements that hold its bits; None for other copies.

    The number is read or written once, as a load or store through a pointer of its type is.
    """
    bits = 8 * (node.children[2].bare.value or 0)
    to, by, of = _bits(target, scope), _bits(source, scope), _type(target, scope)
    if bits != max(to, by) or to == by or bits % min(to, by) or bits // min(to, by) > _MOST_PARTS:
        return None
    first, wide = Affine.of(0), to == bits
    narrow = [Affine.of(at) for at in range(bits // min(to, by))]
    copies = [(first, narrow)] if wide else [(each, [first]) for each in narrow]
    found = []
    for place, places in copies:
        reads = tuple(_element(source, each, scope).access() for each in places)
        parts = tuple(_read(node, source, k, scope) for k in range(len(reads)))
        found.append(Execution(Statement(
            name=scope.context.statement_names.unique(node.text), reads=_all(reads, scope),
            writes=(_element(target, place, scope).access(),),
            value=Operation("join", of, parts, position=node.position),
            member=target.path, ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
        )))  # fmt: skip
    return tuple(found)


def _member(place: ArrayPlace, scope: Scope) -> CType | None:
    """Return the type of the member at a place in an array of structs; None for other places."""
    of = dict(scope.context.spelling.types[place.array].base().fields).get(place.path) if place.path else None
    return of if of is not None and of.kind in ("integer", "real") and of.bits else None


def _read(node: SyntaxNode, place: ArrayPlace, number: int, scope: Scope) -> Operation:
    """Return the value of a place that is a read of a statement: of a struct, of its member."""
    array, member = scope.context.arrays[place.array], _member(place, scope)
    whole = Operation("read", array.type, read=number, position=node.position)
    return whole if member is None else Operation("member", member.text, (whole,), place.path, position=node.position)


def _type(place: ArrayPlace, scope: Scope) -> str:
    member = _member(place, scope)
    return scope.context.arrays[place.array].type if member is None else member.text


def _bits(place: ArrayPlace, scope: Scope) -> int:
    """Return the bits that an element of a block takes in memory."""
    array, member = scope.context.arrays[place.array], _member(place, scope)
    if array.fields and not place.path:
        return 8 * laid_out(scope.context.spelling.types[place.array].base())[0]
    return held(array.bits if member is None else member.bits)


def _check_member(node: SyntaxNode, place: ArrayPlace, scope: Scope) -> None:
    size = node.children[2].bare.value
    if size is not None and _member(place, scope) is not None and 8 * size > _bits(place, scope):
        words = f"'{node}' goes on behind member '{place.path}', which has {_bits(place, scope) // 8} bytes; copy "
        refuse(node.position, f"{words}each member by itself, or whole structs")


def filled_block(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Loop:
    """Return ``memset`` as a loop that writes one element per iteration; raises as `copied_block` does."""
    target = pointer(node.children[0].bare, scope)
    of = scope.context.arrays[target.array].type
    value = Operation("constant", of, text=_repeated(node, target, scope), position=node.position)
    return _over(node, scope, timing, (target,), value)


def _repeated(node: SyntaxNode, target: ArrayPlace, scope: Scope) -> str:
    """Return the number whose bytes are all the one that ``memset`` sets: -1 of 0xff, 16843009 of 1 in four bytes."""
    try:
        byte = read(node.children[1].bare, scope)
    except (NotAffine, NotBound) as reason:
        return refuse(node.position, f"'{node}' sets bytes that are not known: {reason}; write the loop")
    of = scope.context.spelling.types[target.array].base()
    of = dict(of.fields).get(target.path, of).base()
    if byte == Affine.of(0):
        return "0"
    if not isinstance(byte, Affine) or not byte.is_constant or of.kind not in ("integer", "real") or not of.bits:
        refuse(node.position, f"'{node}' sets each byte of '{of.text}' to other than 0; write the loop with its values")
    held_by = bytes([byte.constant % 256]) * (held(of.bits) // 8)
    if of.kind == "real" and (form := {32: "f", 64: "d"}.get(of.bits)) is not None and "fixed" not in of.text:
        return repr(unpack(f"<{form}", held_by)[0])
    if of.kind == "real":
        refuse(node.position, f"'{node}' sets each byte of '{of.text}' to other than 0; write the loop with its values")
    number = int.from_bytes(held_by, "little") % (1 << of.bits)
    return str(number if of.wraps or number < 1 << (of.bits - 1) else number - (1 << of.bits))


def _over(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, places: Sequence[ArrayPlace], value: Operation
) -> Loop:
    """Return the loop over a block that gives the first place a value, which the second one has if there is one."""
    count, assumed = _count(node, scope, places)
    name = scope.context.new_iterator("copy")
    scope.ranges[name] = (0, max(0, count - 1))
    wider = [max(1, _bits(each, scope) // _bits(places[0], scope)) for each in places]  # one holds several of the first
    written, *reads = (
        _element(each, Affine.of(name) // by if by > 1 else Affine.of(name), scope).access()
        for each, by in zip(places, wider, strict=True)
    )
    statement = Statement(
        name=scope.context.statement_names.unique(node.text), reads=_all(reads, scope), writes=(written,),
        value=value, member=places[0].path if _member(places[0], scope) is not None else "",
        ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
    )  # fmt: skip
    first, last = (Affine.of(0),), (Affine.of(count - 1),)
    body = (Execution(statement),)
    return Loop(iterator=name, first=first, last=last, body=body, position=node.position, end=node.end, assumed=assumed)


def _all(reads: Sequence[Access], scope: Scope) -> tuple[Access, ...]:
    return (*reads, *(each for each in dict.fromkeys(scope.context.control) if each not in reads))


def _count(node: SyntaxNode, scope: Scope, places: Sequence[ArrayPlace]) -> tuple[int, bool]:
    """Return the elements of a block, and whether that is assumed: at most those of the smaller array."""
    verb = "copies" if len(places) > 1 else "fills"
    arrays = [scope.context.arrays[each.array] for each in places]
    bits = _bits(places[0], scope)
    try:
        size = read(node.children[2], scope)
    except (NotAffine, NotBound) as reason:
        sizes = [prod(each.shape) for each in arrays if each.shape and each.shape[0] != ADDRESSES]
        if not sizes or not scope.context.policy.data_conditions:
            refuse(node.position, f"'{node}' {verb} no constant number of bytes: {reason}")
        scope.context.assumed[str(node.position)] = (
            f"'{node.text}' in line {node.position.line} {verb} {min(sizes)} elements, all of the smaller array: "
            f"how many bytes there are is data or a parameter without a value (--set gives it one)"
        )
        return scope.context.counted(Trips(0, min(sizes), min(sizes))), True
    if not isinstance(size, Affine) or not size.is_constant or 8 * size.constant % bits:
        refuse(node.position, f"'{node}' {verb} no constant number of elements of {bits} bits")
    return 8 * size.constant // bits, False


def _element(base: ArrayPlace, at: Affine, scope: Scope) -> ArrayPlace:
    """Return element ``at`` of a block that begins at a place and continues through all rows."""
    missing = len(scope.context.arrays[base.array].shape) - len(base.subscripts)
    start = ArrayPlace(base.array, base.subscripts + (Affine.of(0),) * missing, pointer=True, path=base.path)
    found = indexed(start, at)
    if DATA in found.subscripts:
        return replace(found, subscripts=(DATA,) * len(found.subscripts), random=True)  # data says where it begins
    return carried(found, scope)
