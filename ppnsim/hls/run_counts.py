"""Execution counts: how often code runs, as a formula of the scalars that bound the loops around it (R5.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.hls.known_ends import NEGATIVE, UNKNOWN
from ppnsim.hls.loop_names import called
from ppnsim.hls.structure.counting import trips, used
from ppnsim.loops.expressions import Affine, Condition, condition_iterators
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Loop
from ppnsim.loops.summed import ITERATOR, least, of_iterators, summed

Part = Loop | Condition
_NOT_KNOWN = {UNKNOWN: "is no such formula", NEGATIVE: "may be negative"}


class NoProduct(Exception):
    """The execution count of some code cannot be written as a formula."""


class UsualCounts:
    """Execution counts as the schedule has them, as numbers."""

    def of(self, around: Sequence[Part], loops: Sequence[Loop] = ()) -> tuple[Polynomial, Polynomial]:
        """Return the iterations of the flattened ``loops`` in all visits, and the visits."""
        runs, visits = trips(around, loops)
        return Polynomial.of(int((runs * visits).sum())), Polynomial.of(int(visits.sum()))


class RunCounts(UsualCounts):
    """Execution counts as formulas of the kernel's arguments; ``labels`` are the names of loops in refusals."""

    def __init__(self, labels: Mapping[tuple[str, int], str] | None = None) -> None:
        self._labels = labels or {}

    def of(self, around: Sequence[Part], loops: Sequence[Loop] = ()) -> tuple[Polynomial, Polynomial]:
        """Return the iterations and the visits as formulas.

        Raises
        ------
        NoProduct
            If they depend on data, or on a condition on iterators.
        """
        return self._runs([*around, *loops]), self._runs(around)

    def _runs(self, parts: Sequence[Part]) -> Polynomial:
        """Return how often the body of nested loops and conditions runs: a sum over loops on which others depend."""
        linked = self._linked(parts)
        total = Polynomial.of(1)
        for part in reversed(linked):
            if not isinstance(part, Loop):
                loop = next(each for each in linked if isinstance(each, Loop) and used(part, each.iterator))
                raise NoProduct(f"a condition depends on the iteration of {self._called(loop)}")
            name, times = ITERATOR + part.iterator, self.times(part)
            if name in total.names:
                total = total.replaced({name: self._start(part) + part.step * Polynomial.of(name)})
            total = summed(total, name, times) if name in total.names else total * times
        if left := [name for name in total.names if name.startswith(ITERATOR)]:
            raise NoProduct(
                f"a variable of the iterations of '{left[0].removeprefix(ITERATOR)}' ends a loop behind them"
            )
        _, visits = trips([each for each in parts if each not in linked], ())
        return total * int(visits.sum())

    def times(self, loop: Loop) -> Polynomial:
        """Return the trip count of a loop; raise NoProduct if data ends the loop."""
        if not loop.assumed:
            first, last = ([self._polynomial(each, loop) for each in ends] for ends in (loop.first, loop.last))
            way = least(*last) - most(*first) if loop.step > 0 else least(*first) - most(*last)
            return (way + abs(loop.step)).divided(abs(loop.step)).positive()
        if loop.runs is None:
            raise NoProduct(f"data ends {self._called(loop)}")
        return self._known(loop.runs, loop).positive()

    def _start(self, loop: Loop) -> Polynomial:
        """Return the first value of an iterator."""
        if not loop.assumed and len(loop.first) == 1:
            return self._polynomial(loop.first[0], loop)
        if loop.begins is None:
            raise NoProduct(f"data or several expressions begin {self._called(loop)}, on whose iteration others depend")
        return self._known(loop.begins, loop)

    def _known(self, value: Polynomial, loop: Loop) -> Polynomial:
        """Return an expression of a loop's head; raise NoProduct if a name in it is no formula of the arguments."""
        for mark, words in _NOT_KNOWN.items():
            if found := [name for name in value.names if name.startswith(mark)]:
                raise NoProduct(f"'{min(found).removeprefix(mark)}', which ends {self._called(loop)}, {words}")
        return value

    def _linked(self, parts: Sequence[Part]) -> list[Part]:
        """Return the loops with assumed trip counts, the loops whose iterators these need, and all dependent parts."""
        found: list[Part] = [each for each in parts if isinstance(each, Loop) and each.assumed]
        while True:
            names = {each.iterator for each in found if isinstance(each, Loop)}
            needed = set[str]().union(*map(self._iterators, found))
            more = [each for each in parts if each in found or self._iterators(each) & names or (
                isinstance(each, Loop) and each.iterator in needed)]  # fmt: skip
            if len(more) == len(found):
                return more
            found = more

    def _iterators(self, part: Part) -> set[str]:
        """Return the iterators on which a loop's trip count, or a condition, depends."""
        if not isinstance(part, Loop):
            return set(condition_iterators(part))
        if not part.assumed:
            return set[str]().union(*(each.iterators() for each in (*part.first, *part.last)))
        ends = {name for each in (part.runs, part.begins) if each is not None for name in each.names}
        return {name.removeprefix(ITERATOR) for name in ends if name.startswith(ITERATOR)}

    def _polynomial(self, bound: Affine, loop: Loop) -> Polynomial:
        if (found := of_iterators(bound)) is None:
            raise NoProduct(f"a bound of {self._called(loop)} is no sum of products")
        return found

    def _called(self, loop: Loop) -> str:
        return called(loop, self._labels)
