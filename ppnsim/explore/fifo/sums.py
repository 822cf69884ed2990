"""Depths as sums: FIFOs in series whose tokens cost the same are bounded together.

In whichever of these FIFOs a token is, its price is one. A run with one wait for all of them is never later than any
way to spread their tokens, so that the cheapest sums in time are a bound; mostly, one way to spread them is in time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.explore.fifo.boxes import BoxSearch
from ppnsim.explore.fifo.lanes import without_needless_tokens
from ppnsim.explore.fifo.problem import Full, Goal, Problem
from ppnsim.explore.fifo.series_steps import Fifo, Middle
from ppnsim.explore.fifo.series_waits import SeriesPart, SeriesWait

_MOST_PASSINGS = 100_000_000  # of all runs
_NEAR = 0.1  # of what is known to be enough, within which what is needed has to come soon


class Sums:
    """Depths of a problem, in one scenario, as tokens of FIFOs in series; such a FIFO alone is a series, too.

    Parameters
    ----------
    low : how deep each FIFO has to be whatever the others are.

    Attributes
    ----------
    series : numbers of the variables of each.
    """

    def __init__(self, problem: Problem, low: Full, scenario: int = 0) -> None:
        self._problem, self._low = problem, low
        self._ends = low, tuple(map(max, problem.largest(), low))
        core = problem.cores[scenario]
        shown = {channel.name for channel in core.network.channels} - core.unbounded
        self._lanes = [[name for name in variable.channels if name in shown] for variable in problem.variables]
        self._network = without_needless_tokens(core.network, shown)
        self.series = self._found()
        self._waits = [
            SeriesWait.over([self._fifos[index] for index in each]) if len(each) > 1 else None for each in self.series
        ]
        ends = [(wait.fifos[0].name, wait.fifos[-1].name) for wait in self._waits if wait is not None]
        self._tapes = Tapes(self._network, ends)
        self._open: dict[str, int | None] = {channel.name: None for channel in self._network.channels}
        self._tables: dict[tuple[int, int], tuple[Int64Array, Int64Array]] = {}

    def cheapest(self, goal: Goal, beyond: int) -> tuple[Full | None, int]:
        """Return the cheapest vector if it is found and costs less than ``beyond``, and a cost that none is below.

        A run with these depths may still be late: sums stand for any way to spread their tokens.
        """

        def in_time(tokens: Full) -> bool:
            self._problem.seconds_left()
            return goal.met((self.finish(tokens),))

        low, high = (tuple(sum(end[each] for each in members) for members in self.series) for end in self._ends)
        runs = _MOST_PASSINGS // max(1, self._network.passings)
        search = BoxSearch(low, high, self._cost, in_time, runs=runs, near=_NEAR)
        tokens = search.cheapest(beyond)
        return self._spread(tokens) if tokens is not None else None, search.lower

    def finish(self, tokens: Full) -> int | None:
        """Return a cycle before which no run ends with these sums, None if each deadlocks."""
        depths, number = dict(self._open), 0
        for at, (members, wait, held) in enumerate(zip(self.series, self._waits, tokens, strict=True)):
            spare = held - sum(self._low[each] for each in members)
            for each in members:
                depths |= dict.fromkeys(self._lanes[each], self._low[each] + spare)
            if wait is not None:
                if (at, held) not in self._tables:
                    self._tables[at, held] = wait.for_([SeriesPart(len(members), 1, 0)], [held], 0)
                self._tapes.set_wait(number, *self._tables[at, held])
                number += 1
        return self._tapes.finish() if self._tapes.run(depths) else None

    def _spread(self, tokens: Full) -> Full:
        """Return depths with these sums: what a series may have beyond the least is in its first FIFO."""
        vector = list(self._low)
        for members, held in zip(self.series, tokens, strict=True):
            vector[members[0]] += held - sum(self._low[each] for each in members)
        return tuple(vector)

    def _cost(self, at: int, tokens: int) -> int:
        first, *others = self.series[at]
        rest = sum(self._low[each] for each in others)
        return self._problem.cost_at(first, tokens - rest) + sum(
            self._problem.cost_at(each, self._low[each]) for each in others
        )

    @cached_property
    def _fifos(self) -> Mapping[int, Fifo]:
        return {index: Fifo.of(self._network, lanes[0]) for index, lanes in enumerate(self._lanes) if lanes}

    def _found(self) -> list[tuple[int, ...]]:
        """Return the variables of each series: one after the other, at one pace and price; every variable is in one."""
        problem, network = self._problem, self._network
        after: dict[int, int] = {}
        for index, fifo in self._fifos.items():
            end = network.channel(fifo.name).target
            if network.process(end).style == "frozen" and problem.slope(index):
                for other, next_ in self._fifos.items():
                    if (
                        network.channel(next_.name).source == end
                        and problem.slope(other) == problem.slope(index)
                        and other not in after.values()
                        and Middle(fifo, next_).even
                    ):
                        after[index] = other
                        break
        found, done = [], set[int]()
        starts = [index for index in range(len(self._low)) if index not in after.values()]
        for start in [*starts, *range(len(self._low))]:
            series: list[int] = []
            at: int | None = start
            while at is not None and at not in done:
                series.append(at)
                done.add(at)
                at = after.get(at)
            if series:
                found.append(tuple(series))
        return found
