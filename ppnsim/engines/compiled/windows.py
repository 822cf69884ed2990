"""Long runs whose processes run ahead of each other, in memory that follows neither the firings nor the tokens held.

Each process has a window of its own firings on the tape. When all that can happen in the windows has happened, every
cycle before some moment is known of all processes: figures are taken up to there, and what passed before it is
forgotten. What is left is a run of a short network again, whose channels begin with the tokens that they hold. That a
token was written before the moment is all that its reader, whose next start comes after it, needs to know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ppnsim.arrays import read_only
from ppnsim.engines.compiled.block_figures import BlockFigures
from ppnsim.engines.compiled.completion import evaluate_all, longest_wait
from ppnsim.engines.compiled.firing_window import FiringWindow, firings_for, unit_of
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import with_cyclic_rates
from ppnsim.engines.compiled.tape import (
    BASE,
    COUNT,
    DONE,
    FIRST,
    FROZEN,
    II,
    KIND,
    LAST,
    LAST_CYCLE,
    LAST_STEP,
    OFFSET,
    Tape,
    tape_of,
)
from ppnsim.engines.compiled.window_latencies import WindowSteps
from ppnsim.engines.program import Program
from ppnsim.model.network import Network, Process
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER, Timeline

_WINDOW = 1_000_000  # passings of steps in all windows together
_LEAST = 16  # part of its even share that a process may run ahead at least, whatever it did before
_TOKENS = 64  # of a firing, on average
_MOST = 16  # windows that all processes together may need, or the network is none for them


def run_in_windows(network: Network, progress: Callable[[int, int], None] | None = None) -> Run | None:
    """Return a run with all figures but without its timeline; None if it deadlocks, or is not one for windows.

    Those have elastic and frozen processes, no shared resources, and rates (or what says the same). Memory grows with
    bounded depths, latencies and the firings after which rates come round.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.model.summary import summary_of
    >>> outcome = run_in_windows(chain(firings=400_000, ii=(1, 3, 1), depth=None))
    >>> outcome.finish, summary_of(outcome).occupancy
    (1200010, {'c0': 266667, 'c1': 1})
    """
    if network.resources or any(process.style == "flushable" for process in network.processes):
        return None
    if network.events > _TOKENS * network.passings:  # the tokens of a window take the memory
        return None
    network = with_cyclic_rates(network)
    if any(counts.reads is not None for counts in network.counts.values()):
        return None
    if network.stops and any(steps.varies for steps in network.steps.values()):
        return None
    return _Windows(network).run(progress)


class _Windows:
    def __init__(self, network: Network) -> None:
        self._network, self._claimed = network, network.claimed
        names = [process.name for process in network.processes]
        steps = {name: network.steps[name].count for name in names}
        passings = sum(network.passings_of(name) * steps[name] for name in names)
        self._steps = {name: WindowSteps(network.steps[name]) for name in names if network.steps[name].varies}
        self._horizon = max(network.steps[name].deepest for name in names)
        self._share = max(1, _WINDOW // sum(steps.values()))
        self._windows = {}
        for name in names:
            total = network.passings_of(name)
            capacity = network.steps[name].capacity or 0
            self._windows[name] = FiringWindow(
                total=total, unit=unit_of(network, name), ahead=max(total * _WINDOW // passings, self._least(capacity)),
                rows=steps[name] * [np.zeros(0, dtype=np.int64)],
            )  # fmt: skip

    def _least(self, capacity: int) -> int:
        """Return how far ahead a process is looked at, at least: beyond what is in its pipeline."""
        return self._share // _LEAST + 4 * capacity + 4

    def run(self, progress: Callable[[int, int], None] | None) -> Run | None:
        figures, until, known = BlockFigures(self._network), 0, 0
        while True:
            if not self._set_counts():
                return None
            local = self._short()
            recurrences = Recurrences.of(Program.of(local))
            tape = tape_of(recurrences)
            self._put(tape, recurrences)
            if evaluate_all(tape) and all(window.count == window.left for window in self._windows.values()):
                break
            now = sum(window.forgotten + window.known for window in self._take(tape, recurrences))
            moment = self._known_until(tape, recurrences)
            if moment is None or now == known:
                return None
            known = now
            until = max(moment, until)
            later = self._first()
            figures.add(self._timeline(local, later), later, until)
            self._forget(until, until - max(longest_wait(recurrences), self._horizon))
            if progress is not None:
                progress(now, self._network.passings)
        self._take(tape, recurrences)
        later = self._first()
        last = self._timeline(local, later)
        figures.add(last, later, last.finish + later, ends=True)
        return figures.run(last, later)

    def _set_counts(self) -> bool:
        """Set how many firings each window has: so many that all tokens that are read are written, in windows.

        Return whether they are few enough.
        """
        for window in self._windows.values():
            window.count = window.whole(max(window.known, window.seen + window.ahead))
        settled = False
        while not settled:
            settled = True
            for channel in self._claimed.channels:
                counts = self._claimed.counts[channel.name]
                writer, reader = self._windows[channel.source], self._windows[channel.target]
                missing = counts.freed.last(reader.count) - self._held(channel.name)
                least = writer.whole(firings_for(counts.put, missing, writer.left))
                if least > writer.count:
                    writer.count, settled = least, False
            if sum(each.count * len(each.rows) for each in self._windows.values()) > _MOST * _WINDOW + self._known():
                return False
        return True

    def _known(self) -> int:
        return sum(each.known * len(each.rows) for each in self._windows.values())

    def _held(self, channel: str) -> int:
        """Return the tokens of a channel after all that is forgotten."""
        ends, counts = self._claimed.channel(channel), self._claimed.counts[channel]
        written = counts.put.last(self._windows[ends.source].forgotten)
        return counts.initial + written - counts.freed.last(self._windows[ends.target].forgotten)

    def _short(self) -> Network:
        """Return the network of what is on the tape."""
        processes = [self._cut(process) for process in self._claimed.processes]
        channels = [replace(channel, initial=self._held(channel.name)) for channel in self._claimed.channels]
        network = self._claimed.replace(processes=processes, channels=channels)
        windows = {name: self._windows[name] for name in self._steps}
        if windows:  # of one latency each, steps do not depend on the window
            steps = {name: self._steps[name].of(each.forgotten, each.count) for name, each in windows.items()}
            vars(network)["steps"] = {name: steps.get(name, each) for name, each in self._claimed.steps.items()}
        return network

    def _cut(self, process: Process) -> Process:
        count = self._windows[process.name].count
        if process.schedule is None:
            first, latency = self._windows[process.name].forgotten, process.latency
            latency = latency[first : first + count] if isinstance(latency, tuple) else latency
            return replace(process, firings=count, latency=latency)
        schedule = replace(process.schedule, runs=count // len(self._claimed.stops[process.name].at))
        return replace(process, schedule=schedule, firings=schedule.firings)

    def _put(self, tape: Tape, recurrences: Recurrences) -> None:
        """Put the cycles that are known on a tape.

        Steps of a frozen pipeline are looked at in order, so that none of them comes after a start beyond the window.
        """
        for window, first in zip(self._windows.values(), recurrences.first[:-1], strict=True):
            for node, row in enumerate(window.rows, start=first):
                tape.cycles[tape.nodes[node, BASE] :][: len(row)] = row
                tape.nodes[node, DONE] = len(row)
        for actor in tape.actors[tape.actors[:, KIND] == FROZEN]:
            own, ii = slice(actor[FIRST], actor[LAST]), int(actor[II])
            nodes, offsets = tape.nodes[own], tape.tables[tape.nodes[own, OFFSET]]
            window = list(self._windows.values())[int(np.searchsorted(recurrences.first, actor[FIRST]))]
            if window.count < window.left:
                tape.nodes[own, COUNT] = np.maximum(nodes[:, COUNT] - offsets // ii, 0)
        self._put_frozen(tape)

    def _put_frozen(self, tape: Tape) -> None:
        """Set the step and cycle that each frozen pipeline has come to."""
        for number in np.flatnonzero(tape.actors[:, KIND] == FROZEN):
            actor = tape.actors[number]
            own = tape.nodes[actor[FIRST] : actor[LAST]]
            own = own[own[:, DONE] > 0]
            if len(own):
                steps = (own[:, DONE] - 1) * actor[II] + tape.tables[own[:, OFFSET]]
                latest = own[int(steps.argmax())]
                actor[LAST_STEP], actor[LAST_CYCLE] = steps.max(), tape.cycles[latest[BASE] + latest[DONE] - 1]

    def _take(self, tape: Tape, recurrences: Recurrences) -> list[FiringWindow]:
        """Keep the cycles that a tape has found."""
        for window, first in zip(self._windows.values(), recurrences.first[:-1], strict=True):
            nodes = tape.nodes[first : first + len(window.rows)]
            window.rows = [tape.cycles[node[BASE] : node[BASE] + node[DONE]] for node in nodes]
        return list(self._windows.values())

    def _known_until(self, tape: Tape, recurrences: Recurrences) -> int | None:
        """Return a cycle before which everything is known: nothing beyond the windows comes earlier, nor can wait less.

        None if nothing is beyond them: what stands still then stands still for ever.
        """
        cycles = []
        for window, first in zip(self._windows.values(), recurrences.first[:-1], strict=True):
            for node in tape.nodes[first : first + len(window.rows)]:
                if node[DONE] == node[COUNT] < window.left:
                    cycles.append(int(tape.cycles[node[BASE] + node[DONE] - 1]) if node[DONE] else 0)
        return min(cycles, default=None)

    def _first(self) -> int:
        """Return the first cycle on the tape: everything on it is later by that much than a network by itself."""
        return min(int(row[0]) for window in self._windows.values() for row in window.rows if len(row))

    def _timeline(self, network: Network, later: int) -> Timeline:
        """Return what is known of the short network as a run of its own, which begins in cycle 0."""
        passed = {}
        for name, window in self._windows.items():
            rows = np.full((len(window.rows), window.count), NEVER, dtype=np.int64)
            for row, known in zip(rows, window.rows, strict=True):
                np.subtract(known, later, out=row[: len(known)])
            passed[name] = read_only(rows)
        return Timeline(network=network, passed=passed, holds={})

    def _forget(self, until: int, past: int) -> None:
        """Forget what passed before cycle ``past`` and is waited for no more; figures are known up to ``until``."""
        moved, gone = {}, {}
        for name, window in self._windows.items():
            seen = min(int(np.searchsorted(row, until)) for row in window.rows)
            moved[name], window.seen = seen - window.seen, seen
            passed = min(int(np.searchsorted(row, past)) for row in window.rows)
            gone[name] = max(passed - 1, 0) // window.unit * window.unit  # one is left, for those after it
        self._agree(gone)
        total = sum(moved[name] * len(window.rows) for name, window in self._windows.items())
        for name, window in self._windows.items():
            window.rows = [row[gone[name] :].copy() for row in window.rows]
            window.forgotten += gone[name]
            window.seen -= gone[name]
            least = self._least(self._network.steps[name].capacity or 0)
            window.ahead = max(moved[name] * _WINDOW // max(total, 1), least)

    def _agree(self, gone: dict[str, int]) -> None:
        """Let processes forget less, until each channel is left with no tokens at least, and with as many as fit."""
        settled = False
        while not settled:
            settled = True
            for channel in self._claimed.channels:
                counts = self._claimed.counts[channel.name]
                source, target = channel.source, channel.target
                held = self._held(channel.name) + counts.put.last(gone[source]) - counts.freed.last(gone[target])
                late = target if held < 0 else source if held > (channel.depth or held) else None
                if late is not None:
                    gone[late] -= self._windows[late].unit
                    settled = False
