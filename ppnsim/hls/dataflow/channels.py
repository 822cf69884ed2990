"""Finds the channels between the tasks of a dataflow region, and refuses data that no channel can pass (R7.2, R7.3)."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.errors import InputError
from ppnsim.hls.dataflow.groups import TaskNodes
from ppnsim.hls.dataflow.run import TaskChannel
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.loops.program import Array, LoopProgram


def task_channels(program: LoopProgram, groups: Sequence[TaskNodes], directives: Directives) -> dict[str, TaskChannel]:
    """Return the channels between tasks: one task writes a channel and a later one reads it."""
    found: dict[str, TaskChannel] = {}
    for array in program.arrays:
        writers = [n for n, group in enumerate(groups) if array.name in group.writes]
        readers = [n for n, group in enumerate(groups) if array.name in group.reads and n not in writers]
        if not _passes(array, writers, readers, directives):
            continue
        _check_ends(array, writers, readers, groups)
        if readers and writers:
            depth = directives.depths.get(array.name, array.stream)
            found[array.name] = TaskChannel(array.name, writers[0], readers[0], depth)
    return found


def _passes(array: Array, writers: Sequence[int], readers: Sequence[int], directives: Directives) -> bool:
    """Return whether several tasks use an array so that its data or its ports concern them all."""
    behind_bus = array.name in directives.storage and directives.storage[array.name].kind == "bus"
    # Tasks may share constants, and scalars that come from outside.
    constant = not writers and (array.role == "local" or not (array.stream or array.shape))
    return len(writers) + len(readers) > 1 and not behind_bus and not constant


def _check_ends(array: Array, writers: Sequence[int], readers: Sequence[int], groups: Sequence[TaskNodes]) -> None:
    """Refuse a channel that several tasks write, that several tasks read, or that is read before it is written."""
    kind = "FIFO" if array.stream else "array" if array.shape else "variable"
    words = f"{kind} '{array.name}' of a dataflow region"
    for what, ends in (("written", writers), ("read", readers)):
        if len(ends) > 1:
            names = ", ".join(groups[n].name for n in ends)
            where = str(groups[(writers or readers)[0]].position)
            raise InputError(f"{words} is {what} by several tasks ({names}): one writes, one reads", where=where)
    if readers and writers and readers[0] < writers[0]:
        early, late = groups[readers[0]], groups[writers[0]]
        raise InputError(f"{words} is read by '{early.name}' before '{late.name}' writes it", where=str(early.position))
