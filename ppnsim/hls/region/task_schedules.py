"""Schedules of tasks that run several times: run after run, or as iterations of one loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.accesses import Clocked, clocked
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.refusals import DataDecides
from ppnsim.hls.region.rounds import rounds_of
from ppnsim.hls.region.two_processes import made_in_two
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import state_machine, structured
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.partitioned import with_inferred
from ppnsim.hls.structure.counting import is_data
from ppnsim.hls.structure.many_ports import with_copied_tables
from ppnsim.hls.structure.trees import size_of
from ppnsim.hls.structure.whole_program import WholeProgram
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import DATA, Loop, LoopProgram, Statement

Timed = tuple[StateMachine, Clocked]
"""The schedule of a task, and its accesses."""


def scheduled_tasks(
    program: LoopProgram, library: Library, directives: Directives, rules: Rules, leaves: Sequence[Leaf]
) -> tuple[Directives, Iterable[tuple[Leaf, Timed]]]:
    """Return the directives with the partitions that all tasks infer (R9.3), and the schedules of the tasks in turn."""
    programs = {leaf: replace(program, body=leaf.body) for leaf in leaves}
    whole = WholeProgram.of(program)
    known = {leaf: Known.once(whole) for leaf in leaves}
    sizes = [0] * len(leaves)
    if rules.infer:
        written = frozenset(access.array for each in program.statements() for access in each.writes)
        tables = with_copied_tables(program.arrays, written, directives.partitions, directives.storage)
        directives = replace(directives, storage={**directives.storage, **tables})
        trees = [structured(programs[leaf], directives, rules, known[leaf])[2] for leaf in leaves]
        sizes = list(map(size_of, trees))
        uses = Counter(name for leaf in leaves for name in {*leaf.reads, *leaf.writes})
        handed = {name for name, tasks in uses.items() if tasks > 1}
        directives = with_inferred(program, directives, list(chain(*trees)), rules, handed)

    def timed(leaf: Leaf) -> Timed:
        machine = state_machine(programs[leaf], library, directives, rules, known[leaf], inferred_already=True)
        return with_clocks(leaf, machine)

    return directives, zip(leaves, made_in_two(timed, leaves, sizes), strict=True)


def run_again(
    program: LoopProgram, scheduled: Iterable[tuple[Leaf, Timed]], outside: Mapping[str, int],
    schedule: Callable[[LoopProgram], StateMachine],
) -> tuple[dict[Leaf, StateMachine], dict[Leaf, Clocked]]:  # fmt: skip
    """Return schedules and accesses of all tasks with their numbers of runs; pipelined rounds are one loop.

    A task whose FIFO accesses depend on data is reported before later tasks are scheduled.
    """
    machines: dict[Leaf, StateMachine] = {}
    clocks: dict[Leaf, Clocked] = {}
    for leaf, timed in scheduled:
        machines[leaf], clocks[leaf] = timed
    again: dict[Leaf, StateMachine] = {}
    times: dict[Leaf, Clocked] = {}
    rounds = rounds_of(list(machines), clocks, outside)
    for leaf in machines:
        one = leaf.again(rounds[leaf])
        again[one] = schedule(replace(program, body=one.body)) if leaf.pipelined else machines[leaf]
        times[one] = with_clocks(one, again[one])[1] if leaf.pipelined else clocks[leaf]
    return again, times


def with_clocks(leaf: Leaf, machine: StateMachine) -> Timed:
    """Return the schedule of a task with its accesses; an error for a data-dependent access names its place."""
    try:
        return machine, clocked(machine)
    except DataDecides as reason:
        placed = LoopProgram(name="", arrays=(), body=leaf.body).placed()
        touching = ((each, around) for each, around, _ in placed
                    if any(access.array == reason.array for access in (*each.reads, *each.writes)))  # fmt: skip
        where = next((each.position for each, around in touching if _is_decided(each, around)), leaf.position)
        raise DataDecides(reason.message, reason.array, where=str(where)) from None


def _is_decided(statement: Statement, around: Sequence[Loop | Condition]) -> bool:
    """Return whether data decides if a statement is executed, or which element it accesses."""
    names = {name for access in (*statement.reads, *statement.writes) for subscript in access.subscripts
             for name in subscript.iterators()}  # fmt: skip
    return bool(names & DATA.iterators()) or any(not isinstance(part, Loop) and is_data(part) for part in around)
