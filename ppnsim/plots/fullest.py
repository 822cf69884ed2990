"""The FIFO that a drawing marks: the one that costs most cycles, which runs without the depths of others show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ppnsim.analysis.throughput import absolute
from ppnsim.engines.evaluate import finishes
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of

_TRIED = 4  # channels
_LARGEST = 1_000_000  # firings and tokens of a run that does not repeat itself, above which a run takes seconds


class Fullest(NamedTuple):
    """The cycles for which a full channel blocked a process, the channel and the process."""

    cycles: int
    channel: str
    process: str


def fullest(run: Run | None) -> Fullest | None:
    """Return the channel to mark, None where no FIFO costs a cycle, in a deadlock, and of long runs.

    A full FIFO is no mistake: the producer of a slow process waits, in a design without loss as well. Where FIFOs cost
    cycles, that one is meant of those full for longest which costs most while all others are unbounded.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> network = fork_join(firings=20, short_depth=3)
    >>> fullest(run(network)).channel, fullest(run(network.with_depths({"short_out": 13})))
    ('short_out', None)
    """
    if run is None or run.deadlock is not None or (run.network.events > _LARGEST and run.left_out is None):
        return None
    found: dict[str, Fullest] = {}
    for name, each in summary_of(run).processes.items():
        for channel, cycles in each.cycles.blocked.items():
            if cycles:
                found[channel] = max(found.get(channel, Fullest(0, channel, name)), Fullest(cycles, channel, name))
    longest = sorted(found.values(), reverse=True)
    if run.finish is None or not longest:
        return None
    finish = finishes(run.network)
    if _never_full(run.network, finish) >= run.finish:
        return None
    if len(longest) == 1:
        return longest[0]
    # Of equal ones the first.
    return max(longest[:_TRIED], key=lambda each: _finish_with(run.network, finish, {each.channel}))


def _never_full(network: Network, finish: Callable[[Mapping[str, None]], int | None]) -> float:
    """Return the finish where no channel is ever full: the estimate's, where that is the run itself."""
    if any(each.style != "elastic" or each.resource is not None for each in network.processes):
        return _finish_with(network, finish, ())
    return absolute(network).finish or float("inf")


def _finish_with(
    network: Network, finish: Callable[[Mapping[str, None]], int | None], depths: Collection[str]
) -> float:  # fmt: skip
    """Return the finish where these channels alone keep their depth."""
    found = finish({each.name: None for each in network.written.channels if each.name not in depths})
    return float("inf") if found is None else found
