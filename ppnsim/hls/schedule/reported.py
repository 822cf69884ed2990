"""The schedule of a pipelined loop as a report has it: interval and length are the tool's, steps inside are ours."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.pragmas.directives import LoopTiming
from ppnsim.hls.schedule.scheduler import Schedule

_LAST_WRITE = 2
"""States from the last write into a FIFO to the end of an iteration; state 0 only counts (R10.2)."""

_ADDRESS = 4
"""States that the tool's addresses may take longer than ours before the first operator starts."""


def as_reported(schedule: Schedule, graph: Graph, timing: LoopTiming) -> Schedule:
    """Return a schedule with the interval and the iteration latency of a report.

    Accesses to FIFOs keep their distance from the end of the iteration. The tool reads a FIFO as late as the first use
    of what is read allows, so reads first move that far. If the tool's operators take longer than ours, a read stays
    near the start.
    """
    late = _latest(schedule, graph)
    own = max((schedule.issue[node.index][0] for node in graph.nodes if _ends(node)), default=0)
    end = max(0, timing.latency - _LAST_WRITE)
    issue = list(schedule.issue)
    for node in graph.nodes:
        if node.kind == "op" and node.name in ("take", "put"):
            at = end - (own - late[node.index])
            if node.name == "take":
                at = min(at, late[node.index] - 1 + _ADDRESS)
            issue[node.index] = (max(0, at), 0.0)
    return replace(schedule, issue=tuple(issue), states=timing.latency, ii=timing.ii, bound="reported")


def _ends(node: GraphNode) -> bool:
    return node.kind == "store" or (node.kind == "op" and node.name == "put")


def _latest(schedule: Schedule, graph: Graph) -> list[int]:
    """Return the last state in which each node could start if stores and writes stay where they are."""
    bounds: list[int | None] = [None] * len(graph.nodes)
    late = []
    for node in reversed(graph.nodes):
        n, bound = node.index, bounds[node.index]
        own = schedule.issue[n][0]
        late.append(own if bound is None or _ends(node) else max(own, bound))
        for operand in node.operands if node.kind != "dead" else ():
            # What is read from a FIFO is in a register from the next state on.
            takes = schedule.result[operand][0] - schedule.issue[operand][0]
            takes = 1 if graph.nodes[operand].name == "take" else takes
            known = bounds[operand]
            bounds[operand] = late[-1] - takes if known is None else min(known, late[-1] - takes)
    return late[::-1]


def check_trips(timing: LoopTiming, least: int, most: int, where: str) -> None:
    """Refuse a report of a loop that runs another number of times than the source's.

    Raises
    ------
    InputError
        If both numbers are fixed and differ.
    """
    if timing.trips is not None and least == most != timing.trips:
        words = f"the report does not belong to the source: {timing.where} runs {timing.trips} times"
        raise InputError(f"{words}, the loop here {least} times", where=where)
