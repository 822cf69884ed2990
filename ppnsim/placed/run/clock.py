"""A node's own clock (N1.1, N1.2): its processes count cycles, the simulation counts picoseconds.

Processes, channels and arbiters use a `NodeClock` as their environment and do not see other clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from fractions import Fraction
from typing import Any

from simpy import Environment
from simpy.events import NORMAL, Event, Process, Timeout

from ppnsim.units import edge


class NodeClock:
    """The part of `simpy.Environment` that engine components use, in cycles of one clock.

    Cycle k starts at k periods, rounded to whole picoseconds (half up); the same k at every place that asks.

    Examples
    --------
    >>> clock = NodeClock(Environment(), Fraction(10_000, 3))
    >>> [clock.edge(k) for k in range(4)], clock.first_edge_from(3334)
    ([0, 3333, 6667, 10000], 2)
    """

    def __init__(self, base: Environment, period: Fraction) -> None:
        self.base = base
        self.period = period
        self._active_proc: Process | None = None

    def edge(self, cycle: int) -> int:
        """Return when a cycle starts, in picoseconds."""
        return edge(self.period, cycle)

    def cycle_at(self, time: int) -> int:
        """Return the cycle in which a moment lies."""
        period = self.period
        cycle = (2 * time + 1) * period.denominator // (2 * period.numerator)
        return cycle if self.edge(cycle) <= time else cycle - 1

    def first_edge_from(self, time: int) -> int:
        """Return the first cycle that starts at or after a moment."""
        cycle = self.cycle_at(time)
        return cycle if self.edge(cycle) == time else cycle + 1

    def at(self, cycle: int, act: Callable[[], None]) -> None:
        """Call ``act`` when a cycle starts."""
        at(self.base, self.edge(cycle), act)

    @property
    def now(self) -> int:
        """The current cycle."""
        return self.cycle_at(int(self.base.now))

    @property
    def active_process(self) -> Process | None:
        """The SimPy process that runs."""
        return self._active_proc

    def schedule(self, event: Event, priority: Any = NORMAL, delay: int = 0) -> None:
        """Let an event happen a number of cycles from now."""
        later = self.edge(self.now + int(delay)) - int(self.base.now) if delay else 0
        self.base.schedule(event, priority, later)

    def timeout(self, delay: int) -> Timeout:
        """Return an event that happens a number of cycles from now."""
        return Timeout(self, delay)  # type: ignore[arg-type]

    def process(self, generator: Generator[Any, Any, Any]) -> Process:
        """Start a SimPy process that lives by this clock."""
        return Process(self, generator)  # type: ignore[arg-type]


def at(base: Environment, time: int, act: Callable[[], None]) -> None:
    """Call ``act`` at a time in picoseconds."""
    event = Event(base)
    event._ok, event._value = True, None
    event.callbacks = [lambda _: act()]
    base.schedule(event, delay=time - int(base.now))
