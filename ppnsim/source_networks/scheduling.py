"""How the programs of a source are scheduled: with the directives, reports and FIFO depths that are given for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c import declarations
from ppnsim.c.pragmas.trips import Count
from ppnsim.errors import InputError
from ppnsim.hls.as_reports import SAID
from ppnsim.hls.extremes import Extremes
from ppnsim.hls.formulas import CycleFormula, cycle_formula
from ppnsim.hls.kernel import control_cycles, schedule_kernel
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.project.model import Project
from ppnsim.hls.recent_results import Recent
from ppnsim.hls.reports import match
from ppnsim.hls.reports.model import Reports
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import of_release
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.loops.program import Frame, LoopProgram
from ppnsim.loops.work import has_as_much
from ppnsim.source_networks import settings
from ppnsim.source_networks.chosen import has_region
from ppnsim.source_networks.fixed_modes import said_of_modes
from ppnsim.source_networks.of_callers import Callers
from ppnsim.source_networks.source import Source
from ppnsim.source_networks.target import Target


@dataclass(frozen=True, slots=True)
class Scheduling:
    """What the schedules of the kernels of a source share.

    Reports that are ``said``, the ``callers`` of each kernel, streams that are ``declared``, the functions of all
    kernels, which stand ``beside`` each other. ``bodies`` are the schedules of loop bodies. They do not depend on how
    often the loops run, so that the fewest and the most cycles of a kernel share them.
    """

    target: Target
    library: Library
    pragmas: Sequence[str]
    said: Reports | None
    project: Project | None
    under: Source | None
    callers: Callers = field(default_factory=Callers)
    declared: list[declarations.StreamDeclarations] = field(default_factory=list)
    beside: Sequence[Frame] = ()
    bodies: Recent[Schedule] = field(default_factory=Recent)

    def machine(
        self, program: LoopProgram, count: Count, tell: Callable[[str], None]
    ) -> tuple[StateMachine, Directives]:  # fmt: skip
        """Return the schedule of a program and its directives; what is assumed is told."""
        sources = sources_of(program)
        placed = self.project.directives if self.project is not None else ()
        for note in self.callers.told(program):
            tell(note)
        directives = self.callers.directives(program, self.pragmas, placed, self.beside, release=self.target.release)
        directives = self.target.buses.directed(directives)
        if self.project is not None and not any(each.kind == "bus" for each in directives.storage.values()):
            idle = (f"{each}: no argument is on an AXI bus" for each in self.project.of_buses)
            directives = replace(directives, ignored=(*directives.ignored, *idle))
        if self.said is not None:
            found = match.matched(self.said, program, sources, directives)
            directives = found.directives
            for note in (*found.assumed, *(f"no loop of the source is {each}" for each in found.unused)):
                tell(note)
        project = self.project
        sized = project is not None and (project.fifo_depth or project.override_depth) and self.under is not None
        if project is not None and sized and has_region(program, directives):
            directives, notes = settings.with_project_depths(program, directives, project, self._declared(), sources)
            for note in notes:
                tell(note)
        elif project is not None and project.fifo_channels:
            directives = replace(directives, fifo_channels=(project.fifo_channels, 0))
        rules = replace(self.target.rules, count=count, reported=count != "usual")
        known = Known(schedules=self.bodies)
        machine = schedule_kernel(
            program, self.library, directives, rules, known=known, on_deadlock="return", estimates=True
        )
        said = self.callers.said(program, directives)
        return replace(machine, said=(*machine.said, *said, *said_of_modes(program, sources))), directives

    def _declared(self) -> declarations.StreamDeclarations:
        """Return the streams that the source declares; it is parsed once for all counts."""
        if not self.declared and (under := self.under) is not None:
            self.declared.append(declarations.stream_declarations(
                under.path, defines=under.defines, include=under.include, linked=under.linked
            ))  # fmt: skip
        return self.declared[0]

    def formula(self, program: LoopProgram, machine: StateMachine, directives: Directives) -> CycleFormula | str | None:
        """Return the cycles of a kernel by its arguments, or why there is no such formula; None if none matters."""
        if self.said is not None:
            return None
        control = control_cycles(directives, of_release(self.target.rules, self.library))
        return cycle_formula(program, machine, lambda other: self.machine(other, "usual", lambda _: None)[0], control)

    def extremes(
        self, machine: StateMachine, count: Count, read: Callable[[Count], LoopProgram], *, unlimited: str
    ) -> Extremes:
        """Return the fewest and the most cycles of a kernel.

        ``machine`` is its schedule under one count, and ``read`` returns its program under another one. ``unlimited``
        says for what no largest number of iterations is known, "" if every loop has one. If half of the limit of work
        is spent, the program is not scheduled again.
        """
        found: dict[Count, int | None] = {count: machine.cycles}
        said = [*machine.said]
        why = ""
        if unlimited:
            found["most"], why = None, unlimited
        for other in ("least", "most"):
            if other not in found:
                ends = f"with the loops at their {'fewest' if other == 'least' else 'most'} iterations"
                if not has_as_much():
                    found[other], why = None, f"{ends} it is not scheduled again, which would be too much work"
                    continue
                try:
                    again, _ = self.machine(read(other), other, lambda _: None)
                    dead = again.outcome is not None and again.outcome.deadlocked
                    found[other] = None if dead else again.cycles
                    said += again.said
                    why = f"{ends} its tasks deadlock" if dead else why
                except InputError as reason:
                    found[other], why = None, f"{ends} there is no schedule: {reason}"
        if found["least"] is not None and found["most"] is not None and found["least"] > found["most"]:
            found |= {"least": found["most"], "most": found["least"]}  # branches were compared without their tasks
        entered = (each.removeprefix(SAID).partition(":")[0].strip() for each in said if each.startswith(SAID))
        return Extremes(found["least"], found["most"], why, next(entered, ""))
