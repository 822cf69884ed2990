"""The schedule of a pipelined loop as a report has it: interval and length are the tool's, steps inside are ours."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.pragmas.directives import LoopTiming
from ppnsim.hls.schedule.scheduler import Schedule

_LAST_WRITE = 2
"""States from the end of an iteration to its last write into a FIFO, itself included."""


def as_reported(schedule: Schedule, graph: Graph, timing: LoopTiming) -> Schedule:
    """Return a schedule with the interval and the iteration latency of a report.

    Reads of FIFOs stay as far from the first state as they are, but right before what uses them; writes stay as far
    from the end as they are, where the last state of ours is the last but one of the tool's (R10.2).
    """
    last = max([0, *(schedule.issue[n.index][0] for n in graph.nodes if _passes(n.name, n.kind))])
    own = max(schedule.states - 1, last)
    end = max(0, timing.latency - _LAST_WRITE)
    issue = list(schedule.issue)
    late = _latest(schedule, graph)
    for node in graph.nodes:
        if not _passes(node.name, node.kind):
            continue
        step = issue[node.index][0]
        at = max(0, end - (own - step)) if node.name == "put" else min(late.get(node.index, step), end)
        issue[node.index] = (at, 0.0)
    return replace(schedule, issue=tuple(issue), states=timing.latency, ii=timing.ii, bound="the report")


def _passes(name: str, kind: str) -> bool:
    return kind == "op" and name in ("take", "put")


def _latest(schedule: Schedule, graph: Graph) -> dict[int, int]:
    """Return the last state for each read of a FIFO: the one before the first use of what is read."""
    found: dict[int, int] = {}
    for node in graph.nodes:
        if node.kind == "dead":
            continue
        for operand in node.operands:
            if _passes(graph.nodes[operand].name, graph.nodes[operand].kind) and graph.nodes[operand].name == "take":
                state = max(schedule.issue[operand][0], schedule.issue[node.index][0] - 1)
                found[operand] = min(state, found.get(operand, state))
    return found


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
