"""The exact period of a graph: simulate iterations until all starts repeat, shifted in time.

Without an end to the graph nothing changes: a firing never waits for a later one, so the run of k iterations is the
beginning of the endless one. Let W iterations be enough to hold everything that a firing can wait for (initial tokens,
depths and firings in flight, counted in iterations). If, for one c and every process, the starts of the last W
iterations are those of c iterations before plus a constant D, then every later start is, too: the recurrences are
maxima of sums. Where parts of a graph have different D, the largest D / c is the period: the others wait for it
or run ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline
from validation.dataflow.data import Budget

DEADLOCK = "deadlock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """A period in cycles per iteration, `DEADLOCK`, or None if the budget does not cover what it ``needs``."""

    period: Fraction | str | None
    needs: str = ""


def steady(build: Callable[[int], Network], repeats: Mapping[str, int], budget: Budget) -> Steady:
    """Return the period of the graph that ``build(iterations)`` makes; ``repeats`` is firings per iteration.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> limits = Budget(firings=1000, tokens=1000, sample=None)
    >>> steady(lambda n: chain(firings=n, ii=(1, 3, 1), depth=2), {"p0": 1, "p1": 1, "p2": 1}, limits).period
    Fraction(3, 1)
    """
    window = _window(build(1), repeats)
    iterations = window + 3
    while True:
        program = Program.of(build(iterations))
        moved = sum(flow.written for flow in program.network.counts.values())
        if program.network.firings > budget.firings or moved > budget.tokens:
            return Steady(period=None, needs=f"{program.network.firings} firings, {moved} tokens")
        result = run(program, engine="des", on_deadlock="return")
        if result.deadlocked:
            return Steady(period=DEADLOCK)
        period = _period(result.timeline, repeats, window, iterations)
        if period is not None:
            return Steady(period=period)
        iterations *= 2


def _window(network: Network, repeats: Mapping[str, int]) -> int:
    """Return how many iterations back a firing can wait for something."""
    window = 1
    for channel in network.channels:
        per_iteration = network.counts[channel.name].put.last(repeats[channel.source])
        for held in (channel.initial, channel.depth or 0):
            window = max(window, -(-held // per_iteration) + 1)
    for process in network.processes:
        in_flight = network.steps[process.name].capacity or 0
        window = max(window, -(-in_flight // repeats[process.name]) + 1)
    return window


def _period(timeline: Timeline, repeats: Mapping[str, int], window: int, iterations: int) -> Fraction | None:
    starts = {name: timeline.start(name) for name in repeats}
    order = list(repeats)
    for shift in range(1, iterations - window + 1):
        delays = []
        for name in order:
            last, back = window * repeats[name], shift * repeats[name]
            row = starts[name]
            delay = row[-last:] - row[-last - back : -back]
            if (delay != delay[0]).any():
                # Most shifts fail; ask the process that refused this one first next time.
                order.remove(name)
                order.insert(0, name)
                break
            delays.append(int(delay[0]))
        else:
            return Fraction(max(delays), shift)
    return None
