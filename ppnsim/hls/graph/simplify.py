"""Simplifications of the compiler front end: neutral constants, quotients, widths, counters (R9.15)."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from math import frexp
from operator import add, mul, sub, truediv

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.numerals import computed, constant
from ppnsim.loops.program import Operation

_PURE = frozenset(("add", "mul", "div", "cast", "from_integer", "to_integer", "cmp", "wire"))
_SINGLE = Format("float", 32)


def simplify(graph: Graph, library: Library, *, unsafe: bool) -> None:
    """Change a finished graph in place; ``unsafe``: results may change, as with unsafe math.

    Examples
    --------
    >>> from ppnsim.hls.library.library import load_library
    >>> library, graph, real = load_library("xcvu9p", 3.33), Graph(), Format.of("float")
    >>> x, four = graph.add("input", "x", real), graph.add("input", "4.0", real, unit="constant")
    >>> node = graph.add("op", "div", real, (x, four), states=12, wide=real)
    >>> simplify(graph, library, unsafe=False)
    >>> graph.nodes[node].name, graph.nodes[node].states
    ('mul', 4)
    """
    changed: list[int] = []
    _in_single(graph, library, changed)
    _gather(graph, changed)
    for node in graph.nodes:
        if node.kind != "op" or not node.format.real or len(node.operands) != 2:
            continue
        left, right = (number(graph.nodes[operand]) for operand in node.operands)
        if node.name == "add" and unsafe and (right == 0 or (left == 0 and node.negative < 0)):
            _wired(node, node.operands[right != 0], changed)
        elif node.name == "mul" and 1 in (left, right):
            _wired(node, node.operands[left == 1], changed)
        elif node.name == "div":
            _divided(library, node, left, right, unsafe=unsafe)
    _sweep(graph, changed)


def _in_single(graph: Graph, library: Library, changed: list[int]) -> None:
    """Compute and compare in single precision where double precision is not needed."""
    for node in graph.nodes:
        if node.kind == "op" and node.name == "cast" and node.format == _SINGLE:
            _narrow(graph, library, node, changed)
        elif node.kind == "op" and node.name == "cmp" and node.wide is not None and node.wide.real:
            _compared(graph, library, node, changed)


def _gather(graph: Graph, changed: list[int]) -> None:
    """Combine constants that are added one after the other, as in the counters of unrolled copies."""
    for node in [*graph.nodes]:
        found = _step(graph, node) if node.format.family == "integer" else None
        before = None if found is None else _step(graph, graph.nodes[found[0]])
        if found is not None and before is not None and graph.nodes[found[0]].format == node.format:
            total = graph.add("input", str(found[1] + before[1]), node.format, unit="constant")
            changed += node.operands
            node.operands = (before[0], total)


def _step(graph: Graph, node: GraphNode) -> tuple[int, int] | None:
    """Return the base and the constant of a sum of integers; None if the node is no such sum."""
    if node.kind != "op" or node.name != "add" or node.states or node.negative >= 0 or len(node.operands) != 2:
        return None
    for n, other in zip(node.operands, reversed(node.operands), strict=True):
        at = graph.nodes[n]
        if at.unit == "constant" and at.name.lstrip("-").isdecimal() and graph.nodes[other].unit != "constant":
            return other, int(at.name)
    return None


def _divided(library: Library, node: GraphNode, left: float | None, right: float | None, *, unsafe: bool) -> None:
    if right and (unsafe or abs(frexp(right)[0]) == 0.5):
        _retyped(library, node, "mul")
    elif left == 1 and unsafe and library.knows("reciprocal", node.format):
        _retyped(library, node, "reciprocal")


def number(node: GraphNode) -> float | None:
    """Return the value of a floating-point constant node, None for other nodes."""
    if node.unit != "constant" or not node.format.real:
        return None
    try:
        return float(node.name.rstrip("fFlL"))
    except ValueError:
        return None


def whole_number(operators: Operators, tree: Operation, nodes: Sequence[int]) -> int | None:
    """Return the integer result of an operation on integer constants, None if an operand is variable (R1.1)."""
    given = [operators.graph.nodes[node] for node in nodes]
    known = all(each.unit == "constant" and each.name.lstrip("-").isdecimal() for each in given)
    if not known or not given or any(each.format.family != "integer" for each in given):
        return None
    value = computed(tree.kind, [int(each.name) for each in given])
    if value is None:
        return None
    to = Format.of(tree.type, str(tree.position))
    return operators.constant(constant(tree, value).text, to) if to.family == "integer" else None


def folded(operators: Operators, name: str, full: Format, left: int, right: int) -> int | None:
    """Return the result of an operation on two floating-point constants, None if an operand is variable."""
    a, b = (number(operators.graph.nodes[node]) for node in (left, right))
    if a is None or b is None or (name == "div" and not b):
        return None
    result = {"add": add, "sub": sub, "mul": mul, "div": truediv}[name](a, b)
    return operators.constant(repr(result), full)


def _wired(node: GraphNode, operand: int, changed: list[int]) -> None:
    """Replace a node by one of its operands."""
    changed += node.operands
    node.name, node.operands, node.wide, node.unit = "wire", (operand,), None, ""
    node.states, node.delay, node.entry, node.pressed, node.negative = 0, 0.0, 0.0, (), -1


def _retyped(library: Library, node: GraphNode, name: str) -> None:
    """Give a node the operator with a name and the node's own format."""
    found = library.operator(name, node.format)
    node.name, node.states, node.delay, node.entry = name, found.states, found.delay, found.entry
    node.unit, node.pressed, node.wide = found.unit, found.pressed, node.format


def _narrow(graph: Graph, library: Library, node: GraphNode, changed: list[int]) -> None:
    """Compute a double operation in single precision if its operands are single and its result is cut to single."""
    wide = graph.nodes[node.operands[0]]
    if wide.format.bits != 64:  # half is narrower: the bits that it cuts off are lost
        return
    if wide.kind == "op" and wide.name == "cast" and graph.nodes[wide.operands[0]].format == _SINGLE:
        _wired(node, wide.operands[0], changed)
        return
    if wide.kind != "op" or wide.name not in ("add", "mul", "div"):
        return
    if narrow := _singles(graph, wide):
        changed += node.operands
        node.operands, node.negative = narrow, wide.negative
        _retyped(library, node, wide.name)


def _compared(graph: Graph, library: Library, node: GraphNode, changed: list[int]) -> None:
    """Compare in single precision if no operand is more precise: a float with a constant that C makes a double."""
    if node.wide is not None and node.wide.bits == 64 and (narrow := _singles(graph, node)):
        changed += node.operands
        found = library.operator(node.name, _SINGLE)
        node.operands, node.wide, node.unit = narrow, _SINGLE, found.unit
        node.states, node.delay, node.entry = found.states, found.delay, found.entry


def _singles(graph: Graph, node: GraphNode) -> tuple[int, ...]:
    """Return the operands of a node in single precision; empty if one needs more, or all are constants."""
    if all(graph.nodes[operand].unit == "constant" for operand in node.operands):
        return ()
    found = [_single(graph, operand) for operand in node.operands]
    return () if None in found else tuple(each for each in found if each is not None)


def _single(graph: Graph, n: int) -> int | None:
    """Return the single-precision node with the same value as a double, None if there is none."""
    node = graph.nodes[n]
    if node.kind == "op" and node.name == "cast" and graph.nodes[node.operands[0]].format == _SINGLE:
        return node.operands[0]
    value = number(node)
    if value is None or struct.unpack("f", struct.pack("f", value))[0] != value:
        return None
    return graph.add("input", node.name, _SINGLE, unit="constant")


def _sweep(graph: Graph, changed: list[int]) -> None:
    """Remove nodes without a use."""
    uses = Counter(operand for node in graph.nodes if node.kind != "dead" for operand in node.operands)
    uses.update(edge.source for edge in graph.back)
    while changed:
        node = graph.nodes[changed.pop()]
        if node.kind == "op" and node.name in _PURE and not uses[node.index]:
            node.kind = "dead"
            uses.subtract(node.operands)
            changed += node.operands
