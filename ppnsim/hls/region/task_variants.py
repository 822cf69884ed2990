"""Task variants: a task whose runs differ has a schedule for each kind of run (R7.4)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.hls.region.model import TaskCode
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledTask, StateMachine


@dataclass(slots=True)
class TimedTask:
    """A task with its schedules by the shape of its code, the runs of each, and the start of its first run."""

    code: TaskCode
    start: int
    machines: dict[Hashable, StateMachine] = field(default_factory=dict)
    runs: dict[Hashable, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of its runs."""
        return sum(self.runs.values())

    @property
    def longest(self) -> StateMachine:
        """The schedule with the most cycles, among those that run."""
        return max((self.machines[key] for key in self.machines if self.runs[key]), key=lambda each: each.cycles)

    def task(self) -> ScheduledTask:
        """Return the task as a part of the schedule of a kernel."""
        all_runs = sum(self.machines[key].cycles * runs for key, runs in self.runs.items())
        cycles, longest = -(-all_runs // self.total), self.longest.cycles
        return ScheduledTask(
            self.code.name, self.code.position, cycles, self.start, self.start + longest, 0, longest, self.total
        )

    def nests(self) -> Iterator[ScheduledNest]:
        """Yield its pipelined loops, each with its iterations in all runs."""
        same: dict[Hashable, ScheduledNest] = {}
        for key, machine in self.machines.items():
            seen: dict[Hashable, int] = {}
            runs = self.runs[key]
            for nest in machine.nests if runs else ():
                name = nest.name, nest.line, nest.body.depth, nest.body.schedule.ii
                seen[name] = seen.get(name, 0) + 1
                again = replace(nest, visits=nest.visits * runs, iterations=nest.iterations * runs)
                before = same.get((name, seen[name]))
                same[name, seen[name]] = again if before is None else replace(
                    again, visits=before.visits + again.visits, iterations=before.iterations + again.iterations,
                    least=min(before.least, again.least), most=max(before.most, again.most),
                )  # fmt: skip
        yield from same.values()


def executed_longer(machines: Sequence[StateMachine]) -> Iterator[str]:
    """Yield a sentence about loops that take longer when tasks are executed: only a schedule joins them (R11.5)."""
    pipelines = [nest.body.pipeline for machine in machines for nest in machine.nests]
    nests = [each for each in pipelines if len(each.loops) > 1 and any(step.conditions for step in each.steps)]
    alone = [each for each in pipelines if each.rewind and len(each.loops) == 1]
    whats = (nests, "the nest of line {} is flattened"), (alone, "the loop of line {} may take code before it in")
    for some, what in whats:
        if some:
            where = ", ".join(map(str, sorted({each.loops[0].position.line for each in some})))
            executed = "ppnsim run --testbench, which executes the tasks, does not, and has more cycles (rule R11.5)"
            yield f"{what.format(where)}; {executed}"
