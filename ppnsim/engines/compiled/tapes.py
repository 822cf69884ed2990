"""One network's tape, made once and run again and again: with other depths, and with fewer firings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.completion import ends_of, evaluate_all, finish_of, longest_wait
from ppnsim.engines.compiled.paces import Paces
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Edge, Recurrences
from ppnsim.engines.compiled.tape import (
    COUNT,
    DONE,
    FIRST,
    FLUSHABLE,
    INDEX,
    KIND,
    LAST,
    NO_TABLE,
    SHIFT,
    WEIGHTS,
    Tape,
    rewind,
    tape_of,
)
from ppnsim.engines.program import Program
from ppnsim.model.network import Network
from ppnsim.model.steady import Steady

_TOKENS = 16  # of a firing, on average, from which on who frees a slot is searched and not listed
Depths = Mapping[str, int | None]


class Tapes:
    """A network's tape, on which it can be run with other depths, and with fewer firings.

    ``waits`` are pairs of channels: each firing that writes the first waits for a firing that reads the second as
    well, which `set_wait` tells.
    """

    def __init__(self, network: Network, waits: Sequence[tuple[str, str]] = ()) -> None:
        # With these depths no channel ever runs full. They are those of the channels as they are: no new ones come in.
        depths = {name: max(1, counts.initial + counts.written) for name, counts in network.counts.items()}
        program = Program.of(network.claimed.with_depths(depths))
        self.network = network
        self.recurrences = Recurrences.of(program)
        self.recurrences, self._waits = _with_waits(self.recurrences, waits)
        self.tape: Tape = tape_of(self.recurrences)
        self.starts = np.array(self.recurrences.first[:-1], dtype=np.int64)
        self._firings = self.recurrences.firings
        self._slots = _slot_edges(self.recurrences)
        self._readers, self._writers = program.readers(), program.writers()
        self._number = {channel.name: number for number, channel in enumerate(network.channels)}
        self._frees_of: dict[int, Int64Array] = {}
        self._set: dict[str, int | None] = {}  # the depths on the tape, by channel
        self.horizon = 1 + longest_wait(self.recurrences)

    def run(self, depths: Depths, fewer: Mapping[str, int] | None = None) -> bool:
        """Evaluate with these depths (None = unbounded) and ``fewer`` firings; return whether all firings ended."""
        for name, depth in depths.items():
            if self._set.pop(name, -1) != depth:  # not known meanwhile: an interrupt leaves the tape half set
                self._set_depth(self._number[name], depth)
            self._set[name] = depth
        left_out = [(fewer or {}).get(process.name, 0) for process in self.network.processes]
        self.tape.nodes[:, COUNT] = self._firings - self.recurrences.per_node(left_out)
        rewind(self.tape)
        return evaluate_all(self.tape)

    def set_wait(self, number: int, index: Int64Array, weight: Int64Array) -> None:
        """Set for each firing that writes the firing that it waits for (negative: none), and the cycles between."""
        row = self.tape.edges[self._waits[number]]
        self.tape.tables[row[INDEX] : row[INDEX] + len(index)] = index
        self.tape.tables[row[WEIGHTS] : row[WEIGHTS] + len(weight)] = weight

    def some_process_started_all(self) -> bool:
        """Return whether the end of a process's firings may have made a difference."""
        nodes = self.tape.nodes[self.starts]
        return bool((nodes[:, DONE] == nodes[:, COUNT]).any())

    def steady(
        self, firings: Mapping[str, int], limits: Mapping[str, tuple[int, int]] | None = None
    ) -> tuple[Steady, int] | None:
        """Return the steady state that the run came to and the end of its last whole repetition, None if there is none.

        ``firings`` are those of each process in a graph iteration; it repeats them between ``limits``, by default all.
        """
        repeats = self._per_node(firings)
        if limits is None:
            begins, ends = np.zeros_like(repeats), ends_of(self.recurrences, self.tape)
        else:
            begins, ends = (self._per_node({name: both[end] for name, both in limits.items()}) for end in range(2))
        found = find_period(self.tape, begins, ends, repeats, self.horizon)
        return (Steady(*found[:3]), found[3]) if found[0] else None

    def stands_before(self, limits: Mapping[str, tuple[int, int]]) -> bool:
        """Return whether all that stands still in a deadlock does so before the end of its ``limits``.

        A process that has ended holds nobody up. What a flushable one waits for depends on when, so that all count.
        """
        ends = self._per_node({name: end for name, (_, end) in limits.items()})
        nodes, actors = self.tape.nodes, self.tape.actors
        stands = np.logical_or.reduceat(nodes[:, DONE] < nodes[:, COUNT], actors[:, FIRST])
        stands |= bool((actors[:, KIND] == FLUSHABLE).any())
        return bool((nodes[:, DONE] < ends)[np.repeat(stands, actors[:, LAST] - actors[:, FIRST])].all())

    def paces(self, firings: Mapping[str, int], limits: Mapping[str, tuple[int, int]]) -> tuple[int, Int64Array] | None:
        """Return the paces of parts that repeat each for itself (`Paces.found`); parameters as of `steady`."""
        begins, ends = (self._per_node({name: both[end] for name, both in limits.items()}) for end in range(2))
        return Paces(self.tape, begins, ends, self._per_node(firings), self.horizon).found()

    def _per_node(self, numbers: Mapping[str, int]) -> Int64Array:
        return self.recurrences.per_node([numbers[process.name] for process in self.network.processes])

    def finish(self, later: Int64Array | None = None) -> int:
        """Return the largest end of any firing of a run that ended, each node's ``later`` by some cycles."""
        return finish_of(self.recurrences, self.tape, later)

    def _frees(self, channel: int, slots: Int64Array) -> Int64Array:
        """Return the reader's firings that free these slots, one after all where none does; -1 is there at first."""
        freed = self._readers[channel][1].freed
        if int(freed.sum()) > _TOKENS * len(freed):
            firing = np.searchsorted(np.cumsum(freed), slots, side="right")
            return np.where(slots < 0, -1, firing)
        if channel not in self._frees_of:
            free, firings = int(freed.sum()), len(freed)
            never = max(0, int(self._writers[channel][1].level.max(initial=0)) - free)
            firing = np.repeat(np.arange(firings, dtype=np.int64), freed)
            self._frees_of[channel] = np.concatenate([firing, np.full(never, firings, dtype=np.int64), [-1]])
        return self._frees_of[channel][np.maximum(slots, -1)]

    def _set_depth(self, channel: int, depth: int | None) -> None:
        _, writer = self._writers[channel]
        for number, edge in self._slots[channel]:
            row = self.tape.edges[number]
            most = int(self._firings[edge.target])
            if row[INDEX] == NO_TABLE:
                row[SHIFT] = most if depth is None else min(depth + 1 - int(writer.level[0]), most)
            else:
                table = self.tape.tables[row[INDEX] : row[INDEX] + most]
                table[:] = -1 if depth is None else self._frees(channel, writer.slot(depth))


def _with_waits(recurrences: Recurrences, waits: Sequence[tuple[str, str]]) -> tuple[Recurrences, list[int]]:
    """Return recurrences with more edges, from readers of channels to writers of others, and the numbers of these."""
    program = recurrences.program
    number = {channel.name: index for index, channel in enumerate(program.network.channels)}
    writers, readers = program.writers(), program.readers()
    into, own = [list(edges) for edges in recurrences.edges], []
    for writing, reading in waits:
        (process, out), (other, port) = writers[number[writing]], readers[number[reading]]
        target, source = recurrences.first[process] + out.step, recurrences.first[other] + port.step
        nothing = np.full(len(out.level), -1, dtype=np.int64)
        into[target].append(Edge(source, target, nothing, np.zeros_like(nothing)))
        own.append((target, len(into[target]) - 1))
    before = np.cumsum([0, *map(len, into)])
    return replace(recurrences, edges=tuple(map(tuple, into))), [int(before[target]) + at for target, at in own]


def _slot_edges(recurrences: Recurrences) -> dict[int, list[tuple[int, Edge]]]:
    found = defaultdict[int, list[tuple[int, Edge]]](list)
    for number, edge in enumerate(chain.from_iterable(recurrences.edges)):
        if edge.slots_of >= 0:
            found[edge.slots_of].append((number, edge))
    return found
