"""Recurrences and the state of their evaluation as flat int64 arrays, as the kernels take them.

A row per node, edge and actor; the names of the columns are the constants below.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.recurrences import Edge, Recurrences
from ppnsim.engines.program import ProcessProgram

ELASTIC, FROZEN, FLUSHABLE = 0, 1, 2
KINDS = {"elastic": ELASTIC, "frozen": FROZEN, "flushable": FLUSHABLE}

NOTHING = -(2**60)  # the cycle of a firing before the first: it bounds nothing, however much is added
NO_TABLE = -1

# nodes: firings in all and passed so far; where firing 0 lies in `cycles`; its edges; whether all of them are `n - d`
# of one weight; where its offsets lie in `tables`, and 1 if there is one per firing; whether it is the first of two
# steps with such edges, of a process without channels to itself, which are evaluated together.
COUNT, DONE, BASE, EDGES, EDGES_END, PLAIN, OFFSET, OFFSET_STEP, PAIR = range(9)
# edges: source node; d of `n - d`, or where a table of indices lies; weight, or where a table of weights lies.
SOURCE, SHIFT, INDEX, WEIGHT, WEIGHTS = range(5)
# actors: kind, its nodes, the process's ii, the actors that wait for it (a range of `wakes`), whether it is queued, and
# what a walk remembers: frozen its last step and cycle; flushable now, beat, next firing, and whether it is held, asks
# which of a start and a due access comes first, and has been told; two steps of it that are evaluated together the
# first access due after the last start, and for how many cycles the process had been held before.
KIND, FIRST, LAST, II, WAKES, WAKES_END, QUEUED = range(7)
LAST_STEP, LAST_CYCLE = 7, 8
NOW, BEAT, NEXT, HELD, ASKS, DECIDED, DUE, HELD_BEFORE = range(7, 15)
# control: head and length of the queue, steps passed so far.
HEAD, LENGTH, PASSED = range(3)


class Tape(NamedTuple):
    """One network under evaluation; all arrays are int64.

    ``cycles`` of every node with room for negative indices before its firing 0; ``beats`` likewise if there are
    flushable processes, else one entry. Of starts, only the beat of a process's last one has to be there.
    """

    nodes: Int64Array
    edges: Int64Array
    actors: Int64Array
    wakes: Int64Array
    tables: Int64Array
    cycles: Int64Array
    beats: Int64Array
    queue: Int64Array
    control: Int64Array


def tape_of(recurrences: Recurrences) -> Tape:
    """Return recurrences as flat arrays, with nothing evaluated."""
    edges = [edge for into in recurrences.edges for edge in into]
    tables = _Tables()
    actors, wakes = _actors(recurrences, edges)
    nodes = _nodes(recurrences, edges, tables)
    flushable = bool((actors[:, KIND] == FLUSHABLE).any())
    return Tape(
        nodes=nodes,
        edges=_int64([_edge(recurrences, edge, tables) for edge in edges]).reshape(-1, 5),
        actors=actors,
        wakes=wakes,
        tables=tables.array(),
        cycles=_cycles(nodes),
        beats=_cycles(nodes) if flushable else np.full(1, NOTHING, dtype=np.int64),
        queue=np.arange(len(actors), dtype=np.int64),
        control=_int64([0, len(actors), 0]),
    )


def _cycles(nodes: Int64Array) -> Int64Array:
    """Return a place for every passing, which takes memory when it is set, and `NOTHING` before the first of a node."""
    ends = nodes[:, BASE] + nodes[:, COUNT]
    cycles = np.zeros(int(ends[-1]), dtype=np.int64)
    for before, base in zip([0, *ends[:-1].tolist()], nodes[:, BASE].tolist(), strict=True):
        cycles[before:base] = NOTHING
    return cycles


def rewind(tape: Tape) -> None:
    """Put a tape back to where nothing has been evaluated."""
    tape.nodes[:, DONE] = 0
    tape.actors[:, QUEUED + 1 :] = 0
    resume(tape)


def resume(tape: Tape) -> None:
    """Let all actors of a tape try again: it may have more firings now."""
    tape.actors[:, QUEUED] = 1
    tape.queue[:] = np.arange(len(tape.queue))
    tape.control[:] = 0, len(tape.queue), int(tape.nodes[:, DONE].sum())


class _Tables:
    """Tables one behind the other."""

    def __init__(self) -> None:
        self._parts: list[Int64Array] = []
        self._size = 0

    def add(self, table: Int64Array) -> int:
        place, self._size = self._size, self._size + len(table)
        self._parts.append(table)
        return place

    def array(self) -> Int64Array:
        return _int64(np.concatenate(self._parts))


def _nodes(recurrences: Recurrences, edges: list[Edge], tables: _Tables) -> Int64Array:
    room = np.ones(len(recurrences.firings), dtype=np.int64)
    for edge in edges:
        if isinstance(edge.index, int):
            room[edge.source] = max(room[edge.source], _shift(recurrences, edge))
    nodes = np.zeros((len(recurrences.firings), 9), dtype=np.int64)
    nodes[:, COUNT] = recurrences.firings
    nodes[:, BASE] = np.cumsum(room + recurrences.firings) - recurrences.firings
    ends = np.cumsum([len(into) for into in recurrences.edges])
    nodes[1:, EDGES], nodes[:, EDGES_END] = ends[:-1], ends
    nodes[:, PLAIN] = [_is_plain(into, node) for node, into in enumerate(recurrences.edges)]
    offsets = [np.atleast_1d(row) for lowered in recurrences.program.processes for row in lowered.steps.offsets]
    nodes[:, OFFSET] = [tables.add(row) for row in offsets]
    nodes[:, OFFSET_STEP] = [len(row) > 1 for row in offsets]
    for process, (first, after) in enumerate(pairwise(recurrences.first)):
        kind = _kind(recurrences.program.processes[process])
        fixed = not nodes[first:after, OFFSET_STEP].any()
        nodes[first, PAIR] = after - first == 2 and fixed and _is_pair(recurrences.edges[first:after], first, kind)
    return nodes


def _edge(recurrences: Recurrences, edge: Edge, tables: _Tables) -> list[int]:
    shift, index = (_shift(recurrences, edge), NO_TABLE) if isinstance(edge.index, int) else (0, tables.add(edge.index))
    weight, weights = (edge.weight, NO_TABLE) if isinstance(edge.weight, int) else (0, tables.add(edge.weight))
    return [edge.source, shift, index, weight, weights]


def _shift(recurrences: Recurrences, edge: Edge) -> int:
    """Return d of ``n - d``, no more than what puts all indices before the first firing."""
    assert isinstance(edge.index, int)
    return min(edge.index, int(recurrences.firings[edge.target]))


def _is_plain(edges: tuple[Edge, ...], node: int) -> bool:
    """Return whether a node has edges of fixed distance and weight alone, that from its own firing before first."""
    return all(map(_is_fixed, edges)) and bool(edges) and edges[0].source == node and edges[0].index == 1


def _is_fixed(edge: Edge) -> bool:
    return isinstance(edge.index, int) and isinstance(edge.weight, int)


def _is_pair(edges: tuple[tuple[Edge, ...], ...], first: int, kind: int) -> bool:
    """Return whether two steps with plain edges wait for each other only in the way of their process's style."""
    if not all(_is_fixed(edge) for edge in (*edges[0], *edges[1])):
        return False
    start, write = edges
    if kind == ELASTIC:  # its own order: the first edge of each and the last one
        if len(start) < 2 or start[-1].source != first + 1 or write[-1].source != first or write[-1].index != 0:
            return False
        start, write = start[1:-1], write[1:-1]
    return all(edge.source not in (first, first + 1) for edge in (*start, *write))


def _actors(recurrences: Recurrences, edges: list[Edge]) -> tuple[Int64Array, Int64Array]:
    """Return an actor per process, and whom each of them wakes."""
    rows = []
    for number, lowered in enumerate(recurrences.program.processes):
        start, end = recurrences.first[number], recurrences.first[number + 1]
        rows.append([_kind(lowered), start, end, lowered.process.ii])
    actors = np.zeros((len(rows), 15), dtype=np.int64)
    actors[:, :4] = rows
    actors[:, QUEUED] = 1
    actor_of = np.repeat(np.arange(len(rows)), actors[:, LAST] - actors[:, FIRST]).tolist()
    woken: list[set[int]] = [set() for _ in rows]
    for edge in edges:
        source, target = actor_of[edge.source], actor_of[edge.target]
        if source != target:
            woken[source].add(target)
    ends = np.cumsum([len(each) for each in woken])
    actors[1:, WAKES], actors[:, WAKES_END] = ends[:-1], ends
    return actors, _int64([actor for each in woken for actor in sorted(each)])


def _kind(lowered: ProcessProgram) -> int:
    """Return how a process is evaluated: a scheduled one has a single step, whose order is an edge."""
    return ELASTIC if lowered.steps.stops is not None else KINDS[lowered.process.style]


def _int64(values: object) -> Int64Array:
    return np.asarray(values, dtype=np.int64)
