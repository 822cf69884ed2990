"""What the execution of a region in simulated time gives: its tasks, its streams, or a deadlock."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.native.timing import TaskTiming


@dataclass(slots=True)
class ExecutedStream:
    """A stream of a run, by the cycles in which tokens were written and read.

    Attributes
    ----------
    depth : None for a stream of the interface that is written: it is never full.
    refused : accesses that did not wait and found it empty or full.
    """

    name: str
    depth: int | None
    line: str
    initial: int = 0
    writes: list[int] = field(default_factory=list)
    reads: list[int] = field(default_factory=list)
    refused: int = 0

    @property
    def most(self) -> int:
        """The most tokens that it held."""
        held, most, taken = self.initial, self.initial, 0
        for put, cycle in enumerate(self.writes, start=1):
            while taken < len(self.reads) and self.reads[taken] < cycle:
                taken += 1
            held = self.initial + put - taken
            most = max(most, held)
        return most


@dataclass(slots=True)
class ExecutedTask:
    """A task of a run; ``waited`` are cycles in which it stood still, by name of the stream that it waited for.

    ``assumed`` counts what is not exact (R11.6), in words.
    """

    name: str
    timing: TaskTiming
    start: int = 0
    end: int = 0
    steps: int = 0
    waited: dict[str, int] = field(default_factory=dict)
    assumed: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskWait:
    """What a task of a deadlock waits for."""

    task: str
    access: str
    stream: str
    held: int
    depth: int | None
    where: str

    def __str__(self) -> str:
        state = "empty" if not self.held else f"{self.held}/{self.depth} full"
        what = "a slot in" if self.access == "write" else "a token of"
        return f"{self.task} waits for {what} '{self.stream}' ({state}) at {self.where}"


@dataclass(frozen=True, slots=True)
class RegionRun:
    """One call of the region: ``finish`` in cycles, or the cycle from which on nothing moves (``deadlock``)."""

    finish: int
    tasks: tuple[ExecutedTask, ...]
    streams: tuple[ExecutedStream, ...]
    deadlock: tuple[TaskWait, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeRun:
    """A testbench's run: each call of the region, and what the testbench has printed (up to a deadlock, if any)."""

    name: str
    calls: tuple[RegionRun, ...]
    printed: str
    monotone: bool
    always: tuple[str, ...] = ()
    """What is assumed whatever happens."""
    rule: str = ""
    """Which tasks are timed by which rule (R11.5)."""

    @property
    def finish(self) -> int:
        """Cycles of all calls, one after the other."""
        return sum(call.finish for call in self.calls)

    @property
    def assumed(self) -> list[str]:
        """What is not exact (R11.6), a sentence each; none of most designs."""
        found = [each for call in self.calls for task in call.tasks for each in task.assumed.items()]
        return [*self.always, *dict.fromkeys(f"assumed: {words} ({count} times)" for words, count in found)]

    @property
    def deadlocked(self) -> bool:
        """Whether the last call did not end."""
        return any(call.deadlock for call in self.calls)
