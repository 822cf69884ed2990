"""Lowers ``memcpy`` and ``memset`` to loops over the elements of a block of memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from struct import unpack

from ppnsim.c.layout import held
from ppnsim.c.lowering.places.elements import pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.statements.block_parts import (
    addressed,
    bits_of,
    check_member,
    element_of,
    in_parts,
    low_of,
    member_of,
    part_of,
    read_of,
    with_control,
)
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import ADDRESSES, Execution, Loop, Node, Operation, Statement


def copied_block(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return ``memcpy`` as a loop with one element per iteration, or as statements if it splits or joins one number.

    Raises
    ------
    InputError
        If the number of bytes is not known, is not a whole number of elements, or exceeds the member that the block
        begins with.
    """
    target, source = (pointer(child.bare, scope) for child in node.children[:2])
    for each in (target, source):
        check_member(node, each, scope)
    if (copies := in_parts(node, scope, timing, target, source)) is not None:
        return copies
    of, given = scope.context.arrays[target.array], scope.context.arrays[source.array]
    value = read_of(node, source, 0, scope)
    differ = bits_of(target, scope) != bits_of(source, scope)
    if differ and of.fields and not target.path:
        words = f"'{node}' copies elements of {bits_of(source, scope)} bits to structs"
        refuse(node.position, f"{words}, whose members have parts of them; write each member")
    structs = of.fields or (given.fields and not differ) or target.path or source.path
    if of.type != given.type and not structs:  # the bits are copied, not the value
        loads = max(1, bits_of(target, scope) // bits_of(source, scope))
        loaded = tuple(read_of(node, source, number, scope) for number in range(loads))
        value = Operation("join", of.type, loaded, position=node.position)
        if differ:
            words = f"'{node.text}' in line {node.position.line} copies elements of {given.bits} bits to elements of "
            often = "one load for each store is" if loads == 1 else f"{loads} loads for each store are"
            words += f"{of.bits} bits: {often} assumed; a loop that takes bits says how many"
            scope.context.assumed[str(node.position)] = words
    return (_loop_over(node, scope, timing, (target, source), value),)


def filled_block(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Loop:
    """Return ``memset`` as a loop that writes one element per iteration; raises as `copied_block` does."""
    target = pointer(node.children[0].bare, scope)
    of = scope.context.arrays[target.array].type
    value = Operation("constant", of, text=_repeated_byte(node, target, scope), position=node.position)
    return _loop_over(node, scope, timing, (target,), value)


def _repeated_byte(node: SyntaxNode, target: ArrayPlace, scope: Scope) -> str:
    """Return the number whose bytes all have the value that ``memset`` sets: -1 for 0xff, 16843009 for four times 1."""
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


def _loop_over(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, places: Sequence[ArrayPlace], value: Operation
) -> Loop:
    """Return the loop that writes a value to each element of the first place; a second place is read for the value."""
    count, assumed = _count(node, scope, places)
    name = scope.context.new_iterator("copy")
    scope.ranges[name] = (0, max(0, count - 1))
    at, to = Affine.of(name), bits_of(places[0], scope)
    written, loaded = element_of(places[0], at, scope), list[ArrayPlace]()
    for each in places[1:]:
        by = bits_of(each, scope)
        loads = range(len(value.operands)) if value.kind == "join" else range(1)
        starts = at // (by // to) if by > to else at * len(loads)
        if by > to and value.kind == "join":
            value = replace(value, operands=(part_of(value.operands[0], to, low_of(node, name, to, by // to)),))
        loaded += [element_of(each, starts + load, scope) for load in loads]
    reading = Reading(scope, [each.access() for each in loaded])
    value, index = addressed(value, loaded, reading, node.position), reading.indices(written, node.position)
    statement = Statement(
        name=scope.context.statement_names.unique(node.text), reads=with_control(reading.reads, scope),
        writes=(written.access(),), index=index, value=value,
        member=places[0].path if member_of(places[0], scope) is not None else "",
        ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
    )  # fmt: skip
    first, last = (Affine.of(0),), (Affine.of(count - 1),)
    body = (Execution(statement),)
    return Loop(iterator=name, first=first, last=last, body=body, position=node.position, end=node.end, assumed=assumed)


def _count(node: SyntaxNode, scope: Scope, places: Sequence[ArrayPlace]) -> tuple[int, bool]:
    """Return the number of elements of a block, and whether it is assumed: at most those of the smaller array."""
    verb = "copies" if len(places) > 1 else "fills"
    arrays = [scope.context.arrays[each.array] for each in places]
    bits = bits_of(places[0], scope)
    try:
        size = read(node.children[2], scope)
    except (NotAffine, NotBound) as reason:
        blocks = zip(node.children, arrays, strict=False)
        sizes = [_most(block.bare, each.shape) for block, each in blocks if each.shape and each.shape[0] != ADDRESSES]
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


def _most(block: SyntaxNode, shape: Sequence[int]) -> int:
    """Return the most elements from the start of a block on: those of its row for ``m[i]``, else of the whole array."""
    row, dims = block.type, 0
    while row.kind == "array" and row.element is not None:
        row, dims = row.element, dims + 1
    return prod(shape[-dims:]) if block.kind == "index" and dims else prod(shape)
