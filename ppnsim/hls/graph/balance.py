"""Tree balancing of associative operators: a sum of n terms takes log n additions in depth instead of n.

Loop-carried operands come last, so that a recurrence passes only one operator.

Source: Siracusa et al. 2021, section 4.1 (tree balancing of associative operators). Floating point is not associative:
the tool leaves its chains as they are without a directive (UG1399, expression_balance). It also leaves fixed point
alone: with its nine terms as a tree, seidel-2d would have an initiation interval of 8, and the RTL has 9.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.old_value_trees import first_half, goes_last, half_of, is_apart, keeps_first
from ppnsim.hls.graph.order import on_recurrences, order_of, users_of
from ppnsim.hls.library.library import Library

ASSOCIATIVE = ("add", "mul")


def balance(
    graph: Graph, library: Library, *, real: bool = True, split: bool = False, target: int = 1, least: int = 1
) -> None:  # fmt: skip
    """Rewire the sums and products of a graph as trees of least height.

    Parameters
    ----------
    real : also balance floating point.
    split : floating-point trees with a loop-carried operand are halved again and again (R9.13).
    target, least : the requested initiation interval, and the least one that ports allow, in cycles; they may require
        the loop-carried operand to come last.

    Examples
    --------
    >>> from ppnsim.hls.library.library import load_library
    >>> from ppnsim.hls.library.types import Format
    >>> graph, whole = Graph(), Format.of("int")
    >>> total = graph.add("input", "x0", whole)
    >>> for n in range(1, 4):
    ...     term = graph.add("input", f"x{n}", whole)
    ...     total = graph.add("op", "add", whole, (total, term), delay=2.0)
    >>> balance(graph, load_library("xc7z020", 10))
    >>> graph.nodes[total].operands, [graph.nodes[n].operands for n in graph.nodes[total].operands]
    ((2, 4), [(0, 1), (3, 5)])
    """
    for node in graph.nodes:
        if node.kind == "dead":
            node.operands = ()
    users, sources = users_of(graph), {edge.source for edge in graph.back}
    inner = {
        operand
        for node in graph.nodes if _associative(node, real)
        for operand in node.operands
        if users[operand] == 1 and operand not in sources and _chains(graph.nodes[operand], node)
    }  # fmt: skip
    if inner:
        roots = [node for node in graph.nodes if _associative(node, real) and node.index not in inner]
        _as_trees(graph, library, roots, inner, on_recurrences(graph) if split else set(), (target, least))
    for edge in graph.back:
        node = graph.nodes[edge.source]
        if edge.kind == "register" and node.name == "add":
            node.registered = closes(graph, node, edge.target)


def _as_trees(
    graph: Graph, library: Library, roots: Iterable[GraphNode], inner: set[int], handed: set[int],
    intervals: tuple[int, int],
) -> None:  # fmt: skip
    """Rewire the chains that end in ``roots``; ``handed`` are the nodes on recurrences."""
    order = order_of(graph, library)
    arrival, carried = _arrivals(graph, order.sequence, library.budget), _carried(graph, order.followers)
    for node in roots:
        if not (node.format.real and handed and _halve(graph, node, inner, handed, intervals)):
            _rewire(graph, node, inner, arrival, carried, library.budget)


def closes(graph: Graph, node: GraphNode, phi: int) -> bool:
    """Return whether an operator takes the value of the previous iteration, directly or behind a reset (R3.4)."""
    return any(operand == phi or graph.nodes[operand].operands == (phi,) for operand in node.operands)


def is_sum(graph: Graph, value: int, phi: int | None, idle: Collection[int] = ()) -> bool:
    """Return whether a `float` is the old value plus one term, and only that addition uses the old value (R4.9).

    Nodes in ``idle`` do not count as uses.

    Examples
    --------
    >>> from ppnsim.hls.library.types import Format
    >>> graph, real = Graph(), Format.of("float")
    >>> old, term = graph.add("phi", "s", real), graph.add("input", "x", real)
    >>> total = graph.add("op", "add", real, (old, term))
    >>> is_sum(graph, total, old), is_sum(graph, total, term), is_sum(graph, term, old)
    (True, False, False)
    """
    node = graph.nodes[value]
    users = [n for n in graph.nodes if phi in n.operands and n.kind != "dead" and n.index not in idle]
    sums = node.name == "add" and node.format.family == "float" and users == [node]
    return sums and phi is not None and graph.nodes[phi].kind == "phi"


def _associative(node: GraphNode, real: bool = True) -> bool:
    """Return whether the operands of a node can be in any order; those of a difference cannot."""
    binary = node.kind == "op" and node.name in ASSOCIATIVE and len(node.operands) == 2 and node.negative < 0
    return binary and (real or node.format.family == "integer")


def _chains(left: GraphNode, right: GraphNode) -> bool:
    """Return whether two operators belong to one chain; sums of integers may grow by a bit at each step."""
    if not _associative(left) or left.name != right.name:
        return False
    if left.name == "add" and left.format.family == right.format.family == "integer":
        return left.format.bits <= right.format.bits
    return (left.format, left.wide) == (right.format, right.wide)


def _arrivals(graph: Graph, sequence: Iterable[int], budget: float) -> list[float]:
    """Return the earliest time in ns at which each value is available."""
    arrival = [0.0] * len(graph.nodes)
    for n in sequence:
        node = graph.nodes[n]
        start = max([node.ready[0] * budget + node.ready[1], *(arrival[operand] for operand in node.operands)])
        arrival[n] = start + (node.states * budget or node.delay)
    return arrival


def _carried(graph: Graph, followers: tuple[tuple[int, ...], ...]) -> set[int]:
    """Return the nodes that depend on an earlier iteration."""
    found: set[int] = set()
    left = [edge.target for edge in graph.back if edge.kind != "ram"]
    while left:
        n = left.pop()
        if n not in found:
            found.add(n)
            left += followers[n]
    return found


def _rewire(
    graph: Graph, root: GraphNode, inner: set[int], arrival: list[float], carried: set[int], budget: float
) -> None:  # fmt: skip
    """Combine the operands of a chain in a new order: earliest operands first, loop-carried operands last."""
    operators, leaves = _chain(graph, root, inner)
    if len(operators) == 1:
        return
    cost = root.states * budget or root.delay
    waiting = [(n in carried, arrival[n], n) for n in leaves]
    heapq.heapify(waiting)
    for n in sorted(operators, key=lambda n: (n == root.index, n)):
        first, second = heapq.heappop(waiting), heapq.heappop(waiting)
        graph.nodes[n].operands = first[2], second[2]
        heapq.heappush(waiting, (first[0] or second[0], max(first[1], second[1]) + cost, n))


def _chain(graph: Graph, root: GraphNode, inner: set[int]) -> tuple[list[int], list[int]]:
    """Return the operators of a chain, all made alike, and its operands in the order of the source."""
    operators, leaves, left = [root.index], [], [*root.operands][::-1]
    while left:
        n = left.pop()
        if n in inner:
            operators.append(n)
            left += graph.nodes[n].operands[::-1]
        else:
            leaves.append(n)
    for n in operators:
        node = graph.nodes[n]
        node.format, node.wide, node.delay = root.format, root.wide, root.delay
    return operators, leaves


def _halve(graph: Graph, root: GraphNode, inner: set[int], handed: set[int], intervals: tuple[int, int]) -> bool:
    """R9.13: halve the operands of a chain, with the loop-carried operand in the middle; return whether that is final.

    It is not final if the loop-carried operand has to be the last one.
    """
    operators, leaves = _chain(graph, root, inner)
    first = next((n for n in leaves if n in handed), None)
    if len(operators) == 1 or first is None or is_apart(graph, root, leaves):
        return False
    leaves.remove(first)
    terms, (target, least) = len(leaves), intervals
    free, old = sorted(operators, key=lambda n: (n == root.index, n)), first
    last = free.pop()
    if keeps_first(graph, root, terms, target, handed):
        graph.nodes[free[0]].operands = first, leaves[0]
        leaves[0] = first = free.pop(0)
    else:
        leaves.insert(half_of(terms + 1), first)

    def joined(some: list[int], node: int | None = None, around: int = 0) -> int:
        if len(some) == 1:
            return some[0]
        place = first_half(len(some), around, old=first in some)
        operands = joined(some[:place], around=len(some)), joined(some[place:], around=len(some))
        node = free.pop(0) if node is None else node
        graph.nodes[node].operands = operands
        return node

    joined(leaves, last)
    after = {operand: n for n in operators for operand in graph.nodes[n].operands}
    on_recurrence = 1
    while (old := after[old]) != root.index:
        on_recurrence += 1
    return not goes_last(root, terms, on_recurrence, target, least)
