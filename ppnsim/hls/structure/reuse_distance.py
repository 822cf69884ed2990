"""The distance in iterations until an element is accessed again, from subscripts or by enumeration (R4.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from operator import add

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Affine
from ppnsim.loops.points import iterations_at, sort_keys, trips_at, values
from ppnsim.loops.program import Access, Loop

POINTS = 1 << 18
"""Most iterations that are enumerated: of longer loops the first ones, in which subscripts of small numbers meet."""
VISITS = 4
"""Iterations of each enclosing loop that are enumerated if all of them are too many."""


_LONG = 128
"""Assumed trip count of a loop without a known trip count: elements are accessed again in it."""


def revisit(access: Access, loops: Sequence[Loop]) -> int:
    """Return the iterations of a flattened nest until it accesses a location again that it moves.

    1 if the next iteration may access it, 0 if none does.

    Examples
    --------
    >>> i, j = (Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(63),)) for name in "ij")
    >>> revisit(Access("a", (Affine.of("j"),)), (i, j)), revisit(Access("a", (Affine.of("j") % 4,)), (i, j))
    (64, 4)
    """
    found = [] if is_plain(access) else [_nearest(access, loops)]
    used = {name for subscript in access.subscripts for name in subscript.iterators()}
    missing = [k for k, loop in enumerate(loops) if loop.iterator not in used]
    if missing:
        trips = [constant_trips(loop) for loop in loops[missing[-1] + 1 :]]
        found.append(1 if None in trips else prod(each or 0 for each in trips))
    return min(filter(None, found), default=0)


def is_plain(access: Access) -> bool:
    """Return whether each subscript is a multiple of at most one iterator, and visits each value once."""
    terms = [each.terms for each in access.subscripts]
    return all(len(each) < 2 and all(isinstance(atom, str) for atom, _ in each) for each in terms)


def _nearest(access: Access, loops: Sequence[Loop]) -> int | None:
    """Return the distance by the subscripts of a location; a length that outer loops choose counts as a long one."""
    own = {loop.iterator for loop in loops}
    known = (loop if _names(loop) <= own else _long(loop) for loop in loops)
    return Nearest((), tuple(known)).distance(access, access)


def _lengths(outer: Sequence[Loop], loops: Sequence[Loop]) -> tuple[int, int]:
    """Return how many iterations of each enclosing loop, and of each loop, are enumerated: all, unless too many."""
    around, within = ([constant_trips(loop) or POINTS for loop in each] for each in (outer, loops))
    if prod((*around, *within)) <= POINTS:
        return POINTS, POINTS
    if prod(within) * VISITS ** len(outer) <= POINTS:
        return VISITS, POINTS
    return VISITS, max(2, int((POINTS // VISITS ** len(outer)) ** (1 / len(loops))))


def _names(loop: Loop) -> set[str]:
    return {name for bound in (*loop.first, *loop.last) for name in bound.iterators()}


def _long(loop: Loop) -> Loop:
    first = Affine.of(0)
    return replace(loop, first=(first,), last=(first + _LONG * loop.step,))


@dataclass(frozen=True)
class Nearest:
    """A search for the nearest accesses to one element in the iterations of a pipelined loop.

    Attributes
    ----------
    outer, loops : the enclosing loops, and the loop or the flattened loops, outermost first.

    Examples
    --------
    >>> i = Affine.of("i")
    >>> found = Nearest((), (Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(60),)),))
    >>> found.distance(Access("a", (i % 8 + 1,)), Access("a", (i % 8,)))
    1
    >>> found.distance(Access("a", (i * 2 + 9,)), Access("a", (i,)))
    9
    >>> found.distance(Access("a", (i,)), Access("a", (i * 2,))) is None
    True
    """

    outer: tuple[Loop, ...]
    loops: tuple[Loop, ...]

    def distance(self, store: Access, load: Access) -> int | None:
        """Return the least number of iterations between a store and a later load of the stored element.

        None if the enumerated iterations have no such load. A constant in both subscripts moves the element, but does
        not change the distance, so that the copies of an unrolled body share results.
        """
        if not len(self._times):
            return None
        moved = [-one.constant for one in store.subscripts]
        pair = tuple(tuple(map(add, each.subscripts, moved)) for each in (store, load))
        if pair not in self._found:
            self._found[pair] = self._distance(*pair)
        return self._found[pair]

    @cached_property
    def _found(self) -> dict[tuple[tuple[Affine, ...], ...], int | None]:
        """The distances that have been computed."""
        return {}

    def _distance(self, store: Sequence[Affine], load: Sequence[Affine]) -> int | None:
        count, visits = len(self._times), self._visits
        places = [np.concatenate([self._at(one), self._at(other)]) for one, other in zip(store, load, strict=True)]
        elements = sort_keys([np.concatenate([visits, visits]), *places], 2 * count)
        stores = np.repeat([True, False], count)
        times = np.concatenate([self._times, self._times])
        order = np.lexsort((stores, times, elements))  # in one iteration the load comes first and takes an older value
        elements, times, stores = elements[order], times[order], stores[order]
        last = np.maximum.accumulate(np.where(stores, np.arange(2 * count), -1))
        taken = ~stores & (last >= 0) & (elements[last] == elements)
        return int((times - times[last])[taken].min()) if taken.any() else None

    def whole(self, *accesses: Access) -> bool:
        """Return whether all iterations are enumerated in which some accesses may alias.

        Examples
        --------
        >>> long = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(POINTS),))
        >>> Nearest((), (long,)).whole(), Nearest((long,), ()).whole(Access("a", (Affine.of("j"),)))
        (False, True)
        """
        used = {name for access in accesses for subscript in access.subscripts for name in subscript.iterators()}
        for loop in self.loops:
            used |= {loop.iterator} | _names(loop)
        return not used & self._points[3]

    def _at(self, subscript: Affine) -> Int64Array:
        still = dict.fromkeys(subscript.iterators(), np.zeros_like(self._times))  # iterators of loops not given
        return values(subscript, still | self._columns, len(self._times))

    @cached_property
    def _points(self) -> tuple[dict[str, Int64Array], Int64Array, Int64Array, set[str]]:
        """The values of the iterators, the times of the iterations, and their visits; loops not given stay at 0.

        Also the iterators with more values than are enumerated.
        """
        cut: set[str] = set()
        bounds = (bound for loop in (*self.outer, *self.loops) for bound in (*loop.first, *loop.last))
        columns = {name: np.zeros(1, dtype=np.int64) for bound in bounds for name in bound.iterators()}
        times, visits = (np.zeros(1, dtype=np.int64) for _ in range(2))
        every = (*self.outer, *self.loops)
        visits_most, most = _lengths(self.outer, self.loops)
        for loop in every:
            start, trips = trips_at(loop, columns, len(times))
            largest = visits_most if loop in self.outer else most
            cut |= {loop.iterator} if (trips > largest).any() else set()
            row, iterator = iterations_at(loop, start, np.minimum(trips, largest))
            columns = {name: column[row] for name, column in columns.items()} | {loop.iterator: iterator}
            within = (iterator - start[row]) // loop.step
            if loop in self.outer:
                times, visits = times[row], visits[row] * visits_most + within
            else:
                times, visits = times[row] * max(1, int(trips.max(initial=0))) + within, visits[row]
        if not cut:  # inner loops may have different trip counts
            rows = np.arange(len(times), dtype=np.int64)
            times = rows - np.maximum.accumulate(np.where(np.diff(visits, prepend=-1) > 0, rows, 0))
        return columns, times, visits, cut

    @property
    def _columns(self) -> dict[str, Int64Array]:
        return self._points[0]

    @property
    def _times(self) -> Int64Array:
        return self._points[1]

    @property
    def _visits(self) -> Int64Array:
        return self._points[2]
