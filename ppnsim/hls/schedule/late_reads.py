"""Late reads of FIFOs: the tool reads a token just before its use, so that registers do not hold it longer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.loops.program import Access


def after_counting(graph: Graph, buses: Collection[str] = ()) -> None:
    """Let an iteration access FIFOs from its state 1 on: state 0 only counts the iteration (R10.2).

    A value that is written into a FIFO or over a bus comes from a register, not directly from a memory.
    """
    for node in graph.nodes:
        if node.kind == "store" and node.access is not None:
            node.registered |= node.access.array in buses
        elif node.kind == "op" and node.name in ("take", "put"):
            node.registered |= node.name == "put"
            node.ready = max(node.ready, (1, 0.0))


def registered(graph: Graph, large: Callable[[Access], bool]) -> None:
    """Let a token pass a register before it is stored in a large memory: its read is one state earlier (R10.2)."""
    for node in graph.nodes:
        if node.kind == "store" and node.access is not None and large(node.access):
            for operand in node.operands:
                if graph.nodes[operand].name == "take" and graph.nodes[operand].kind == "op":
                    graph.order(operand, node.index, 1)


def late_reads(schedule: Schedule, graph: Graph, sequence: Sequence[int]) -> Schedule:
    """Return a schedule in which each FIFO with one read is read just before its token is needed (R10.2).

    Accesses are numbered one state earlier than in the iteration, because state 0 belongs to the start of the loop.

    Parameters
    ----------
    sequence : all nodes in topological order, each after the nodes that it waits for.
    """
    moved = [node for node in graph.nodes if node.kind == "op" and node.name in ("take", "put")]
    takes = Counter(node.port for node in moved if node.name == "take")
    late, issue = latest(schedule, graph, sequence), list(schedule.issue)
    for node in moved:
        state = late[node.index] if takes[node.port] == 1 else issue[node.index][0]
        issue[node.index] = max(0, state - 1), 0.0
    return replace(schedule, issue=tuple(issue))


def latest(schedule: Schedule, graph: Graph, sequence: Sequence[int]) -> list[int]:
    """Return the last state in which each node could start if stores and FIFO writes stay where they are.

    A value that a later iteration needs also stays. A token from a FIFO can be stored at once; operators take it from a
    register, in the next state.
    """
    late = [issued[0] for issued in schedule.issue]
    stay = {edge.source for edge in graph.back if edge.source != edge.target}
    bounds: list[int | None] = [None] * len(graph.nodes)
    for n in reversed(sequence):
        node, bound = graph.nodes[n], bounds[n]
        if bound is not None and not ends(node) and n not in stay:
            late[n] = max(late[n], bound)
        before = [
            (operand, _states(schedule, graph, operand, node)) for operand in node.operands if node.kind != "dead"
        ]
        for earlier, apart in (*before, *graph.after.get(n, ())):
            known = bounds[earlier]
            bounds[earlier] = late[n] - apart if known is None else min(known, late[n] - apart)
    return late


def _states(schedule: Schedule, graph: Graph, n: int, user: GraphNode) -> int:
    """Return the least number of states from the issue of a node to the issue of a node that uses its result."""
    if graph.nodes[n].name == "take":
        return int(not ends(user))
    (there, at), node = schedule.result[n], graph.nodes[n]
    unchained = node.kind == "op" and node.states and at > 0 and schedule.issue[user.index][0] > there
    return there - schedule.issue[n][0] + int(bool(unchained))


def ends(node: GraphNode) -> bool:
    """Return whether a node has an effect outside of the body: a store, or a write into a FIFO."""
    return node.kind == "store" or (node.kind == "op" and node.name == "put")
