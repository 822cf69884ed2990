"""Elastic processes: blocks of firings of one step, or of start and write in turn."""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.edges import UNKNOWN, place_of, ready_of
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, EDGES, EDGES_END, PLAIN, SHIFT, SOURCE, WEIGHT
from ppnsim.machine_code.marks import kernel, unsigned


@kernel
def walk_elastic(nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, first: int, last: int) -> int:
    """Evaluate the steps of an elastic process, last ones first, until none of them gets on."""
    passed, more = 0, True
    while more:
        more = False
        for node in range(last - 1, first - 1, -1):
            some = _plain(nodes, edges, x, node) if nodes[node, PLAIN] else _general(nodes, edges, tables, x, node)
            passed += some
            more = more or (some > 0 and last > first + 1)
    return passed


@kernel
def walk_pair(nodes: Int64Array, edges: Int64Array, x: Int64Array, first: int) -> int:
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
    passed: int = begun + ended - before
    return passed


@kernel
def _limit(nodes: Int64Array, edges: Int64Array, node: int) -> int:
    """Return how many firings of a step its outer edges allow from the next one on."""
    end = nodes[node, COUNT]
    for edge in range(nodes[node, EDGES] + 1, nodes[node, EDGES_END] - 1):
        end = min(end, nodes[edges[edge, SOURCE], DONE] + edges[edge, SHIFT])
    left: int = end - nodes[node, DONE]
    return left


@kernel
def _both(nodes: Int64Array, edges: Int64Array, x: Int64Array, first: int, begun: int, ended: int, count: int) -> None:
    """Evaluate ``count`` starts and writes in turn; each has at most one outer edge, or a loop over them."""
    start, start_end = nodes[first, EDGES], nodes[first, EDGES_END]
    write, write_end = nodes[first + 1, EDGES], nodes[first + 1, EDGES_END]
    at_start, at_write = unsigned(nodes[first, BASE] + begun), unsigned(nodes[first + 1, BASE] + ended)
    ii, apart, depth = edges[start, WEIGHT], edges[write, WEIGHT], edges[write_end - 1, WEIGHT]
    at_room, room = place_of(nodes, edges, start_end - 1, begun), edges[start_end - 1, WEIGHT]
    at_same = place_of(nodes, edges, write_end - 1, ended)
    now, out = max(x[at_start - unsigned(1)], -ii), x[at_write - unsigned(1)]
    one = unsigned(1)
    if start_end - start <= 3 and write_end - write <= 3:
        # Where there is no outer edge, the edge before it is looked at twice.
        e, f = start_end - 2, write_end - 2
        at_token, token = (place_of(nodes, edges, e, begun), edges[e, WEIGHT]) if e > start else (at_room, room)
        at_slot, slot = (place_of(nodes, edges, f, ended), edges[f, WEIGHT]) if f > write else (at_write - one, apart)
        for i in range(unsigned(count)):
            now = max(now + ii, max(x[at_room + i] + room, x[at_token + i] + token))
            x[at_start + i] = now
            out = max(max(out + apart, x[at_slot + i] + slot), x[at_same + i] + depth)
            x[at_write + i] = out
        return
    for i in range(unsigned(count)):
        now = max(now + ii, x[at_room + i] + room)
        for edge in range(start + 1, start_end - 1):
            now = max(now, x[place_of(nodes, edges, edge, begun) + i] + edges[edge, WEIGHT])
        x[at_start + i] = now
        out = max(out + apart, x[at_same + i] + depth)
        for edge in range(write + 1, write_end - 1):
            out = max(out, x[place_of(nodes, edges, edge, ended) + i] + edges[edge, WEIGHT])
        x[at_write + i] = out


@kernel
def _plain(nodes: Int64Array, edges: Int64Array, x: Int64Array, node: int) -> int:
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
    passed: int = end - begin
    return passed


@kernel
def _block(nodes: Int64Array, edges: Int64Array, x: Int64Array, node: int, begin: int, count: int) -> None:
    """Evaluate ``count`` firings of a plain step."""
    first, last = nodes[node, EDGES] + 1, nodes[node, EDGES_END]
    place, before = unsigned(nodes[node, BASE] + begin), edges[first - 1, WEIGHT]
    now = max(x[place - unsigned(1)], -before)
    if last - first == 1:
        at, w = place_of(nodes, edges, first, begin), edges[first, WEIGHT]
        for i in range(unsigned(count)):
            now = max(now + before, x[at + i] + w)
            x[place + i] = now
    elif last - first == 2:
        at, w = place_of(nodes, edges, first, begin), edges[first, WEIGHT]
        at_2, w_2 = place_of(nodes, edges, first + 1, begin), edges[first + 1, WEIGHT]
        for i in range(unsigned(count)):
            now = max(now + before, max(x[at + i] + w, x[at_2 + i] + w_2))
            x[place + i] = now
    else:
        for i in range(unsigned(count)):
            now = now + before
            for edge in range(first, last):
                now = max(now, x[place_of(nodes, edges, edge, begin) + i] + edges[edge, WEIGHT])
            x[place + i] = now


@kernel
def _general(nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, node: int) -> int:
    """Evaluate an elastic step with tables of indices or weights, firing by firing."""
    begin = nodes[node, DONE]
    for n in range(begin, nodes[node, COUNT]):
        now = ready_of(nodes, edges, tables, x, node, n)
        if now == UNKNOWN:
            break
        x[nodes[node, BASE] + n] = now
        nodes[node, DONE] = n + 1
    passed: int = nodes[node, DONE] - begin
    return passed
