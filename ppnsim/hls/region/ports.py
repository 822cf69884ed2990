"""The `m_axi` ports of tasks as processes and channels of the network: requests, bursts, data, credits (R12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.bursts import Bursts, bursts_of
from ppnsim.hls.region.lanes import BusLane, lanes_of
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.rhythms import Rhythm
from ppnsim.hls.schedule.buses import BusPort, BusPorts
from ppnsim.loops.program import LoopProgram
from ppnsim.model.elements import Channel, Process
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Runs

ADAPTER = 4
"""Cycles of `Storage.latency` that a token takes to pass the processes of a port (R12.3)."""


def bus_ports(
    program: LoopProgram, directives: Directives, leaves: Sequence[Leaf], clocks: Mapping[Leaf, Clocked],
    rhythms: Mapping[Leaf, Rhythm], outer: int, *, piece: int = 0,
) -> BusPorts:  # fmt: skip
    """Return the ports of tasks on buses, with their processes and channels.

    Parameters
    ----------
    clocks, rhythms : the accesses of one run of each task, and its steps.
    outer : number of loops around each task that are runs of its process.
    piece : bytes that a request to the memory moves; 0: a burst is one request, with the latency of the interface.
    """
    found = lanes_of(program, directives, leaves, clocks)
    ports = []
    for lane in found.lanes:
        longest = lane.kept.bursts[lane.write]
        bursts = bursts_of(
            lane.visits, found.arrays, width=lane.width, longest=longest, bases=found.bases, piece=piece
        )  # fmt: skip
        same = [each for each in found.lanes if each.names == lane.names and each.write == lane.write]
        shown = "+".join(lane.names) + (f" of {lane.leaf.name}" if len(same) > 1 else "")
        sharing = sum(each.resource == lane.resource for each in found.lanes)
        share = max(1, lane.kept.outstanding[lane.write] // sharing)
        made = _PortParts(lane, bursts, shown, share, rhythms[lane.leaf], lane.leaf.times(), outer)
        memory, bus = made.processes(lane.resource if sharing > 1 else None)
        touched = lane.leaf.writes if lane.write else lane.leaf.reads
        known = bursts.addresses
        ports.append(BusPort(
            arrays=lane.names, task=lane.leaf.name, bundle=lane.kept.bundle, write=lane.write, width=lane.width,
            bursts=len(bursts.first) * made.times, outstanding=share, sharing=sharing, longest=longest,
            latency=lane.latency, runs=made.times, per_piece=max(1, lane.width // piece) if piece else 1,
            memory=memory, bus=bus, channels=made.channels(),
            addresses=None if known is None else np.tile(known[bursts.pieces], made.times),
            place=touched[lane.names[0]],
        ))  # fmt: skip
    return BusPorts(tuple(ports), found.without, {port.resource: 1 for port in ports if port.resource})


@dataclass(frozen=True, slots=True)
class _PortParts:
    """A port while it is built: the bursts of one of ``times`` runs of a task with a ``rhythm``."""

    lane: BusLane
    bursts: Bursts
    shown: str
    share: int
    rhythm: Rhythm
    times: int
    outer: int

    @property
    def memory(self) -> str:
        """The name of the process with a firing for each request."""
        return f"memory {'for' if self.lane.write else 'of'} {self.shown}"

    @property
    def bus(self) -> str:
        """The name of the process with a firing for each beat."""
        return f"{self.lane.resource} {self.shown}"

    def processes(self, resource: str | None) -> tuple[Process, Process]:
        """Return both processes (R12.3)."""
        pieces, latency = len(self.bursts.pieces) * self.times, self.lane.latency - ADAPTER
        return (
            Process(name=self.memory, firings=pieces, latency=latency, read=0, write=1, fixed=True),
            Process(
                name=self.bus,
                firings=self.bursts.beats * self.times,
                latency=0,
                read=1,
                write=1,
                resource=resource,
                fixed=True,
            ),
        )

    def channels(self) -> tuple[Channel, ...]:
        """Return the channels between the task and both processes (R12.4)."""
        bursts, of_burst = self.bursts, self.bursts.burst_of_pieces()
        pieces, beats = len(bursts.pieces), bursts.beats
        opening = self._again(np.flatnonzero(np.diff(of_burst, prepend=-1)), pieces)
        closing = self._again(np.flatnonzero(np.diff(of_burst, append=-1)), pieces)
        later = max(0, len(opening) - self.share)  # bursts that wait for the credit of an earlier burst
        task, memory, bus = self.lane.leaf.name, self.memory, self.bus
        data, all_pieces = 8 * self.lane.width, np.arange(pieces * self.times, dtype=np.int64)
        room = self.share * self.lane.kept.bursts[self.lane.write]
        if self.lane.write:
            first = self._again(bursts.first, beats)
            ends = self._again(np.append(bursts.pieces[1:], beats) - 1, beats)
            # The end may be signalled in the state of the last response.
            end = self.rhythm.span - 1
            late = np.where(bursts.answered < 0, end, np.minimum(bursts.answered, end))
            waits = self._at(np.maximum.accumulate(late))
            found = [
                self._channel("data", task, bus, data, depth=room, write_steps=self._at(bursts.steps)),
                self._channel("requests", task, bus, 64, write_steps=self._at(bursts.steps[bursts.last()]),
                              tokens=_listed(reads=first)),
                self._channel("pieces", bus, memory, data, tokens=_listed(ends, all_pieces)),
                self._channel("responses", memory, task, 1, tokens=_listed(closing), read_steps=waits),
                self._channel("credits", memory, bus, 1, tokens=_listed(closing[:later], first), initial=self.share),
            ]  # fmt: skip
        else:
            asked = bursts.steps[bursts.runs[np.searchsorted(bursts.runs, bursts.pieces, side="right") - 1]]
            asked = np.maximum(0, asked - self.lane.latency)
            first, last = self._again(bursts.pieces, beats), self._again(bursts.last(), beats)
            found = [
                self._channel("requests", task, memory, 64, write_steps=self._at(asked)),
                self._channel("pieces", memory, bus, data, tokens=_listed(all_pieces, first)),
                self._channel("data", bus, task, data, depth=room, read_steps=self._at(bursts.steps)),
                self._channel("credits", bus, memory, 1, tokens=_listed(last[:later], opening), initial=self.share),
            ]  # fmt: skip
        return tuple(found if later else found[:-1])

    def _channel(self, what: str, source: str, target: str, width: int, **more: Any) -> Channel:
        side = "write" if self.lane.write else "read"
        name = f"{self.shown}: {side} {what}"
        return Channel(name=name, source=source, target=target, width=width, fixed=True, **more)

    def _again(self, places: Int64Array, every: int) -> Int64Array:
        """Return the firings of all runs."""
        return (places + every * np.arange(self.times, dtype=np.int64)[:, None]).ravel()

    def _at(self, steps: Int64Array) -> StepList:
        """Return the steps of all task runs that form one run of the process."""
        return StepList(self.rhythm.again(StepList.of(steps).entries, self.lane.leaf.times(self.outer)))


def _listed(writes: Int64Array | Sequence[int] = (), reads: Int64Array | Sequence[int] = ()) -> Runs:
    """Return tokens: the i-th token is written by the i-th firing of ``writes`` and read by the i-th of ``reads``."""
    return Runs(tuple(_stretches(writes)), tuple(_stretches(reads)))


def _stretches(firings: Int64Array | Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield ascending firings as ``(first, step, count)``.

    Examples
    --------
    >>> list(_stretches([0, 16, 32, 40]))
    [(0, 16, 3), (40, 1, 1)]
    """
    given = np.asarray(firings, dtype=np.int64)
    at = 0
    gaps = np.diff(given)
    ends = [*(np.flatnonzero(np.diff(gaps)) + 1).tolist(), len(given) - 1]  # the last firing of each spacing
    for end in ends if len(given) else ():
        yield int(given[at]), int(gaps[at]) if end > at else 1, end - at + 1
        at = end + 1
