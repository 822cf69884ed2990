"""The result of executing a region in simulated time: its tasks, its streams, or a deadlock."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.native.timing import TaskTiming


@dataclass(slots=True)
class ExecutedStream:
    """A stream of a run, with the cycles in which tokens were written and read.

    Attributes
    ----------
    depth : capacity in tokens; None for a written stream of the interface, which is never full.
    refused : non-blocking accesses that found it empty or full.
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
    """A task of a run; ``waited`` are its waiting cycles, by the name of the stream.

    ``assumed`` counts the inexact parts of its timing (R11.6), by sentence.
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
    """The access for which a task of a deadlock waits."""

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
    """One call of the region: ``finish`` in cycles, or the first cycle without any change (``deadlock``)."""

    finish: int
    tasks: tuple[ExecutedTask, ...]
    streams: tuple[ExecutedStream, ...]
    deadlock: tuple[TaskWait, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeRun:
    """A testbench's run: each call of the region, and the testbench's output (up to a deadlock, if any)."""

    name: str
    calls: tuple[RegionRun, ...]
    printed: str
    monotone: bool
    always: tuple[str, ...] = ()
    """Assumptions that hold for every run."""
    rule: str = ""
    """The timing rule of each task (R11.5), as a sentence."""

    @property
    def finish(self) -> int:
        """The sum of the cycles of all calls."""
        return sum(call.finish for call in self.calls)

    @property
    def assumed(self) -> list[str]:
        """A sentence for each inexact part of the timing (R11.6); empty for most designs."""
        found = [each for call in self.calls for task in call.tasks for each in task.assumed.items()]
        return [*self.always, *dict.fromkeys(f"assumed: {words} ({count} times)" for words, count in found)]

    @property
    def deadlocked(self) -> bool:
        """Whether the last call did not end."""
        return any(call.deadlock for call in self.calls)
