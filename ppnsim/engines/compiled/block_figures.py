"""Figures of a run that is seen block by block: the cycles of one block are forgotten before the next one comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.metrics import Parallelism, most_after_writes, parallelism_profile, utilisation_of
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.summary import CycleCounts, ProcessSummary, RunSummary, execute_cycles, interval_of, keep_summary
from ppnsim.model.timeline import NEVER, Timeline


class BlockFigures:
    """Adds up what blocks show, each in the cycles from the end of the one before."""

    def __init__(self, network: Network) -> None:
        self._network, self._seen, self._at_once = network, 0, 0
        self._counts: dict[str, Counter[tuple[str, str | None]]] = {each.name: Counter() for each in network.processes}
        self._held = {channel.name: channel.initial for channel in network.channels}
        self._first: dict[str, int] = {}

    def add(self, block: Timeline, later: int, until: int, *, ends: bool = False) -> None:
        """Add the cycles of a block up to ``until``; the cycles of ``block`` are ``later`` in the run by that many.

        If the run ``ends`` with it, the tokens that are written in its last moment count, too.
        """
        view = self._seen - later, until - later
        for process in self._network.processes:
            name = process.name
            classes = cycle_classes(block, name).within(view)
            cycles = np.bincount(classes.codes, weights=np.diff(classes.edges), minlength=len(classes.labels))
            self._counts[name].update(dict(zip(classes.labels, cycles.astype(np.int64).tolist(), strict=True)))
            if (first := int(block.start(name)[0])) != NEVER:
                self._first.setdefault(name, first + later)
        for channel in self._network.channels:
            held = most_after_writes(block, channel.name, before=None if ends else view[1])
            self._held[channel.name] = max(self._held[channel.name], held)
        self._at_once = max(self._at_once, int(parallelism_profile(block)[1].max()))
        self._seen = until

    def run(self, last: Timeline, later: int) -> Run:
        """Return the whole run, whose last block this was: its figures, without the cycles of its firings."""
        network, finish = self._network, self._seen
        kept = NotKept(network)
        recorded = Timeline(network=network, passed=kept, holds=kept)
        vars(recorded).update(finish=finish, stopped=finish, complete=True)
        run = Run(network=network, engine="compiled", finish=finish, recorded=recorded)
        busy = sum(execute_cycles(network, process) for process in network.processes)
        summary = RunSummary(
            run=run, parallelism=Parallelism(busy / finish if finish else 0.0, self._at_once),
            processes={process.name: self._process(process.name, last, later) for process in network.processes},
            occupancy=self._held, classes={},
        )  # fmt: skip
        keep_summary(run, summary)
        return run

    def _process(self, name: str, last: Timeline, later: int) -> ProcessSummary:
        declared, first, end = self._network.process(name), self._first[name], int(last.start(name)[-1]) + later
        parts: dict[str, Any] = {"blocked": {}, "starved": {}, "resource": {}}
        for (kind, cause), cycles in self._counts[name].items():
            if cause is None:
                parts[kind] = cycles
            elif cycles:
                parts[kind][cause] = cycles
        return ProcessSummary(
            first_start=first, last_start=end, last_end=last.last_end(name) + later,
            utilisation=utilisation_of(declared.firings, first, end, interval_of(declared, declared.firings)),
            cycles=CycleCounts(**parts),
        )  # fmt: skip


class NotKept(Mapping[str, Int64Array]):
    """Rows of a timeline that nobody has kept: whoever asks for them is refused by name."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def __getitem__(self, name: str) -> Int64Array:
        raise self._refusal()

    def __iter__(self) -> Iterator[str]:
        raise self._refusal()

    def __len__(self) -> int:
        return len(self._network.processes)

    def _refusal(self) -> UnsupportedByEngine:
        words = f"{self._network.events} firings and tokens were run in blocks: their figures are known, not each cycle"
        return UnsupportedByEngine("timeline", f"{words} (which fewer firings have)")
