"""What helps a deadlocked network beside deeper FIFOs: initial tokens, another style of its pipelines."""

from __future__ import annotations

from collections.abc import Iterable

from ppnsim.explore.explain.initial_tokens import initial_tokens
from ppnsim.explore.fifo.other_styles import styles_that_finish
from ppnsim.model.network import Network
from ppnsim.model.run import Deadlock, Fix, Run


def without_depths(free: Run, stuck: Network, runs: int) -> Fix:
    """Return what else helps where a network stands still with FIFOs that never fill, in the run ``free``."""
    assert free.deadlock is not None
    if fixed := tuple(dict.fromkeys(wait.channel for wait in free.deadlock.cycle if wait.kind == "slot")):
        return Fix(depths={}, smallest=True, runs=runs, fixed=fixed)  # all others never fill
    initial, tried = initial_tokens(free, stuck)
    styles, more = styles_that_finish(stuck.written.never_full())
    return Fix(depths={}, smallest=True, runs=runs + tried + more, initial=initial, styles=styles)


def circle_of(deadlock: Deadlock) -> frozenset[tuple[str, str, str]]:
    """Return who waits for what in a deadlock, whichever firing does: process, kind and channel of each wait."""
    return frozenset((wait.process, wait.kind, wait.channel) for wait in deadlock.cycle)


def buried_in(network: Network, channels: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return into which of some channels more tokens are written than are read, with both numbers."""
    counts = {name: network.counts[name] for name in channels}
    found = {name: (each.written, each.freed_total) for name, each in counts.items()}
    return {name: (put, taken) for name, (put, taken) in found.items() if put > taken}
