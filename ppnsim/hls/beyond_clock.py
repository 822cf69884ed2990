"""Loops that keep the interval of their directive, although it takes longer than the clock period (R3.15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.schedule.recurrences import BEYOND
from ppnsim.loops.program import LoopProgram


def said_of_clock(program: LoopProgram, nests: Sequence[ScheduledNest]) -> Iterator[str]:
    """Yield the pipelined loops whose recurrences do not fit into the clock period with the interval asked for."""
    for nest in nests:
        if nest.body.schedule.bound == BEYOND:
            yield (
                f"{called(nest.body.pipeline.loops[-1], labels_of(program))} keeps the interval of its directive, "
                "whose logic takes longer than the clock period: the tool warns and does not meet the clock; a "
                "pipeline directive without an interval does (rule R3.15)"
            )
