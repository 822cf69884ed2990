"""The body of a pipelined loop as a data-flow graph with its recurrences (R1.2, R4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.graph.arguments import LoopArguments
from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.carried import Carried
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.words import Words
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access

Tokens = Mapping[int, Sequence[tuple[Condition, ...]]]
"""Accesses to FIFOs, with the conditions that each is executed under, one set of them or another."""


@dataclass(frozen=True, slots=True)
class LoopGraph:
    """The graph of a loop body, and what it takes and leaves.

    ``arguments`` are nodes of the graph around it, ``inputs`` the nodes of its own that stand for them; ``results`` are
    the locations that it leaves in registers.
    """

    graph: Graph
    arguments: tuple[int, ...]
    inputs: Mapping[int, int]
    results: tuple[Access, ...]
    tokens: Tokens


def loop_graph(
    dependences: Dependences, around: GraphBuilder, ports: Ports, words: Words,
    latencies: Mapping[str, tuple[str, int]],
) -> LoopGraph:  # fmt: skip
    """Return the graph of a loop body.

    Parameters
    ----------
    around : the graph of the code around it, in which its arguments are computed.
    ports, words : what its loads and stores take, and which elements share a word.
    latencies : operator and states that directives ask for the results that go to an array.
    """
    pipeline, operators = dependences.pipeline, ports.operators
    steps = (*pipeline.before, *pipeline.steps, *pipeline.after)
    written = frozenset(access.array for step in steps for access in step.statement.writes)
    arguments = LoopArguments(around, operators, frozenset(loop.iterator for loop in pipeline.loops), written)
    builder = GraphBuilder(
        ports, order=MemoryOrder(operators.graph, pipeline.apart), words=words, reused=dependences.reused,
        invariant=(lambda *_: None) if pipeline.call else arguments.of, latencies=latencies,
    )  # fmt: skip
    carried = Carried(dependences, builder, arguments)
    carried.open()
    for step in pipeline.steps:
        builder.add(step)
    values = {access: builder.values.known[access] for access in dependences.roles if access in builder.values.known}
    for step in pipeline.after:
        builder.add(step)
    results = carried.close(values)
    graph = builder.finish()
    return LoopGraph(graph, tuple(arguments.nodes), arguments.inputs, results, builder.fifos.executed)
