"""The body of a pipelined loop as a scheduled data-flow graph (R1.2, R2.4, R3, R4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.graph.addresses import MANY, AddressTiming
from ppnsim.hls.graph.arguments import Arguments
from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.carried import Carried
from ppnsim.hls.graph.flow import Flow
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.limits import limit
from ppnsim.hls.graph.multiply_add import map_multiply_add
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
    around: Flow, iterations: int,
    *, alone: bool = False,
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
    steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
    accesses = tuple(dict.fromkeys(a for s in steps for a in (*s.statement.reads, *s.statement.writes)))
    real = {name for name, array in around.arrays.items() if Format.held(array).real}
    registers = frozenset(name for name, kept in kernel.storage.items() if kept.kind == "registers")
    found = roles(pipeline.loops, pipeline.steps, pipeline.before or before, real, registers)
    fifos = {name for name, kept in kernel.storage.items() if kept.kind == "fifo"}
    found = {a: role for a, role in found.items() if not around.arrays[a.array].stream and a.array not in fifos}
    rules = kernel.rules
    if not rules.sink:
        found = {a: replace(role, sunk=role.sunk and not a.subscripts) for a, role in found.items()}
    base = _base(pipeline, outer, found, iterations, alone)
    flow = Flow(
        around.library, around.arrays, port=banks_of(accesses, kernel.partitions), storage=kernel.storage,
        apart=pipeline.apart, bound=kernel.bound, word=words_of(kernel.partitions, pipeline.loops),
    )  # fmt: skip
    addresses = AddressTiming(around.library, around.arrays, pipeline.loops, base, accesses)
    flow.address = addresses.ready if rules.addresses else lambda _: (0, around.library.add_ns(16))
    written = {access.array for step in steps for access in step.statement.writes}
    arguments = Arguments(around, flow, {loop.iterator for loop in pipeline.loops}, written)
    if not pipeline.call:
        flow.argument = arguments.of
    results = _built(pipeline, Carried(pipeline, outer, flow, found, accesses, arguments, rules, registers))
    flow.finish()
    if pipeline.balance is not False and (rules.integers or rules.balance or pipeline.balance):
        balance(flow.graph, around.library, real=rules.balance or pipeline.balance is True)
    if rules.mac:
        map_multiply_add(flow.graph, around.library)
    limit(flow.graph, kernel.limits)
    schedule = kernel.known.schedules.of(
        (flow.graph.content(), pipeline.ii), lambda: modulo_schedule(flow.graph, around.library, rules, pipeline.ii)
    )
    nodes = [node for node in flow.graph.nodes if node.access is not None]
    return ScheduledBody(
        pipeline=pipeline, graph=flow.graph, schedule=schedule,
        depth=max(pipeline.depth, _depth(flow.graph, schedule, found, base, 1 if pipeline.call else 2)),
        arguments=tuple(arguments.nodes), inputs=arguments.inputs, results={a: found[a].constant for a in results},
        loaded=frozenset(node.access.array for node in nodes if node.reads and node.access),
        stored=frozenset(node.access.array for node in nodes if node.writes and node.access),
        scalars=frozenset(a.array for a in accesses if not a.subscripts and not arguments.parameter(a.array)),
        tokens=flow.executed,
    )  # fmt: skip


def _built(pipeline: Pipeline, carried: Carried) -> tuple[Access, ...]:
    """Put the statements into the graph, with their recurrences; return what the loop leaves in registers."""
    flow = carried.flow
    carried.choose_reused()
    phis = carried.phis()
    for step in pipeline.steps:
        flow.step(step)
    values = {access: flow.known[access] for access in carried.roles if access in flow.known}
    for step in pipeline.after:
        flow.step(step)
    return carried.close(phis, values)


def _base(pipeline: Pipeline, outer: Sequence[Loop], found: Mapping[Access, Role], iterations: int, alone: bool) -> int:
    """R2.4: the first state in which the iterators of this iteration are known."""
    if len(pipeline.loops) > 1:
        return int(not outer and iterations >= MANY and not alone)
    held = any(role.kind in ("rotate", "reuse") for role in found.values())
    return int(held and constant_trips(pipeline.loops[0]) is None)


def _depth(graph: Graph, schedule: Schedule, found: Mapping[Access, Role], base: int, least: int) -> int:
    """R3.5: states; a loop's body of one counts two, and one with a rotated store ends with the iteration after."""
    if any(role.kind == "rotate" for role in found.values()):
        loads = [schedule.issue[node.index][0] for node in graph.nodes if node.kind == "load"]
        return schedule.ii + max([*loads, base + 1]) + 1
    return max(least, schedule.states)
