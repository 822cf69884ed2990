"""Frozen processes: a walk through the pipeline steps in which something is due."""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.edges import UNKNOWN, limit_of, offset_of, place_of, ready_of
from ppnsim.engines.compiled.tape import (
    BASE,
    COUNT,
    DONE,
    EDGES,
    EDGES_END,
    FIRST,
    II,
    LAST,
    LAST_CYCLE,
    LAST_STEP,
    PAIR,
    WEIGHT,
)
from ppnsim.machine_code.marks import kernel, unsigned


@kernel
def walk_frozen(
    nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, actors: Int64Array, actor: int
) -> int:
    """Walk through the pipeline steps in which something is due; each of them waits for all of it."""
    first, last, ii = actors[actor, FIRST], actors[actor, LAST], actors[actor, II]
    passed = _pair(nodes, edges, tables, x, actors, actor) if nodes[first, PAIR] else 0
    while True:
        step = -1
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT]:
                place = n * ii + offset_of(nodes, tables, node, n)
                if step < 0 or place < step:
                    step = place
        if step < 0:
            return passed
        due = actors[actor, LAST_CYCLE] + step - actors[actor, LAST_STEP]
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT] and n * ii + offset_of(nodes, tables, node, n) == step:
                ready = ready_of(nodes, edges, tables, x, node, n)
                if ready == UNKNOWN:
                    return passed
                due = max(due, ready)
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT] and n * ii + offset_of(nodes, tables, node, n) == step:
                x[nodes[node, BASE] + n] = due
                nodes[node, DONE] = n + 1
                passed += 1
        actors[actor, LAST_STEP], actors[actor, LAST_CYCLE] = step, due


@kernel
def _pair(
    nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, actors: Int64Array, actor: int
) -> int:
    """Evaluate start and write in turn, as often as their edges allow, if no step between them is without either."""
    early, late, ii = actors[actor, FIRST], actors[actor, FIRST] + 1, actors[actor, II]
    step = nodes[early, DONE] * ii + offset_of(nodes, tables, early, 0)
    after = nodes[late, DONE] * ii + offset_of(nodes, tables, late, 0) - step
    if after < 0:
        early, late, step, after = late, early, step + after, -after
    n, m = nodes[early, DONE], nodes[late, DONE]
    count = min(limit_of(nodes, edges, early) - n, limit_of(nodes, edges, late) - m)
    if after >= ii or count <= 0:
        return 0
    before = ii - after
    now = actors[actor, LAST_CYCLE] + step - actors[actor, LAST_STEP] - before
    at, at_late = unsigned(nodes[early, BASE] + n), unsigned(nodes[late, BASE] + m)
    for i in range(unsigned(count)):
        now += before
        for edge in range(nodes[early, EDGES], nodes[early, EDGES_END]):
            now = max(now, x[place_of(nodes, edges, edge, n) + i] + edges[edge, WEIGHT])
        if after:
            x[at + i] = now
            now += after
        for edge in range(nodes[late, EDGES], nodes[late, EDGES_END]):
            now = max(now, x[place_of(nodes, edges, edge, m) + i] + edges[edge, WEIGHT])
        if not after:
            x[at + i] = now
        x[at_late + i] = now
    nodes[early, DONE], nodes[late, DONE] = n + count, m + count
    actors[actor, LAST_STEP], actors[actor, LAST_CYCLE] = step + after + (count - 1) * ii, now
    passed: int = 2 * count
    return passed
