"""Estimates of processes in circles of channels, or behind one: their steps are gone through firing by firing.

A step of firing n is passed when its tokens are there, the step before it has been passed, and so long after firing
n - 1 as the process needs. Known cycles are taken as far as they go, until no process gets on; a circle stays at NEVER.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from ppnsim.analysis.circle_kernel import BASE, COLUMNS, COUNT, DONE, IN_ORDER, CircleTables, Queue, walk
from ppnsim.arrays import Int64Array, distinct, read_only
from ppnsim.kernel_cache import run_for
from ppnsim.model.network import Network
from ppnsim.model.timeline import NEVER
from ppnsim.model.token_counts import TokenCounts

_BUDGET = 10_000_000  # firings between two looks at whether somebody wants to interrupt
_PER_STEP = 5e-6  # seconds for a step of a firing, of a kernel that is run as Python


def passed_in_circles(
    network: Network, known: Mapping[str, Int64Array], *, own_processes: bool, without_limit: Set[str]
) -> dict[str, Int64Array]:
    """Return the cycles of all steps and firings of the processes that are not ``known``; NEVER where not passed.

    ``own_processes`` says that every firing is a process. Processes ``without_limit`` may have any number of firings
    between start and last step.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> passed = passed_in_circles(predictor().never_full(), {}, own_processes=False, without_limit=set())
    >>> [int(rows[-1, -1]) for rows in passed.values()]
    [28, 77, 82]
    """
    names = [process.name for process in network.processes if process.name not in known]
    if not names:
        return {}
    parts = _CircleParts(network, names, known)
    for name in names:
        parts.add(name, own_processes=own_processes, without_limit=name in without_limit)
    circle = parts.circle()
    own, firings = parts.own, circle.table[:, COUNT]
    none = np.full(len(firings), -1, dtype=np.int64)
    queue = Queue(np.arange(own, dtype=np.int64), np.array([0, own], dtype=np.int64), none, none.copy())
    seconds = _PER_STEP * int(firings[:own].sum())
    while run_for(seconds, walk, circle, queue, _BUDGET):
        pass
    return {name: read_only(circle.x[place].reshape(shape)) for name, (place, shape) in parts.places.items()}


class _CircleParts:
    """The arrays of a circle as they are put together: ``own`` sequences first, then those that are only read."""

    def __init__(self, network: Network, names: Sequence[str], known: Mapping[str, Int64Array]) -> None:
        self._network, self._known = network, known
        self.places: dict[str, tuple[slice, tuple[int, int]]] = {}
        self._first: dict[str, int] = {}
        self.own, self._length = 0, 0
        for name in names:
            steps, firings = network.steps[name].count, network.passings_of(name)
            self._first[name] = self.own
            self.places[name] = slice(self._length, self._length + steps * firings), (steps, firings)
            self.own, self._length = self.own + steps, self._length + steps * firings
        self._rows: list[list[int]] = []
        self._outside: list[Int64Array] = []
        self._reads: list[list[int]] = []
        self._offsets, self._gaps, self._starts, self._wanted = (_Column() for _ in range(4))

    def add(self, name: str, *, own_processes: bool, without_limit: bool) -> None:
        """Add the sequences of a process, with what they read."""
        network, process, steps = self._network, self._network.process(name), self._network.steps[name]
        firings, first = network.passings_of(name), self._first[name]
        gaps = -1 if steps.stops is None else self._gaps.put(steps.stops.gaps)
        in_order = steps.stops is not None or not own_processes
        capacity = steps.capacity if in_order and not without_limit else None
        reads: list[list[list[int]]] = [[] for _ in range(steps.count)]
        for channel in network.inputs(name):
            # A writer that runs as many processes does not write in order: all of its tokens are waited for.
            counts, writers = network.counts[channel.name], network.passings_of(channel.source)
            starts, wanted = _needed(counts, writers, firings, all_of_them=own_processes)
            source = self._sequence(channel.source, network.steps[channel.source].port["out", channel.name])
            begins = -1 if starts is None else self._starts.put(starts)
            read = [source, network.forward(channel.name), begins, self._wanted.put(wanted)]
            reads[steps.port["in", channel.name]].append(read)
        for step in range(steps.count):
            base = self.places[name][0].start + step * firings
            offsets = steps.offsets_of(step, firings) if steps.varies else steps.offsets_of(step, 1)
            at = len(self._reads)
            self._reads += reads[step]
            self._rows.append([
                base, 0, firings, first, first + steps.count, self._offsets.put(offsets), int(steps.varies), process.ii,
                gaps, capacity or 0, int(in_order), at, len(self._reads),
            ])  # fmt: skip

    def _sequence(self, name: str, step: int) -> int:
        """Return the number of a step's sequence; one whose cycles are known gets it when it is first read."""
        if name in self._first:
            return self._first[name] + step
        key = f"{name}\0{step}"
        if key not in self._first:
            self._first[key] = self.own + len(self._outside)
            self._outside.append(self._known[name][step])
        return self._first[key]

    def circle(self) -> CircleTables:
        """Return all of it."""
        table = np.zeros((self.own + len(self._outside), COLUMNS), dtype=np.int64)
        table[: self.own] = self._rows
        x = np.full(self._length + sum(map(len, self._outside)), NEVER, dtype=np.int64)
        base = self._length
        for row, cycles in enumerate(self._outside, self.own):
            x[base : base + len(cycles)] = cycles
            table[row, BASE], table[row, [DONE, COUNT]], table[row, IN_ORDER] = base, len(cycles), 1
            base += len(cycles)
        return CircleTables(
            table=table, reads=np.array(self._reads, dtype=np.int64).reshape(-1, 4), offsets=self._offsets.array(),
            gaps=self._gaps.array(), starts=self._starts.array(), wanted=self._wanted.array(), x=x,
            waited=np.full(self._length, -1, dtype=np.int64),
        )  # fmt: skip


class _Column:
    """Numbers of several owners, one after the other."""

    def __init__(self) -> None:
        self._parts: list[Int64Array] = []
        self._length = 0

    def put(self, numbers: Int64Array) -> int:
        """Add some numbers; return where they begin."""
        self._parts.append(numbers)
        self._length += len(numbers)
        return self._length - len(numbers)

    def array(self) -> Int64Array:
        """Return all of them."""
        return np.concatenate([*self._parts, np.zeros(1, dtype=np.int64)])


def _needed(
    counts: TokenCounts, writers: int, firings: int, *, all_of_them: bool
) -> tuple[Int64Array | None, Int64Array]:
    """Return which firings of ``writers`` each of ``firings`` waits for, and where they begin.

    Of a producer in order, the last one comes last: there is one for each, -1 for none, and nothing to begin. A token
    that is never written is of the firing after all.
    """
    owner = np.append(counts.writing_firings(writers), writers)
    if not all_of_them:
        tokens = counts.need.first(firings)
        return None, np.where(tokens >= 0, owner[np.clip(tokens, 0, len(owner) - 1)], -1)
    firing, token = counts.reading_pairs(firings).T
    there = token >= counts.initial
    firing, token = firing[there], token[there] - counts.initial
    pairs = distinct(firing * (writers + 1) + owner[np.minimum(token, len(owner) - 1)])
    firing, writer = np.divmod(pairs, writers + 1)
    return np.append(0, np.cumsum(np.bincount(firing, minlength=firings))), writer
