"""The schedule of a kernel as it is reported, as tables and for JSON: loops with their bounds, cycles, area."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.ends import start_to_done, two_ends
from ppnsim.hls.extremes import Extremes
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives, scope_of
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region import fifos
from ppnsim.hls.region import report as of_region
from ppnsim.hls.resources import KINDS, Resources, resources
from ppnsim.hls.schedule.machine import RECENT
from ppnsim.hls.schedule.model import ScheduledNest, StateMachine
from ppnsim.hls.structure.nearest import POINTS
from ppnsim.loops.program import LoopProgram
from ppnsim.model.run import Fix
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration

_CURES = {
    "ports of": "partition that array",
    "units of": "allow more of them",
    "order of stores": "an iteration may store what the one before has stored, and is to come after it",
    "order of": "an iteration takes or puts its tokens after the one before",
    "recurrence": "an iteration waits for the one before",
}


@dataclass(slots=True)
class ScheduledKernel:
    """A kernel and its schedule: its ``area``, the ``uses`` of FIFOs between tasks, the ``fix`` of their deadlock.

    ``extremes`` are its cycles with every loop at its least and at its most iterations, None if each loop has but one
    number of them.
    """

    program: LoopProgram
    machine: StateMachine
    library: Library
    directives: Directives
    area: Resources = field(init=False)
    fix: Fix | None = None
    extremes: Extremes | None = None
    uses: list[fifos.FifoUse] = field(init=False)

    def __post_init__(self) -> None:
        self.area = resources(self.machine, self.program, self.library, self.directives)
        region, outcome = self.machine.region, self.machine.outcome
        self.uses = fifos.fifo_uses(region, outcome) if region and outcome else []

    @property
    def time_ns(self) -> float:
        """Nanoseconds from the start to the end."""
        return self.machine.cycles * self.library.clock_ns

    @property
    def nests(self) -> list[ScheduledNest]:
        """The pipelined loops in the order of the source."""
        return sorted(self.machine.nests, key=lambda nest: nest.line)

    def tasks_of_nests(self) -> list[str]:
        """Return the task of each loop of a region with several tasks, in the order of `nests`."""
        region = self.machine.region
        tasks = region.tasks if region is not None and len(region.tasks) > 1 else {}
        names = [name for name, task in tasks.items() for _ in task.machine.nests]
        return [name for _, name in sorted(zip(self.machine.nests, names, strict=False), key=lambda each: each[0].line)]

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
    def without_effect(self) -> list[str]:
        """The directives without an effect; an array becomes a FIFO only between the tasks of a network (R7.5)."""
        arrays = {} if self.machine.region else self.directives.streamed
        return [*self.directives.ignored, *(f"{where}: stream of an array" for _, where in arrays.values())]

    def _ways(self, name: str) -> list[str]:
        """Return how an array is accessed, the words of a bus or a vector as `ppnsim` calls them; reads if unseen."""
        statements = self.program.statements()
        found = {"read": {each.array for some in statements for each in some.reads}}
        found["write"] = {each.array for some in statements for each in some.writes}
        words = [each for known in found.values() for each in known if each.startswith(f"{name}_ppnsim_")] or [name]
        return [way for way, known in found.items() if known & set(words)] or ["read"]

    @property
    def assumptions(self) -> list[str]:
        """What the source does not say and the schedule needs."""
        found = [self.library.device.assumed] if self.library.device.assumed else []
        found += [
            f"a {way} of '{name}' over bus '{kept.bundle}' takes {kept.latency} states"
            for name, kept in sorted(self.directives.storage.items()) if kept.kind == "bus" for way in self._ways(name)
        ]  # fmt: skip
        loops = (loop for nest in self.machine.nests for loop in nest.body.pipeline.loops if loop.assumed)
        lines = {loop.position.line: loop.iterator for loop in loops}
        found += [
            f"loop '{iterator}' (line {line}) runs as often as is annotated or assumed"
            for line, iterator in lines.items()
        ]
        found += [*self._unlike(), *self._flattening(), *self.machine.said]
        if self.machine.region:
            found.append(
                "tasks start and end in no cycles of their own, stand still as a whole when a FIFO holds them up, and "
                "can take a token in the cycle after it was put"
            )
            found += self.machine.region.runs_once()
            found += self.machine.region.said
        return found

    def _unlike(self) -> Iterator[str]:
        """Yield the loops whose interval depends on what a tool sees of subscripts that differ in form (R4.8)."""
        for nest in self.machine.nests:
            loop = nest.body.pipeline.loops[-1]
            unseen = nest.body.unseen
            for array in sorted(nest.body.unlike | unseen) if nest.body.reported is None else ():
                yield f"loop '{loop.iterator}' (line {loop.position.line}) " + (
                    f"is looked at in its first {POINTS} iterations at most: if later ones take elements of '{array}' "
                    "sooner after they are stored, its interval is too short"
                    if array in unseen
                    else f"takes elements of '{array}' from earlier iterations where its subscripts say so; a tool "
                    "that cannot see it takes them from the one before"
                )

    def _flattening(self) -> Iterator[str]:
        """Yield what loops with statements between them become, where there are such: the release decides it (R9.2)."""
        device = self.library.device
        nested = [nest.body.pipeline for nest in self.nests if len(nest.body.pipeline.loops) > 1]
        does = f"release {RECENT} of the tool does (rule R9.2 in ppnsim/hls/RULES.md)"
        if device.timing.tool >= RECENT and any(step.conditions for each in nested for step in each.steps):
            yield f"loops with statements between them are flattened on {device.name}, as {does}"
        elif device.timing.tool < RECENT and any(nest.visits > 1 for nest in self.nests):
            yield f"loops with statements between them are not flattened on {device.name}, which {does}"


def schedule_result(kernel: ScheduledKernel, *, file: str) -> dict[str, Any]:
    """Return a schedule for JSON; loops are in the order of the source."""
    machine, area, device = kernel.machine, kernel.area, kernel.library.device
    # Tasks run at the same time: their cycles do not add up to those of the whole.
    around = {} if machine.tasks else {
        "overlapped_cycles": kernel.overlapped_cycles, "other_cycles": kernel.other_cycles,
    }  # fmt: skip
    dead = machine.outcome is not None and machine.outcome.deadlocked
    known = None if dead else machine.cycles
    extremes = kernel.extremes or Extremes(known, known)
    result = {
        "file": file, "function": kernel.program.name, "device": device.name, "clock_ns": kernel.library.clock_ns,
        "cycles": known, "time_ns": None if dead else kernel.time_ns,
        "best_cycles": extremes.best, "worst_cycles": extremes.worst,
        "loops": [_loop(nest, kernel.share(nest)) for nest in kernel.nests],
        **around,
        "resources": {
            "lut": area.lut, "ff": area.ff, "dsp": area.dsp, "bram_18k": area.bram, "units": area.units,
            "fits": not area.beyond(device),
            "device": {"lut": device.lut, "ff": device.ff, "dsp": device.dsp, "bram_18k": device.bram},
        },
        "without_effect": kernel.without_effect,
        "assumptions": kernel.assumptions,
    }  # fmt: skip
    if machine.region:
        finish = None if dead or machine.outcome is None else machine.outcome.finish
        result["dataflow"] = {
            "start_to_done": result["cycles"], "finish": finish,
            **of_region.region_result(machine, kernel.uses, kernel.fix),
        }  # fmt: skip
    return result


def _loop(nest: ScheduledNest, share: float) -> dict[str, Any]:
    pipeline, schedule = nest.body.pipeline, nest.body.schedule
    trip: Any = nest.least
    if nest.least != nest.most:
        trip = {"min": nest.least, "max": nest.most, "average": nest.iterations / nest.visits}
    return {
        "name": nest.name, "line": nest.line, "ii": schedule.ii, "ii_bound_by": schedule.bound,
        "depth": nest.body.depth, "trip": trip, "visits": nest.visits, "iterations": nest.iterations,
        "cycles": nest.cycles, "share": share, "flattened": len(pipeline.loops) > 1,
        "unrolled_inside": pipeline.unrolled, "assumed": any(loop.assumed for loop in pipeline.loops),
        "reported": nest.body.reported.where if nest.body.reported else None,
    }  # fmt: skip


def print_schedule(console: Console, kernel: ScheduledKernel) -> None:
    """Print the cycles, the loops that take them, the area, and the bound of the longest loop."""
    machine, library, area = kernel.machine, kernel.library, kernel.area
    dead = machine.outcome is not None and machine.outcome.deadlocked
    cycles = "deadlock" if dead else f"{machine.cycles} cycles ({duration(kernel.time_ns)})"
    plain_line(console, f"{kernel.program.name}   {cycles}   {library.device.name} at {library.clock_ns:g} ns")
    if kernel.extremes is not None and kernel.extremes.best != kernel.extremes.worst:
        plain_line(console, str(kernel.extremes))
    _print_loops(console, kernel)
    if machine.region:
        _print_ends(console, machine)
        of_region.print_region(console, machine, kernel.uses, kernel.fix)
    parts = (f"{name.upper()} {getattr(area, name)} of {getattr(library.device, name)}" for name in KINDS)
    plain_line(console, f"area (estimate): {', '.join(parts)}")
    if unfit := area.beyond(library.device):
        plain_line(console, f"does not fit {library.device.name}: {', '.join(unfit)}")
    if kernel.assumptions:
        plain_line(console, f"assumed: {'; '.join(kernel.assumptions)}")
    if kernel.without_effect:
        plain_line(console, f"without effect here: {'; '.join(kernel.without_effect)}")
    if machine.tasks:
        task = max(machine.tasks, key=lambda task: task.runs * task.cycles)
        long = f"{task.cycles} cycles{f', {task.runs} times' if task.runs > 1 else ''}"
        where = f"task {task.name} (line {task.position.line})"
        held = fifos.longest_port_wait(machine.region, machine.outcome) if machine.region and machine.outcome else None
        if held is not None and held[1] > task.runs * task.cycles:
            port, waited = held
            moves = f"{'writes' if port.write else 'reads'} {', '.join(port.arrays)}"
            plain_line(console, f"bottleneck: bus {port.bundle} {moves}; task {port.task} waits {waited} cycles for it")
            return
        plain_line(console, f"bottleneck: {where} takes {long}; the others wait for it")
    elif machine.nests and not machine.region:
        longest = max(kernel.nests, key=lambda nest: nest.cycles)
        plain_line(console, f"bottleneck: loop {longest.name} (line {longest.line}): {advice(longest)}")


def _print_ends(console: Console, machine: StateMachine) -> None:
    """Print both ends of a region where they differ."""
    outcome, region = machine.outcome, machine.region
    if outcome is not None and outcome.finish is not None and region is not None:
        control = machine.cycles - start_to_done(outcome, region.late)
        if words := two_ends(machine.cycles, outcome.finish, control):
            plain_line(console, words)


def _print_loops(console: Console, kernel: ScheduledKernel) -> None:
    """Print the pipelined loops and, unless tasks run at the same time, the cycles beside them."""
    heads = ("loop", "line", "II", "bound by", "depth", "trips", "visits", "cycles", "share")
    tasks = kernel.tasks_of_nests()
    table = plain_table(*heads, *(("task",) if tasks else ()), right=(1, 2, 4, 5, 6, 7, 8))
    known = labels(sources_of(kernel.program), [each for nest in kernel.nests for each in nest.body.pipeline.loops])
    for nest, task in zip_longest(kernel.nests, tasks):
        trips = str(nest.least) if nest.least == nest.most else f"{nest.least}..{nest.most}"
        schedule = nest.body.schedule
        table.add_row(
            escape(".".join(known.get(scope_of(loop), loop.iterator) for loop in nest.body.pipeline.loops)),
            str(nest.line), str(schedule.ii), escape(schedule.bound), str(nest.body.depth), trips, str(nest.visits),
            str(nest.cycles), f"{min(1.0, kernel.share(nest)):.1%}", *(() if task is None else (escape(task),)),
        )  # fmt: skip
    beside = {"around the loops": max(0, kernel.other_cycles), "at the same time": -kernel.overlapped_cycles}
    total = kernel.machine.cycles
    for name, cycles in beside.items():
        if cycles and not kernel.machine.region:
            table.add_row(name, *[""] * 6, str(cycles), f"{cycles / total:.1%}" if total else "")
    console.print(table)


def advice(nest: ScheduledNest) -> str:
    """Return the initiation interval of a loop, what sets it, and what to do about it."""
    bound, interval = nest.body.schedule.bound, f"II {nest.body.schedule.ii}"
    if bound.endswith((" (read)", " (write)")):
        return f"{interval} by the {bound}: it takes one access per cycle"
    for kind, cure in _CURES.items():
        if bound.startswith(kind):
            return f"{interval} by the {bound}: {cure}"
    if bound.endswith("through memory"):
        return f"{interval}: an iteration loads what the one before stores ({bound})"
    return f"one iteration in {nest.body.schedule.ii} cycles: only unrolling makes it faster"
