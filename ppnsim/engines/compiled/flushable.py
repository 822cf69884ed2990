"""Flushable processes: starts and due accesses, in the process's own count of unheld cycles (beats)."""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.edges import UNKNOWN, offset_of, ready_of
from ppnsim.engines.compiled.tape import ASKS, BASE, BEAT, COUNT, DECIDED, DONE, FIRST, HELD, II, LAST, NEXT, NOW
from ppnsim.machine_code.marks import kernel


@kernel
def walk_flushable(
    nodes: Int64Array,
    edges: Int64Array,
    tables: Int64Array,
    x: Int64Array,
    beats: Int64Array,
    actors: Int64Array,
    actor: int,
) -> int:
    """Start firings and let due accesses pass, in the process's own count of unheld cycles (beats)."""
    first, last, passed = actors[actor, FIRST], actors[actor, LAST], 0
    actors[actor, HELD] = actors[actor, ASKS] = 0
    while True:
        due = next_due(nodes, beats, actors, actor)
        if actors[actor, NEXT] < nodes[first, COUNT]:
            start = _earliest_start(nodes, tables, beats, actors, actor)
            if due < 0 or start < due:
                ready, known = _start_ready(nodes, edges, tables, x, actors, actor)
                start = max(start, actors[actor, BEAT] + ready - actors[actor, NOW])
                if due >= 0 and (start >= due or (not known and actors[actor, DECIDED])):
                    actors[actor, DECIDED] = 0
                    actors[actor, NOW] += due - actors[actor, BEAT]
                    actors[actor, BEAT] = due
                    continue
                if not known:
                    actors[actor, ASKS] = due >= 0
                    return passed
                actors[actor, DECIDED] = 0
                actors[actor, NOW] += start - actors[actor, BEAT]
                actors[actor, BEAT] = start
                passed += _enter(nodes, tables, x, beats, actors, actor)
                continue
        elif due < 0:
            return passed
        actors[actor, NOW] += due - actors[actor, BEAT]
        actors[actor, BEAT] = due
        now = _due_ready(nodes, edges, tables, x, beats, actors, actor)
        if now == UNKNOWN:
            actors[actor, HELD] = 1
            return passed
        actors[actor, NOW] = now
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < actors[actor, NEXT] and beats[nodes[node, BASE] + n] == due:
                x[nodes[node, BASE] + n] = now
                nodes[node, DONE] = n + 1
                passed += 1


@kernel
def next_due(nodes: Int64Array, beats: Int64Array, actors: Int64Array, actor: int) -> int:
    """Return the beat of the next access of a firing in flight, -1 if there is none."""
    due = -1
    for node in range(actors[actor, FIRST], actors[actor, LAST]):
        n = nodes[node, DONE]
        if n < actors[actor, NEXT]:
            beat = beats[nodes[node, BASE] + n]
            if due < 0 or beat < due:
                due = beat
    return due


@kernel
def _earliest_start(nodes: Int64Array, tables: Int64Array, beats: Int64Array, actors: Int64Array, actor: int) -> int:
    """Return the beat from which the next firing may start as far as its own pipeline is concerned."""
    n: int = actors[actor, NEXT]
    earliest: int = actors[actor, BEAT]
    if n:
        for node in range(actors[actor, FIRST], actors[actor, LAST]):
            if offset_of(nodes, tables, node, n) == 0:
                apart = actors[actor, II] if node == actors[actor, FIRST] else 1
                earliest = max(earliest, beats[nodes[node, BASE] + n - 1] + apart)
    return earliest


@kernel
def _start_ready(
    nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, actors: Int64Array, actor: int
) -> tuple[int, bool]:
    """Return the cycle from which the next firing may start as far as known, and whether all of it is known."""
    latest, known, n = 0, True, actors[actor, NEXT]
    for node in range(actors[actor, FIRST], actors[actor, LAST]):
        if offset_of(nodes, tables, node, n) == 0:
            ready = ready_of(nodes, edges, tables, x, node, n)
            if ready == UNKNOWN:
                known = False
            else:
                latest = max(latest, ready)
    return latest, known


@kernel
def _due_ready(
    nodes: Int64Array,
    edges: Int64Array,
    tables: Int64Array,
    x: Int64Array,
    beats: Int64Array,
    actors: Int64Array,
    actor: int,
) -> int:
    """Return the cycle in which everything due in this beat can pass, or `UNKNOWN`."""
    now: int = actors[actor, NOW]
    for node in range(actors[actor, FIRST], actors[actor, LAST]):
        n = nodes[node, DONE]
        if n < actors[actor, NEXT] and beats[nodes[node, BASE] + n] == actors[actor, BEAT]:
            ready = ready_of(nodes, edges, tables, x, node, n)
            if ready == UNKNOWN:
                return UNKNOWN
            now = max(now, ready)
    return now


@kernel
def _enter(
    nodes: Int64Array, tables: Int64Array, x: Int64Array, beats: Int64Array, actors: Int64Array, actor: int
) -> int:
    """Start a firing now, and note in which beats it is due at its later steps; results leave in order."""
    n, beat, offset, passed = actors[actor, NEXT], actors[actor, BEAT], 0, 0
    while True:
        here, following = beat, -1
        for node in range(actors[actor, FIRST], actors[actor, LAST]):
            place = offset_of(nodes, tables, node, n)
            if place == offset:
                if offset and n:
                    here = max(here, beats[nodes[node, BASE] + n - 1] + 1)
            elif place > offset and (following < 0 or place < following):
                following = place
        for node in range(actors[actor, FIRST], actors[actor, LAST]):
            if offset_of(nodes, tables, node, n) == offset:
                beats[nodes[node, BASE] + n] = here
                if not offset:
                    x[nodes[node, BASE] + n] = actors[actor, NOW]
                    nodes[node, DONE] = n + 1
                    passed += 1
        if following < 0:
            actors[actor, NEXT] = n + 1
            return passed
        beat, offset = here + following - offset, following
