"""The cycles in which a scheduled kernel takes tokens out of FIFOs and puts tokens in (R5), and checks of its FIFOs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph, Tokens
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.hls.structure.counting import constant_trips, is_data
from ppnsim.hls.structure.trees import Serial, Tree
from ppnsim.loops.expressions import Affine, All, Condition, Some
from ppnsim.loops.points import holding, iteration_points
from ppnsim.loops.program import Access, Loop, LoopProgram

Side = tuple[str, str]
"""A FIFO, and ``take`` or ``put``."""
_Plan = list["ScheduledRegion | tuple[Serial, _Plan]"]


@dataclass(slots=True)
class Clocked:
    """The times at which tokens are taken and put, in cycles since the start; ``cycles`` until the end."""

    cycles: int = 0
    times: dict[Side, list[Int64Array]] = field(default_factory=dict)

    def of(self, side: Side) -> Int64Array:
        """Return all times of an access, in order."""
        parts = self.times.get(side, [])
        found: Int64Array = np.sort(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.int64)
        return found


def clocked(machine: StateMachine) -> Clocked:
    """Return the times of all accesses to FIFOs in a run that no FIFO holds up.

    Raises
    ------
    InputError
        If data decides whether, or to which of several FIFOs, an access is executed.
    """
    found = Clocked()
    if not machine.regions:
        for nest in machine.nests:
            _nest(nest, {}, 0, found)
        found.cycles = machine.cycles
        return found
    plan = _planned(machine.tree, iter(machine.regions))
    found.cycles = _run(plan, {}, 0, found) - 1
    return found


def _planned(nodes: Sequence[Tree], regions: Iterator[ScheduledRegion]) -> _Plan:
    """Return regions and the loops of the state machine between them, in the order of `machine`."""
    found: _Plan = []
    for tree in nodes:
        if isinstance(tree, Serial):
            found.append(next(regions))
            found.append((tree, _planned(tree.body, regions)))
    found.append(next(regions))
    return found


def _run(plan: _Plan, at: Mapping[str, int], start: int, found: Clocked) -> int:
    """Run a plan from a cycle on, with values of the iterators; return the cycle in which it ends."""
    for part in plan:
        if isinstance(part, ScheduledRegion):
            start = _region(part, at, start, found)
            continue
        serial, inside = part
        if _holds(serial.around, at):
            names = [loop.iterator for loop in serial.loops]
            for row in iteration_points([_fixed(loop, at) for loop in serial.loops]).tolist():
                start = _run(inside, {**at, **dict(zip(names, row, strict=True))}, start, found)
    return start


def _region(region: ScheduledRegion, at: Mapping[str, int], start: int, found: Clocked) -> int:
    """Run straight-line code and the loops that it starts; one state waits for each loop while it runs."""
    calls = [node.index for node in region.graph.nodes if node.kind == "call"]
    waits: dict[int, int] = {}
    for call, nest in zip(calls, region.nests, strict=True):
        state = region.schedule.issue[call][0] + 1
        waits[state] = max(waits.get(state, 0), _busy(nest, at))

    def cycle(state: int) -> int:
        return start + state + sum(busy - 1 for wait, busy in waits.items() if wait < state)

    for call, nest in zip(calls, region.nests, strict=True):
        if _holds(nest.body.pipeline.around, at):
            _nest(nest, at, cycle(region.schedule.issue[call][0] + 1), found)
    for node, side, under in _accesses(region.graph, region.tokens):
        if any(_holds(conditions, at) for conditions in under):
            when = cycle(region.schedule.issue[node][0])
            found.times.setdefault(side, []).append(np.array([when], dtype=np.int64))
    return cycle(region.schedule.states)


def _busy(nest: ScheduledNest, at: Mapping[str, int]) -> int:
    pipeline = nest.body.pipeline
    if not _holds(pipeline.around, at):
        return 0
    loops = [_fixed(loop, at) for loop in pipeline.loops]
    trips = constant_trips(loops[0]) if len(loops) == 1 else len(iteration_points(loops))
    return nest.body.busy(trips or 0, 1)


def _nest(nest: ScheduledNest, at: Mapping[str, int], start: int, found: Clocked) -> None:
    """Note the accesses of a pipelined loop; iterations begin one interval after the other."""
    pipeline, schedule = nest.body.pipeline, nest.body.schedule
    accesses = list(_accesses(nest.body.graph, nest.body.tokens))
    if not accesses:
        return
    points = iteration_points([_fixed(loop, at) for loop in pipeline.loops])
    columns = {loop.iterator: points[:, k] for k, loop in enumerate(pipeline.loops)}
    count = len(points)
    columns |= {name: np.full(count, value, dtype=np.int64) for name, value in at.items()}
    begin = start + schedule.ii * np.arange(count, dtype=np.int64)
    for node, side, under in accesses:
        there = holding(Some(tuple(map(All, under))), columns, count)
        found.times.setdefault(side, []).append(begin[there] + schedule.issue[node][0])


def _accesses(graph: Graph, tokens: Tokens) -> Iterator[tuple[int, Side, Sequence[tuple[Condition, ...]]]]:
    for node, under in tokens.items():
        access = graph.nodes[node].access
        assert access is not None
        if any(is_data(condition) for conditions in under for condition in conditions):
            words = f"data decides whether FIFO '{access.array}' is accessed"
            raise InputError(f"{words}: how many tokens pass is not known")
        yield node, (fifo_of(access), graph.nodes[node].name), under


def fifo_of(access: Access) -> str:
    """Return the name of a FIFO, also of one in an array of them."""
    if not all(subscript.is_constant for subscript in access.subscripts):
        words = f"which FIFO of '{access.array}' is accessed depends on '{access.subscripts[0]}'"
        raise InputError(f"{words}; unroll the loop around it")
    return access.array + "".join(f"[{subscript}]" for subscript in access.subscripts)


def _holds(around: Sequence[Loop | Condition], at: Mapping[str, int]) -> bool:
    columns = {name: np.array([value], dtype=np.int64) for name, value in at.items()}
    return all(isinstance(part, Loop) or bool(holding(part, columns, 1)[0]) for part in around)


def _fixed(loop: Loop, at: Mapping[str, int]) -> Loop:
    """Return a loop as it runs where outer iterators have the values ``at``."""
    by = {name: Affine.of(value) for name, value in at.items()}
    first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (loop.first, loop.last))
    return replace(loop, first=first, last=last, assumed=False)


def check_fifos(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse a FIFO that a kernel overfills, or reads before it writes: the kernel would wait for ever.

    Raises
    ------
    InputError
        If a FIFO of the kernel has to hold more tokens than its depth, or a token is taken before it is put.
    """
    own = [array for array in program.arrays if array.stream and array.role == "local"]
    times = clocked(machine) if own else Clocked()
    for array in own:
        depth = directives.depths.get(array.name, array.stream)
        for name in sorted({side[0] for side in times.times if side[0].partition("[")[0] == array.name}):
            put, taken = times.of((name, "put")), times.of((name, "take"))
            if len(taken) > len(put) or bool(np.any(taken <= put[: len(taken)])):
                raise InputError(f"FIFO '{name}' of '{program.name}' is read before it is written")
            inside = np.arange(1, len(put) + 1) - np.searchsorted(taken, put, side="left")
            if len(put) and int(inside.max()) > depth:
                raise InputError(
                    f"FIFO '{name}' of '{program.name}' has to hold {int(inside.max())} tokens and holds {depth}: "
                    "'#pragma HLS dataflow' lets its writer and its reader work at the same time, "
                    "'#pragma HLS stream depth=..' makes it deeper"
                )


def check_elements(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse an array that is a FIFO by its interface and is not used like one: a FIFO passes each element once.

    Raises
    ------
    InputError
        If such an array is read and written, or elements of it are read or written more than once.
    """
    for array in program.arrays:
        kept = directives.storage.get(array.name)
        if kept is None or kept.kind != "fifo" or array.stream:
            continue
        counts = {side: _passed(machine, array.name, side) for side in ("take", "put")}
        size, words = (
            prod(array.shape),
            f"array '{array.name}' of '{program.name}' is a FIFO by its interface pragma, and",
        )
        if all(counts.values()):
            raise InputError(f"{words} is both read and written")
        for side, count in counts.items():
            if count > size:
                verb = "read" if side == "take" else "written"
                raise InputError(f"{words} its {size} elements are {verb} {count} times")


def _passed(machine: StateMachine, name: str, side: str) -> int:
    """Return how many tokens certainly pass a side of a FIFO in one run."""
    parts = machine.parts or (machine,)
    bodies = [(nest.body.graph, nest.body.tokens, nest.iterations) for part in parts for nest in part.nests]
    bodies += [(region.graph, region.tokens, region.visits) for part in parts for region in part.regions]
    return sum(
        times
        for graph, tokens, times in bodies
        for node in graph.nodes
        if node.name == side and node.access is not None and node.access.array == name and () in tokens[node.index]
    )
