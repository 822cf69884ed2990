"""Why a run stands still (T7.1): the circle of processes each of which waits for the next.

Works on the timeline alone, so that every engine explains its deadlocks in the same words. From a firing that has not
passed one of its steps, look for the first step that stands in its way inside the same process; what that step lacks,
a token or a slot, must come from another process. Each of these conditions is necessary, so following them from process
to process closes a circle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.program import InputPort, OutputPort, Program
from ppnsim.model.network import Network
from ppnsim.model.run import Deadlock, Run, Wait
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.model.waits import beats_in_flight


@dataclass(frozen=True, order=True, slots=True)
class _Event:
    """A firing passing a step of a process (both by number)."""

    process: int
    firing: int
    step: int


def run_of(program: Program, timeline: Timeline, *, engine: str) -> Run:
    """Return the run that a timeline records, with the explanation of its deadlock if it is not complete."""
    finish = timeline.finish if timeline.complete else None
    deadlock = None if timeline.complete else explain(program, timeline)
    return Run(network=program.network, engine=engine, finish=finish, recorded=timeline, deadlock=deadlock)


def standstill_of(network: Network, timeline: Timeline, *, engine: str) -> Run:
    """Return the deadlock of a network that a timeline of the same network with fewer firings records.

    No process has started all of those, so that more of them make no difference.
    """
    told = explain(Program.of(timeline.network), timeline)
    deadlock = replace(told, firings=network.firings)
    return Run(network=network, engine=engine, finish=None, recorded=timeline, deadlock=deadlock)


def explain(program: Program, timeline: Timeline) -> Deadlock:
    """Return the explanation of a timeline that is not complete."""
    still = _Standstill(program, timeline)
    ended = sum(_ended(timeline, process.name) for process in program.network.processes)
    stuck = next(
        _Event(number, int(np.argmax(rows[step] == NEVER)), step)
        for number, rows in enumerate(still.passed)
        for step in range(len(rows))
        if (rows[step] == NEVER).any()
    )
    return Deadlock(at=timeline.stopped, ended=ended, firings=program.network.firings, cycle=still.circle(stuck))


def _ended(timeline: Timeline, process: str) -> int:
    """Return how many firings of a process passed all steps, or started if it is scheduled."""
    passed = timeline.passed[process] if process not in timeline.network.stops else timeline.start(process)[None]
    return int(np.count_nonzero((passed != NEVER).all(axis=0)))


@dataclass(eq=False)
class _Standstill:
    program: Program
    timeline: Timeline

    @cached_property
    def passed(self) -> list[Int64Array]:
        """Per process, the cycles of all steps and firings."""
        return [self.timeline.passed[lowered.process.name] for lowered in self.program.processes]

    def firings(self, process: int) -> int:
        return self.program.processes[process].passings

    def reached(self, process: int, step: int) -> int:
        """Return how many firings have passed a step."""
        return int(np.count_nonzero(self.passed[process][step] != NEVER))

    def circle(self, event: _Event) -> tuple[Wait, ...]:
        """Follow what is lacking from one process to the next until it comes round."""
        path: dict[_Event, Wait] = {}
        blocked = self.blocked_before(event)
        while blocked not in path:
            path[blocked], wanted = self.lacking(blocked)
            if wanted is None:
                # The consumer is done and leaves tokens behind: this wait is the whole explanation.
                return (path[blocked],)
            blocked = self.blocked_before(wanted)
        waits = list(path.items())
        first = next(index for index, (known, _) in enumerate(waits) if known == blocked)
        return tuple(wait for _, wait in waits[first:])

    def blocked_before(self, wanted: _Event) -> _Event:
        """Return the event of the same process that has to happen first and lacks something from outside."""
        lowered = self.program.processes[wanted.process]
        if lowered.process.style == "frozen":
            return self._first_of_frozen(wanted.process)
        if lowered.process.style == "flushable":
            return self._first_of_flushable(wanted.process)
        return self._first_of_elastic(wanted)

    def _first_of_elastic(self, wanted: _Event) -> _Event:
        process, firing = wanted.process, wanted.firing
        steps = self.program.processes[process].steps
        while True:
            started = self.reached(process, 0)
            if firing >= started:
                firing = started
                oldest = firing - steps.capacity if steps.capacity is not None else -1
                last = int(np.argmax(self._offsets(process, max(oldest, 0))))
                if oldest >= 0 and self.passed[process][last][oldest] == NEVER:
                    firing = oldest
                    continue
            offsets = self._offsets(process, firing)
            waiting = [k for k in range(steps.count) if self.passed[process][k][firing] == NEVER]
            nearest = min(offsets[k] for k in waiting)
            together = [k for k in waiting if offsets[k] == nearest]
            behind = [k for k in together if self.reached(process, k) < firing]
            if behind:
                firing = self.reached(process, behind[0])
                continue
            return _Event(process, firing, next(k for k in together if self.lacks(process, firing, k) is not None))

    def _first_of_frozen(self, process: int) -> _Event:
        lowered = self.program.processes[process]
        places = lowered.steps.places(self.firings(process), lowered.process.ii)
        place = {
            k: int(places[k, self.reached(process, k)])
            for k in range(lowered.steps.count)
            if self.reached(process, k) < self.firings(process)
        }
        together = [k for k, at in place.items() if at == min(place.values())]
        return self._lacking_one(process, [(self.reached(process, k), k) for k in together])

    def _first_of_flushable(self, process: int) -> _Event:
        started = self.reached(process, 0)
        beats = beats_in_flight(self.timeline, self.name(process))
        if not beats:
            offsets = self._offsets(process, started)
            return self._lacking_one(process, [(started, k) for k in range(len(offsets)) if offsets[k] == 0])
        return self._lacking_one(process, [place for place, beat in beats.items() if beat == min(beats.values())])

    def _lacking_one(self, process: int, together: list[tuple[int, int]]) -> _Event:
        return next(_Event(process, n, k) for n, k in sorted(together) if self.lacks(process, n, k) is not None)

    def _offsets(self, process: int, firing: int) -> list[int]:
        steps = self.program.processes[process].steps
        return [int(offset) for offset in (steps.offsets[:, firing] if steps.varies else steps.offsets)]

    def lacks(self, process: int, firing: int, step: int) -> tuple[int, str, int] | None:
        """Return ``(channel, token or slot, index)`` that the step lacks, first in order of declaration, or None."""
        lowered = self.program.processes[process]
        found = []
        for source in lowered.inputs:
            if source.step == step and source.need[firing] >= self.written[source.channel]:
                found.append((source.channel, "token", int(source.need[firing])))
        for sink in lowered.outputs:
            depth = self.program.depths[sink.channel]
            if sink.step == step and depth is not None and sink.count[firing]:
                slot = int(sink.level[firing]) - depth - 1
                if slot >= self.released[sink.channel]:
                    found.append((sink.channel, "slot", slot))
        return min(found, default=None)

    def lacking(self, blocked: _Event) -> tuple[Wait, _Event | None]:
        """Return the wait of a blocked event and the event that would end it, None if nothing ever will."""
        lack = self.lacks(blocked.process, blocked.firing, blocked.step)
        assert lack is not None, "blocked events lack something"
        number, kind, index = lack
        channel = self.program.network.channels[number]
        initial = self.program.network.counts[channel.name].initial
        wanted: _Event | None
        if kind == "token":
            other, sink = self.writer[number]
            token, count = initial + index, 1
            wanted = _Event(other, int(np.searchsorted(sink.level - initial, index, side="right")), sink.step)
        else:
            other, source = self.reader[number]
            token, count = index + (channel.depth or 0), int(self.writer[number][1].count[blocked.firing])
            reached = self.reached(other, source.step)
            wanted = _Event(other, reached, source.step) if reached < self.firings(other) else None
        wait = Wait(
            process=self.name(blocked.process), **self._place(blocked), kind=kind, channel=channel.name, number=token,
            count=count, occupancy=initial + self.written[number] - self.released[number], depth=channel.depth,
            other=self.name(other),
        )  # fmt: skip
        return wait, wanted

    def _place(self, blocked: _Event) -> dict[str, int]:
        """Return the firing that is blocked; of a scheduled process its step, and the last firing before it."""
        stops = self.program.processes[blocked.process].steps.stops
        if stops is None:
            return {"firing": blocked.firing}
        started = int(np.searchsorted(stops.starts, blocked.firing, side="left"))
        return {"firing": max(started - 1, 0), "step": int(stops.places[blocked.firing])}

    def name(self, process: int) -> str:
        return self.program.processes[process].process.name

    @cached_property
    def writer(self) -> dict[int, tuple[int, OutputPort]]:
        """Per channel, its producer and the port there."""
        return self.program.writers()

    @cached_property
    def reader(self) -> dict[int, tuple[int, InputPort]]:
        """Per channel, its consumer and the port there."""
        return self.program.readers()

    @cached_property
    def written(self) -> dict[int, int]:
        """Per channel, how many tokens have been written."""
        return {
            channel: int(port.count[: self.reached(process, port.step)].sum())
            for channel, (process, port) in self.writer.items()
        }

    @cached_property
    def released(self) -> dict[int, int]:
        """Per channel, how many tokens have been read for the last time."""
        return {
            channel: int(port.freed[: self.reached(process, port.step)].sum())
            for channel, (process, port) in self.reader.items()
        }
