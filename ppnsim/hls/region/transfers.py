"""Bus accesses of a scheduled kernel: their steps and their elements (R12.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.graph.graph import Graph, GraphNode, Transfers
from ppnsim.hls.structure.counting import is_data, used
from ppnsim.hls.structure.element_runs import READ
from ppnsim.loops.expressions import All, condition_iterators
from ppnsim.loops.points import holding, values
from ppnsim.loops.program import DATA

Columns = Callable[[Collection[str]], Mapping[str, Int64Array]]
"""Gives the values of some iterators in all iterations."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The accesses to an array over its bus in one visit of a loop, or a single access of straight-line code.

    Attributes
    ----------
    steps : steps in a run at which a read element arrives, or a written one leaves, ascending, shape (accesses,).
    index : subscripts of each access, shape (accesses, dimensions); None if the elements depend on data.
    conditional : some accesses are under a condition.
    reason : the reason why the accesses are not known at all; "" if they are known.
    answered : step in which the later code has waited for the response to the writes (R6.9); None: only the end of the
        run waits for it.
    asked : the elements were requested before the loop (R6.21).
    """

    array: str
    write: bool
    steps: Int64Array
    index: Int64Array | None
    conditional: bool = False
    reason: str = ""
    answered: int | None = None
    asked: bool = False

    def later(self, by: int) -> Visit:
        """Return the same accesses so many steps later."""
        return self.at(self.steps + by, by)

    def each_later(self, by: Sequence[int]) -> list[Visit]:
        """Return the same accesses again and again, each so many steps later."""
        rows = self.steps + np.array(by, dtype=np.int64)[:, None]
        return [self.at(steps, each) for steps, each in zip(rows, by, strict=True)]

    def at(self, steps: Int64Array, by: int) -> Visit:
        """Return the same accesses at other steps; not by `replace`, which takes most of the time of long tasks."""
        answered = None if self.answered is None else self.answered + by
        return Visit(
            self.array, self.write, steps, self.index, self.conditional, self.reason, answered, self.asked
        )  # fmt: skip


def visits_of(
    graph: Graph, transfers: Transfers, issued: Callable[[int], Int64Array], columns: Columns, *, count: int,
    single: bool, answered: Callable[[int], int | None],
) -> list[Visit]:  # fmt: skip
    """Return the accesses over buses of a body that is executed ``count`` times.

    Parameters
    ----------
    issued : gives the step at which a node is issued in each iteration, shape (count,).
    single : each access is a visit of its own.
    answered : gives the step in which the response to the write of a node has arrived.
    """
    groups: dict[tuple[str, bool, int], list[GraphNode]] = {}
    for number in transfers:
        node = graph.nodes[number]
        if node.access is not None and node.kind in ("load", "store"):
            groups.setdefault((node.access.array, node.writes, number if single else -1), []).append(node)
    found = []
    for (array, write, _), nodes in groups.items():
        if any(node.beat for node in nodes):
            reason = "its beats are of several elements (R6.24 in ppnsim/hls/RULES.md)"
            found.append(Visit(array, write, np.zeros(0, dtype=np.int64), None, reason=reason))
            continue
        parts = [
            _accesses(node, transfers, issued(node.index) + node.states * (not write), columns, count) for node in nodes
        ]
        if any(part is None for part in parts):
            reason = "data decides whether it is accessed"
            found.append(Visit(array, write, np.zeros(0, dtype=np.int64), None, reason=reason))
            continue
        known = [part for part in parts if part is not None]
        steps = np.concatenate([part[0] for part in known])
        order = np.argsort(steps, kind="stable")
        rows = [part[1] for part in known if part[1] is not None]
        index = np.concatenate(rows)[order] if len(rows) == len(known) else None
        if len(steps):
            conditional = any(transfers[node.index] for node in nodes)
            first = nodes[0]
            asked = not write and first.states <= READ
            found.append(Visit(array, write, steps[order], index, conditional, "", answered(first.index), asked))
    return found


def _accesses(
    node: GraphNode, transfers: Transfers, steps: Int64Array, columns: Columns, count: int
) -> tuple[Int64Array, Int64Array | None] | None:
    """Return steps and subscripts of a node's accesses; None if data decides whether they are made."""
    access, conditions = node.access, transfers[node.index]
    assert access is not None
    if any(is_data(condition) for condition in conditions):
        return None
    there = np.ones(count, dtype=bool)
    if conditions:
        every = All(tuple(conditions))
        there = holding(every, columns(condition_iterators(every)), count)
    if access.random or DATA in access.subscripts:
        return steps[there], None
    names = {name for subscript in access.subscripts for name in subscript.iterators()}
    at = columns(names)
    if not names <= at.keys():
        return steps[there], None
    index = [values(subscript, at, count)[there] for subscript in access.subscripts]
    return steps[there], np.stack(index, axis=1) if index else np.zeros((int(there.sum()), 0), dtype=np.int64)


def responses_of(graph: Graph) -> dict[int, int]:
    """Return the nodes that wait for a response, by the loop or the store that writes over a bus (R6.9)."""
    waiting = (node for node in graph.nodes if node.name == "response" and node.states)  # not a variable of that name
    return {of: node.index for node in waiting
            for of in (*node.operands, *(earlier for earlier, _ in graph.after.get(node.index, ())))}  # fmt: skip


def moved_by(graph: Graph, transfers: Transfers, name: str) -> bool:
    """Return whether an iterator decides which elements go over a bus, or whether they go."""
    nodes = (graph.nodes[number] for number in transfers)
    subscripts = (each for node in nodes if node.access is not None for each in node.access.subscripts)
    return any(name in each.iterators() for each in subscripts) or any(
        used(condition, name) for conditions in transfers.values() for condition in conditions
    )
