"""A kernel or task that is one pipelined loop: it has no state machine around the loop (R1.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.schedule.context import KernelContext
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.nests import nest_of
from ppnsim.hls.structure.element_runs import SOONER
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline, Tree


@dataclass(frozen=True, slots=True)
class Stateless:
    """The statements beside a loop that take no state.

    ``numbers``: those that set scalars to constants before it; ``results``: copies of scalars behind it.
    """

    numbers: bool
    results: bool

    def before(self, step: GuardedStatement) -> bool:
        """Return whether a statement before a loop takes no state."""
        value, written = step.statement.value, step.statement.writes
        constant = value is not None and value.kind == "constant" and not step.statement.reads and not step.conditions
        return self.numbers and constant and not any(access.subscripts or access.random for access in written)

    def behind(self, step: GuardedStatement) -> bool:
        """Return whether a statement behind a loop takes no state."""
        value, accesses = step.statement.value, (*step.statement.reads, *step.statement.writes)
        plain = value is not None and value.kind == "read" and not step.conditions
        return self.results and plain and not any(access.subscripts or access.random for access in accesses)


def machine_of_one(kernel: KernelContext, tree: tuple[Tree, ...], free: Stateless) -> StateMachine | None:
    """Return the schedule of a kernel that is one pipelined loop, None if it needs states around the loop.

    Elements that are loaded once before the loop need one, and so do operators that the loop does not move and
    responses of a bus (R6.9); a loop that rewinds has both in the states of its pipeline (R5.26).
    """
    if (lone := _lone(tree, free)) is None:
        return None
    around, (pipeline, before) = GraphBuilder(Ports(Operators(kernel.library, kernel.arrays), kernel.storage)), lone
    for step in before:
        around.add(step)
    nest = nest_of(kernel, pipeline, before, (), around, alone=True)
    answer = response_states(kernel, nest.body.graph, nest.body.transfers)
    if nest.body.reported is None:
        loaded = any(node.kind == "load" and node.states for node in around.graph.nodes)
        computed = any(node.kind == "op" and (node.states or node.delay) for node in around.graph.nodes)
        stored = any(nest.body.graph.nodes[n].kind == "store" for n in nest.body.transfers)
        if loaded or computed or (kernel.rules.responses and stored and not pipeline.rewind):
            return None
    # R10.3: from start to done
    return StateMachine(max(0, nest.cycles - 1) + (answer if pipeline.rewind else 0), (nest,), (), tree)


def response_states(kernel: KernelContext, graph: Graph, transfers: Iterable[int]) -> int:
    """Return the states from the last written element on a bus to the response (R6.9); 0 without a response."""
    written = (graph.nodes[node].access for node in transfers if graph.nodes[node].kind == "store")
    latencies = (kernel.storage[access.array].latency for access in written if access is not None)
    return max((max(0, each - SOONER) for each in latencies), default=0) if kernel.rules.responses else 0


def _lone(tree: Sequence[Tree], free: Stateless) -> tuple[Pipeline, tuple[GuardedStatement, ...]] | None:
    """Return the only pipelined loop of a kernel, and the statements without a state before it, or None."""
    place = next((n for n, each in enumerate(tree) if isinstance(each, Pipeline)), None)
    if place is None:
        return None
    loop = tree[place]
    before = tuple(each for each in tree[:place] if isinstance(each, GuardedStatement) and free.before(each))
    after = [each for each in tree[place + 1 :] if isinstance(each, GuardedStatement) and free.behind(each)]
    whole = isinstance(loop, Pipeline) and len(before) + 1 + len(after) == len(tree)
    return (loop, before) if whole and isinstance(loop, Pipeline) else None
