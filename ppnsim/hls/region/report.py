"""Reports of a region's run, as tables and JSON: tasks, FIFOs, and the circle of a deadlock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.region.fifos import FifoUse
from ppnsim.hls.schedule.model import RegionNetwork, ScheduledTask, StateMachine
from ppnsim.hls.sequential import sequential_loops
from ppnsim.loops.position import Position
from ppnsim.model.run import Fix, Run
from ppnsim.model.suspicions import Suspicion, suspicions
from ppnsim.report.result import deadlock_result
from ppnsim.report.text import plain_line, plain_table

_MOST = 40  # rows of a table
_FEW = 0.1  # share of a task's cycles


def region_result(machine: StateMachine, uses: Sequence[FifoUse], fix: Fix | None) -> dict[str, Any]:
    """Return the tasks, FIFOs and arrays of regions for JSON; after a deadlock no task has times.

    Parameters
    ----------
    uses : uses of its FIFOs.
    fix : the depths that break a deadlock, if there is one.
    """
    region, outcome = _run_of(machine)
    tasks = [
        {"name": task.name, "file": task.position.file, "line": task.position.line, "cycles": task.cycles,
         "start": task.start, "end": task.end, "waited": task.waited, "interval": task.interval, "runs": task.runs}
        for task in machine.tasks
    ]  # fmt: skip
    arrays = [
        {"name": name, "array": region.channels[name].array, "from": channel.source, "to": channel.target,
         "copies": channel.depth, **_place(region.channels[name].position)}
        for name in region.of_kind("buffer") for channel in [region.network.channel(name)]
    ]  # fmt: skip
    fifos = [
        {**asdict(use), "variable": region.channels[use.name].variable, **_place(region.channels[use.name].position)}
        for use in uses
    ]
    deadlock = deadlock_result(outcome, fix)
    if deadlock is not None and outcome.deadlock is not None:
        deadlock["source"] = _places(region, outcome)
        deadlock["pragmas"] = pragmas_of(region, fix)
    interval = max((task.interval for task in machine.tasks), default=None)
    return {
        "runs": machine.runs, "interval": interval, "tasks": tasks, "fifos": fifos, "arrays": arrays,
        "deadlock": deadlock, "suspicious": [asdict(each) for each in _left_over(region)],
    }  # fmt: skip


def print_region(console: Console, machine: StateMachine, uses: Sequence[FifoUse], fix: Fix | None) -> None:
    """Print the times of tasks, the fill of FIFOs and the waits, or the reason of a deadlock."""
    region, outcome = _run_of(machine)
    if machine.tasks:
        _print_tasks(console, machine)
    if uses:
        _print_fifos(console, region, uses)
    for each in _left_over(region):
        plain_line(console, str(each))
    if outcome.deadlock is None:
        return
    plain_line(console, str(outcome.deadlock))
    for name, place in _places(region, outcome).items():
        plain_line(console, f"  {place}: {name}")
    where = " of ppnsim run" if fix is not None and fix.initial else ""
    plain_line(console, f"  -> {fix or 'the search for depths was interrupted'}{where}")
    for pragma in pragmas_of(region, fix):
        plain_line(console, f"     {pragma}")


def _left_over(region: RegionNetwork) -> list[Suspicion]:
    """Return the FIFOs with unread tokens."""
    fifos = region.of_kind("fifo")
    return [each for each in suspicions(region.network) if each.part in fifos]


def _run_of(machine: StateMachine) -> tuple[RegionNetwork, Run]:
    assert machine.region is not None
    assert machine.outcome is not None
    return machine.region, machine.outcome


def _print_tasks(console: Console, machine: StateMachine) -> None:
    again = ("runs",) if any(task.runs > 1 for task in machine.tasks) else ()
    beside = {task.name: _beside(task, machine) for task in machine.tasks}
    around = ("around loops",) if any(beside[task.name] > _FEW * task.cycles for task in machine.tasks) else ()
    heads = ("task", "line", "cycles", *around, *again, "starts", "ends", "waited", "interval")
    table = plain_table(*heads, right=tuple(range(1, len(heads))))
    for task in machine.tasks:
        numbers = {
            "line": task.position.line, "cycles": task.cycles, "around loops": beside[task.name], "runs": task.runs,
            "starts": task.start, "ends": task.end, "waited": task.waited, "interval": task.interval,
        }  # fmt: skip
        table.add_row(escape(task.name), *(str(numbers[head]) for head in heads[1:]))
    console.print(table)


def _beside(task: ScheduledTask, machine: StateMachine) -> int:
    """Return the cycles of a task outside of its loops, for instance waits for the response of a bus."""
    found = machine.region.tasks.get(task.name) if machine.region is not None else None
    if found is None or not found.machine.nests:
        return 0
    pipelines = sum(nest.cycles for nest in found.machine.nests)
    return max(0, task.cycles - pipelines - sum(loop.cycles for loop in sequential_loops(found.machine)))


def _print_fifos(console: Console, region: RegionNetwork, uses: Sequence[FifoUse]) -> None:
    """Print a row for each variable; an array of FIFOs has the largest numbers of its FIFOs."""
    by_name = {use.name: use for use in uses}
    heads = ("FIFO", "line", "from", "to", "depth", "most held", "full", "empty", "writer waits", "reader waits")
    table = plain_table(*heads, right=(1, 4, 5, 6, 7, 8, 9))
    groups = list(region.groups.values())
    for names in groups[:_MOST]:
        some = [by_name[name] for name in names]
        label = names[0] if len(names) == 1 else f"{names[0].partition('[')[0]} ({len(names)} FIFOs)"
        ends = (
            ", ".join(dict.fromkeys(each)) for each in zip(*((use.source, use.target) for use in some), strict=True)
        )
        rows = ((use.depth, use.held, use.full, use.empty, use.writer_waited, use.reader_waited) for use in some)
        numbers = (max(column) for column in zip(*rows, strict=True))
        line = str(region.channels[names[0]].position.line or "")
        table.add_row(escape(label), line, *ends, *map(str, numbers))
    console.print(table)
    if len(groups) > _MOST:
        plain_line(console, f"({len(groups) - _MOST} more FIFOs: --json has all)")
    if idle := [use.name for use in uses if use.full and not use.writer_waited]:
        which = idle[0] if len(idle) == 1 else f"{idle[0]} and {len(idle) - 1} more"
        plain_line(
            console, f"full counts cycles with as many tokens as the depth: the writer of {which} waits for none"
        )


def _place(position: Position) -> dict[str, Any]:
    return {"file": position.file or None, "line": position.line or None}


def _places(region: RegionNetwork, outcome: Run) -> dict[str, str]:
    """Return the places in the source of the tasks and channels of a deadlock."""
    found: dict[str, str] = {}
    for wait in outcome.deadlock.cycle if outcome.deadlock else ():
        if wait.process in region.tasks:  # the processes of a port are not tasks
            found[f"task {wait.process}"] = str(region.tasks[wait.process].position)
        if region.channels[wait.channel].position.file:
            found[f"'{wait.channel}'"] = str(region.channels[wait.channel].position)
    return found


def pragmas_of(region: RegionNetwork, fix: Fix | None) -> list[str]:
    """Return the directives that set FIFO depths against a deadlock; all FIFOs of an array have one depth."""
    depths: dict[str, int] = {}
    for name, depth in fix.deeper.items() if fix else ():
        if region.channels[name].kind == "fifo":
            variable = region.channels[name].variable
            depths[variable] = max(depth, depths.get(variable, 0))
    return [f"#pragma HLS stream variable={variable} depth={depth}" for variable, depth in depths.items()]
