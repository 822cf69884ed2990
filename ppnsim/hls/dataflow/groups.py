"""Divides a dataflow region into tasks and finds the channels between them (R7.1 to R7.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ppnsim.errors import InputError
from ppnsim.hls.dataflow.run import TaskChannel
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Array, Execution, Guard, Loop, LoopProgram, Node, Position


@dataclass(slots=True)
class TaskNodes:
    """The nodes of one task; ``call`` is the path of the call that they come from."""

    name: str
    call: tuple[str, ...]
    position: Position
    body: list[Node] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)


def task_nodes(body: Sequence[Node], inside: Collection[tuple[str, ...]]) -> list[TaskNodes]:
    """Return the tasks of a region; straight-line code belongs to the task after it.

    ``inside`` are the paths of calls whose bodies belong to the region itself.
    """
    groups: list[TaskNodes] = []
    waiting: list[Node] = []
    for node in body:
        path = path_of(node)
        call = next((path[:k] for k in range(1, len(path) + 1) if path[:k] not in inside), ())
        if not call and isinstance(node, Execution):
            waiting.append(node)
            continue
        if not (call and groups and groups[-1].call == call):
            name = f"loop {node.iterator}" if isinstance(node, Loop) else "if"
            groups.append(TaskNodes(call[-1] if call else name, call, _position(node)))
        groups[-1].body += [*waiting, node]
        waiting = []
    if not groups:
        raise InputError("a dataflow region without a call and without a loop has nothing to run at the same time")
    groups[-1].body += waiting
    for group in groups:
        for node in group.body:
            _note(node, group)
    return groups


def _note(node: Node, group: TaskNodes) -> None:
    if isinstance(node, Execution):
        group.reads |= {access.array for access in node.statement.reads}
        group.writes |= {access.array for access in node.statement.writes}
        return
    if isinstance(node, Loop):
        group.reads |= {access.array for access in node.reads}
    for inner in (*node.body, *(node.otherwise if isinstance(node, Guard) else ())):
        _note(inner, group)


def _position(node: Node) -> Position:
    if isinstance(node, Execution):
        return node.statement.position
    if isinstance(node, Loop):
        return node.position
    return next((_position(each) for each in (*node.body, *node.otherwise)), Position())


def task_channels(program: LoopProgram, groups: Sequence[TaskNodes], directives: Directives) -> dict[str, TaskChannel]:
    """Return the channels between tasks: one task writes a channel and a later one reads it."""
    found: dict[str, TaskChannel] = {}
    for array in program.arrays:
        writers = [n for n, group in enumerate(groups) if array.name in group.writes]
        readers = [n for n, group in enumerate(groups) if array.name in group.reads and n not in writers]
        behind_bus = array.name in directives.storage and directives.storage[array.name].kind == "bus"
        # Tasks may share constants, and scalars that come from outside.
        constant = not writers and (array.role == "local" or not (array.stream or array.shape))
        if len(writers) + len(readers) < 2 or behind_bus or constant:
            continue
        _check_ends(array, writers, readers, groups)
        if readers and writers:
            depth = directives.depths.get(array.name, array.stream)
            found[array.name] = TaskChannel(array.name, writers[0], readers[0], depth)
    return found


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
