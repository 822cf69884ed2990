"""Operations on single bits and on structs: wiring, as far as it is known which bits they take."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.loops.program import Operation

BITS = frozenset(("member", "list", "join", "reduce", "bits", "insert"))


def bits_of(operators: Operators, tree: Operation, nodes: tuple[int, ...]) -> int:
    """Return an operation on bits: some of them, some replaced, two numbers joined, all reduced to one.

    ``nodes`` are its operands.
    """
    where = str(tree.position)
    match tree.kind:
        case "member":
            return operators.wire(f".{tree.text}", nodes[0], Format.of(tree.type, where))
        case "list":
            bits = sum(operators.graph.nodes[node].format.bits for node in nodes)
            return operators.joined(nodes, Format("struct", bits, 0, False))
        case "join":
            return operators.joined(nodes, Format.of(tree.type, where))
        case "reduce":
            return operators.op("cmp", BIT, nodes, where, wide=operators.graph.nodes[nodes[0]].format)
        case "bits":
            number, low = nodes[0], nodes[2]
            to = Format.of(tree.type, where)
            if operators.is_constant(low):
                return operators.wire(f"[{operators.graph.nodes[low].name}]", number, to)
            whole = operators.graph.nodes[number].format
            return operators.wire("cut", operators.op("shift", _integer(whole), (number, low), where), to)
    number, high, low, value = nodes
    of = operators.graph.nodes[number].format
    if operators.is_constant(high) and operators.is_constant(low):
        return operators.joined((number, value), of)
    # The value is shifted to its place, and a mask chooses between old and new bits.
    moved = operators.op("shift", _integer(of), (value, low), where)
    return operators.op("logic", _integer(of), (number, moved, high), where)


def logic(operators: Operators, tree: Operation, left: int, right: int, common: Format) -> int:
    """Return ``& | ^ && ||``; with a constant, ``&`` and ``|`` are wiring."""
    where = str(tree.position)
    if tree.kind in ("&&", "||"):
        return operators.op("logic", BIT, (left, right), where, kind=tree.kind)
    for constant, other in ((left, right), (right, left)):
        if tree.kind in ("&", "|") and operators.is_constant(constant) and not operators.is_constant(other):
            of = operators.graph.nodes[other].format
            mask = operators.graph.nodes[constant].name
            if of.family == "integer" and tree.kind == "&" and mask.isdecimal() and int(mask):
                of = replace(of, bits=min(of.bits, int(mask).bit_length()), signed=False)
            return operators.wire(f"{tree.kind}{mask}", other, of)
    return operators.op("logic", common, (left, right), where, kind=tree.kind)


def _integer(of: Format) -> Format:
    """Return the bits of a number as those of an integer, which is what shifters take."""
    return Format("integer", of.bits, 0, False)
