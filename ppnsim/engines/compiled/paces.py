"""Frames whose parts go at paces of their own: behind an unbounded FIFO a slower part lets the one before run ahead.

Parts that wait for each other, and parts of one pace, repeat together: each such group has two moments alike
(`periods`). A slower group that waits for a faster one gets its tokens ever earlier. If from its first moment on, to
the end of a run with few rows, none of these waits is what it moves on by, then none is in a run with more rows: each
group does what it does here, as many rows later at its own pace. That solves all recurrences, which have one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.tape import (
    BASE,
    COUNT,
    DONE,
    EDGES,
    EDGES_END,
    FIRST,
    FLUSHABLE,
    KIND,
    LAST,
    NO_TABLE,
    SOURCE,
    Tape,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Actors that repeat together: their nodes, and the two moments, ``iterations`` apart; from ``since`` on."""

    nodes: Int64Array
    iterations: int
    since: int
    early: int
    late: int

    @property
    def pace(self) -> Fraction:
        """Cycles in an iteration."""
        return Fraction(self.late - self.early, self.iterations)

    def over(self, iterations: int, back: int) -> Group:
        """Return it with moments so many iterations apart, a multiple of its own, and ``back`` times as many earlier.

        Near its last one it may wait already for what another one does behind its rows.
        """
        cycles = (self.late - self.early) * (iterations // self.iterations)
        late = self.late - back * cycles
        return Group(self.nodes, iterations, self.since, late - cycles, late)


class Paces:
    """Looks for the paces of the parts of an evaluated tape, all of whose firings have ended.

    Parameters are as of `find_period`.
    """

    def __init__(self, tape: Tape, begins: Int64Array, ends: Int64Array, repeats: Int64Array, horizon: int) -> None:
        self._tape, self._begins, self._ends = tape, begins, ends
        self._repeats, self._horizon = repeats, horizon
        sizes = tape.actors[:, LAST] - tape.actors[:, FIRST]
        self._actor_of = np.repeat(np.arange(len(sizes)), sizes)

    def found(self) -> tuple[int, Int64Array] | None:
        """Return iterations, and the cycles by which each node is later after them; None if that is not proven."""
        if (self._tape.actors[:, KIND] == FLUSHABLE).any():
            return None  # what it waits for depends on when
        known = self._groups()
        if known is None:
            return None
        iterations = lcm(*(group.iterations for group in known))
        moved, back = [group.over(iterations, 0) for group in known], 1
        while not self._never_wait(moved):
            moved, back = [group.over(iterations, back) for group in known], 2 * back
            if not all(map(self._is_settled, moved)):
                return None
        cycles = np.zeros(len(self._tape.nodes), dtype=np.int64)
        for group in moved:
            cycles[group.nodes] = group.late - group.early
        return (iterations, cycles) if all(map(self._is_settled, moved)) else None

    def _groups(self) -> list[Group] | None:
        """Return groups of actors: a part is in one with the slowest that it waits for if they repeat together."""
        waits = self._waits()
        group_of: dict[int, Group] = {}
        for part in _parts(waits):
            waited_for = np.flatnonzero(waits[part].any(axis=0)).tolist()
            before = {id(group_of[each]): group_of[each] for each in waited_for if each in group_of}
            pace = max((group.pace for group in before.values()), default=None)
            slowest = [self._actor_of[group.nodes] for group in before.values() if group.pace == pace]
            group = self._group(np.concatenate([part, *slowest])) or (self._group(part) if slowest else None)
            if group is None:
                return None
            group_of |= dict.fromkeys(self._actor_of[group.nodes].tolist(), group)
        return list({id(group): group for group in group_of.values()}.values())

    def _waits(self) -> npt.NDArray[np.bool_]:
        """Return which actor (row) waits for which other one."""
        count = len(self._tape.actors)
        waits = np.zeros((count, count), dtype=np.bool_)
        for target in range(len(self._tape.nodes)):
            for edge in self._edges_into(target):
                if self._index(edge, target).max(initial=-1) >= 0:
                    waits[self._actor_of[target], self._actor_of[self._tape.edges[edge, SOURCE]]] = True
        return waits

    def _group(self, actors: Int64Array) -> Group | None:
        """Return the repetition of some actors, looked at alone; None if they do not show one."""
        actors = np.unique(actors)
        nodes = np.flatnonzero(np.isin(self._actor_of, actors))
        own = self._tape.actors[actors].copy()
        sizes = own[:, LAST] - own[:, FIRST]
        own[:, LAST] = np.cumsum(sizes)
        own[:, FIRST] = own[:, LAST] - sizes
        tape = self._tape._replace(nodes=self._tape.nodes[nodes], actors=own)
        limits = self._begins[nodes], self._ends[nodes]
        iterations, cycles, since, late = find_period(tape, *limits, self._repeats[nodes], self._horizon)
        return Group(nodes, iterations, since, late - cycles, late) if iterations else None

    def _is_settled(self, group: Group) -> bool:
        """Return whether all that matters at the first moment of a group repeats from before it on."""
        begun = [int(self._cycles(node)[self._begins[node] - 1]) for node in group.nodes if self._begins[node]]
        return group.early - self._horizon >= max([group.since, *begun])

    def _never_wait(self, groups: list[Group]) -> bool:
        """Return whether no group ever waits for a slower one, and from its first moment on for no faster one."""
        group_of = {int(node): group for group in groups for node in group.nodes}
        for target, group in group_of.items():
            mine = self._cycles(target)
            first, behind = (int(np.searchsorted(mine, each, side="right")) for each in (group.early, group.late))
            for edge in self._edges_into(target):
                source = int(self._tape.edges[edge, SOURCE])
                other, index = group_of[source], self._index(edge, target)
                if other is group or index.max(initial=-1) < 0:
                    continue
                if other.pace > group.pace or (index[:behind] >= self._ends[source]).any():
                    return False
                # Tokens of the beginning are gone once others are waited for: then no index is no access.
                waits = first + np.flatnonzero(index[first:] >= 0)
                if first + len(waits) < len(index) and not (index[:first] >= 0).any():
                    return False
                theirs, later = self._cycles(source), index[waits]
                comes_round = max(int(np.searchsorted(theirs, other.since)), int(self._begins[source]))
                at_once = len(later) and later[0] == later[-1] and later[0] < self._begins[source]
                if not at_once and (later < comes_round).any():
                    return False
                if (theirs[later] + self._weight(edge, target)[waits] >= mine[waits]).any():
                    return False
        return True

    def _edges_into(self, node: int) -> Iterator[int]:
        """Yield the edges into a node from other processes."""
        for edge in range(self._tape.nodes[node, EDGES], self._tape.nodes[node, EDGES_END]):
            if self._actor_of[self._tape.edges[edge, SOURCE]] != self._actor_of[node]:
                yield edge

    def _cycles(self, node: int) -> Int64Array:
        base, done = self._tape.nodes[node, [BASE, DONE]].tolist()
        cycles: Int64Array = self._tape.cycles[base : base + done]
        return cycles

    def _index(self, edge: int, target: int) -> Int64Array:
        """Return the firing that each firing of a node waits for, negative for none."""
        _, shift, at, *_ = self._tape.edges[edge].tolist()
        count = int(self._tape.nodes[target, COUNT])
        return np.arange(count, dtype=np.int64) - shift if at == NO_TABLE else self._tape.tables[at : at + count]

    def _weight(self, edge: int, target: int) -> Int64Array:
        """Return the cycles between each firing of a node and what it waits for."""
        *_, weight, at = self._tape.edges[edge].tolist()
        count = int(self._tape.nodes[target, COUNT])
        return np.full(count, weight, dtype=np.int64) if at == NO_TABLE else self._tape.tables[at : at + count]


def _parts(waits: npt.NDArray[np.bool_]) -> list[Int64Array]:
    """Return the actors of each part that waits for itself; a part comes after those that it waits for.

    Examples
    --------
    >>> [part.tolist() for part in _parts(np.array([[0, 0, 1], [0, 0, 0], [1, 1, 0]], dtype=np.bool_))]
    [[1], [0, 2]]
    """
    reached = waits | np.eye(len(waits), dtype=np.bool_)
    for middle in range(len(waits)):
        reached |= np.outer(reached[:, middle], reached[middle])
    _, first, part = np.unique(reached & reached.T, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(reached[first].sum(axis=1), kind="stable")
    return [np.flatnonzero(part == number) for number in order.tolist()]
