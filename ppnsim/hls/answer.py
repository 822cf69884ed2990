"""A scheduled kernel as it is reported: with its device, its directives, and an estimate of the area."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.resources import Resources, resources
from ppnsim.hls.schedule.model import ScheduledNest, StateMachine
from ppnsim.loops.program import LoopProgram


@dataclass(slots=True)
class ScheduledKernel:
    """A kernel, its schedule, and the ``area`` that the schedule takes."""

    program: LoopProgram
    machine: StateMachine
    library: Library
    directives: Directives
    area: Resources = field(init=False)

    def __post_init__(self) -> None:
        self.area = resources(self.machine, self.program, self.library, self.directives)

    @property
    def time_ns(self) -> float:
        """Nanoseconds from the start to the end."""
        return self.machine.cycles * self.library.clock_ns

    @property
    def nests(self) -> list[ScheduledNest]:
        """The pipelined loops in the order of the source."""
        return sorted(self.machine.nests, key=lambda nest: nest.line)

    @property
    def overlapped_cycles(self) -> int:
        """Cycles of loops that run while longer ones do."""
        return sum(region.overlapped for region in self.machine.regions)

    @property
    def other_cycles(self) -> int:
        """Cycles around the loops; below 0 for a kernel that is one loop and done in the loop's last state."""
        return self.machine.cycles - sum(nest.cycles for nest in self.machine.nests) + self.overlapped_cycles

    def share(self, nest: ScheduledNest) -> float:
        """Return the share of a loop in all cycles."""
        return nest.cycles / self.machine.cycles if self.machine.cycles else 0.0

    @property
    def assumptions(self) -> list[str]:
        """What the source does not say and the schedule needs."""
        found = [
            f"a read of '{name}' over bus '{kept.bundle}' takes {kept.latency} states"
            for name, kept in sorted(self.directives.storage.items()) if kept.kind == "bus"
        ]  # fmt: skip
        loops = (loop for nest in self.machine.nests for loop in nest.body.pipeline.loops if loop.assumed)
        lines = {loop.position.line: loop.iterator for loop in loops}
        found += [f"loop '{iterator}' (line {line}) runs as often as is annotated" for line, iterator in lines.items()]
        if self.machine.tasks:
            found.append(
                "tasks start and end in no cycles of their own, stand still as a whole when a FIFO holds them up, and "
                "can take a token in the cycle after it was put"
            )
        return found
