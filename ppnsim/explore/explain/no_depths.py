"""What helps a deadlocked network beside deeper FIFOs: initial tokens, another style of its pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ppnsim.engines.run import run
from ppnsim.explore.explain.initial_tokens import initial_tokens
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


def styles_that_finish(network: Network) -> tuple[tuple[str, ...], int]:
    """Return the styles with which a network finishes that does not, the nearest to its own first, and the runs.

    Where elastic pipelines do not help, flushable ones, which wait in more cases, are not tried.
    """
    written = network.written
    if written.with_style("elastic").processes == written.processes:
        return (), 0
    if run(written.with_style("elastic"), on_deadlock="return").deadlock is not None:
        return (), 1
    frozen = {each.name for each in written.processes if each.style == "frozen" and each.takes_styles}
    if not frozen:
        return ("elastic",), 1
    flushable = [replace(each, style="flushable") if each.name in frozen else each for each in written.processes]
    helps = run(written.replace(processes=flushable), on_deadlock="return").deadlock is None
    return ("flushable", "elastic") if helps else ("elastic",), 2


def circle_of(deadlock: Deadlock) -> frozenset[tuple[str, str, str]]:
    """Return who waits for what in a deadlock, whichever firing does: process, kind and channel of each wait."""
    return frozenset((wait.process, wait.kind, wait.channel) for wait in deadlock.cycle)


def buried_in(network: Network, channels: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return into which of some channels more tokens are written than are read, with both numbers."""
    counts = {name: network.counts[name] for name in channels}
    found = {name: (each.written, each.freed_total) for name, each in counts.items()}
    return {name: (put, taken) for name, (put, taken) in found.items() if put > taken}
