"""Time of a platform run in whole ticks, and links that flows share fairly on such a clock.

A tick is the largest fraction of a second of which every time of the run is a multiple, so nothing is rounded. Only
fair sharing rounds: an end moves up to the next tick (P2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, lcm

from simpy import Environment, Event

from ppnsim.messages.model.flows import max_min_rates


def now(env: Environment) -> int:
    """Return the time in ticks, which SimPy only knows as a number."""
    return int(env.now)


class Ticks:
    """Seconds as whole ticks.

    Examples
    --------
    >>> ticks = Ticks([Fraction(1, 4), Fraction(1, 6)])
    >>> ticks.of(Fraction(1, 4)), ticks.seconds(24)
    (3, Fraction(2, 1))
    """

    def __init__(self, times: Iterable[Fraction]) -> None:
        self.per_second = lcm(1, *(time.denominator for time in times))

    def of(self, time: Fraction) -> int:
        """Return a time in ticks."""
        ticks = time * self.per_second
        assert ticks.denominator == 1, "every time of a run is known to the constructor"
        return ticks.numerator

    def seconds(self, ticks: int) -> Fraction:
        """Return ticks in seconds."""
        return Fraction(ticks, self.per_second)


class FairLinks:
    """Links of capacity 1 that all flows under way share max-min fairly; the work of a flow is in ticks.

    Examples
    --------
    >>> env = Environment()
    >>> links = FairLinks(env, 1)
    >>> ends = []
    >>> for work in (10, 4):
    ...     links.flow([0], work).callbacks.append(lambda _: ends.append(env.now))
    >>> env.run()
    >>> ends
    [8, 14]
    """

    def __init__(self, env: Environment, links: int) -> None:
        self._env, self._capacity = env, [Fraction(1)] * links
        self._flows: list[tuple[Event, Sequence[int]]] = []
        self._left: dict[Event, Fraction] = {}
        self._rates: dict[Event, Fraction] = {}
        self._since = 0
        self._plan = 0

    def flow(self, route: Sequence[int], work: int) -> Event:
        """Return the event of a flow's end."""
        self._settle()
        done = self._env.event()
        self._flows.append((done, route))
        self._left[done] = Fraction(work)
        self._share()
        return done

    def _settle(self) -> None:
        elapsed, self._since = now(self._env) - self._since, now(self._env)
        for done, _ in self._flows:
            self._left[done] -= elapsed * self._rates[done]

    def _share(self) -> None:
        self._plan += 1
        if not self._flows:
            return
        routes = [route for _, route in self._flows]
        shared = max_min_rates(self._capacity, routes)  # type: ignore[arg-type]
        self._rates = {done: Fraction(rate) for (done, _), rate in zip(self._flows, shared, strict=True)}
        wait = min(max(ceil(self._left[done] / self._rates[done]), 0) for done, _ in self._flows)
        plan = self._plan
        self._env.timeout(wait).callbacks.append(lambda _: self._end(plan))

    def _end(self, plan: int) -> None:
        if plan != self._plan:
            return  # a flow has entered since
        self._settle()
        ended = [done for done, _ in self._flows if self._left[done] <= 0]
        self._flows = [flow for flow in self._flows if flow[0] not in ended]
        for done in ended:
            done.succeed()
        self._share()
