"""How the kernels of a source are scheduled one after the other, and what is assumed and told on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.load import Kernels
from ppnsim.c.pragmas.trips import Count
from ppnsim.explore.explain import deadlock_fix
from ppnsim.hls.extremes import Extremes, uneven
from ppnsim.hls.formulas import CycleFormula
from ppnsim.hls.known_ends import with_known_ends
from ppnsim.hls.limits import limitless
from ppnsim.hls.numbers import with_numbers
from ppnsim.hls.pragmas.directives import Directives, all_loops
from ppnsim.hls.region.data_ended_loops import overtaken, with_brought_trips
from ppnsim.hls.report import ScheduledKernel
from ppnsim.hls.schedule.model import ScheduledTask, StateMachine
from ppnsim.hls.shown_lines import shown_line
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.trees import Pipeline, Serial
from ppnsim.hls.unused import REMOVED, said_of_removed, without_unused
from ppnsim.library.kernels import each_kernel
from ppnsim.library.place import tell
from ppnsim.loops.program import Loop, LoopProgram, Position
from ppnsim.source_networks.scheduling import Scheduling


@dataclass(frozen=True, slots=True)
class KernelScheduler:
    """The schedules of the kernels of a source, all with the same target and directives.

    ``noted`` is what was told of them. ``refuted`` are assumptions of the reader that the schedules do not need: where
    a task brings a bound to another one, the number of iterations is known after all.
    """

    asked: Scheduling
    kernels: Kernels
    count: Count
    noted: list[str] = field(default_factory=list)
    refuted: set[str] = field(default_factory=set)

    def tell(self, note: str) -> None:
        """Tell what is assumed of a kernel, and keep it."""
        self.noted.append(note)
        tell(note)

    def all(self, skipped: list[dict[str, str]]) -> list[ScheduledKernel]:
        """Return the schedules of all kernels; those that have none are added to ``skipped``, with the reason.

        Raises
        ------
        InputError
            If no kernel can be scheduled. What was assumed is told before.
        """
        try:
            return list(each_kernel(self.kernels, self.scheduled, skipped))
        finally:
            for note in self.assumed():
                tell(note)

    def assumed(self) -> Sequence[str]:
        """Return what was assumed when the source was read and was not refuted since."""
        return [each for each in self.kernels.assumed if each not in self.refuted]

    def scheduled(self, program: LoopProgram) -> ScheduledKernel:
        """Return the schedule of one kernel, with its extremes, its formula and what breaks its deadlock."""
        program = with_known_ends(program)
        machine, directives = self.asked.machine(program, self.count, self.tell)
        if len(self.kernels.programs) == 1 and any(each.startswith(REMOVED) for each in machine.said):
            self.refuted.update(said_of_removed(self.kernels.assumed, program, without_unused(with_numbers(program))))
        machine = replace(machine, tasks=tuple(_as_called(task, program) for task in machine.tasks))
        counted = self._counted(program, directives)
        if machine.outcome is not None and machine.outcome.deadlocked:
            fix = deadlock_fix.fix_deadlock(machine.outcome)
            return ScheduledKernel(program, machine, self.asked.library, directives, fix, None, None)
        extremes = self._extremes(program, machine, counted)
        formula = self._formula(program, machine, directives)
        return ScheduledKernel(program, machine, self.asked.library, directives, None, extremes, formula)

    def _counted(self, program: LoopProgram, directives: Directives) -> LoopProgram:
        """Return a program with the iterations that tasks bring to others, which refutes what was assumed of them."""
        if not any(loop.assumed for loop in all_loops(program.body)):
            return program
        annotated = self.count != "usual"
        counted, _ = with_brought_trips(without_structs(program), directives, annotated=annotated)
        self.refuted.update(overtaken(self.kernels.assumed, counted))
        return counted

    def _extremes(self, program: LoopProgram, machine: StateMachine, counted: LoopProgram) -> Extremes | None:
        """Return the fewest and the most cycles of a kernel, None if all its loops run equally often."""
        read = self.kernels.ranged.get(program.name)
        if read is None and not uneven(program):
            return None
        copied = frozenset(str(each.position) for each in all_loops(program.body)) - _kept(machine)

        def again(count: Count) -> LoopProgram:
            return program if read is None else read(count, copied)

        return self.asked.extremes(machine, self.count, again, unlimited=limitless(counted))

    def _formula(
        self, program: LoopProgram, machine: StateMachine, directives: Directives
    ) -> CycleFormula | str | None:
        """Return the cycles of a kernel by its arguments, or why there is no such formula; None if none matters."""
        if self.count != "usual":
            return None
        formula = self.asked.formula(program, machine, directives)
        if program.name in self.kernels.forked and isinstance(formula, CycleFormula):
            return "data decides which loops of an 'if' run, of which one branch is counted"
        return formula


def _kept(machine: StateMachine) -> frozenset[str]:
    """Return the positions of the loops that hardware has, those of tasks included; other loops are copies."""
    found, waiting = set[str](), [*machine.tree]
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Pipeline | Serial):
            around = (each for each in (*tree.around, *tree.loops) if isinstance(each, Loop))
            found |= {str(each.position) for each in around}
            waiting += tree.body if isinstance(tree, Serial) else ()
    return frozenset(found).union(*map(_kept, machine.parts))


def _as_called(task: ScheduledTask, program: LoopProgram) -> ScheduledTask:
    """Return a task with the place where it is called if it is a function of ours."""
    line = shown_line(task.position, program)
    kept = line == task.position.line
    return task if kept else replace(task, position=Position(program.file, line, 1))
