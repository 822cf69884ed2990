"""The order of a graph for list scheduling: topological order, longest paths and uses (R3.1)."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a graph's nodes, by number of the node.

    Attributes
    ----------
    followers : the nodes that wait for the node.
    height : ns of the longest path from the node to the end.
    users : the number of nodes that use its value.
    sequence : all nodes in topological order, each after the nodes that it waits for.
    placed : all nodes in the order of the list schedule: of the nodes that are ready, the highest comes first.
    """

    followers: tuple[tuple[int, ...], ...]
    height: tuple[float, ...]
    users: tuple[int, ...]
    sequence: tuple[int, ...]
    placed: tuple[int, ...]


def order_of(graph: Graph, library: Library) -> Order:
    """Return the order of a graph's nodes (R3.1)."""
    found: list[set[int]] = [set() for _ in graph.nodes]
    waiting = [0] * len(found)
    for node in graph.nodes:
        for operand in node.operands:
            found[operand].add(node.index)
    for later, before in graph.after.items():
        for earlier, _ in before:
            found[earlier].add(later)
    followers = tuple([tuple(sorted(each)) for each in found])
    for other in chain.from_iterable(followers):
        waiting[other] += 1
    left, sequence = [*waiting], [n for n, count in enumerate(waiting) if not count]
    for n in sequence:  # the list grows in the loop
        for other in followers[n]:
            left[other] -= 1
            if not left[other]:
                sequence.append(other)
    heights, budget = [0.0] * len(followers), library.budget
    for n in reversed(sequence):
        own = graph.nodes[n].states * budget or graph.nodes[n].delay
        heights[n] = own + max([heights[other] for other in followers[n]], default=0.0)
    placed = tuple(_highest_first(waiting, followers, heights))
    return Order(followers, tuple(heights), tuple(users_of(graph)), tuple(sequence), placed)


def users_of(graph: Graph) -> list[int]:
    """Return the number of nodes that use the value of each node, including nodes of later iterations."""
    users = [0] * len(graph.nodes)
    for node in graph.nodes:
        for operand in node.operands if node.kind != "dead" else ():
            users[operand] += 1
    for edge in graph.back:
        users[edge.source] += edge.kind != "ram"
    return users


def _highest_first(
    waiting: Sequence[int], followers: Sequence[Sequence[int]], height: Sequence[float]
) -> Iterator[int]:
    """Yield nodes in topological order; of several ready nodes, the one with the longest path to the end is first."""
    left = [*waiting]
    ready = [(-height[n], n) for n, count in enumerate(left) if not count]
    heapq.heapify(ready)
    while ready:
        _, n = heapq.heappop(ready)
        yield n
        for other in followers[n]:
            left[other] -= 1
            if not left[other]:
                heapq.heappush(ready, (-height[other], other))


def on_recurrences(graph: Graph) -> set[int]:
    """Return the nodes on a cycle of operands and loop-carried dependences."""
    users: list[list[int]] = [[] for _ in graph.nodes]
    for node in graph.nodes:
        for operand in node.operands if node.kind != "dead" else ():
            users[operand].append(node.index)
    found: set[int] = set()
    operands = [node.operands for node in graph.nodes]
    every_node = frozenset(range(len(operands)))
    sources_of: dict[int, list[int]] = {}
    for edge in graph.back:
        sources_of.setdefault(edge.target, []).append(edge.source)
    for target, every in sources_of.items():
        others = [source for source in every if source != target]
        if len(others) < len(every):
            found.add(target)
        if not others:  # the usual case: an access to a FIFO comes after that of the previous iteration
            continue
        below = _reached([target], users, every_node)
        sources = [source for source in others if source in below]
        found |= _reached(sources, operands, below)
    return found


def _reached(start: Iterable[int], following: Sequence[Iterable[int]], within: Collection[int]) -> set[int]:
    found: set[int] = set()
    left = [*start]
    while left:
        n = left.pop()
        if n not in found and n in within:
            found.add(n)
            left += following[n]
    return found
