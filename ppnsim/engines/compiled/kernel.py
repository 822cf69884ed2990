"""The kernels: actors evaluate their firings as far as others have come, and wake those that wait for them.

Values do not depend on the order in which actors are looked at. There is one exception to "as far as others have come":
a flushable process must know whether its next start comes before its next due access. Where the token of the start is
not known yet, it waits; when all others stand still as well, nothing can happen any more before the earliest of these
due accesses, so that one comes first (`_decide`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ppnsim.engines.compiled.tape import (
    ASKS,
    BASE,
    BEAT,
    COUNT,
    DECIDED,
    DONE,
    EDGES,
    EDGES_END,
    ELASTIC,
    FIRST,
    FROZEN,
    HEAD,
    HELD,
    II,
    INDEX,
    KIND,
    LAST,
    LAST_CYCLE,
    LAST_STEP,
    LENGTH,
    NEXT,
    NO_TABLE,
    NOW,
    OFFSET,
    OFFSET_STEP,
    PAIR,
    PASSED,
    PLAIN,
    QUEUED,
    SHIFT,
    SOURCE,
    WAKES,
    WAKES_END,
    WEIGHT,
    WEIGHTS,
    Tape,
)

_UNKNOWN = -1


@njit(cache=True, boundscheck=False)
def evaluate(tape: Tape, budget: int) -> bool:
    """Evaluate about ``budget`` passings; return whether something is left to be tried."""
    nodes, edges, actors, wakes, tables, x, beats, queue, control = tape
    until = control[PASSED] + budget
    size = len(actors)
    while True:
        if not control[LENGTH] and not _decide(nodes, actors, queue, control, beats):
            return False
        head = control[HEAD]
        actor = queue[head]
        control[HEAD] = head + 1 if head + 1 < size else 0
        control[LENGTH] -= 1
        actors[actor, QUEUED] = 0
        kind, node = actors[actor, KIND], actors[actor, FIRST]
        if kind == ELASTIC:
            if nodes[node, PAIR]:
                passed = _pair(nodes, edges, x, node)
            else:
                passed = _elastic(nodes, edges, tables, x, node, actors[actor, LAST])
        elif kind == FROZEN:
            passed = _frozen(nodes, edges, tables, x, actors[actor])
        else:
            passed = _flushable(nodes, edges, tables, x, beats, actors[actor])
        if passed:
            control[PASSED] += passed
            for place in range(actors[actor, WAKES], actors[actor, WAKES_END]):
                _push(actors, queue, control, wakes[place])
            if control[PASSED] >= until:
                return True


@njit(cache=True)
def _push(actors, queue, control, actor):
    if not actors[actor, QUEUED]:
        actors[actor, QUEUED] = 1
        place = control[HEAD] + control[LENGTH]
        queue[place if place < len(queue) else place - len(queue)] = actor
        control[LENGTH] += 1


@njit(cache=True)
def _elastic(nodes, edges, tables, x, first, last):
    """Evaluate the steps of an elastic process, last ones first, until none of them gets on."""
    passed, more = 0, True
    while more:
        more = False
        for node in range(last - 1, first - 1, -1):
            if nodes[node, PLAIN]:
                some = _plain(nodes, edges, x, node)
            else:
                some = _general(nodes, edges, tables, x, node)
            passed += some
            more = more or (some > 0 and last > first + 1)
    return passed


@njit(cache=True)
def _limit(nodes, edges, node):
    """Return how many firings of a step its outer edges allow from the next one on."""
    end = nodes[node, COUNT]
    for edge in range(nodes[node, EDGES] + 1, nodes[node, EDGES_END] - 1):
        end = min(end, nodes[edges[edge, SOURCE], DONE] + edges[edge, SHIFT])
    return end - nodes[node, DONE]


@njit(cache=True)
def _pair(nodes, edges, x, first):
    """Evaluate start and write of an elastic process: writes that may be due, both in turn, what is left of either."""
    begun, ended = nodes[first, DONE], nodes[first + 1, DONE]
    room = edges[nodes[first, EDGES_END] - 1, SHIFT]
    starts, writes = _limit(nodes, edges, first), _limit(nodes, edges, first + 1)
    before = begun + ended
    if begun - ended == room and writes > 0:
        some = min(writes, room)
        _block(nodes, edges, x, first + 1, ended, some)
        ended += some
        writes -= some
    both = min(starts, writes)
    if both > 0:
        _both(nodes, edges, x, first, begun, ended, both)
        begun += both
        ended += both
        starts -= both
        writes -= both
    some = min(writes, begun - ended)
    if some > 0:
        _block(nodes, edges, x, first + 1, ended, some)
        ended += some
    some = min(starts, room - (begun - ended))
    if some > 0:
        _block(nodes, edges, x, first, begun, some)
        begun += some
    nodes[first, DONE], nodes[first + 1, DONE] = begun, ended
    return begun + ended - before


@njit(cache=True)
def _at(nodes, edges, edge, n):
    """Return where the passing lies that firing n waits for by an edge ``n - d``."""
    return np.uint64(nodes[edges[edge, SOURCE], BASE] - edges[edge, SHIFT] + n)


@njit(cache=True)
def _both(nodes, edges, x, first, begun, ended, count):
    """Evaluate ``count`` starts and writes in turn; each has at most one outer edge, or a loop over them."""
    start, start_end = nodes[first, EDGES], nodes[first, EDGES_END]
    write, write_end = nodes[first + 1, EDGES], nodes[first + 1, EDGES_END]
    at_start, at_write = np.uint64(nodes[first, BASE] + begun), np.uint64(nodes[first + 1, BASE] + ended)
    ii, apart, depth = edges[start, WEIGHT], edges[write, WEIGHT], edges[write_end - 1, WEIGHT]
    at_room, room = _at(nodes, edges, start_end - 1, begun), edges[start_end - 1, WEIGHT]
    at_same, skew = _at(nodes, edges, write_end - 1, ended), begun - ended
    now, out = max(x[at_start - np.uint64(1)], -ii), x[at_write - np.uint64(1)]
    one = np.uint64(1)
    if start_end - start <= 3 and write_end - write <= 3:
        # Where there is no outer edge, the edge before it is looked at twice.
        e, f = start_end - 2, write_end - 2
        at_token, token = (_at(nodes, edges, e, begun), edges[e, WEIGHT]) if e > start else (at_room, room)
        at_slot, slot = (_at(nodes, edges, f, ended), edges[f, WEIGHT]) if f > write else (at_write - one, apart)
        for i in range(np.uint64(count)):
            now = max(now + ii, max(x[at_room + i] + room, x[at_token + i] + token))
            x[at_start + i] = now
            out = max(max(out + apart, x[at_slot + i] + slot), x[at_same + i] + depth)
            x[at_write + i] = out
        return
    for i in range(np.uint64(count)):
        now = max(now + ii, x[at_room + i] + room)
        for edge in range(start + 1, start_end - 1):
            now = max(now, x[_at(nodes, edges, edge, begun) + i] + edges[edge, WEIGHT])
        x[at_start + i] = now
        out = max(out + apart, x[at_same + i] + depth)
        for edge in range(write + 1, write_end - 1):
            out = max(out, x[_at(nodes, edges, edge, ended) + i] + edges[edge, WEIGHT])
        x[at_write + i] = out


@njit(cache=True)
def _plain(nodes, edges, x, node):
    """Evaluate an elastic step all of whose edges are ``n - d``: as many firings at once as all of them allow."""
    first, last = nodes[node, EDGES] + 1, nodes[node, EDGES_END]
    begin, end = nodes[node, DONE], nodes[node, COUNT]
    for edge in range(first, last):
        source, shift = edges[edge, SOURCE], edges[edge, SHIFT]
        if source != node:
            end = min(end, nodes[source, DONE] + shift)
        elif shift < 1:
            end = begin
    if end <= begin:
        return 0
    _block(nodes, edges, x, node, begin, end - begin)
    nodes[node, DONE] = end
    return end - begin


@njit(cache=True)
def _block(nodes, edges, x, node, begin, count):
    """Evaluate ``count`` firings of a plain step."""
    first, last = nodes[node, EDGES] + 1, nodes[node, EDGES_END]
    place, before, count = np.uint64(nodes[node, BASE] + begin), edges[first - 1, WEIGHT], np.uint64(count)
    now = max(x[place - np.uint64(1)], -before)
    if last - first == 1:
        at, w = _at(nodes, edges, first, begin), edges[first, WEIGHT]
        for i in range(count):
            now = max(now + before, x[at + i] + w)
            x[place + i] = now
    elif last - first == 2:
        at, w = _at(nodes, edges, first, begin), edges[first, WEIGHT]
        at_2, w_2 = _at(nodes, edges, first + 1, begin), edges[first + 1, WEIGHT]
        for i in range(count):
            now = max(now + before, max(x[at + i] + w, x[at_2 + i] + w_2))
            x[place + i] = now
    else:
        for i in range(count):
            now = now + before
            for edge in range(first, last):
                now = max(now, x[_at(nodes, edges, edge, begin) + i] + edges[edge, WEIGHT])
            x[place + i] = now


@njit(cache=True)
def _general(nodes, edges, tables, x, node):
    """Evaluate an elastic step with tables of indices or weights, firing by firing."""
    begin = nodes[node, DONE]
    for n in range(begin, nodes[node, COUNT]):
        now = _ready(nodes, edges, tables, x, node, n)
        if now == _UNKNOWN:
            break
        x[nodes[node, BASE] + n] = now
        nodes[node, DONE] = n + 1
    return nodes[node, DONE] - begin


@njit(cache=True)
def _ready(nodes, edges, tables, x, node, n):
    """Return the cycle from which firing n of a node may pass as far as its edges know, or `_UNKNOWN`."""
    ready = 0
    for edge in range(nodes[node, EDGES], nodes[node, EDGES_END]):
        index, weights = edges[edge, INDEX], edges[edge, WEIGHTS]
        at = n - edges[edge, SHIFT] if index == NO_TABLE else tables[index + n]
        if at >= 0:
            source = edges[edge, SOURCE]
            if at >= nodes[source, DONE]:
                return _UNKNOWN
            weight = edges[edge, WEIGHT] if weights == NO_TABLE else tables[weights + n]
            ready = max(ready, x[nodes[source, BASE] + at] + weight)
    return ready


@njit(cache=True)
def _offset(nodes, tables, node, n):
    return tables[nodes[node, OFFSET] + n * nodes[node, OFFSET_STEP]]


@njit(cache=True)
def _frozen(nodes, edges, tables, x, actor):
    """Walk through the pipeline steps in which something is due; each of them waits for all of it."""
    first, last, ii, passed = actor[FIRST], actor[LAST], actor[II], 0
    while True:
        step = -1
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT]:
                place = n * ii + _offset(nodes, tables, node, n)
                if step < 0 or place < step:
                    step = place
        if step < 0:
            return passed
        due = actor[LAST_CYCLE] + step - actor[LAST_STEP]
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT] and n * ii + _offset(nodes, tables, node, n) == step:
                ready = _ready(nodes, edges, tables, x, node, n)
                if ready == _UNKNOWN:
                    return passed
                due = max(due, ready)
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < nodes[node, COUNT] and n * ii + _offset(nodes, tables, node, n) == step:
                x[nodes[node, BASE] + n] = due
                nodes[node, DONE] = n + 1
                passed += 1
        actor[LAST_STEP], actor[LAST_CYCLE] = step, due


@njit(cache=True)
def _flushable(nodes, edges, tables, x, beats, actor):
    """Start firings and let due accesses pass, in the process's own count of unheld cycles (beats)."""
    first, last, passed = actor[FIRST], actor[LAST], 0
    actor[HELD] = actor[ASKS] = 0
    while True:
        due = _next_due(nodes, beats, actor)
        if actor[NEXT] < nodes[first, COUNT]:
            start = _earliest_start(nodes, tables, beats, actor)
            if due < 0 or start < due:
                ready, known = _start_ready(nodes, edges, tables, x, actor)
                start = max(start, actor[BEAT] + ready - actor[NOW])
                if due >= 0 and (start >= due or (not known and actor[DECIDED])):
                    actor[DECIDED] = 0
                    actor[NOW] += due - actor[BEAT]
                    actor[BEAT] = due
                    continue
                if not known:
                    actor[ASKS] = due >= 0
                    return passed
                actor[DECIDED] = 0
                actor[NOW] += start - actor[BEAT]
                actor[BEAT] = start
                passed += _enter(nodes, tables, x, beats, actor)
                continue
        elif due < 0:
            return passed
        actor[NOW] += due - actor[BEAT]
        actor[BEAT] = due
        now = _due_ready(nodes, edges, tables, x, beats, actor)
        if now == _UNKNOWN:
            actor[HELD] = 1
            return passed
        actor[NOW] = now
        for node in range(first, last):
            n = nodes[node, DONE]
            if n < actor[NEXT] and beats[nodes[node, BASE] + n] == due:
                x[nodes[node, BASE] + n] = now
                nodes[node, DONE] = n + 1
                passed += 1


@njit(cache=True)
def _next_due(nodes, beats, actor):
    """Return the beat of the next access of a firing in flight, -1 if there is none."""
    due = -1
    for node in range(actor[FIRST], actor[LAST]):
        n = nodes[node, DONE]
        if n < actor[NEXT]:
            beat = beats[nodes[node, BASE] + n]
            if due < 0 or beat < due:
                due = beat
    return due


@njit(cache=True)
def _earliest_start(nodes, tables, beats, actor):
    """Return the beat from which the next firing may start as far as its own pipeline is concerned."""
    n, earliest = actor[NEXT], actor[BEAT]
    if n:
        for node in range(actor[FIRST], actor[LAST]):
            if _offset(nodes, tables, node, n) == 0:
                apart = actor[II] if node == actor[FIRST] else 1
                earliest = max(earliest, beats[nodes[node, BASE] + n - 1] + apart)
    return earliest


@njit(cache=True)
def _start_ready(nodes, edges, tables, x, actor):
    """Return the cycle from which the next firing may start as far as known, and whether all of it is known."""
    latest, known, n = 0, True, actor[NEXT]
    for node in range(actor[FIRST], actor[LAST]):
        if _offset(nodes, tables, node, n) == 0:
            ready = _ready(nodes, edges, tables, x, node, n)
            if ready == _UNKNOWN:
                known = False
            else:
                latest = max(latest, ready)
    return latest, known


@njit(cache=True)
def _due_ready(nodes, edges, tables, x, beats, actor):
    """Return the cycle in which everything due in this beat can pass, or `_UNKNOWN`."""
    now = actor[NOW]
    for node in range(actor[FIRST], actor[LAST]):
        n = nodes[node, DONE]
        if n < actor[NEXT] and beats[nodes[node, BASE] + n] == actor[BEAT]:
            ready = _ready(nodes, edges, tables, x, node, n)
            if ready == _UNKNOWN:
                return _UNKNOWN
            now = max(now, ready)
    return now


@njit(cache=True)
def _enter(nodes, tables, x, beats, actor):
    """Start a firing now, and note in which beats it is due at its later steps; results leave in order."""
    n, beat, offset, passed = actor[NEXT], actor[BEAT], 0, 0
    while True:
        here, following = beat, -1
        for node in range(actor[FIRST], actor[LAST]):
            place = _offset(nodes, tables, node, n)
            if place == offset:
                if offset and n:
                    here = max(here, beats[nodes[node, BASE] + n - 1] + 1)
            elif place > offset and (following < 0 or place < following):
                following = place
        for node in range(actor[FIRST], actor[LAST]):
            if _offset(nodes, tables, node, n) == offset:
                beats[nodes[node, BASE] + n] = here
                if not offset:
                    x[nodes[node, BASE] + n] = actor[NOW]
                    nodes[node, DONE] = n + 1
                    passed += 1
        if following < 0:
            actor[NEXT] = n + 1
            return passed
        beat, offset = here + following - offset, following


@njit(cache=True)
def _decide(nodes, actors, queue, control, beats):
    """Let the earliest due access come before a start whose token is not known; return whether there was one."""
    earliest = -1
    for actor in actors:
        if actor[ASKS]:
            when = actor[NOW] + _next_due(nodes, beats, actor) - actor[BEAT]
            if earliest < 0 or when < earliest:
                earliest = when
    if earliest < 0:
        return False
    for number in range(len(actors)):
        actor = actors[number]
        if actor[ASKS] and actor[NOW] + _next_due(nodes, beats, actor) - actor[BEAT] == earliest:
            actor[DECIDED] = 1
            _push(actors, queue, control, number)
    return True
