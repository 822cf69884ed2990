"""Howard's policy iteration for the maximum cycle ratio, in whole numbers: exact, with a certificate.

Every node waits for its predecessors: in iteration m it happens at x(m) >= x_u(m - distance) + weight. In the long run
a node advances by the largest ratio of weight to distance of the cycles that lead to it. A policy picks one predecessor
per node; it is improved until no edge contradicts it, which is checked in the end and proves the answer. Nodes are
improved in the order of one iteration, each from what its predecessors have just become: otherwise an improvement gets
on by one edge each time, and an iteration of hardware is thousands of edges long.

Source: Howard 1960; for several ratios in one graph Cochet-Terrasson, Cohen, Gaubert, McGettrick and Quadrat 1998.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array

_WHOLE = 2**61  # sums of two numbers below this fit in int64


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges of a graph with nodes 0 .. ``count`` - 1, int64: ``target`` happens ``weight`` after ``source``.

    ``distance`` is how many iterations before its own the source belongs to (Python's own numbers if they are large).
    Every cycle has a positive one in all.
    """

    count: int
    source: Int64Array
    target: Int64Array
    weight: Int64Array
    distance: NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class HowardPolicy:
    """The result: ``ratio[v]`` is the number in ``ratios`` (ascending) of node v, ``edge[v]`` the one that binds it.

    ``potential[v]`` certifies it: with p/q = ratio, ``potential[v] >= potential[u] + weight q - distance p`` on every
    edge between nodes of one ratio, so no cycle among them has a larger one.
    """

    ratios: tuple[Fraction, ...]
    ratio: Int64Array
    edge: Int64Array
    potential: NDArray[Any]

    def critical_cycle(self, edges: Edges) -> list[int]:
        """Return the edges of a cycle that has the largest ratio, in the direction of time."""
        return circle_before(int(np.argmax(self.ratio)), self.edge, edges.source)


def circle_before(node: int, came: Mapping[int, int] | Int64Array, source: Int64Array) -> list[int]:
    """Return the edges of the circle that the way back from a node leads into, in the direction of time.

    ``came[v]`` is the edge over which the way leads into node v.

    Examples
    --------
    >>> circle_before(2, {2: 5, 1: 4, 0: 3}, np.array([0, 0, 0, 1, 0, 1]))
    [3, 4]
    """
    seen, way = dict[int, int](), list[int]()
    while node not in seen:
        seen[node] = len(way)
        way.append(int(came[node]))
        node = int(source[way[-1]])
    return way[seen[node] :][::-1]


def howard(edges: Edges) -> HowardPolicy:
    """Return the maximum cycle ratio that reaches each node; every node needs an edge that enters it.

    Examples
    --------
    >>> edges = Edges(2, *map(np.array, ([0, 1, 1], [0, 0, 1], [2, 1, 7], [1, 0, 2])))
    >>> found = howard(edges)
    >>> [str(found.ratios[number]) for number in found.ratio], found.critical_cycle(edges)
    (['7/2', '7/2'], [2])
    """
    order = np.lexsort((np.arange(len(edges.source)), -edges.weight, edges.target))
    chosen = order[np.unique(edges.target[order], return_index=True)[1]]
    assert len(chosen) == edges.count, "every node has an edge that enters it"
    policy, by_target = _valued(edges, chosen, None), _in_order(edges)
    while (better := _improved(edges, policy, by_target)) is not None:
        policy = _valued(edges, better, policy)
    assert is_certified(edges, policy)
    return policy


def is_certified(edges: Edges, policy: HowardPolicy) -> bool:
    """Return whether no edge contradicts the ratios: none comes from a larger one, none closes a better cycle."""
    tops = [(ratio.numerator, ratio.denominator) for ratio in policy.ratios]
    rows = zip(
        edges.source.tolist(), edges.target.tolist(), edges.weight.tolist(), edges.distance.tolist(), strict=True
    )
    ratio, potential = policy.ratio.tolist(), policy.potential.tolist()
    for u, v, weight, distance in rows:
        p, q = tops[ratio[v]]
        if ratio[u] > ratio[v] or (ratio[u] == ratio[v] and potential[v] < potential[u] + weight * q - distance * p):
            return False
    return True


def _valued(edges: Edges, chosen: Int64Array, before: HowardPolicy | None) -> HowardPolicy:
    """Return the policy that these edges are, with the ratio and the potential of every node."""
    came = edges.source[chosen].tolist()
    weight, distance = edges.weight[chosen].tolist(), edges.distance[chosen].tolist()
    circle = [-1] * edges.count  # that the way back from a node leads into
    found: list[Fraction] = []  # ratio of each circle
    potential = [0] * edges.count
    on_path = [-1] * edges.count
    for first in range(edges.count):
        path, node = [], first
        while circle[node] < 0 and on_path[node] != first:
            on_path[node] = first
            path.append(node)
            node = came[node]
        if circle[node] < 0:
            cycle = path[path.index(node) :]
            circle[node] = len(found)
            found.append(Fraction(sum(weight[v] for v in cycle), sum(distance[v] for v in cycle)))
            if before is not None and before.ratios[before.ratio[node]] == found[-1]:
                potential[node] = int(before.potential[node])  # or the values could go down again
        top = found[circle[node]]
        p, q = top.numerator, top.denominator
        for v in reversed(path):
            if circle[v] < 0:
                potential[v] = potential[came[v]] + weight[v] * q - distance[v] * p
                circle[v] = circle[node]
    ratios = sorted(set(found))
    number = {ratio: index for index, ratio in enumerate(ratios)}
    return HowardPolicy(tuple(ratios), np.array([number[ratio] for ratio in found])[circle], chosen, _whole(potential))


def _in_order(edges: Edges) -> Int64Array:
    """Return the edges ordered by their targets, each of which comes after all that it waits for in its iteration."""
    place = np.empty(edges.count, dtype=np.int64)
    place[after_all(edges, np.flatnonzero(edges.distance == 0))] = np.arange(edges.count)
    return np.argsort(place[edges.target], kind="stable").astype(np.int64)


def after_all(edges: Edges, chosen: Int64Array) -> list[int]:
    """Return the nodes, each after all from which chosen edges lead to it; those behind a circle of them are missing.

    Examples
    --------
    >>> edges = Edges(5, *np.array([[1, 2, 3, 4], [0, 1, 4, 3], [1, 1, 1, 1], [0, 0, 0, 0]]))
    >>> after_all(edges, np.arange(4))
    [2, 1, 0]
    """
    chosen = chosen[np.argsort(edges.source[chosen], kind="stable")]
    leaving = np.searchsorted(edges.source[chosen], np.arange(edges.count + 1)).tolist()
    target = edges.target[chosen].tolist()
    waits = np.bincount(edges.target[chosen], minlength=edges.count).tolist()
    order = [node for node, count in enumerate(waits) if not count]
    for node in order:
        for after in target[leaving[node] : leaving[node + 1]]:
            waits[after] -= 1
            if not waits[after]:
                order.append(after)
    return order


def _improved(edges: Edges, policy: HowardPolicy, by_target: Int64Array) -> Int64Array | None:
    """Return better edges where there are any: from a larger ratio first, else to a larger potential."""
    gain = (policy.ratio[edges.source] - policy.ratio[edges.target])[by_target]
    chosen = policy.edge.copy()
    if (gain > 0).any():
        better = by_target[gain > 0]
        better = better[np.argsort(gain[gain > 0], kind="stable")]
        chosen[edges.target[better]] = better  # the last one, from the largest ratio, stays
        return chosen
    tops = [(ratio.numerator, ratio.denominator) for ratio in policy.ratios]
    alike = by_target[gain == 0]
    rows = zip(
        alike.tolist(), edges.source[alike].tolist(), edges.target[alike].tolist(), edges.weight[alike].tolist(),
        edges.distance[alike].tolist(), policy.ratio[edges.target[alike]].tolist(), strict=True,
    )  # fmt: skip
    value, better_edge = policy.potential.tolist(), dict[int, int]()
    for edge, u, v, weight, distance, ratio in rows:
        p, q = tops[ratio]
        if (reached := value[u] + weight * q - distance * p) > value[v]:
            value[v], better_edge[v] = reached, edge
    if not better_edge:
        return None
    chosen[list(better_edge)] = list(better_edge.values())
    return chosen


def _whole(values: list[int]) -> NDArray[Any]:
    """Return whole numbers as int64, or as Python's own where they could leave it."""
    return np.array(values, dtype=object if max(map(abs, values), default=0) >= _WHOLE else np.int64)
