"""The schedule of a kernel prepared for reports: loops with their bounds, cycles, area and assumptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ppnsim.hls.beyond_clock import said_of_clock
from ppnsim.hls.bus_latencies import said_of_buses
from ppnsim.hls.extremes import Extremes
from ppnsim.hls.formulas import OTHER_HARDWARE, CycleFormula
from ppnsim.hls.graph.cores import said_of_cores
from ppnsim.hls.graph.functions import guessed_functions
from ppnsim.hls.library.library import Library
from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.region import fifos
from ppnsim.hls.resources import Resources, resources
from ppnsim.hls.schedule.machine import RECENT
from ppnsim.hls.schedule.model import ScheduledNest, StateMachine
from ppnsim.hls.sequential import SequentialLoop, sequential_loops
from ppnsim.hls.shown_lines import line_of_words, shown_line
from ppnsim.hls.structure.last_only import said_of_last_only
from ppnsim.hls.structure.reuse_distance import POINTS, VISITS
from ppnsim.hls.undefined_behaviour import undefined
from ppnsim.hls.unmet_directives import unmet, unmet_pipelines
from ppnsim.hls.volatile import said_of_volatile
from ppnsim.hls.waits import waits
from ppnsim.loops.program import LoopProgram
from ppnsim.model.run import Fix


@dataclass(slots=True)
class ScheduledKernel:
    """A kernel, its schedule, its ``area``, the ``uses`` of FIFOs between tasks, and the ``fix`` of a deadlock.

    ``extremes`` are its cycles with every loop at its fewest and at its most iterations; None if each loop has one trip
    count. ``formula`` are its cycles as a formula of its arguments, or the reason why there is none; None if the cycles
    do not depend on arguments.
    """

    program: LoopProgram
    machine: StateMachine
    library: Library
    directives: Directives
    area: Resources = field(init=False)
    fix: Fix | None = None
    extremes: Extremes | None = None
    formula: CycleFormula | str | None = None
    uses: list[fifos.FifoUse] = field(init=False)

    def __post_init__(self) -> None:
        self.area = resources(self.machine, self.program, self.library, self.directives)
        region, outcome = self.machine.region, self.machine.outcome
        self.uses = fifos.fifo_uses(region, outcome) if region and outcome else []

    @property
    def time_ns(self) -> float:
        """Nanoseconds from start to done."""
        return self.machine.cycles * self.library.clock_ns

    @property
    def nests(self) -> list[ScheduledNest]:
        """The pipelined loops in the order of the source."""
        return sorted(self.machine.nests, key=lambda nest: nest.line)

    def line_of(self, nest: ScheduledNest) -> int:
        """Return the line of a loop; for a loop in a function of ppnsim's headers, the line of the call."""
        return shown_line(nest.body.pipeline.loops[-1].position, self.program)

    def missed(self, nest: ScheduledNest) -> int | None:
        """Return the requested initiation interval if a loop, or a pipelined kernel, has another one; else None."""
        loop = nest.body.pipeline.loops[-1]
        asked = self.directives.of(loop)
        if nest.body.pipeline.call:
            asked = self.directives.functions.get(scope_of(loop), asked)
        return asked.ii if asked.pipeline and asked.ii != nest.body.schedule.ii else None

    @property
    def sequential(self) -> list[SequentialLoop]:
        """The innermost loops that are not pipelined, in the order of the source."""
        return sequential_loops(self.machine)

    def tasks_of_nests(self) -> list[str]:
        """Return the task of each loop of a region with several tasks, in the order of `nests`."""
        region = self.machine.region
        tasks = region.tasks if region is not None and len(region.tasks) > 1 else {}
        names = [name for name, task in tasks.items() for _ in task.machine.nests]
        return [name for _, name in sorted(zip(self.machine.nests, names, strict=False), key=lambda each: each[0].line)]

    @property
    def overlapped_cycles(self) -> int:
        """Cycles of loops that run while longer loops run."""
        return sum(region.overlapped for region in self.machine.regions)

    @property
    def other_cycles(self) -> int:
        """Cycles outside of the loops; negative for a kernel that is one loop and signals done in its last state."""
        return self.machine.cycles - sum(nest.cycles for nest in self.machine.nests) + self.overlapped_cycles

    def share(self, nest: ScheduledNest) -> float:
        """Return the share of a loop in the cycles of the kernel, from 0 to 1 (a loop may count the state of done)."""
        return min(1.0, nest.cycles / self.machine.cycles) if self.machine.cycles else 0.0

    @property
    def without_effect(self) -> list[str]:
        """The directives without an effect; an array becomes a FIFO only between the tasks of a network (R7.5)."""
        streams = self.directives.idle_streams(network=bool(self.machine.region))
        left = unmet(self.program, self.machine.nests, self.machine.cycles, self.directives)
        return sorted([*self.directives.ignored, *streams, *left], key=line_of_words)

    @property
    def too_large(self) -> list[str]:
        """The directives of ``without_effect`` that ask for a pipeline that unrolling makes too large (R1.3)."""
        return unmet_pipelines(self.program, self.machine.nests, self.directives)

    @property
    def assumptions(self) -> list[str]:
        """The assumptions that the schedule needs, since the source does not state them."""
        found = [each for each in (self.library.device.assumed, self.library.said) if each]
        statements = tuple(self.program.statements())
        found += [*self.library.guessed(), *guessed_functions(statements, self.library), *said_of_cores(statements)]
        found += said_of_buses(self.program, self.directives, self.machine.nests)
        loops = (loop for nest in self.machine.nests for loop in nest.body.pipeline.loops if loop.assumed)
        around = (loop for loop in all_loops(self.program.body) if loop.assumed)
        known = labels_of(self.program)
        lines = {loop.position.line: f"{called(loop, known)} runs " for loop in (*loops, *around)}
        named = (each for each in lines.values() if not any(said.startswith(each) for said in self.machine.said))
        found += [f"{each}as often as is annotated or assumed" for each in named]
        found += [
            *undefined(self.program),
            *waits(self.program),
            *said_of_clock(self.program, self.machine.nests),
            *said_of_volatile(self.program, self.machine.nests),
            *said_of_last_only(self.program, self.directives.tells_of),
            *self._unlike(),
            *self._flattening(),
            *self.machine.said,
        ]
        if isinstance(self.formula, CycleFormula):
            found.append(OTHER_HARDWARE)
        if self.machine.region:
            found.append(
                "tasks start and end in no cycles of their own, stand still as a whole when a FIFO holds them up, and "
                "can take a token in the cycle after it was put"
            )
            found += (*self.machine.region.runs_once(), *self.machine.region.said)
        return found

    def _unlike(self) -> Iterator[str]:
        """Yield the loops whose interval depends on the tool's analysis of subscripts of different form (R4.8)."""
        for nest in self.machine.nests:
            loop = nest.body.pipeline.loops[-1]
            unseen = nest.body.unseen
            for array in sorted(nest.body.unlike | unseen) if nest.body.reported is None else ():
                yield f"{called(loop, labels_of(self.program))} " + (
                    f"is looked at in {POINTS} iterations at most, those of loops around in {VISITS} where there are "
                    f"more: if others take elements of '{array}' sooner after they are stored, its II is too short"
                    if array in unseen
                    else f"takes elements of '{array}' from earlier iterations where its subscripts say so; a tool "
                    "that cannot see it takes them from the one before"
                )

    def _flattening(self) -> Iterator[str]:
        """Yield whether loops with statements between them are flattened, which depends on the release (R9.2)."""
        device = self.library.device
        nested = [nest.body.pipeline for nest in self.nests if len(nest.body.pipeline.loops) > 1]
        does = f"release {RECENT} of the tool does (rule R9.2 in ppnsim/hls/RULES.md)"
        if device.timing.tool >= RECENT and any(step.conditions for each in nested for step in each.steps):
            yield f"loops with statements between them are flattened on {device.name}, as {does}"
        elif device.timing.tool < RECENT and any(nest.visits > 1 for nest in self.nests):
            yield f"loops with statements between them are not flattened on {device.name}, which {does}"
