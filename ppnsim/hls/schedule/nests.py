"""Pipelined loops of the state machine: the scheduled body of each, its visits and its iterations."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.schedule.body import scheduled_body
from ppnsim.hls.schedule.context import KernelContext
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.schedule.reported import check_trips
from ppnsim.hls.structure.counting import trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Loop


def nest_of(
    kernel: KernelContext, pipeline: Pipeline, before: Sequence[GuardedStatement], outer: Sequence[Loop],
    around: GraphBuilder, *, alone: bool = False,
) -> ScheduledNest:  # fmt: skip
    """Return a scheduled pipelined loop, its visits and iterations; ``around`` is the graph of the code around it."""
    runs, times = trips(pipeline.around, pipeline.loops, kernel.rules.count)
    total, entered = int((runs * times).sum()), int(times.sum())
    body = scheduled_body(kernel, pipeline, before, outer, around, total, alone=alone)
    least, most = (int(runs.min()), int(runs.max())) if len(runs) else (0, 0)
    if body.reported is not None and not any(loop.assumed for loop in pipeline.loops):
        check_trips(body.reported, least, most, str(pipeline.loops[-1].position))
    return ScheduledNest(body, entered, total, least, most)
