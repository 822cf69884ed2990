"""Data-dependent elements by the values that choose them: equal values in equal subscripts are one (R2.2, R5.7)."""

from __future__ import annotations

from ppnsim.hls.graph.graph import Graph
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA, Access

_INDEX = 32
"""Bits from which on an index that is cut, or a sum that wraps, counts as exact: no array is longer."""


def place_of(graph: Graph, access: Access, index: tuple[int, ...]) -> Access:
    """Return an element with the values that choose it in its subscripts; unchanged if the values are unknown.

    ``index`` are the nodes of all its subscripts. A node stands for one value: equal computations are one node, and a
    variable that is assigned again is another node.

    Examples
    --------
    >>> from ppnsim.hls.library.types import Format
    >>> graph = Graph()
    >>> index = graph.add("input", "k", Format.of("int"))
    >>> print(place_of(graph, Access("h", (DATA, Affine.of("j")), random=True), (index, index)))
    h[%0][j]
    """
    if not access.random or not access.subscripts or len(index) != len(access.subscripts):
        return access
    pairs = zip(access.subscripts, index, strict=True)
    return Access(access.array, tuple([_counted(graph, node) if at == DATA else at for at, node in pairs]))


def _counted(graph: Graph, node: int) -> Affine:
    """Return a subscript as a base value plus a constant, unless the sum may wrap."""
    far = 0
    while True:
        at = graph.nodes[node]
        if at.name == "cut" and len(at.operands) == 1 and at.format.bits >= _INDEX:
            node = at.operands[0]
            continue
        number = [each for each in at.operands if graph.nodes[each].unit == "constant"]
        if at.kind != "op" or at.name != "add" or len(at.operands) != 2 or len(number) != 1:
            break
        (by,), (other,) = number, [each for each in at.operands if each not in number]
        wraps = at.format.bits < _INDEX and at.format.bits <= graph.nodes[other].format.bits
        if wraps or not graph.nodes[by].name.isdecimal() or at.negative == at.operands.index(other):
            break
        far += int(graph.nodes[by].name) * (1 if at.negative < 0 else -1)
        node = other
    return Affine.of(f"%{node}") + far if graph.nodes[node].unit != "constant" else _number(graph, node, far)


def _number(graph: Graph, node: int, far: int) -> Affine:
    name = graph.nodes[node].name
    return Affine.of(int(name) + far) if name.isdecimal() else Affine.of(f"%{node}") + far
