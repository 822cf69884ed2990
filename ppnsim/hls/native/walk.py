"""The steps of a task's accesses, from its schedule and from what its execution reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.hls.native.timing import AccessKey, PipelineTiming, SerialTiming, StraightTiming, TaskTiming


@dataclass(slots=True)
class _PipelineRun:
    """A run of a pipelined loop: its iterations begin every interval from ``start`` on; -1 is before the first one."""

    timing: PipelineTiming
    start: int
    iteration: int = -1
    full: int = 0  # iterations that are not only the test of the head

    def place(self, access: AccessKey) -> int:
        """Return the step of an access."""
        return self.start + self.iteration * self.timing.ii + self.timing.stages[access]

    def busy(self) -> int:
        """Return the cycles until it has ended (R3.5); the last test of its head is one of them."""
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
    busy: dict[int, int] = field(default_factory=dict)
    open: bool = False
    exited: bool = False

    def part(self) -> StraightTiming:
        part = self.parts[self.number]
        assert isinstance(part, StraightTiming)
        return part

    def place(self, access: AccessKey) -> int:
        """Return the step of an access."""
        return self.step(self.part().stages[access])

    def step(self, state: int) -> int:
        """Return the step of a state; the state after a loop's start waits for the loop (R5.3)."""
        waits = [(start + 1, loop) for loop, start in self.part().starts.items()]
        return self.base + state + sum(self.busy.get(loop, 0) - 1 for wait, loop in waits if wait < state)

    def close(self) -> None:
        """Go to the end of the straight-line code."""
        self.base = self.step(self.part().states)
        self.busy = {}


class TaskWalk:
    """Follows the execution of a task; ``steps`` is the number of its steps when it has ended.

    Examples
    --------
    >>> loop = PipelineTiming(0, (), 2, 3, 0, False, {(7,): 1}, "", "")
    >>> walk = TaskWalk(TaskTiming("t", (StraightTiming(2, {}, {0: 0}, {0: loop}),), True))
    >>> def see(code, place):
    ...     return walk.follow(NativeEvent(code, 0, place, 0))
    >>> found = [see(Code.ENTER, 0), see(Code.STEP, 0), see(Code.WRITE, 7), see(Code.STEP, 0), see(Code.WRITE, 7)]
    >>> found[2], found[4], see(Code.STEP, 0), see(Code.EXIT, 0), see(Code.LEAVE, 0), see(Code.END, 0), walk.steps
    (2, 4, None, None, None, None, 6)
    """

    def __init__(self, timing: TaskTiming) -> None:
        self.frames: list[_Serial | _PipelineRun] = [_Serial(timing.body, 0)]
        self.steps = 0
        self.copies: list[tuple[int, int]] = []  # unrolled loops that are open, and which copy of their bodies runs
        self.starts: list[int] = []  # steps at which iterations of pipelined loops begin

    def follow(self, event: NativeEvent) -> int | None:
        """Take an event of the task; return the step of an access, None for other events."""
        match event.code:
            case Code.ENTER:
                self._enter(event.place)
            case Code.STEP:
                self._step(event.place)
            case Code.EXIT:
                self._exit(event.place)
            case Code.LEAVE:
                self._leave(event.place)
            case Code.END:
                frame = self.frames[0]
                assert isinstance(frame, _Serial) and len(self.frames) == 1
                frame.close()
                self.steps = frame.base
            case _:
                return self._access(event.place)
        return None

    def _access(self, access: int) -> int:
        return self.frames[-1].place((access, *(copy for _, copy in self.copies)))

    def _enter(self, loop: int) -> None:
        frame = self.frames[-1]
        if isinstance(frame, _PipelineRun):
            if loop not in frame.timing.outer and loop != frame.timing.loop:
                self.copies.append((loop, -1))
            return
        part = frame.part()
        for timing in part.pipelines.values():
            if loop in timing.outer or loop == timing.loop:
                self.frames.append(_PipelineRun(timing, frame.step(part.starts[timing.loop] + 1)))
                return
        after = frame.parts[frame.number + 1] if frame.number + 1 < len(frame.parts) else None
        if not isinstance(after, SerialTiming) or after.loop != loop:
            self.copies.append((loop, -1))
            return
        serial = after
        frame.close()
        frame.number += 1
        self.frames.append(_Serial(serial.body, frame.base, loop, serial.tail))

    def _step(self, loop: int) -> None:
        if self.copies and self.copies[-1][0] == loop:
            self.copies[-1] = loop, self.copies[-1][1] + 1
            return
        frame = self.frames[-1]
        if isinstance(frame, _Serial):
            if frame.open:
                frame.close()
            frame.open, frame.number = True, 0
        elif frame.timing.loop == loop:
            frame.iteration += 1
            frame.full = frame.iteration + 1
            self.starts.append(frame.start + frame.iteration * frame.timing.ii)

    def _exit(self, loop: int) -> None:
        if self.copies and self.copies[-1][0] == loop:
            return
        frame = self.frames[-1]
        if isinstance(frame, _Serial):
            frame.exited = True
        elif frame.timing.loop == loop and not frame.timing.tail:
            frame.full -= 1
            self.starts.pop()
            if frame.timing.outer:  # the head of a flattened loop takes no time of its own
                frame.iteration -= 1

    def _leave(self, loop: int) -> None:
        if self.copies and self.copies[-1][0] == loop:
            self.copies.pop()
            return
        frame = self.frames[-1]
        if isinstance(frame, _PipelineRun):
            if loop != frame.timing.whole:
                return
            self.frames.pop()
            around = self.frames[-1]
            assert isinstance(around, _Serial)
            around.busy[frame.timing.loop] = frame.busy()
            return
        if not frame.exited or frame.tail:
            frame.close()
        self.frames.pop()
        around = self.frames[-1]
        assert isinstance(around, _Serial)
        around.base, around.number = frame.base, around.number + 1
