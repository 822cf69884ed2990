"""Access times of a scheduled kernel: the steps of its FIFO reads and writes, and of its iteration starts (R5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.graph.graph import Graph, Tokens
from ppnsim.hls.region.fifo_arrays import chosen_by, fifos_of
from ppnsim.hls.region.flattened import columns_of, iterations, named, spread, where
from ppnsim.hls.region.refusals import DataDecides, NoNetwork
from ppnsim.hls.region.steps import Entries, in_order, later, repeated
from ppnsim.hls.region.transfers import Visit, moved_by, responses_of, visits_of
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.hls.structure.counting import is_data, used
from ppnsim.hls.structure.trees import Serial, Tree
from ppnsim.loops.expressions import Affine, All, Condition, Some
from ppnsim.loops.points import holding, iteration_points
from ppnsim.loops.program import Access, Loop
from ppnsim.loops.work import JOINED, VISITED, spend
from ppnsim.model.step_lists import StepList

Side = tuple[str, str]
"""A FIFO, and ``take`` or ``put``."""
_Plan = list["ScheduledRegion | tuple[Serial, _Plan]"]
MOST_ITERATIONS = 1 << 24
"""Most iterations of a pipelined loop whose accesses are listed one by one."""
MOST_VISITS = 1 << 18
"""Most visits of a loop of the state machine whose accesses differ from visit to visit, or go over buses."""
MOST_ON_BUSES = 1 << 25
"""Most accesses over buses in all visits of a loop of the state machine: eight bytes each."""


@dataclass(slots=True)
class Clocked:
    """The steps of all accesses to FIFOs and buses, and of all iteration starts; ``cycles`` last until the end."""

    cycles: int = 0
    times: dict[Side, Entries] = field(default_factory=dict)
    starts: Entries = ()
    visits: list[Visit] = field(default_factory=list)

    def of(self, side: Side) -> Int64Array:
        """Return all steps of an access, in ascending order."""
        return StepList(self.times.get(side, ())).expand()

    def add(self, side: Side, entries: Entries) -> None:
        """Add accesses to a side of a FIFO."""
        self.times[side] = (*self.times.get(side, ()), *entries)

    def unanswered(self, *, all_of_them: bool = False) -> Clocked:
        """Return the same accesses, without responses that arrive later than the code expects them (R12.4).

        ``all_of_them``: no access to a bus waits, as in reports of tasks whose runs overlap (R5.26).
        """
        return replace(self, visits=[] if all_of_them else [replace(each, answered=None) for each in self.visits])

    def join(self, other: Clocked, start: int) -> None:
        """Add the accesses of a part of the kernel that starts at a step."""
        spend((sum(map(len, self.times.values())) + len(self.starts)) // JOINED)
        for side, entries in other.times.items():
            self.add(side, later(entries, start))
        self.starts = (*self.starts, *later(other.starts, start))
        self.visits += [visit.later(start) for visit in other.visits]


def clocked(machine: StateMachine) -> Clocked:
    """Return the steps of all accesses to FIFOs in a run without any wait for a FIFO.

    Raises
    ------
    DataDecides
        If data decides whether an access is executed, or which of several FIFOs it uses.
    """
    found = Clocked()
    if machine.regions:
        plan = _planned(machine.tree, iter(machine.regions))
        found = _run(plan, {})
        found.cycles -= 1  # the state that signals the end (R5.9)
    else:
        for nest in machine.nests:
            _nest(nest, {}, 0, found)
        found.cycles = machine.cycles
    found.times = {side: in_order(entries) for side, entries in found.times.items()}
    found.starts = in_order(found.starts, distinct=True)
    return found


def _planned(nodes: Sequence[Tree], regions: Iterator[ScheduledRegion]) -> _Plan:
    """Return the regions, and the loops of the state machine between them, in the order of `machine`."""
    found: _Plan = []
    for tree in nodes:
        if isinstance(tree, Serial):
            found.append(next(regions))
            found.append((tree, _planned(tree.body, regions)))
    found.append(next(regions))
    return found


def _run(plan: _Plan, at: Mapping[str, int]) -> Clocked:
    """Return the accesses and the states of a plan, for given values of the iterators around it."""
    found = Clocked()
    for part in plan:
        if isinstance(part, ScheduledRegion):
            found.cycles += _region(part, at, found.cycles, found)
            continue
        serial, inside = part
        if not _holds(serial.around, at):
            continue
        names = [loop.iterator for loop in serial.loops]
        rows = iteration_points([_fixed(loop, at) for loop in serial.loops])
        if len(rows) and not any(_needs(inside, name) for name in names):
            once = _run(inside, {**at, **dict(zip(names, rows[0].tolist(), strict=True))})
            _check_buses(once.visits, len(rows), serial.loops[-1])
            _repeat(once, len(rows), found)
            continue
        _check(len(rows), MOST_VISITS, serial.loops[-1])
        for row in rows.tolist():
            once = _run(inside, {**at, **dict(zip(names, row, strict=True))})
            found.join(once, found.cycles)
            found.cycles += once.cycles
    return found


def _repeat(once: Clocked, times: int, found: Clocked) -> None:
    """Add a part that is executed several times in the same way."""
    for side, entries in once.times.items():
        found.add(side, later(repeated(in_order(entries), times, once.cycles), found.cycles))
    found.starts = (*found.starts, *later(repeated(once.starts, times, once.cycles), found.cycles))
    starts = range(found.cycles, found.cycles + times * once.cycles, once.cycles) if once.visits else ()
    again = [visit.each_later(starts) for visit in once.visits]
    found.visits += [visit for visits in zip(*again, strict=True) for visit in visits]
    found.cycles += times * once.cycles


def _needs(plan: _Plan, name: str) -> bool:
    """Return whether the number of states or accesses of a plan depends on an iterator around it."""
    for part in plan:
        if isinstance(part, ScheduledRegion):
            around = [each for nest in part.nests for each in (*nest.body.pipeline.around, *nest.body.pipeline.loops)]
            tokens = [part.tokens, *(nest.body.tokens for nest in part.nests)]
            under = [each for some in tokens for every in some.values() for one in every for each in one]
            if any(used(each, name) for each in (*around, *under)):
                return True
            bodies = [(nest.body.graph, nest.body.transfers, nest.body.tokens) for nest in part.nests]
            for graph, transfers, some in ((part.graph, part.transfers, part.tokens), *bodies):
                if moved_by(graph, transfers, name) or chosen_by(graph, some, name):
                    return True
        elif any(used(each, name) for each in (*part[0].around, *part[0].loops)) or _needs(part[1], name):
            return True
    return False


def _region(region: ScheduledRegion, at: Mapping[str, int], start: int, found: Clocked) -> int:
    """Run straight-line code and the loops that it starts, and return its states.

    One state waits for each loop while it runs.
    """
    spend(VISITED * (1 + len(region.nests)))
    calls = [node.index for node in region.graph.nodes if node.kind == "call"]
    responses = responses_of(region.graph)
    waits: dict[int, int] = {}
    for call, nest in zip(calls, region.nests, strict=True):
        state = region.schedule.issue[call][0] + 1
        waits[state] = max(waits.get(state, 0), _busy(nest, at))

    def cycle(state: int) -> int:
        return start + state + sum(busy - 1 for wait, busy in waits.items() if wait < state)

    def answered(node: int) -> int | None:
        return cycle(region.schedule.result[responses[node]][0] - 1) if node in responses else None

    for call, nest in zip(calls, region.nests, strict=True):
        if _holds(nest.body.pipeline.around, at):
            _nest(nest, at, cycle(region.schedule.issue[call][0] + 1), found, answered(call))
    for node, access, under in _accesses(region.graph, region.tokens):
        if any(_holds(conditions, at) for conditions in under):
            for fifo, _ in fifos_of(access, lambda names: columns_of((), at, names, 1), 1):
                found.add((fifo, region.graph.nodes[node].name), (cycle(region.schedule.issue[node][0]),))
    if region.transfers:
        found.visits += visits_of(
            region.graph, region.transfers,
            lambda node: np.array([cycle(region.schedule.issue[node][0])], dtype=np.int64),
            lambda names: columns_of((), at, names, 1), count=1, single=True, answered=answered,
        )  # fmt: skip
    return cycle(region.schedule.states) - start


def _busy(nest: ScheduledNest, at: Mapping[str, int]) -> int:
    if not _holds(nest.body.pipeline.around, at):
        return 0
    return nest.body.busy(iterations([_fixed(loop, at) for loop in nest.body.pipeline.loops]), 1)


def _nest(nest: ScheduledNest, at: Mapping[str, int], start: int, found: Clocked, answered: int | None = None) -> None:
    """Note the accesses of a pipelined loop; iterations start one interval apart.

    ``answered`` is the step in which the response to its bus writes has arrived.
    """
    schedule = nest.body.schedule
    loops = [_fixed(loop, at) for loop in nest.body.pipeline.loops]
    count = iterations(loops)
    if not count:
        return
    found.starts = (*found.starts, (start, schedule.ii, count))
    for node, access, under in _accesses(nest.body.graph, nest.body.tokens):
        first, kind = start + schedule.issue[node][0], nest.body.graph.nodes[node].name
        moving = {name for each in access.subscripts for name in each.iterators()}
        own = named(loops, moving) if moving else []
        columns = partial(columns_of, own, at, count=iterations(own))
        for fifo, chosen in fifos_of(access, columns, iterations(own)):
            if () in under and chosen is None:
                found.add((fifo, kind), ((first, schedule.ii, count),))
                continue
            _check(count, MOST_ITERATIONS, loops[-1])
            there = where(Some(tuple(map(All, under))), loops, at)
            there = there if chosen is None else there & spread(chosen, own, loops)
            if chosen is None or there.any():  # `if (k > 0) s[k - 1].write(x)` does not access s[-1]
                found.add((fifo, kind), StepList.of(first + schedule.ii * np.flatnonzero(there)).entries)
    if nest.body.transfers:
        _check(count, MOST_ITERATIONS, loops[-1])
        begin = start + schedule.ii * np.arange(count, dtype=np.int64)
        visits = visits_of(
            nest.body.graph, nest.body.transfers, lambda node: begin + schedule.issue[node][0],
            lambda names: columns_of(loops, at, names, count), count=count, single=False, answered=lambda _: answered,
        )  # fmt: skip
        reason = "a report says how long its loop takes, and not when it is accessed" if nest.body.reported else ""
        found.visits += [replace(visit, reason=visit.reason or reason) for visit in visits]


def _check(count: int, most: int, loop: Loop) -> None:
    """Raise `NoNetwork` if there are too many iterations to list the accesses of each."""
    if count > most:
        words = f"runs {count} times, and accesses FIFOs or buses in ways of its own: only {most} are looked at"
        raise NoNetwork(f"loop '{loop.iterator}' {words}", where=str(loop.position))


def _check_buses(visits: Sequence[Visit], times: int, loop: Loop) -> None:
    """Raise `NoNetwork` if what several visits of a loop access over buses is too much to list."""
    for what, count, most in (
        ("accesses buses in {} visits of the loops in it", len(visits), MOST_VISITS),
        ("accesses {} elements over buses", sum(len(each.steps) for each in visits), MOST_ON_BUSES),
    ):
        if times * count > most:
            words = f"{what.format(times * count)}: only {most} are looked at"
            raise NoNetwork(f"loop '{loop.iterator}' {words}", where=str(loop.position))


def _accesses(graph: Graph, tokens: Tokens) -> Iterator[tuple[int, Access, Sequence[tuple[Condition, ...]]]]:
    for node, under in tokens.items():
        access = graph.nodes[node].access
        assert access is not None
        if any(is_data(condition) for conditions in under for condition in conditions):
            words = f"data decides whether FIFO '{access.array}' is accessed"
            raise DataDecides(f"{words}: how many tokens pass is not known", access.array)
        yield node, access, under


def _holds(around: Sequence[Loop | Condition], at: Mapping[str, int]) -> bool:
    columns = {name: np.array([value], dtype=np.int64) for name, value in at.items()}
    return all(isinstance(part, Loop) or bool(holding(part, columns, 1)[0]) for part in around)


def _fixed(loop: Loop, at: Mapping[str, int]) -> Loop:
    """Return a loop with the values ``at`` in place of outer iterators."""
    by = {name: Affine.of(value) for name, value in at.items()}
    first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (loop.first, loop.last))
    return replace(loop, first=first, last=last, assumed=False)
