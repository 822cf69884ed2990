"""The scheduled body of a pipelined loop: its data-flow graph, its schedule and its depth (R1.2, R2.4, R3, R4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ppnsim.c.kinds import OUR_HEADERS
from ppnsim.hls.graph.addresses import MANY, AddressTiming
from ppnsim.hls.graph.arguments import LoopArguments, is_parameter
from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.carried import Carried
from ppnsim.hls.graph.copies import only_copies
from ppnsim.hls.graph.cores import has_core
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.order import order_of
from ppnsim.hls.graph.overwritten import in_order
from ppnsim.hls.graph.passes import map_operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.residues import in_known_memories
from ppnsim.hls.graph.speculation import Speculation
from ppnsim.hls.library.types import Format
from ppnsim.hls.pragmas.directives import LoopTiming
from ppnsim.hls.schedule.circuits import resource_ii
from ppnsim.hls.schedule.context import EXTRACTED, KernelContext
from ppnsim.hls.schedule.late_reads import after_counting, late_reads, registered
from ppnsim.hls.schedule.model import ScheduledBody
from ppnsim.hls.schedule.private_registers import private
from ppnsim.hls.schedule.recurrences import modulo_schedule
from ppnsim.hls.schedule.reported import as_reported
from ppnsim.hls.schedule.scheduler import Schedule, list_schedule
from ppnsim.hls.structure.bank_ports import choices_of, handed_on
from ppnsim.hls.structure.blocks import locked_in, without_lock
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement, Role, distinct, iterators, volatile_role
from ppnsim.hls.structure.partitions import banks_of
from ppnsim.hls.structure.roles import roles
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Access, Loop, Operation, Statement


def scheduled_body(
    kernel: KernelContext, pipeline: Pipeline, before: Sequence[GuardedStatement], outer: Sequence[Loop],
    around: GraphBuilder, iterations: int, *, alone: bool = False,
) -> ScheduledBody:  # fmt: skip
    """Return the scheduled body of a pipelined loop.

    Parameters
    ----------
    before : statements right before the loop.
    outer : loops around it, outermost first.
    around : graph of the code around the loop; the loop's arguments are computed there.
    iterations : iterations of all visits together.
    alone : the kernel consists of this loop only.
    """
    dependences = _dependences(kernel, pipeline, before, outer)
    base = _base(dependences, iterations, alone)
    steps = distinct((*pipeline.before, *pipeline.steps, *pipeline.after))
    written = frozenset(access.array for step in steps for access in step.statement.writes)
    own = frozenset(loop.iterator for loop in pipeline.loops)
    staying, certain = _staying(kernel, written), _certain(pipeline)
    arguments = LoopArguments(around, Operators(kernel.library, kernel.arrays), own, written, staying, certain)
    builder = _builder(kernel, dependences, base, arguments)
    builder.fifos.asked = _polled(kernel, pipeline)
    carried = Carried(dependences, builder, arguments)
    carried.open()
    for step in pipeline.steps:
        builder.add(step)
    values = _known(builder, dependences)
    for step in pipeline.after:
        builder.add(step)
    results = carried.close(values)
    for access in private(kernel, pipeline):
        builder.memories.order.drop(access)
    in_order(dependences, builder)
    graph = builder.finish()
    in_known_memories(graph, kernel.partitions)
    registered = _registered(kernel, pipeline, alone=alone)
    builder.fifos.hold(kernel.axes, registered=registered, tested=_tested(pipeline))
    least, _ = resource_ii(graph, kernel.rules)
    limits = kernel.limited(steps)
    map_operators(graph, kernel.library, kernel.rules, limits, pipeline.balance, pipeline.ii, least)
    timing = kernel.timing(pipeline)
    schedule = _schedule(kernel, pipeline, graph, timing)
    schedule = replace(schedule, ii=_interval(pipeline, schedule, timing))
    depth = _depth(graph, schedule, dependences, base, timing)
    moved = [(node, node.access.array) for node in graph.nodes if node.access is not None]
    for number in builder.memories.transfers:
        graph.nodes[number].beat = graph.nodes[number].access in builder.memories.words.beats
    scalars = {access.array for access in dependences.accesses if not access.subscripts}
    return ScheduledBody(
        pipeline=pipeline, graph=graph, schedule=schedule, depth=depth,
        arguments=tuple(arguments.nodes), inputs=arguments.inputs,
        results={access: dependences.roles[access].constant for access in results},
        loaded=frozenset(array for node, array in moved if node.reads),
        stored=frozenset(array for node, array in moved if node.writes),
        scalars=frozenset(name for name in scalars if not is_parameter(kernel.arrays, name)),
        tokens=builder.fifos.executed, transfers=builder.memories.transfers, reported=timing,
        unlike=frozenset(dependences.unlike), unseen=frozenset(dependences.unseen),
    )  # fmt: skip


def _known(builder: GraphBuilder, dependences: Dependences) -> dict[Access, int]:
    """Return the known values of the locations that the loop writes."""
    return {access: known for access in dependences.roles if (known := builder.values.known.get(access)) is not None}


def _interval(pipeline: Pipeline, schedule: Schedule, timing: LoopTiming | None) -> int:
    """R3.7: return the interval of a loop; a requested interval above the iteration's length becomes that length."""
    kept, length = timing is not None or pipeline.call, schedule.states
    return length if not kept and schedule.ii == pipeline.ii > length else schedule.ii


def _registered(kernel: KernelContext, pipeline: Pipeline, *, alone: bool) -> bool:
    """Return whether a loop is in no module of its own: writes to AXI streams take two states there (R3.8)."""
    return alone or pipeline.call or bool(kernel.rules.release and kernel.rules.release < EXTRACTED)


def _polled(kernel: KernelContext, pipeline: Pipeline) -> frozenset[str]:
    """Return the AXI streams whose ``full()`` and ``empty()`` take states: those of a pipelined function (R3.12)."""
    return kernel.axes if pipeline.call else frozenset()


def _tested(pipeline: Pipeline) -> bool:
    """Return whether iterations test for the end of their loop first (R3.11); cores say their latency themselves."""
    loop = pipeline.loops[-1]
    return not pipeline.call and not loop.endless and OUR_HEADERS not in loop.position.file


def _certain(pipeline: Pipeline) -> frozenset[Statement]:
    """Return the statements that every iteration executes and whose load addresses depend on data (R1.2)."""
    each = (step.statement for step in pipeline.steps if not step.conditions)
    return frozenset(statement for statement in each if any(access.random for access in statement.reads))


def _staying(kernel: KernelContext, written: frozenset[str]) -> frozenset[str]:
    """Return the arrays whose elements the loop itself loads, even elements that it does not change (R1.8)."""
    volatile = frozenset(name for name, array in kernel.arrays.items() if array.volatile)
    if all(kernel.arrays[name].role == "local" for name in written):
        return volatile  # a local array has no alias
    if kernel.rules.hoist and not kernel.rules.release.startswith("2020."):
        return volatile
    if kernel.rules.hoist:  # a pointer argument may alias a global array (R1.2)
        return volatile | {name for name in kernel.written - kernel.storage.keys() if kernel.arrays[name].outside}
    return volatile | (kernel.arrays.keys() - kernel.kept("registers"))


def _schedule(kernel: KernelContext, pipeline: Pipeline, graph: Graph, timing: LoopTiming | None) -> Schedule:
    """Return the schedule of a body; a report gives interval and length, and our schedule then only places accesses."""
    if kernel.rules.recent:
        registered(graph, kernel.is_large)
    order = order_of(graph, kernel.library)
    if timing is not None:
        whole = list_schedule(graph, kernel.library, kernel.rules, order=order)
        return as_reported(whole, graph, timing, order.sequence)
    counting = kernel.rules.recent and not has_core(graph)
    if counting:
        after_counting(graph, kernel.kept("bus"))
    firm, asked = pipeline.firm, pipeline.asked
    made = partial(
        modulo_schedule, graph, kernel.library, kernel.rules, pipeline.ii, asked=asked, firm=firm, order=order
    )
    known = kernel.known.schedules
    found = known.of((graph.content(), pipeline.ii, asked, firm), made) if known is not None else made()
    return late_reads(found, graph, order.sequence) if counting else found


def _dependences(
    kernel: KernelContext, pipeline: Pipeline, before: Sequence[GuardedStatement], outer: Sequence[Loop]
) -> Dependences:
    """Return the dependences of a loop on the locations that it writes; tokens of FIFOs are not locations."""
    steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
    handed = handed_on(steps, choices_of(kernel.partitions))
    statements = [step.statement for step in distinct(steps)]
    if locked_in(statements):
        statements = list(map(without_lock, statements))
    every = dict.fromkeys(a for s in statements for a in (*s.reads, *s.writes))
    accesses = tuple(access for access in every if access not in handed)
    written = {access.array for step in pipeline.steps for access in step.statement.writes}
    real = {name for name in written if Format.held(kernel.arrays[name]).real}
    registers = kernel.kept("registers")
    memory = banks_of(accesses, kernel.partitions, (*outer, *pipeline.loops), slices=True)

    def apart(access: Access) -> str:
        return f"handed on from {access.array}" if access in handed else memory(access)

    bank = apart if handed else memory

    start = pipeline.before or before
    limited = () if kernel.rules.joins else kernel.arrays.keys() - kernel.kept("bus")
    found = roles(
        pipeline.loops, pipeline.steps, start, real, registers, bank, recent=kernel.rules.recent, limited=limited,
        own=kernel.own,
    )  # fmt: skip
    return Dependences(pipeline, outer, _kept_roles(kernel, pipeline, found), accesses, kernel.rules, registers, bank)


def _kept_roles(kernel: KernelContext, pipeline: Pipeline, found: Mapping[Access, Role]) -> dict[Access, Role]:
    """Return the roles of locations without FIFOs, corrected for volatile elements and for pipelined functions.

    A variable that is declared in the loop has no value of an earlier iteration, even if it is set part by part (R1.2).
    """
    fifos = kernel.kept("fifo") | {name for name, array in kernel.arrays.items() if array.stream}
    kept = {access: role for access, role in found.items() if access.array not in fifos}
    volatile = {access for access in kept if kernel.arrays[access.array].volatile and access.subscripts}
    kept |= {access: volatile_role(kept[access]) for access in volatile}
    kept |= dict.fromkeys(_anew(kernel, pipeline, kept), Role("move"))
    if pipeline.call or not kernel.rules.sink:  # no code comes after a pipelined function
        kept = {a: replace(role, sunk=role.sunk and not a.subscripts) for a, role in kept.items()}
    if pipeline.call:  # R5.21: each call of a function has arguments of its own
        kept = {a: role for a, role in kept.items() if a.subscripts or not kernel.arrays[a.array].copied}
    return kept


def _anew(kernel: KernelContext, pipeline: Pipeline, some: Iterable[Access]) -> list[Access]:
    """Return the variables that each iteration of a loop has anew, as they are declared in it."""
    inner = pipeline.loops[-1].iterator
    return [access for access in some if not access.subscripts and inner in kernel.arrays[access.array].anew]


def _builder(kernel: KernelContext, dependences: Dependences, base: int, arguments: LoopArguments) -> GraphBuilder:
    """Return the empty graph of a loop body; ``base`` is the first state in which its iterators are known."""
    pipeline, library, operators = dependences.pipeline, kernel.library, arguments.operators
    held = (access for access, role in dependences.roles.items() if role.kind == "accumulate")
    sums = sum(pipeline.loops[-1].iterator not in iterators(access) for access in held) if pipeline.asked else 0
    timing = AddressTiming(
        library, kernel.arrays, pipeline.loops, base, dependences.accesses, kernel.rules.recent, kernel.partitions,
        sums, only_copies(pipeline, kernel.arrays),
    )  # fmt: skip
    ports = kernel.ports(dependences.accesses, (*dependences.outer, *pipeline.loops))
    # Without the rules of R2.4, each address takes one adder in the first state.
    ready = timing.ready if kernel.rules.addresses else lambda _: (0, library.delay_ns("add", 16))
    steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
    sunk = frozenset(access for access, role in dependences.roles.items() if role.sunk)
    return GraphBuilder(
        Ports(operators, kernel.storage, ports, ready, timing.chosen, kernel.small),
        order=MemoryOrder(operators.graph, pipeline.apart),
        words=kernel.words(pipeline.loops, steps, dependences.outer), speculation=Speculation.of(steps, sunk),
        reused=dependences.reused, invariant=_invariant(pipeline, arguments), bound=kernel.bound,
        choices=choices_of(kernel.partitions), ended=frozenset(pipeline.loops[-1].ended),
    )  # fmt: skip


def _invariant(pipeline: Pipeline, arguments: LoopArguments) -> Callable[[Operation, Statement], int | None]:
    """Return what gives the inputs for expressions that are computed before a loop; one that rewinds has numbers."""
    if pipeline.call:
        return lambda *_: None
    return arguments.number if pipeline.rewind else arguments.of


def _base(dependences: Dependences, iterations: int, alone: bool) -> int:
    """R2.4: return the first state in which the iterators of the iteration are known."""
    loops = dependences.pipeline.loops
    if len(loops) > 1:
        return int(not dependences.outer and iterations >= MANY and not alone)
    held = any(role.kind in ("rotate", "reuse") for role in dependences.roles.values())
    return int(held and constant_trips(loops[0]) is None)


def _depth(
    graph: Graph, schedule: Schedule, dependences: Dependences, base: int, timing: LoopTiming | None
) -> int:  # fmt: skip
    """R3.5: return the number of states; a loop with a rotated store ends with the next iteration."""
    pipeline, states = dependences.pipeline, schedule.states
    shortest = 1 if pipeline.call else schedule.ii + 1  # the last test of the head is an iteration's first state
    if timing:
        return max(timing.latency, shortest)
    if any(role.kind == "rotate" for role in dependences.roles.values()):
        loads = [schedule.issue[node.index][0] for node in graph.nodes if node.kind == "load"]
        states = schedule.ii + max([*loads, base + 1]) + 1
    least = pipeline.depth + (pipeline.call and pipeline.depth > 0)  # a function of n cycles has n + 1 states
    return max(least, shortest, states)
