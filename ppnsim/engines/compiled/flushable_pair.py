"""Flushable processes with one step after the start: starts and accesses in turn, each as far as others have come.

Starts wait outside and hold nothing, so an access depends on its own start and on the accesses before it alone, and is
evaluated as soon as these and its edges are known. A start is in the first beat that is not held; the accesses due by
then have to be known. `flushable` walks processes with more steps, which may ask what comes first.
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.edges import limit_of, place_of
from ppnsim.engines.compiled.tape import (
    BASE,
    BEAT,
    DONE,
    DUE,
    EDGES,
    EDGES_END,
    FIRST,
    HELD,
    HELD_BEFORE,
    II,
    NEXT,
    NOW,
    OFFSET,
    WEIGHT,
)
from ppnsim.machine_code.marks import kernel, unsigned


@kernel
def walk_flushable_pair(
    nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, beats: Int64Array, actors: Int64Array,
    actor: int,
) -> int:  # fmt: skip
    """Evaluate starts and accesses of a pipeline in turn."""
    first, ii = actors[actor, FIRST], actors[actor, II]
    later, depth = first + 1, tables[nodes[first + 1, OFFSET]]
    begun, ended = nodes[first, DONE], nodes[later, DONE]
    starts_end, accesses_end, before = limit_of(nodes, edges, first), limit_of(nodes, edges, later), begun + ended
    at_start, at_access = unsigned(nodes[first, BASE]), unsigned(nodes[later, BASE])
    beat, held, due = actors[actor, BEAT], actors[actor, HELD_BEFORE], actors[actor, DUE]
    first_edge, last_edge = nodes[first, EDGES], nodes[first, EDGES_END]
    while True:
        if ended < min(begun, accesses_end):
            ended = _accesses(nodes, edges, x, beats, later, ended, min(begun, accesses_end))
        if begun >= starts_end:
            break
        ready = 0
        for edge in range(first_edge, last_edge):
            ready = max(ready, x[place_of(nodes, edges, edge, begun)] + edges[edge, WEIGHT])
        beat = max(beat, beats[at_start + unsigned(begun) - unsigned(1)] + ii)
        while due < ended and beats[at_access + unsigned(due)] <= max(beat, ready - held):
            beat = max(beat, beats[at_access + unsigned(due)])
            held = x[at_access + unsigned(due)] - beats[at_access + unsigned(due)]
            due += 1
        if due == ended and due < begun and beats[at_access + unsigned(due)] <= max(beat, ready - held):
            break  # an access comes first that waits for a slot
        beat = max(beat, ready - held)
        x[at_start + unsigned(begun)] = beat + held
        beats[at_start + unsigned(begun)] = beat
        beats[at_access + unsigned(begun)] = beat + depth
        begun += 1
    actors[actor, BEAT], actors[actor, HELD_BEFORE], actors[actor, DUE] = beat, held, due
    actors[actor, NEXT], actors[actor, HELD] = begun, ended < begun
    if ended < begun:  # held from when this access comes due, unless its slot comes to be known
        place = at_access + unsigned(ended)
        actors[actor, NOW] = beats[place] + x[place - unsigned(1)] - beats[place - unsigned(1)]
    nodes[first, DONE], nodes[later, DONE] = begun, ended
    passed: int = begun + ended - before
    return passed


@kernel
def _accesses(
    nodes: Int64Array, edges: Int64Array, x: Int64Array, beats: Int64Array, node: int, begin: int, end: int
) -> int:
    """Evaluate accesses that have been begun; each that has to wait holds those behind it."""
    base = unsigned(nodes[node, BASE])
    held = x[base + unsigned(begin) - unsigned(1)] - beats[base + unsigned(begin) - unsigned(1)]
    for n in range(begin, end):
        now = beats[base + unsigned(n)] + held
        for edge in range(nodes[node, EDGES], nodes[node, EDGES_END]):
            now = max(now, x[place_of(nodes, edges, edge, n)] + edges[edge, WEIGHT])
        x[base + unsigned(n)] = now
        held = now - beats[base + unsigned(n)]
    return end
