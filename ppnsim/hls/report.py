"""The schedule of a kernel as a table and as JSON: loops, what bounds them, cycles, area."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.resources import resources
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledTask, StateMachine
from ppnsim.loops.program import LoopProgram
from ppnsim.report.text import duration, plain_line, plain_table

_AREA = ("lut", "ff", "dsp", "bram_18k")


def schedule_result(
    program: LoopProgram, machine: StateMachine, library: Library, directives: Directives, *, file: str
) -> dict[str, Any]:
    """Return a schedule as JSON has it; loops are in the order of the source."""
    area = resources(machine, program, library, directives)
    device = library.device
    nests = sorted(machine.nests, key=lambda nest: nest.body.pipeline.loops[-1].position.line)
    overlapped = sum(region.overlapped for region in machine.regions)
    result = {
        "file": file,
        "function": program.name,
        "device": device.name,
        "clock_ns": library.clock_ns,
        "cycles": machine.cycles,
        "time_ns": machine.cycles * library.clock_ns,
        "loops": [_loop(nest, machine.cycles) for nest in nests],
        "overlapped_cycles": overlapped,
        "other_cycles": machine.cycles - sum(nest.cycles for nest in nests) + overlapped,
        "resources": {
            "lut": area.lut, "ff": area.ff, "dsp": area.dsp, "bram_18k": area.bram, "units": area.units,
            "device": {"lut": device.lut, "ff": device.ff, "dsp": device.dsp, "bram_18k": device.bram},
        },
        "without_effect": list(directives.ignored),
        "assumptions": _assumptions(machine, directives),
    }  # fmt: skip
    if machine.tasks:
        # Tasks run at the same time: their cycles do not add up to those of the whole.
        del result["overlapped_cycles"], result["other_cycles"]
        result["dataflow"] = {
            "runs": machine.runs,
            "interval": max(task.interval for task in machine.tasks),
            "tasks": [_task(task) for task in machine.tasks],
        }
    return result


def _assumptions(machine: StateMachine, directives: Directives) -> list[str]:
    """Return what the source does not say and the schedule needs."""
    found = [
        f"a read of '{name}' over bus '{kept.bundle}' takes {kept.latency} states"
        for name, kept in sorted(directives.storage.items()) if kept.kind == "bus"
    ]  # fmt: skip
    loops = {loop.position.line: loop for nest in machine.nests for loop in nest.body.pipeline.loops if loop.assumed}
    found += [f"loop '{loop.iterator}' (line {line}) runs as often as is annotated" for line, loop in loops.items()]
    if machine.tasks:
        found.append(
            "tasks start and end in no cycles of their own, stand still as a whole when a FIFO holds them up, and can "
            "take a token in the cycle after it was put"
        )
    return found


def _task(task: ScheduledTask) -> dict[str, Any]:
    return {
        "name": task.name, "line": task.position.line, "cycles": task.cycles, "start": task.start, "end": task.end,
        "waited": task.waited, "interval": task.interval,
    }  # fmt: skip


def _loop(nest: ScheduledNest, total: int) -> dict[str, Any]:
    pipeline, schedule = nest.body.pipeline, nest.body.schedule
    trip: Any = nest.least
    if nest.least != nest.most:
        trip = {"min": nest.least, "max": nest.most, "average": nest.iterations / nest.visits}
    return {
        "name": ".".join(loop.iterator for loop in pipeline.loops),
        "line": pipeline.loops[-1].position.line,
        "ii": schedule.ii,
        "ii_bound_by": schedule.bound,
        "depth": nest.body.depth,
        "trip": trip,
        "visits": nest.visits,
        "iterations": nest.iterations,
        "cycles": nest.cycles,
        "share": nest.cycles / total if total else 0.0,
        "flattened": len(pipeline.loops) > 1,
        "unrolled_inside": pipeline.unrolled,
        "assumed": any(loop.assumed for loop in pipeline.loops),
    }


def print_schedule(console: Console, result: dict[str, Any]) -> None:
    """Print the cycles, the loops that make them, the area, and what bounds the longest loop."""
    plain_line(
        console,
        f"{result['function']}   {result['cycles']} cycles ({duration(result['time_ns'])})   {result['device']} at "
        f"{result['clock_ns']:g} ns",
    )
    heads = ("loop", "line", "II", "bound by", "depth", "trips", "visits", "cycles", "share")
    table = plain_table(*heads, right=(1, 2, 4, 5, 6, 7, 8))
    for loop in result["loops"]:
        trip = loop["trip"]
        trips = str(trip) if isinstance(trip, int) else f"{trip['min']}..{trip['max']}"
        table.add_row(
            escape(loop["name"]), str(loop["line"]), str(loop["ii"]), escape(loop["ii_bound_by"]), str(loop["depth"]),
            trips, str(loop["visits"]), str(loop["cycles"]), f"{min(1.0, loop['share']):.1%}",
        )  # fmt: skip
    if "dataflow" in result:
        console.print(table)
        _print_tasks(console, result["dataflow"])
    else:
        # A kernel that is one loop is done in the loop's last state: what is around it is no cycle, or less.
        around, together = max(0, result["other_cycles"]), -result["overlapped_cycles"]
        for name, cycles in (("around the loops", around), ("at the same time", together)):
            if not cycles:
                continue
            share = f"{cycles / result['cycles']:.1%}" if result["cycles"] else ""
            table.add_row(name, *[""] * 6, str(cycles), share)
        console.print(table)
    area = result["resources"]
    parts = (f"{key.split('_')[0].upper()} {area[key]} of {area['device'][key]}" for key in _AREA)
    plain_line(console, f"area (estimate): {', '.join(parts)}")
    if result["assumptions"]:
        plain_line(console, f"assumed: {'; '.join(result['assumptions'])}")
    if result["without_effect"]:
        plain_line(console, f"without effect here: {'; '.join(result['without_effect'])}")
    if "dataflow" in result:
        plain_line(console, f"bottleneck: {_slowest(result['dataflow'])}")
    elif result["loops"]:
        longest = max(result["loops"], key=lambda loop: loop["cycles"])
        plain_line(console, f"bottleneck: loop {longest['name']} (line {longest['line']}): {_advice(longest)}")


def _print_tasks(console: Console, dataflow: dict[str, Any]) -> None:
    """Print the tasks of a dataflow region: when they ran, and how long they stood still."""
    heads = ("task", "line", "cycles", "starts", "ends", "waited", "interval")
    table = plain_table(*heads, right=(1, 2, 3, 4, 5, 6))
    for task in dataflow["tasks"]:
        numbers = (task[key] for key in ("line", "cycles", "start", "end", "waited", "interval"))
        table.add_row(escape(task["name"]), *(str(number) for number in numbers))
    console.print(table)


def _slowest(dataflow: dict[str, Any]) -> str:
    task = max(dataflow["tasks"], key=lambda task: task["cycles"])
    often = f", {dataflow['runs']} times" if dataflow["runs"] > 1 else ""
    return f"task {task['name']} (line {task['line']}) takes {task['cycles']} cycles{often}; the others wait for it"


def _advice(loop: dict[str, Any]) -> str:
    bound = loop["ii_bound_by"]
    if bound.endswith((" (read)", " (write)")):
        return f"II {loop['ii']} by the {bound}: it takes one access per cycle"
    if bound.startswith("ports of"):
        return f"II {loop['ii']} by the {bound}: partition that array"
    if bound.startswith("units of"):
        return f"II {loop['ii']} by the {bound}: allow more of them"
    if bound.startswith("order of"):
        return f"II {loop['ii']} by the {bound}: an iteration takes or puts its tokens after the one before"
    if bound.startswith("recurrence"):
        return f"II {loop['ii']} by the {bound}: an iteration waits for the one before"
    if bound.endswith("through memory"):
        return f"II {loop['ii']}: an iteration loads what the one before stores ({bound})"
    return f"one iteration in {loop['ii']} cycles: only unrolling makes it faster"
