"""Divides the body of a dataflow region into the nodes of each task (R7.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ppnsim.errors import InputError
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Execution, Guard, Loop, Node, Position


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
