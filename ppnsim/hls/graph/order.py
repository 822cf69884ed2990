"""What list scheduling needs of a graph that no schedule changes: order, longest paths, uses (R3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a graph's nodes, by number of the node.

    Attributes
    ----------
    waiting : how many nodes it waits for.
    followers : the nodes that wait for it.
    height : ns of the longest path from it to the end.
    users : how many nodes use its value.
    sequence : all nodes, each after the nodes that it waits for.
    """

    waiting: tuple[int, ...]
    followers: tuple[tuple[int, ...], ...]
    height: tuple[float, ...]
    users: tuple[int, ...]
    sequence: tuple[int, ...]


def order_of(graph: Graph, library: Library) -> Order:
    """Return the order of a graph's nodes (R3.1)."""
    followers: list[set[int]] = [set() for _ in graph.nodes]
    for node in graph.nodes:
        for operand in node.operands:
            followers[operand].add(node.index)
    for later, before in graph.after.items():
        for earlier, _ in before:
            followers[earlier].add(later)
    waiting = [0] * len(followers)
    for each in followers:
        for other in each:
            waiting[other] += 1
    sequence = _topological(followers)
    height = _heights(graph, followers, sequence, library.budget)
    after = tuple(tuple(sorted(each)) for each in followers)
    return Order(tuple(waiting), after, tuple(height), tuple(_users(graph)), tuple(sequence))


def _users(graph: Graph) -> list[int]:
    users = [0] * len(graph.nodes)
    for node in graph.nodes:
        if node.kind != "dead":
            for operand in node.operands:
                users[operand] += 1
    for edge in graph.back:
        users[edge.source] += edge.kind != "ram"
    return users


def _heights(graph: Graph, followers: list[set[int]], sequence: list[int], budget: float) -> list[float]:
    """Return the longest path in ns from each node to the end of the body."""
    height = [0.0] * len(graph.nodes)
    for n in reversed(sequence):
        node = graph.nodes[n]
        own = node.states * budget if node.states else node.delay
        height[n] = own + max((height[other] for other in followers[n]), default=0.0)
    return height


def _topological(followers: list[set[int]]) -> list[int]:
    waiting = [0] * len(followers)
    for each in followers:
        for other in each:
            waiting[other] += 1
    ready = [n for n, count in enumerate(waiting) if not count]
    order: list[int] = []
    while ready:
        n = ready.pop()
        order.append(n)
        for other in followers[n]:
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return order
