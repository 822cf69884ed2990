"""Howard's policy iteration for the maximum cycle ratio, in whole numbers: exact, with a certificate.

Every node waits for its predecessors: in iteration m it happens at x(m) >= x_u(m - distance) + weight. In the long run
a node advances by the largest ratio of weight to distance of the cycles that lead to it. A policy picks one predecessor
per node; it is improved until no edge contradicts it, which is checked in the end and proves the answer.

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

    ``distance`` is how many iterations before its own the source belongs to. Every cycle has a positive one in all.
    """

    count: int
    source: Int64Array
    target: Int64Array
    weight: Int64Array
    distance: Int64Array


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
    seen: dict[int, int] = {}
    way: list[int] = []
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
    policy = _valued(edges, chosen, None)
    while (better := _improved(edges, policy)) is not None:
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


def _improved(edges: Edges, policy: HowardPolicy) -> Int64Array | None:
    """Return better edges where there are any: from a larger ratio first, else to a larger potential."""
    gain: NDArray[Any] = policy.ratio[edges.source] - policy.ratio[edges.target]
    if not (gain > 0).any():
        p = _whole([ratio.numerator for ratio in policy.ratios])[policy.ratio[edges.target]]
        q = _whole([ratio.denominator for ratio in policy.ratios])[policy.ratio[edges.target]]
        if _largest(edges.weight) * _largest(q) + _largest(edges.distance) * _largest(p) >= _WHOLE:
            p, q = p.astype(object), q.astype(object)
        value = policy.potential
        step = edges.weight * q - edges.distance * p
        gain = np.where(gain == 0, value[edges.source] + step - value[edges.target], 0)
    better = np.flatnonzero(gain > 0)
    if not len(better):
        return None
    better = better[np.argsort(-gain[better], kind="stable")]
    better = better[np.argsort(edges.target[better], kind="stable")]
    nodes, first = np.unique(edges.target[better], return_index=True)
    chosen = policy.edge.copy()
    chosen[nodes] = better[first]
    return chosen


def _whole(values: list[int]) -> NDArray[Any]:
    """Return whole numbers as int64, or as Python's own where they could leave it."""
    large = max(map(abs, values), default=0) >= _WHOLE
    return np.array(values, dtype=object if large else np.int64)


def _largest(values: NDArray[Any]) -> int:
    return max(abs(int(values.max(initial=0))), abs(int(values.min(initial=0))))
