"""Schedules of pipelined loops after a tool's report: interval and length are the tool's, the steps inside are ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.pragmas.directives import LoopTiming
from ppnsim.hls.schedule.late_reads import ends, latest
from ppnsim.hls.schedule.scheduler import Schedule

_LAST_WRITE = 2
"""States from the last write into a FIFO to the end of an iteration; state 0 only counts (R10.2)."""

_ADDRESS = 4
"""States by which the tool's addresses may be later than ours before the first operator starts."""


def as_reported(schedule: Schedule, graph: Graph, timing: LoopTiming, sequence: Sequence[int]) -> Schedule:
    """Return a schedule with the interval and the iteration latency of a report.

    Accesses to FIFOs keep their distance from the end of the iteration. The tool reads a FIFO as late as the first use
    of the token allows, so our reads first move to that state. If the tool's operators take longer than ours, a read
    stays near the start.
    """
    late = latest(schedule, graph, sequence)
    own = max((schedule.issue[node.index][0] for node in graph.nodes if ends(node)), default=0)
    end = max(0, timing.latency - _LAST_WRITE)
    issue = list(schedule.issue)
    for node in graph.nodes:
        if node.kind == "op" and node.name in ("take", "put"):
            at = end - (own - late[node.index])
            if node.name == "take":
                at = min(at, late[node.index] - 1 + _ADDRESS)
            issue[node.index] = (max(0, at), 0.0)
    return replace(schedule, issue=tuple(issue), states=timing.latency, ii=timing.ii, bound="reported")


def check_trips(timing: LoopTiming, least: int, most: int, where: str) -> None:
    """Refuse a report whose trip count differs from the trip count in the source.

    Raises
    ------
    InputError
        If both trip counts are fixed and differ.
    """
    if timing.trips is not None and least == most != timing.trips:
        words = f"the report does not belong to the source: {timing.where} runs {timing.trips} times"
        raise InputError(f"{words}, the loop here {least} times", where=where)
