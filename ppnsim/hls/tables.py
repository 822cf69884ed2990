"""Tables of a kernel's schedule: loops with their bounds and cycles, cycles beside the loops, area, bottleneck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.advice import advice, bound_of
from ppnsim.hls.ends import start_to_done, start_to_start, two_ends
from ppnsim.hls.formulas import formula_line
from ppnsim.hls.loop_names import labels_of, loop_names
from ppnsim.hls.region import fifos
from ppnsim.hls.region import report as of_region
from ppnsim.hls.report import ScheduledKernel
from ppnsim.hls.resources import KINDS
from ppnsim.hls.schedule.model import ScheduledNest, StateMachine
from ppnsim.hls.sequential import SequentialLoop
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration

_DONE = "cycles of loops count the state that signals done; those of tasks and of the whole, from start to done, do not"
_FEW = 0.1  # share of all cycles


def print_schedule(console: Console, kernel: ScheduledKernel) -> None:
    """Print the cycles, the loops that take them, the area, and the bound of the longest loop."""
    machine, library, area = kernel.machine, kernel.library, kernel.area
    dead = machine.outcome is not None and machine.outcome.deadlocked
    cycles = "deadlock" if dead else f"{machine.cycles} cycles ({duration(kernel.time_ns)})"
    plain_line(console, f"{kernel.program.name}   {cycles}   {library.device.name} at {library.clock_ns:g} ns")
    if (interval := start_to_start(machine)) is not None:
        plain_line(console, f"interval: it may start again {interval} cycles after its start, before its end")
    for words in (large := kernel.too_large):
        plain_line(console, f"not as asked: {words}")
    if (ends := kernel.extremes) is not None and (ends.best != ends.worst or ends.why):
        plain_line(console, str(ends))
    if kernel.formula is not None:
        plain_line(console, formula_line(kernel.formula))
    _print_loops(console, kernel)
    if machine.region:
        _print_ends(console, machine)
        of_region.print_region(console, machine, kernel.uses, kernel.fix)
    parts = (f"{name.upper()} {getattr(area, name)} of {getattr(library.device, name)}" for name in KINDS)
    plain_line(console, f"area (estimate): {', '.join(parts)}")
    if unfit := area.beyond(library.device):
        plain_line(console, f"does not fit {library.device.name}: {', '.join(unfit)}")
    if kernel.assumptions:
        words = "; ".join(each.removeprefix("assumed: ") for each in kernel.assumptions)
        plain_line(console, f"assumed: {words}")
    if idle := [each for each in kernel.without_effect if each not in large]:
        plain_line(console, f"without effect here: {'; '.join(idle)}")
    for line in _of_tasks(kernel) if machine.tasks else _of_loops(kernel):
        plain_line(console, line)


def _of_tasks(kernel: ScheduledKernel) -> Iterator[str]:
    """Yield the task or bus that takes longest, and whether the tasks also wait for each other."""
    machine = kernel.machine
    region, outcome = machine.region, machine.outcome
    task = max(machine.tasks, key=lambda task: task.busy)
    longest = task.busy
    held = fifos.longest_port_wait(region, outcome) if region and outcome else None
    if held is not None and held[1] > longest:
        port, waited = held
        moves = f"{'writes' if port.write else 'reads'} {', '.join(port.arrays)}"
        yield f"bottleneck: bus {port.bundle} {moves}; task {port.task} waits {waited} cycles for it"
        return
    again = f", {task.runs} times" if task.runs > 1 else ""
    again += f" every {task.period} cycles" if again and task.period is not None else ""
    long = f"{task.cycles} cycles{again}"
    yield f"bottleneck: task {task.name} (line {task.position.line}) takes {long}; the whole cannot take fewer"
    waits = machine.cycles - longest
    if outcome is not None and not outcome.deadlocked and waits > _FEW * machine.cycles:
        fifo, size = (" or for room in a FIFO", ", ppnsim size which depths help") if kernel.uses else ("", "")
        bus = f", for bus {held[0].bundle}" if held is not None and held[1] else ""
        why = f"tasks wait for each other{bus}{fifo}"
        yield f"  the whole takes {waits} cycles more: {why}: ppnsim run says which{size}"


def _of_loops(kernel: ScheduledKernel) -> Iterator[str]:
    """Yield the loop that takes longest, and the reason."""
    if kernel.machine.region:
        return
    longest = max(kernel.nests, key=lambda nest: nest.cycles, default=None)
    slow = max(kernel.sequential, key=lambda loop: loop.cycles, default=None)
    if slow is not None and (longest is None or slow.cycles > longest.cycles):
        why = f"is not pipelined: one iteration in {slow.states} cycles"
        name = labels_of(kernel.program).get((slow.name, slow.line), slow.name)
        yield f"bottleneck: loop {name} (line {slow.line}) {why}"
    elif longest is not None:
        (name,) = loop_names(kernel.program, [longest], kernel.nests)
        yield f"bottleneck: loop {name} (line {kernel.line_of(longest)}): {advice(longest)}"


def _print_ends(console: Console, machine: StateMachine) -> None:
    """Print both ends of a region if they differ."""
    outcome, region = machine.outcome, machine.region
    if outcome is not None and outcome.finish is not None and region is not None:
        control = machine.cycles - start_to_done(outcome, region.late)
        if words := two_ends(machine.cycles, outcome.finish, control):
            plain_line(console, words)


def _print_loops(console: Console, kernel: ScheduledKernel) -> None:
    """Print the innermost loops and, unless tasks run at the same time, the cycles outside of the loops."""
    tasks = kernel.tasks_of_nests()
    late = any(kernel.missed(nest) for nest in kernel.nests)
    heads = [
        "loop",
        "line",
        "II",
        *(["asked"] if late else []),
        "bound by",
        "depth",
        "trips",
        "visits",
        "cycles",
        "share",
    ]
    right = tuple(at for at, head in enumerate(heads) if head not in ("loop", "bound by"))
    table = plain_table(*heads, *(("task",) if tasks else ()), right=right)
    for _, cells in sorted(_rows(kernel, tasks), key=lambda row: row[0]):
        table.add_row(*(cells if late else [*cells[:3], *cells[4:]]))
    for name, cycles in _beside(kernel):
        if cycles and not kernel.machine.region:
            table.add_row(name, *[""] * (len(heads) - 3), str(cycles), _share(kernel, cycles))
    console.print(table)
    if any(_is_one_loop(each) for each in kernel.machine.parts or (kernel.machine,)):
        plain_line(console, _DONE)


def _rows(kernel: ScheduledKernel, tasks: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each innermost loop; the fourth cell is a requested interval that is not met."""
    known = labels_of(kernel.program)
    for name, nest, task in zip_longest(loop_names(kernel.program, kernel.nests), kernel.nests, tasks):
        schedule, place = nest.body.schedule, kernel.line_of(nest)
        yield place, [
            escape(name), str(place), str(schedule.ii), str(kernel.missed(nest) or ""), escape(bound_of(nest, known)),
            str(nest.body.depth), _trips(nest), str(nest.visits), str(nest.cycles),
            f"{kernel.share(nest):.1%}", *(() if task is None else (escape(task),)),
        ]  # fmt: skip
    for loop in kernel.sequential:
        yield loop.line, [
            escape(known.get((loop.name, loop.line), loop.name)), str(loop.line), "-", "", "not pipelined",
            str(loop.states), _trips(loop), str(loop.visits), str(loop.cycles),
            _share(kernel, loop.cycles), *((escape(loop.task),) if tasks else ()),
        ]  # fmt: skip


def _trips(loop: ScheduledNest | SequentialLoop) -> str:
    return str(loop.least) if loop.least == loop.most else f"{loop.least}..{loop.most}"


def _beside(kernel: ScheduledKernel) -> Iterator[tuple[str, int]]:
    yield "around the loops", max(0, kernel.other_cycles - sum(loop.cycles for loop in kernel.sequential))
    yield "at the same time", -kernel.overlapped_cycles


def _share(kernel: ScheduledKernel, cycles: int) -> str:
    total = kernel.machine.cycles
    return f"{min(1.0, cycles / total):.1%}" if total else ""


def _is_one_loop(machine: StateMachine) -> bool:
    """Return whether a kernel or a task is a pipelined loop without states around it (R1.5)."""
    return bool(machine.nests) and not machine.regions and not machine.region
