"""Known remainders of data-dependent subscripts: ``8 * x + 3`` is always in memory 3 of 8 (R6.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import gcd

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.partitions import Partition, along_dims
from ppnsim.loops.program import Operation

_ANY = (1, 0)
_NAME = "residue"


def residue(tree: Operation) -> tuple[int, int]:
    """Return a modulus and an integer's remainder by it: (1, 0) if nothing is known, (0, n) for a constant n.

    Examples
    --------
    >>> x = Operation("read", "int", read=0)
    >>> eight, three = (Operation("constant", "int", text=each) for each in "83")
    >>> residue(Operation("+", "int", (Operation("*", "int", (eight, x)), three)))
    (8, 3)
    """
    if tree.kind == "constant":
        return (0, int(tree.text)) if tree.text.lstrip("-").isdecimal() else _ANY
    if tree.kind not in ("cast", "+x", "+", "-", "*", "<<", "|"):
        return _ANY
    to = Format.of(tree.type, tree.position)
    if to.family != "integer":
        return _ANY
    (m, r), *other = map(residue, tree.operands)
    n, s = other[0] if other else _ANY
    if tree.kind in ("+", "-"):
        m, r = gcd(m, n), r + s if tree.kind == "+" else r - s
    elif tree.kind == "|":  # a sum, if the operands have no bit in common
        low = m & -m
        m, r = (m, r + s) if n == 0 and 0 <= s < low and not (r % low) & s else _ANY
    elif tree.kind == "*":
        m, r = gcd(m * n, m * s, n * r), r * s
    elif tree.kind == "<<":
        m, r = (m << s, r << s) if n == 0 and 0 <= s < to.bits else _ANY
    m = gcd(m, 1 << to.bits) if m or not -(1 << to.bits - 1) <= r < 1 << to.bits - 1 else m  # it may wrap around
    return (m, r % m) if m else (m, r)


def marked(known: tuple[int, int]) -> str:
    """Return the name of a wire with a known remainder."""
    return f"{_NAME} {known[1]} of {known[0]}"


def in_known_memories(graph: Graph, partitions: Mapping[str, Partition]) -> None:
    """Let data-dependent accesses that stay in one of an array's cyclic memories take a port of that memory only.

    Other accesses take a port of each memory that such an access uses, like those that iterators move (R6.1).
    """
    found: dict[str, list[GraphNode]] = {}
    for node in graph.nodes:
        if node.port and node.kind in ("load", "store") and node.access is not None and node.access.array in partitions:
            found.setdefault(node.access.array, []).append(node)
    for array, nodes in found.items():
        dims = along_dims(partitions[array])
        alike = all(node.ports == (array,) for node in nodes)
        if alike and all(each.kind == "cyclic" and not each.words for each in dims):
            _take(graph, array, nodes, dims)


def _take(graph: Graph, array: str, nodes: Sequence[GraphNode], dims: Sequence[Partition]) -> None:
    """Give the accesses to an array the ports of their memories."""
    places = [[_memory(graph, node, each) for each in dims] for node in nodes]
    known = [sorted({place for place in along if place is not None}) for along in zip(*places, strict=True)]
    for node, own in zip(nodes, places, strict=True):
        numbers = ((one,) if one is not None else every for one, every in zip(own, known, strict=True) if every)
        node.port, *also = (".".join((array, *map(str, each))) for each in product(*numbers))
        node.also = tuple(also)


def _memory(graph: Graph, node: GraphNode, division: Partition) -> int | None:
    """Return the memory of an access along a dimension, None if it may be in several."""
    assert node.access is not None
    subscripts = node.access.subscripts
    index = node.operands[node.kind == "store" :][: len(subscripts)]
    if not node.access.random or len(index) < len(subscripts):
        return None
    at = graph.nodes[index[division.dim - 1]]
    if at.unit == "constant" and at.name.isdecimal():
        return int(at.name) % division.factor
    _, remainder, _, modulus = at.name.split() if at.name.startswith(f"{_NAME} ") else ("", "0", "", "1")
    return int(remainder) % division.factor if int(modulus) % division.factor == 0 else None
