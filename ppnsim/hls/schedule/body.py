"""The body of a pipelined loop as a scheduled data-flow graph (R1.2, R2.4, R3, R4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.graph.addresses import MANY, AddressTiming, one_adder
from ppnsim.hls.graph.arguments import is_parameter
from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.loop_graph import LoopGraph, loop_graph
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.passes import map_operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.words import Words
from ppnsim.hls.library.types import Format
from ppnsim.hls.schedule.context import KernelContext
from ppnsim.hls.schedule.model import ScheduledBody
from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement, Role, roles
from ppnsim.hls.structure.partitions import banks_of, words_of
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Access, Loop


def scheduled_body(
    kernel: KernelContext, pipeline: Pipeline, before: Sequence[GuardedStatement], outer: Sequence[Loop],
    around: GraphBuilder, iterations: int, *, alone: bool = False,
) -> ScheduledBody:  # fmt: skip
    """Return the schedule of a pipelined loop.

    Parameters
    ----------
    before : statements right before the loop.
    outer : loops around it, outermost first.
    around : graph of the code around it, in which its arguments are computed.
    iterations : of all visits together.
    alone : the loop is all that the kernel does.
    """
    dependences = _dependences(kernel, pipeline, before, outer)
    base = _base(dependences, iterations, alone)
    built = _graph(kernel, dependences, base, around)
    map_operators(built.graph, kernel.library, kernel.rules, kernel.limits, pipeline.balance)
    schedule = kernel.known.schedules.of(
        (built.graph.content(), pipeline.ii),
        lambda: modulo_schedule(built.graph, kernel.library, kernel.rules, pipeline.ii),
    )
    return _body(kernel, dependences, built, schedule, base)


def _dependences(
    kernel: KernelContext, pipeline: Pipeline, before: Sequence[GuardedStatement], outer: Sequence[Loop]
) -> Dependences:
    """Return what a loop does with the locations that it writes; the tokens of FIFOs are no locations."""
    steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
    accesses = tuple(dict.fromkeys(a for s in steps for a in (*s.statement.reads, *s.statement.writes)))
    real = {name for name, array in kernel.arrays.items() if Format.held(array).real}
    registers = kernel.kept("registers")
    found = roles(pipeline.loops, pipeline.steps, pipeline.before or before, real, registers)
    fifos = kernel.kept("fifo")
    found = {a: role for a, role in found.items() if not kernel.arrays[a.array].stream and a.array not in fifos}
    if not kernel.rules.sink:
        found = {a: replace(role, sunk=role.sunk and not a.subscripts) for a, role in found.items()}
    return Dependences(pipeline, outer, found, accesses, kernel.rules, registers)


def _graph(kernel: KernelContext, dependences: Dependences, base: int, around: GraphBuilder) -> LoopGraph:
    """Return the graph of a loop body; ``base`` is the first state in which its iterators are known."""
    loops, accesses = dependences.pipeline.loops, dependences.accesses
    timing = AddressTiming(kernel.library, kernel.arrays, loops, base, accesses)
    ready = timing.ready if kernel.rules.addresses else one_adder(kernel.library)
    operators = Operators(kernel.library, kernel.arrays)
    ports = Ports(operators, kernel.storage, banks_of(accesses, kernel.partitions), ready)
    return loop_graph(dependences, around, ports, Words(words_of(kernel.partitions, loops)), kernel.bound)


def _body(
    kernel: KernelContext, dependences: Dependences, built: LoopGraph, schedule: Schedule, base: int
) -> ScheduledBody:
    pipeline, found = dependences.pipeline, dependences.roles
    moved = [(node, node.access.array) for node in built.graph.nodes if node.access is not None]
    scalars = {access.array for access in dependences.accesses if not access.subscripts}
    least = max(pipeline.depth, 1 if pipeline.call else 2)
    return ScheduledBody(
        pipeline=pipeline, graph=built.graph, schedule=schedule,
        depth=_depth(built.graph, schedule, found, base, least), arguments=built.arguments, inputs=built.inputs,
        results={access: found[access].constant for access in built.results},
        loaded=frozenset(array for node, array in moved if node.reads),
        stored=frozenset(array for node, array in moved if node.writes),
        scalars=frozenset(name for name in scalars if not is_parameter(kernel.arrays, name)), tokens=built.tokens,
    )  # fmt: skip


def _base(dependences: Dependences, iterations: int, alone: bool) -> int:
    """R2.4: the first state in which the iterators of this iteration are known."""
    loops = dependences.pipeline.loops
    if len(loops) > 1:
        return int(not dependences.outer and iterations >= MANY and not alone)
    held = any(role.kind in ("rotate", "reuse") for role in dependences.roles.values())
    return int(held and constant_trips(loops[0]) is None)


def _depth(graph: Graph, schedule: Schedule, found: Mapping[Access, Role], base: int, least: int) -> int:
    """R3.5: states, ``least`` or more; a loop with a rotated store ends with the iteration after."""
    states = schedule.states
    if any(role.kind == "rotate" for role in found.values()):
        loads = [schedule.issue[node.index][0] for node in graph.nodes if node.kind == "load"]
        states = schedule.ii + max([*loads, base + 1]) + 1
    return max(least, states)
