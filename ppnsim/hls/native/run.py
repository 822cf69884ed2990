"""Simulation of executed tasks: values come from their execution, cycles from their schedules (R7.2, R11.5).

Each task is a frozen pipeline (T): all accesses of a step happen in one cycle or not at all. A write is known before
its step and waits for the step. A read gets its value when the token is available. A non-blocking access gets its
answer in the cycle of its step, from the state before that cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import simpy

from ppnsim.hls.native.calls import RegionCall
from ppnsim.hls.native.fifos import TimedFifo
from ppnsim.hls.native.model import ExecutedStream, ExecutedTask, RegionRun, TaskWait
from ppnsim.hls.native.places import AccessKind, Places
from ppnsim.hls.native.session import Code, NativeEvent, Session
from ppnsim.hls.native.walk import TaskWalk

_KINDS: Mapping[int, AccessKind] = {
    Code.WRITE: "write", Code.READ: "read", Code.WRITE_NB: "write_nb", Code.READ_NB: "read_nb", Code.EMPTY: "empty",
    Code.FULL: "full", Code.SIZE: "size",
}  # fmt: skip


@dataclass(slots=True)
class _Step:
    """The accesses of one step: reads and writes by stream, and answers that must still hold in the step's cycle."""

    moves: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    answers: list[tuple[int, AccessKind, int, int]] = field(default_factory=list)
    places: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptTask:
    """A task that never ends, between two calls of the region.

    ``walk`` and ``steps`` are its progress, ``asked`` is the access that waits for a token, and its step.
    """

    walk: TaskWalk
    steps: dict[int, _Step]
    asked: tuple[NativeEvent, int]


class _Task:
    """A task while it is simulated.

    ``done`` is its last executed step, in cycle ``cycle``; ``open`` the step of its last answer; ``asked`` the access
    that waits for an answer, and its step.
    """

    def __init__(self, number: int, region: _Simulation, record: ExecutedTask, kept: KeptTask | None) -> None:
        self.number, self.region, self.record = number, region, record
        self.walk = kept.walk if kept else TaskWalk(record.timing)
        self.asked: tuple[NativeEvent, int] | None = kept.asked if kept else None
        self.steps = kept.steps if kept else defaultdict(_Step)
        self.done = self.asked[1] - 1 if self.asked else -1
        self.cycle, self.open = -1, self.done
        self.first = self.done  # the step before the first step of this call
        self.waiting: tuple[int, int] | None = None  # number of the access and of the stream
        self.ended = region.env.event()

    def run(self, before: Sequence[_Task]) -> Generator[simpy.Event, Any, None]:
        env = self.region.env
        for other in before:
            if not other.ended.triggered:
                yield other.ended
        self.record.start, self.cycle = int(env.now), int(env.now) - 1
        if self.asked is None:
            self.asked = self._follow(self.region.resume(self.number, 0))
        while self.asked is not None:
            event, step = self.asked
            yield from self._until(step)
            self.open = step
            answer = yield from self._result(event, step)
            self.asked = self._follow(self.region.resume(self.number, answer))
        yield from self._until(self.walk.steps)
        self.record.steps = self.walk.steps
        yield env.timeout(self.cycle + self.walk.steps - self.done - int(env.now))
        self.record.end = int(env.now)
        self.ended.succeed()

    def rest(self) -> None:
        """Note the end of a task that never ends: the end of its last work before tokens stop coming."""
        if self.done > self.first:
            self.record.end = self.cycle + max(1, self.walk.settled - self.done)
        self.record.steps = max(self.done + 1, self.walk.settled)

    def _follow(self, events: Iterator[NativeEvent]) -> tuple[NativeEvent, int] | None:
        """Process the events of the task; return the access that waits for an answer, and its step."""
        for event in events:
            step = self.walk.follow(event)
            if event.code == Code.END:
                return None
            if step is None:
                continue
            late = step < self.open and self.cycle + step - self.done < self.region.env.now
            if late or step <= self.done:
                # Its iteration overlaps the previous one, which waits for a result that decides the next events.
                step = max(self.open, self.done + 1)
                self._assume(event.place, "happens later than its schedule says: the iteration before it waits")
            if event.code != Code.WRITE:
                return event, step
            self._add(step, event, 1)
        raise AssertionError("a task that stops without an answer to wait for")

    def _assume(self, place: int, words: str) -> None:
        access = self.region.places.access[place]
        what = f"'{access}' in {access.node.position.file}:{access.node.position.line} {words}"
        self.record.assumed[what] = self.record.assumed.get(what, 0) + 1

    def _add(self, step: int, event: NativeEvent, side: int) -> None:
        self.steps[step].moves[event.stream][side] += 1
        self.steps[step].places[event.stream, side] = event.place

    def _result(self, event: NativeEvent, step: int) -> Generator[simpy.Event, Any, int]:
        """Wait for the step of an access; return its answer."""
        env, kind = self.region.env, _KINDS[event.code]
        fifo = self.region.fifos[event.stream]
        yield env.timeout(max(0, self.cycle + step - self.done - int(env.now)))
        if kind == "read":
            taken = self.steps[step].moves[event.stream][0] if step in self.steps else 0
            yield from self._wait({event.stream: [taken + 1, 0]}, {(event.stream, 0): event.place})
            self._add(step, event, 0)
            return 0
        yield from self._wait(self.steps[step].moves, self.steps[step].places)
        answer = fifo.answer(kind, int(env.now))
        if kind in ("read_nb", "write_nb") and answer:
            self._add(step, event, int(kind == "write_nb"))
        else:
            self.steps[step].answers.append((event.stream, kind, answer, event.place))
        return answer

    def _until(self, end: int) -> Generator[simpy.Event, Any, None]:
        """Execute all steps with stream accesses before a step."""
        env = self.region.env
        for step in sorted(each for each in self.steps if each < end):
            found = self.steps.pop(step)
            yield env.timeout(max(0, self.cycle + step - self.done - int(env.now)))
            yield from self._wait(found.moves, found.places)
            for stream, kind, answer, place in found.answers:
                if self.region.fifos[stream].answer(kind, int(env.now)) != answer:
                    self._assume(place, "keeps its answer while another access of its state waits")
                self.region.fifos[stream].record.refused += kind in ("read_nb", "write_nb")
            for stream, (reads, writes) in found.moves.items():
                self.region.move(stream, reads, writes)
            self.done, self.cycle = step, int(env.now)

    def _wait(
        self, moves: Mapping[int, Sequence[int]], places: Mapping[tuple[int, int], int]
    ) -> Generator[simpy.Event, Any, None]:
        """Wait until all of some accesses are possible in this cycle."""
        env = self.region.env
        while True:
            now = int(env.now)
            missing = [(s, r, w) for s, (r, w) in moves.items() if not self.region.fifos[s].allows(r, w, now)]
            if not missing:
                self.waiting = None
                return
            stream, reads, writes = missing[0]
            fifo = self.region.fifos[stream]
            side = int(fifo.allows(reads, 0, now))
            self.waiting = places[stream, side], stream
            if not fifo.allows(reads, writes, now + 1):
                yield self.region.changed[stream]
            # A change in this cycle counts from the next cycle on.
            if int(env.now) == now or not fifo.allows(reads, writes, int(env.now)):
                yield env.timeout(1)
            waited = self.record.waited
            waited[fifo.record.name] = waited.get(fifo.record.name, 0) + int(env.now) - now


class _Simulation:
    """The tasks and streams of one call of the region."""

    def __init__(self, session: Session, places: Places, streams: Mapping[int, ExecutedStream]) -> None:
        self.env, self.session, self.places = simpy.Environment(), session, places
        self.fifos = {number: TimedFifo(record) for number, record in streams.items()}
        self.changed = {number: self.env.event() for number in streams}

    def move(self, stream: int, reads: int, writes: int) -> None:
        """Read and write tokens in this cycle, and wake the waiting tasks."""
        self.fifos[stream].move(reads, writes, int(self.env.now))
        changed, self.changed[stream] = self.changed[stream], self.env.event()
        changed.succeed()

    def resume(self, task: int, answer: int) -> Iterator[NativeEvent]:
        """Let a task go on; yield its events up to its next answer or its end."""
        self.session.answer(task, answer)
        return self.session.events()


def run_region(
    session: Session, places: Places, call: RegionCall, kept: Sequence[KeptTask] = ()
) -> tuple[RegionRun, tuple[KeptTask, ...]]:
    """Execute one call of a region in simulated time; the session is about to start its tasks.

    ``kept`` are the tasks without an end from the previous call; those of this call are returned.

    Raises
    ------
    InputError
        If the program stops.
    """
    region = _Simulation(session, places, call.streams)
    again = iter(kept)
    running = [
        _Task(number, region, record, next(again, None) if record.timing.endless else None)
        for number, record in enumerate(call.tasks)
    ]
    for task, before in zip(running, call.after, strict=True):
        region.env.process(task.run([running[other] for other in before]))
    region.env.run()
    left = [task for task in running if not task.ended.triggered]
    for task in left:
        task.rest()
    waits = [_waits(task, region) for task in left if task.waiting]
    # A task without an end may wait for a token for ever, after its inputs have ended.
    stuck = any(not task.record.timing.endless for task in left) or any(each.access == "write" for each in waits)
    finish = int(region.env.now) if stuck else max((record.end for record in call.tasks), default=0)
    found = RegionRun(finish, tuple(call.tasks), tuple(call.streams.values()), tuple(waits) if stuck else ())
    return found, tuple(KeptTask(task.walk, task.steps, task.asked) for task in left if task.asked is not None)


def _waits(task: _Task, region: _Simulation) -> TaskWait:
    assert task.waiting is not None
    place, stream = task.waiting
    access, record = region.places.access[place], region.fifos[stream].record
    held = record.initial + len(record.writes) - len(record.reads)
    kind = "write" if access.kind.startswith("write") else "read"
    position = access.node.position
    return TaskWait(task.record.name, kind, record.name, held, record.depth, f"{position.file}:{position.line}")
