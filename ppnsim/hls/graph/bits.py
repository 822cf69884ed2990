"""Operations on single bits and on structs: wiring, as far as it is known which bits they take."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ppnsim.hls.library.types import BIT, Format
from ppnsim.loops.program import Operation, Statement

if TYPE_CHECKING:
    from ppnsim.hls.graph.flow import Flow


def bits_of(flow: Flow, tree: Operation, statement: Statement) -> int:
    """Return the node of an operation on bits: some of them, some replaced, two numbers joined, all reduced to one."""
    nodes = tuple(flow.value(operand, statement) for operand in tree.operands)
    where = str(tree.position)
    match tree.kind:
        case "member":
            return flow.wire(f".{tree.text}", nodes[0], Format.of(tree.type, where))
        case "list":
            bits = sum(flow.graph.nodes[node].format.bits for node in nodes)
            return flow.joined(nodes, Format("struct", bits, 0, False))
        case "join":
            return flow.joined(nodes, Format.of(tree.type, where))
        case "reduce":
            return flow.op("cmp", BIT, nodes, where, wide=flow.graph.nodes[nodes[0]].format)
        case "bits":
            number, low = nodes[0], nodes[2]
            to = Format.of(tree.type, where)
            if flow.is_constant(low):
                return flow.wire(f"[{flow.graph.nodes[low].name}]", number, to)
            whole = flow.graph.nodes[number].format
            return flow.wire("cut", flow.op("shift", _integer(whole), (number, low), where), to)
    number, high, low, value = nodes
    of = flow.graph.nodes[number].format
    if flow.is_constant(high) and flow.is_constant(low):
        return flow.joined((number, value), of)
    # The value is shifted to its place, and a mask chooses between old and new bits.
    moved = flow.op("shift", _integer(of), (value, low), where)
    return flow.op("logic", _integer(of), (number, moved, high), where)


def logic(flow: Flow, tree: Operation, left: int, right: int, common: Format) -> int:
    """Return the node of ``& | ^ && ||``; with a constant, and and or are wiring."""
    where = str(tree.position)
    if tree.kind in ("&&", "||"):
        return flow.op("logic", BIT, (left, right), where, kind=tree.kind)
    for constant, other in ((left, right), (right, left)):
        if tree.kind in ("&", "|") and flow.is_constant(constant) and not flow.is_constant(other):
            of = flow.graph.nodes[other].format
            mask = flow.graph.nodes[constant].name
            if of.family == "integer" and tree.kind == "&" and mask.isdecimal() and int(mask):
                of = replace(of, bits=min(of.bits, int(mask).bit_length()), signed=False)
            return flow.wire(f"{tree.kind}{mask}", other, of)
    return flow.op("logic", common, (left, right), where, kind=tree.kind)


def _integer(of: Format) -> Format:
    """Return the bits of a number as those of an integer, which is what shifters take."""
    return Format("integer", of.bits, 0, False)
