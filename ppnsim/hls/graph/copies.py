"""Loop bodies that only copy: each value that they store is one that they have loaded (R9.47)."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Array, Operation


def only_copies(pipeline: Pipeline, arrays: Mapping[str, Array]) -> bool:
    """Return whether a body stores loaded elements unchanged, under no condition, and does nothing else.

    Variables and FIFOs may be between the element and where it goes, but no element comes out of a FIFO.
    """
    loads = False
    for step in (*pipeline.before, *pipeline.steps, *pipeline.after):
        value = step.statement.value
        if step.conditions or step.statement.latency is not None or value is None or not _is_read(value):
            return False
        if any(arrays[access.array].stream for access in step.statement.reads):
            return False
        loads |= any(arrays[access.array].shape for access in step.statement.reads)
    return loads


def _is_read(value: Operation) -> bool:
    return value.kind == "read" and all(each.kind == "iterator" for each in value.operands)
