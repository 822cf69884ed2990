"""The thesis's two estimates of a network, evaluated in words of their own (T4.1, T4.2); no engine is involved.

With channels that never fill, the timing rules become recurrences over firings: a step is passed at the latest of what
it reads and of what its own process lets pass before. Absolute throughput keeps one process per statement; unbounded
throughput gives every firing a process of its own, so that data alone decides.

Source: van Teijlingen 2014, sections 4.2 to 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.analysis.at_once import passed_at_once
from ppnsim.analysis.circles import passed_in_circles
from ppnsim.errors import InputError
from ppnsim.model.metrics import Parallelism, parallelism
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline

LARGEST = 50_000_000
"""Firings and tokens of a network that is gone through firing by firing: about 2 GB."""
LARGEST_AT_ONCE = 400_000_000
"""Firings and tokens of any network that is estimated: about 16 GB."""


class TooLargeError(InputError):
    """A network has more firings and tokens than an estimate goes through."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """Finish in cycles (None if the data dependences form a circle) with the parallelism on the way there."""

    finish: int | None
    parallelism: Parallelism
    timeline: Timeline

    def __repr__(self) -> str:
        finish = "no finish, data goes round in a circle" if self.finish is None else f"finish {self.finish} cycles"
        return f"<Estimate: {finish}, parallelism {self.parallelism.average:.2f} mean, {self.parallelism.maximum} max>"


def absolute(network: Network) -> Estimate:
    """Return the absolute throughput estimate: one process per statement, unbounded channels.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> absolute(predictor()).finish
    83
    """
    return _estimate(network, own_processes=False)


def unbounded(network: Network) -> Estimate:
    """Return the unbounded throughput estimate: a process per firing, unbounded channels.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> estimate = unbounded(predictor())
    >>> estimate.finish, round(estimate.parallelism.average, 1), estimate.parallelism.maximum
    (45, 3.8, 25)
    """
    return _estimate(network, own_processes=True)


def _estimate(network: Network, *, own_processes: bool) -> Estimate:
    if network.checked().events > LARGEST_AT_ONCE:
        raise _too_large(network, LARGEST_AT_ONCE)
    # A scheduled process stays as it is, in both estimates: its steps are all that is known of it.
    without_limits = network.never_full().with_style("elastic")
    # With a latency per firing, accesses that wait in turn let a flushable process hold more than an elastic one does.
    more = {each.name for each in network.processes if each.style == "flushable" and network.steps[each.name].varies}
    known = passed_at_once(without_limits, own_processes=own_processes)
    if len(known) < len(network.processes) and network.events > LARGEST:
        raise _too_large(network, LARGEST)
    known |= passed_in_circles(without_limits, known, own_processes=own_processes, without_limit=more)
    passed = {process.name: known[process.name] for process in network.processes}
    timeline = Timeline(network=without_limits, passed=passed, holds={})
    finish = timeline.finish if timeline.complete else None
    return Estimate(finish=finish, parallelism=parallelism(timeline), timeline=timeline)


def _too_large(network: Network, most: int) -> TooLargeError:
    return TooLargeError(f"{network.events} firings and tokens are more than an estimate goes through ({most})")
