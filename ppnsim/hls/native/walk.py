"""The steps of a task's accesses, computed from its schedule and from the events of its execution."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.hls.native.timing import PipelineTiming, PlaceKey, SerialTiming, StraightTiming, TaskTiming


@dataclass(slots=True)
class _PipelineRun:
    """A run of a pipelined loop: its iterations start every interval from ``start`` on; -1 is before the first one.

    ``copy`` is the copy of the body that runs, for a loop that is unrolled by a factor.
    """

    timing: PipelineTiming
    key: PlaceKey
    start: int
    iteration: int = -1
    copy: int = -1
    full: int = 0  # iterations that execute more than the test of the head

    def place(self, access: PlaceKey) -> int:
        """Return the step of an access."""
        return self.start + self.iteration * self.timing.ii + self.timing.stages[access]

    def busy(self) -> int:
        """Return the cycles until its end (R3.5); the last test of its head is one of them."""
        timing = self.timing
        last = (self.full - 1) * timing.ii + timing.depth if self.full else 0
        tested = (self.iteration * timing.ii + timing.test + 1) if self.iteration >= self.full else 0
        return max(last, tested, 1)


@dataclass(slots=True)
class _Serial:
    """Straight-line code and loops in turn, from step ``base`` on; ``busy`` are the loops that have run in the part."""

    parts: tuple[StraightTiming | SerialTiming, ...]
    base: int
    loop: int = -1
    tail: bool = False
    number: int = 0
    busy: dict[PlaceKey, int] = field(default_factory=dict)
    open: bool = False
    exited: bool = False

    def part(self) -> StraightTiming:
        part = self.parts[self.number]
        assert isinstance(part, StraightTiming)
        return part

    def place(self, access: PlaceKey) -> int:
        """Return the step of an access."""
        return self.step(self.part().stages[access])

    def step(self, state: int) -> int:
        """Return the step of a state; the state after a loop's start waits for the loop (R5.3)."""
        waits = [(start + 1, key) for key, start in self.part().starts.items()]
        return self.base + state + sum(self.busy.get(key, 0) - 1 for wait, key in waits if wait < state)

    def close(self) -> None:
        """Go to the end of the straight-line code."""
        self.base = self.step(self.part().states)
        self.busy = {}


class TaskWalk:
    """A walk through the execution of a task; ``steps`` is the number of its steps at its end.

    ``settled`` is the number of steps up to the end of the last completed iteration, for a task that never ends.

    Examples
    --------
    >>> loop = PipelineTiming(0, (), 2, 3, 0, False, {(7,): 1}, "", "")
    >>> walk = TaskWalk(TaskTiming("t", (StraightTiming(2, {}, {(0,): 0}, {(0,): loop}),), True))
    >>> def see(code, place):
    ...     return walk.follow(NativeEvent(code, 0, place, 0))
    >>> found = [see(Code.ENTER, 0), see(Code.STEP, 0), see(Code.WRITE, 7), see(Code.STEP, 0), see(Code.WRITE, 7)]
    >>> found[2], found[4], see(Code.STEP, 0), see(Code.EXIT, 0), see(Code.LEAVE, 0), see(Code.END, 0), walk.steps
    (2, 4, None, None, None, None, 6)
    """

    def __init__(self, timing: TaskTiming) -> None:
        self.frames: list[_Serial | _PipelineRun] = [_Serial(timing.body, 0)]
        self.unrolled = timing.unrolled
        self.steps, self.settled = 0, 0
        self.endless = timing.endless
        self.path: list[int] = []  # the open calls, and the running copies of the bodies of unrolled loops
        self.starts: list[int] = []  # steps at which iterations of pipelined loops start

    def follow(self, event: NativeEvent) -> int | None:
        """Process an event of the task; return the step of an access, None for other events."""
        match event.code:
            case Code.ENTER:
                self._enter(event.place)
            case Code.STEP:
                self._step(event.place)
            case Code.EXIT:
                self._exit(event.place)
            case Code.LEAVE:
                self._leave(event.place)
            case Code.CALL:
                self.path.append(event.place)
            case Code.RETURN:
                self.path.pop()
            case Code.END:
                frame = self.frames[0]
                assert isinstance(frame, _Serial) and len(self.frames) == 1
                frame.close()
                self.steps = frame.base
            case _:
                return self.frames[-1].place((event.place, *self.path))
        return None

    def _enter(self, loop: int) -> None:
        frame = self.frames[-1]
        if loop in self.unrolled:
            self.path.append(-1)
        elif isinstance(frame, _PipelineRun):
            self._begin(frame, loop)
        elif (timing := frame.part().pipelines.get(key := (loop, *self.path))) is not None:
            run = _PipelineRun(timing, key, frame.step(frame.part().starts[key] + 1))
            self.frames.append(run)
            self._begin(run, loop)
        else:
            frame.close()
            frame.number += 1
            serial = frame.parts[frame.number]
            assert isinstance(serial, SerialTiming) and serial.loop == loop
            self.frames.append(_Serial(serial.body, frame.base, loop, serial.tail))

    def _begin(self, run: _PipelineRun, loop: int) -> None:
        """Enter a loop of a pipelined nest."""
        if loop == run.timing.loop and run.timing.copies > 1:
            run.copy = -1
            self.path.append(-1)

    def _step(self, loop: int) -> None:
        if loop in self.unrolled:
            self.path[-1] += 1
            return
        frame = self.frames[-1]
        if isinstance(frame, _Serial):
            if frame.open:
                frame.close()
                self.settled = max(self.settled, frame.base)
            if self.endless and len(self.frames) == 2:
                self.starts.append(frame.base)
            frame.open, frame.number = True, 0
        elif frame.timing.loop == loop:
            frame.copy = (frame.copy + 1) % frame.timing.copies
            if frame.timing.copies > 1:
                self.path[-1] = frame.copy
            if not frame.copy:
                if frame.iteration >= 0:
                    last = frame.start + frame.iteration * frame.timing.ii
                    self.settled = max(self.settled, last + frame.timing.depth)
                frame.iteration += 1
                frame.full = frame.iteration + 1
                self.starts.append(frame.start + frame.iteration * frame.timing.ii)

    def _exit(self, loop: int) -> None:
        if loop in self.unrolled:
            return
        frame = self.frames[-1]
        if isinstance(frame, _Serial):
            frame.exited = True
        elif frame.timing.loop == loop and not frame.timing.tail and not frame.copy:
            frame.full -= 1
            self.starts.pop()
            if frame.timing.outer:  # the head of a flattened loop takes no time of its own
                frame.iteration -= 1

    def _leave(self, loop: int) -> None:
        frame = self.frames[-1]
        if loop in self.unrolled:
            self.path.pop()
        elif isinstance(frame, _PipelineRun):
            if loop == frame.timing.loop and frame.timing.copies > 1:
                self.path.pop()
            if loop != frame.timing.whole:
                return
            self.frames.pop()
            around = self.frames[-1]
            assert isinstance(around, _Serial)
            around.busy[frame.key] = frame.busy()
        else:
            if not frame.exited or frame.tail:
                frame.close()
            self.frames.pop()
            around = self.frames[-1]
            assert isinstance(around, _Serial)
            around.base, around.number = frame.base, around.number + 1
