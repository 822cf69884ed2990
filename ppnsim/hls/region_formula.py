"""Cycle formulas of dataflow regions: arguments give start and end of each task, runs give the constants (R5.15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.errors import InputError
from ppnsim.hls.run_counts import NoProduct, RunCounts
from ppnsim.hls.schedule.model import RegionNetwork, StateMachine
from ppnsim.hls.structure.counting import with_trips
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Loop, LoopProgram, Node

_USUAL = 64
"""The value of an argument; the tasks are run with values around it."""
_FACTORS = ((1, 1), (3, 3), (1, 3), (3, 1))
"""Factors of one argument and of the other arguments, run after run: the first two runs decide, the others check."""
_DECIDE = 2
_KINDS = ("buffer", "order", "full")


@dataclass(frozen=True, slots=True)
class _Try:
    """Values of the arguments, and the result of a run of the tasks with them."""

    values: Mapping[str, int]
    machine: StateMachine

    def end(self, task: str) -> int:
        return next(each.end for each in self.machine.tasks if each.name == task)


def region_formula(
    program: LoopProgram, machine: StateMachine, counts: RunCounts, whole: Callable[[StateMachine], Polynomial],
    again: Callable[[LoopProgram], StateMachine], more: int,
) -> tuple[Polynomial, tuple[Mapping[str, int], ...]]:  # fmt: skip
    """Return the cycles of a region, and the argument values for which runs of its tasks have confirmed them.

    A task starts when the arrays that it reads are complete. It ends its own cycles plus a constant after its start, or
    a constant after the end of a task that shares a FIFO with it. Two runs decide which of the two holds and give the
    constants; the other runs check the sum.

    Raises
    ------
    NoProduct
        If the tasks have no formulas, or wait for each other in another way.
    """
    own = _task_cycles(machine, whole)
    names = sorted(frozenset[str]().union(*(each.names for each in own.values())))
    if not names:
        raise NoProduct("the loops whose iterations are assumed depend on none of the arguments")
    tries = _tries(program, counts, names, again)
    for each in tries:
        if each.machine.outcome is not None and each.machine.outcome.deadlocked:
            raise NoProduct(f"the tasks of the region wait for each other for ever with {told(each.values)}")
    total = _total(tries, whole) if len(tries) > _DECIDE else None
    if total is None:
        raise NoProduct(_why_none(tries[0].machine if tries else machine, own, more))
    return total, tuple(each.values for each in tries)


def told(values: Mapping[str, int]) -> str:
    """Return argument values in words.

    Examples
    --------
    >>> told({"m": 3, "n": 5})
    'm = 3, n = 5'
    """
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _total(tries: Sequence[_Try], whole: Callable[[StateMachine], Polynomial]) -> Polynomial | None:
    """Return a formula that gives the cycles of all runs; None if the first two runs do not predict the others."""
    first = tries[0].machine
    if not all(_is_like(each.machine, first) for each in tries) or first.region is None:
        return None
    ends = _ends(first.region, _task_cycles(first, whole), tries[:_DECIDE])
    if not ends:
        return None
    total = most(*ends)
    total = total + (first.cycles - total.value(tries[0].values))
    return total if all(total.value(each.values) == each.machine.cycles for each in tries) else None


def _task_cycles(machine: StateMachine, whole: Callable[[StateMachine], Polynomial]) -> dict[str, Polynomial]:
    named = zip(machine.region.tasks, machine.region.tasks.values(), strict=True) if machine.region else ()
    parts = {name: task.machine for name, task in named} or {str(n): each for n, each in enumerate(machine.parts)}
    return {name: whole(each) for name, each in parts.items()}


def _is_like(machine: StateMachine, first: StateMachine) -> bool:
    """Return whether a region ran to its end, with each task once, and has the same tasks as another region."""
    region, dead = machine.region, machine.outcome is None or machine.outcome.deadlocked
    if region is None or first.region is None or dead or region.buses.ports:
        return False
    once = all(task.runs == 1 for task in region.tasks.values())
    return once and region.tasks.keys() == first.region.tasks.keys()


def _tries(
    program: LoopProgram, counts: RunCounts, names: Sequence[str], again: Callable[[LoopProgram], StateMachine]
) -> list[_Try]:  # fmt: skip
    found: dict[tuple[int, ...], _Try] = {}
    for first, others in _FACTORS:
        values = {name: (_USUAL + 6) * (first if name == names[0] else others) for name in names}
        if tuple(values.values()) in found:
            continue
        try:
            found[tuple(values.values())] = _Try(values, again(_with_values(program, counts, values)))
        except InputError:  # for instance, if the numbers of tokens do not match
            continue
    if len(found) < 3 and len(names) == 1:
        values = {names[0]: 9}
        found[9,] = _Try(values, again(_with_values(program, counts, values)))
    return list(found.values())


def _with_values(program: LoopProgram, counts: RunCounts, values: Mapping[str, int]) -> LoopProgram:
    """Return a program whose loops with assumed trip counts have the trip counts that the argument values give."""

    def change(node: Node) -> tuple[Node, ...] | None:
        if not isinstance(node, Loop) or not node.assumed:
            return None
        times = counts.times(node)
        if not times.names <= values.keys():
            raise NoProduct("a loop of a task depends on the iteration of another one")
        inner = _with_values(replace(program, body=node.body), counts, values).body
        return (replace(with_trips(node, times.value(values)), body=inner),)

    return program.rewritten(change)


def _ends(region: RegionNetwork, own: Mapping[str, Polynomial], tries: Sequence[_Try]) -> list[Polynomial]:
    """Return formulas for the ends of tasks that differ from the runs by one constant; other tasks end earlier."""
    found: dict[str, Polynomial | None] = {}
    before = {task: _sources(region, task, own) for task in own}
    while ready := [task for task in own if task not in found and all(each in found for _, each in before[task])]:
        for task in ready:
            late = ((each, {one.end(task) - each.value(one.values) for one in tries})
                    for each in _candidates(before[task], found, own[task]))  # fmt: skip
            found[task] = next((each + by.pop() for each, by in late if len(by) == 1), None)
    return [each for each in found.values() if each is not None] if len(found) == len(own) else []


def _sources(region: RegionNetwork, task: str, own: Mapping[str, Polynomial]) -> list[tuple[str, str]]:
    """Return the tasks from which a task takes data, each with the kind of the channel between them."""
    inputs = ((region.channels[each.name].kind, each.source) for each in region.network.inputs(task))
    return [(kind, source) for kind, source in inputs if kind in (*_KINDS, "fifo") and source in own]


def _candidates(
    before: Sequence[tuple[str, str]], ends: Mapping[str, Polynomial | None], own: Polynomial
) -> Iterator[Polynomial]:
    """Yield candidates for the end of a task, up to a constant: after its arrays, or after the writer of its FIFO."""
    arrays = [ends[each] for kind, each in before if kind != "fifo"]
    after = [each for each in arrays if each is not None]
    if len(after) == len(arrays):
        yield (most(*after) if after else Polynomial()) + own
    yield from (end for kind, each in before if kind == "fifo" and (end := ends[each]) is not None)


def _why_none(machine: StateMachine, own: Mapping[str, Polynomial], more: int) -> str:
    """Return why there is no formula, with limits that hold however the tasks wait for each other.

    The longest task alone takes its cycles. In each cycle a task goes on, or a token or array is handed on.
    """
    low = most(*own.values()) + more
    why = "the tasks of the region wait for each other"
    if machine.region is None or machine.region.buses.ports or any(x.runs > 1 for x in machine.region.tasks.values()):
        return f"{why}: {low} cycles or more"
    high = Polynomial.of(more + 2 * len(own) + len(machine.region.channels))
    for each in own.values():
        high = high + each
    return f"{why}: {low} cycles or more, and {high} or fewer"
