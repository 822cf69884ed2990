"""Accesses to volatile arrays in pipelined loops: their order between iterations, which a report says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.loop_names import called, labels_of
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.loops.program import LoopProgram


def said_of_volatile(program: LoopProgram, nests: Sequence[ScheduledNest]) -> Iterator[str]:
    """Yield the pipelined loops whose stores to volatile arrays do not hold up what the next iteration accesses (R1.2).

    Stores to one array have an order anyway: they take turns at its port.
    """
    volatile = frozenset(each.name for each in program.arrays if each.volatile and each.shape)
    for nest in nests:
        stored, loaded = nest.body.stored & volatile, nest.body.loaded & volatile
        overlaps = nest.most > 1 and nest.body.reported is None and nest.body.schedule.ii < nest.body.depth
        if stored and len(stored | loaded) > 1 and overlaps:
            names = ", ".join(f"'{each}'" for each in sorted(stored | loaded))
            yield (
                f"{called(nest.body.pipeline.loops[-1], labels_of(program))} has the accesses to volatile {names} of "
                "an iteration in order; an iteration does not wait for the one before (rule R1.2)"
            )
