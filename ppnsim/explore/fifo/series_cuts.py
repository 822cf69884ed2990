"""Cuts on the sum of FIFOs in series: what one failure proves for all ways to spread the same tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from ppnsim.explore.fifo.cuts import Cut, Reach, cut_of, deeper_than
from ppnsim.explore.fifo.lanes import without_needless_tokens
from ppnsim.explore.fifo.objectives import Depths, Time
from ppnsim.explore.fifo.problem import Goal, Problem, Vector, with_depth
from ppnsim.explore.fifo.series import Series
from ppnsim.model.network import Network

_DEEPEST = 2**40
_RUNS, _FEW_RUNS = 200, 20  # for a price
_MOST_PASSINGS = 20_000_000  # of a run that is made a few times for each cut


class SeriesCuts:
    """Looks for series among the FIFOs that a failure leaves to blame, in one scenario.

    Attributes
    ----------
    cheapest : depths of series, by number of the variable, with which alone a run is in time; the last goal's.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import fork_join
    >>> problem = problem_of([fork_join(firings=20, style="frozen")])  # short_in, short_out, long_in, long_out
    >>> cuts = SeriesCuts(problem, 0)
    >>> [(cut.least, cut.beyond) for cut in cuts.cuts((2, 12, None, None), Goal(limits=(37,)))]
    [(13, 55), (15, 39)]
    """

    def __init__(self, problem: Problem, scenario: int) -> None:
        self._problem, self._scenario = problem, scenario
        self._core = problem.cores[scenario]
        self._lane_of: dict[int, str] = {}
        shown = {channel.name for channel in self._core.network.channels} - self._core.unbounded
        for index, variable in enumerate(problem.variables):
            lanes = [name for name in variable.channels if name in shown]
            if lanes:
                self._lane_of[index] = lanes[0]
        self._series: dict[tuple[object, ...], Series] = {}
        self._bounded: dict[tuple[tuple[str, ...], Goal], list[Cut]] = {}
        self._failed: dict[tuple[tuple[str, ...], Goal], int] = {}  # prices at which series fail
        self.cheapest: list[dict[int, int]] = []

    def cuts(self, failing: Vector, goal: Goal) -> list[Cut]:
        """Return what a vector that fails proves of the sums of its finite depths in series."""
        # None stands for the depth of a fixed one.
        failing = tuple(
            None if variable.fixed else depth for variable, depth in zip(self._problem.variables, failing, strict=True)
        )
        index_of = {
            self._lane_of[index]: index
            for index, depth in enumerate(failing)
            if depth is not None and index in self._lane_of
        }
        names = in_series(self._core.network, list(index_of))
        if len(names) < 2:
            return []
        mine = tuple(index_of[name] for name in names)
        cuts, known = [], len(self.cheapest)
        if (names, goal) not in self._bounded:
            cuts = self._bounded[names, goal] = self._of_price(names, mine, goal)
        # Depths that are in time lead on sooner than what this vector proves.
        if len(self.cheapest) > known or any(
            cut.value(tuple(depth or 0 for depth in failing)) < cut.least for cut in cuts
        ):
            return cuts
        return cuts + self._of_failing(names, mine, failing, goal)

    def _of_price(self, names: tuple[str, ...], mine: tuple[int, ...], goal: Goal) -> list[Cut]:
        """Return what all FIFOs of a series cost at least; what was found to be enough is a hint."""
        depths = self._core.depths(self._problem.depths(self._problem.top))
        search = _Search(self._problem, self._scenario, goal, depths)
        # Where a token's price depends on the depth, its bits stand for it.
        prices = tuple(max(1, round(self._problem.prices()[index])) for index in mine)
        for whole in (True, False):
            series = self._series_of(names, prices, depths, whole=whole)
            search.raise_bound(series, self._known_price(names, prices, goal))
        if search.cheapest is not None:
            self.cheapest.append(dict(zip(mine, search.cheapest, strict=True)))
        self._failed[names, goal] = search.failed
        return self._cuts(dict(zip(mine, prices, strict=True)), search, self._problem.top)

    def _known_price(self, names: tuple[str, ...], prices: tuple[int, ...], goal: Goal) -> int:
        """Return a price at which a series fails if anything does, from what parts of it cost."""
        known = [sum(prices)]
        for (part, aim), failed in self._failed.items():
            if aim == goal and failed >= 0 and set(part) <= set(names):
                rest = sum(price for name, price in zip(names, prices, strict=True) if name not in part)
                known.append(failed + rest)
        return max(known)

    def _of_failing(self, names: tuple[str, ...], mine: tuple[int, ...], failing: Vector, goal: Goal) -> list[Cut]:
        """Return how far a series fails in whatever way its tokens are moved between FIFOs, from those that it has."""
        if len(names) < 2:
            return []
        ones = (1,) * len(names)
        depths = self._core.depths(self._problem.depths(_without(failing, mine)))
        between = tuple(self._series_of(names, ones, depths, whole=False).between)
        for weights, whole in ((ones, True), (between, False)):
            if min(weights) > 0:
                search = _Search(self._problem, self._scenario, goal, depths)
                begin = sum(weight * (failing[index] or 0) for weight, index in zip(weights, mine, strict=True))
                search.raise_bound(self._series_of(names, weights, depths, whole=whole), begin)
                if search.failed >= 0:
                    return self._cuts(dict(zip(mine, weights, strict=True)), search, failing)
        first, _ = self._series_of(names, ones, depths, whole=True).halves
        at = len(first)
        return [
            *self._of_failing(names[:at], mine[:at], failing, goal),
            *self._of_failing(names[at:], mine[at:], failing, goal),
        ]

    def _cuts(self, weights: Mapping[int, int], search: _Search, failing: Vector) -> list[Cut]:
        """Return that a sum of weighted depths is larger than what failed, or another entry than in the vector."""
        if search.failed < 0:
            return []
        low, least = self._problem.low, search.failed + 1
        terms = {Reach(index, 1, 0): weight for index, weight in weights.items()}
        enough = least - sum(weight * low[index] for index, weight in weights.items())
        for index, depth in enumerate(failing):
            if depth is not None and index not in weights:
                terms[deeper_than(index, depth)] = enough
        return cut_of(terms, least, search.time, self._scenario, low)

    def _series_of(self, names: tuple[str, ...], prices: tuple[int, ...], depths: Depths, *, whole: bool) -> Series:
        bounded = {*names, *(name for name, depth in depths.items() if depth is not None)}
        key = names, prices, whole, frozenset(bounded)
        if key not in self._series:
            network = without_needless_tokens(self._core.network, bounded)
            self._series[key] = Series(network, names, prices, whole=whole)
        return self._series[key]


class _Search:
    """The highest price at which each way to spread tokens over a series fails.

    Attributes
    ----------
    failed : that price, as far as it is known, -1 at first.
    time : that each of these runs takes at least.
    cheapest : depths of the series that are in time, if some were met.
    """

    def __init__(self, problem: Problem, scenario: int, goal: Goal, depths: Depths) -> None:
        self._problem, self._goal, self._depths = problem, goal, depths
        self._stopwatch = problem.stopwatches[scenario]
        self.failed = -1
        self.time: Time | None = None
        self.cheapest: list[int] | None = None
        self._met: int | None = None

    def raise_bound(self, series: Series, begin: int) -> None:
        """Look for the highest price at which all fails, from ``begin`` on, by doubling and halving."""
        unit = step = gcd(*series.prices)
        if self.failed < begin and not self._all_fail(series, begin, _RUNS):
            return
        while self._met is None and self._all_fail(series, self.failed + step, _FEW_RUNS):
            step *= 2
            if step > _DEEPEST:  # others are to blame
                self.failed = -1
                return
        if self._met is None:
            self._all_fail(series, self.failed + 2 * step, _RUNS)
        while self._met is not None and self._met - self.failed > unit:
            before, between = self._met, (self._met - self.failed) // unit // 2 * unit
            if not self._all_fail(series, self.failed + between, _RUNS) and self._met == before:
                return

    def _all_fail(self, series: Series, bound: int, runs: int) -> bool:
        """Return whether every spread at a price is proven to fail, in so many runs at most."""
        left, times = [series.anyhow], list[Time | None]()
        for _ in range(runs):
            self._problem.seconds_left()
            spread = left.pop()
            if series.most(bound, spread) is not None:
                time = series.finish(bound, spread, self._depths)
                if self._goal.met((time,)):
                    further = series.spread_further(bound, spread)
                    if not further:
                        self._try(series, series.depths_at(spread))
                        return False
                    left += further
                else:
                    times.append(time)
            if not left:
                self.failed, self.time = bound, min((time for time in times if time is not None), default=None)
                return True
        return False

    def _try(self, series: Series, depths: list[int]) -> None:
        """Note depths of a series, all others unbounded but those given, if a run with them is in time: the least."""
        if not self._is_met(series, depths):
            return
        for number in reversed(range(len(depths))):
            low, works = 0, depths[number]
            tried = 1
            while works - low > 1:
                if self._is_met(series, with_depth(tuple(depths), number, tried)):
                    works = tried
                else:
                    low = tried
                tried = (low + works) // 2
            depths[number] = works
        self._met = sum(price * depth for price, depth in zip(series.prices, depths, strict=True))
        self.cheapest = depths

    def _is_met(self, series: Series, depths: Sequence[int]) -> bool:
        given = {**self._depths, **dict(zip(series.channels, depths, strict=True))}
        return self._goal.met((self._stopwatch.time(given),))


def _without(vector: Vector, indices: Sequence[int]) -> Vector:
    return tuple(None if index in indices else depth for index, depth in enumerate(vector))


def can_be_bounded(network: Network) -> bool:
    """Return whether runs of a network with FIFOs bounded together are known, and not too long."""
    return network.passings <= _MOST_PASSINGS and not any(steps.varies for steps in network.steps.values())


def in_series(network: Network, channels: Sequence[str]) -> tuple[str, ...]:
    """Return the longest series among channels: each begins at the process, in fixed steps, where the last one ends.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> in_series(chain(firings=8, ii=(1, 1, 1, 1), style="frozen"), ["c2", "c0", "c1"])
    ('c0', 'c1', 'c2')
    """
    longest: dict[str, tuple[str, ...]] = {}

    def from_(name: str) -> tuple[str, ...]:
        if name not in longest:
            longest[name] = (name,)  # where a circle closes
            end = network.channel(name).target
            if network.process(end).style == "frozen":
                ways = [from_(other) for other in channels if network.channel(other).source == end]
                longest[name] += max((way for way in ways if name not in way), key=len, default=())
        return longest[name]

    return max(map(from_, channels), key=len, default=())
