"""Grouping of a region's code into tasks: neighbouring loops that write one array, code before all tasks (R7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.region.reads_and_writes import accesses_in
from ppnsim.loops.position import Position
from ppnsim.loops.program import Execution, Node

Path = tuple[str, ...]
"""The calls from the kernel to a function, starting with the kernel."""
Group = tuple[Path, list[Node]]
"""The code of a task, and its call; ``()`` for code of the region's function itself."""


def merged(groups: Sequence[tuple[Path, list[Node]]], arrays: frozenset[str]) -> list[tuple[Path, list[Node]]]:
    """Return the tasks, with neighbouring loops that only write one array merged into one task (R7.1)."""
    found: list[tuple[Path, list[Node]]] = []
    before: frozenset[str] = frozenset()
    for call, nodes in groups:
        reads, writes = accesses_in(nodes)
        if found and not call and not found[-1][0] and before & writes.keys() - reads.keys():
            found[-1][1].extend(nodes)
            before |= arrays & writes.keys()
        else:
            found.append((call, nodes))
            before = arrays & writes.keys()
    return found


def entered(groups: list[Group], streams: frozenset[str]) -> list[Group]:
    """Return the tasks, with the code before the first task as a separate task if other tasks use its results (R7.1).

    Code that fills a FIFO is also separate, because the first task may empty that FIFO.
    """
    if not groups:
        return groups
    (call, nodes), *rest = groups
    inside = [k for k, node in enumerate(nodes)
              if not isinstance(node, Execution) or (call and node.statement.path[: len(call)] == call)]  # fmt: skip
    before, own = nodes[: inside[0]], nodes[inside[0] :]
    computed = accesses_in(before)[1].keys() - accesses_in(own)[1].keys()
    used = frozenset(streams).union(*(accesses_in(others)[0].keys() for _, others in rest))
    return [((), before), (call, own), *rest] if computed & used else groups


def joined(nodes: Sequence[Node], streams: frozenset[str], task: Position) -> Iterator[str]:
    """Yield a sentence for each FIFO that code between two tasks accesses: it belongs to the later ``task`` (R7.1)."""
    reads, writes = accesses_in(nodes)
    for done, places in (("read", reads), ("written", writes)):
        for name, place in places.items():
            if name in streams:
                yield (
                    f"{place}: FIFO '{name}' is {done} between two tasks of the region: this belongs to the task "
                    f"after it (line {task.line}) and does not wait for the one before it (R7.1 in "
                    "ppnsim/hls/RULES.md); UG1399 leaves open which task it belongs to: put it into the function of "
                    "its task, without '#pragma HLS inline' there"
                )
