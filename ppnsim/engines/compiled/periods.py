"""Whether an evaluated tape repeats itself: the exact test, on the complete relative state.

Two moments T1 < T2 of a run are alike if every step has passed the same number of graph iterations in between, and if
all that can still matter at T2 is what could at T1, later by T2 - T1: every passing younger than the longest wait there
is, and in frozen and flushable pipelines everything in flight. What follows T1 then follows T2 as well, as long as no
process runs out of firings; so T2 is taken before any process does.
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tape import BASE, DONE, ELASTIC, FIRST, FLUSHABLE, KIND, LAST, Tape
from ppnsim.kernel_cache import interpreter
from ppnsim.machine_code.kernels import machine_code
from ppnsim.machine_code.marks import kernel

_ANY = 1 << 60


def find_period(
    tape: Tape, begins: Int64Array, ends: Int64Array, repeats: Int64Array, horizon: int, most: int = _ANY
) -> tuple[int, int, int, int]:
    """Return (iterations, cycles, since, T2) of the repetition at the end of a run; 0 iterations if there is none.

    ``repeats`` are the firings of each node in a graph iteration; it makes the same ones from firing ``begins`` up to
    firing ``ends``, before which both moments are. ``horizon`` is longer than any wait. ``since`` is the first cycle
    from which all repeats. A repetition has ``most`` iterations at the most.
    """
    arrays = tape.nodes, tape.actors, tape.cycles, tape.beats, begins, ends, repeats
    found: tuple[int, int, int, int]
    if interpreter.takes(1e-6 * int(tape.nodes[:, DONE].sum())):
        found = interpreter.run(_find_period, *arrays, horizon, most)
    else:
        found = machine_code(_find_period)(*arrays, horizon, most)
    return found


@kernel
def _find_period(
    nodes: Int64Array, actors: Int64Array, x: Int64Array, beats: Int64Array, begins: Int64Array, ends: Int64Array,
    repeats: Int64Array, horizon: int, most: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    end, begin = -1, 0  # the first cycle in which a firing is a process's last, the last one in which one is too early
    for node in range(len(nodes)):
        if nodes[node, DONE] > ends[node]:
            last = x[nodes[node, BASE] + ends[node]]
            if end < 0 or last < end:
                end = last
        if begins[node] > 0:
            if nodes[node, DONE] < begins[node]:
                return 0, 0, 0, 0
            begin = max(begin, x[nodes[node, BASE] + begins[node] - 1])
    guide = 0
    place = _passed_by(nodes, x, guide, end - 1) - 1 if end >= 0 else nodes[guide, DONE] - 1
    late = x[nodes[guide, BASE] + place] if place >= 0 else 0
    # Most distances are refused by one other node: it goes back along with the guide, and is not searched each time.
    other = len(nodes) - 1
    passed = _passed_by(nodes, x, other, late)
    before, iterations = passed, 0
    while iterations < most:
        iterations += 1
        earlier = place - iterations * repeats[guide]
        if earlier < 0:
            return 0, 0, 0, 0
        early = x[nodes[guide, BASE] + earlier]
        if early < begin + horizon:
            return 0, 0, 0, 0
        while before > 0 and x[nodes[other, BASE] + before - 1] > early:
            before -= 1
        if passed - before != iterations * repeats[other]:
            continue
        if late <= early:
            continue
        unlike = _unlike(nodes, actors, x, beats, repeats, horizon, early, late, iterations)
        if unlike < 0:
            since = _since(nodes, x, repeats, early, late - early, iterations)
            return iterations, late - early, since, late
        if unlike < len(nodes):
            other = unlike
            passed, before = _passed_by(nodes, x, other, late), _passed_by(nodes, x, other, early)
    return 0, 0, 0, 0


@kernel
def _passed_by(nodes: Int64Array, x: Int64Array, node: int, cycle: int) -> int:
    """Return how many firings have passed a node until the end of a cycle."""
    low, high = 0, nodes[node, DONE]
    while low < high:
        middle = (low + high) // 2
        if x[nodes[node, BASE] + middle] <= cycle:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _unlike(
    nodes: Int64Array, actors: Int64Array, x: Int64Array, beats: Int64Array, repeats: Int64Array, horizon: int,
    early: int, late: int, iterations: int,
) -> int:  # fmt: skip
    """Return -1 if the ends of two cycles are alike, else a node that passed too often, or their number."""
    for node in range(len(nodes)):
        before = _passed_by(nodes, x, node, early)
        if _passed_by(nodes, x, node, late) - before != iterations * repeats[node]:
            return node
    for number in range(len(actors)):
        first, last, kind = actors[number, FIRST], actors[number, LAST], actors[number, KIND]
        kept = -1  # firings from here on are compared, however long ago they passed
        if kind != ELASTIC:
            kept = _passed_by(nodes, x, first, early)
            for node in range(first, last):
                kept = min(kept, _passed_by(nodes, x, node, early))
            kept -= 1
        for node in range(first, last):
            if not _windows_alike(nodes, x, node, horizon, early, late, iterations * repeats[node], kept):
                return len(nodes)
            if kind == FLUSHABLE and not _beats_alike(
                nodes, x, beats, node, first, early, iterations * repeats[node], max(kept, 0)
            ):
                return len(nodes)
    return -1


@kernel
def _windows_alike(
    nodes: Int64Array, x: Int64Array, node: int, horizon: int, early: int, late: int, apart: int, kept: int
) -> bool:
    """Return whether the youngest passings of a node before two cycles are alike, one apart from the other."""
    base, period = nodes[node, BASE], late - early
    place = _passed_by(nodes, x, node, early) - 1
    while place >= 0 and (x[base + place] > early - horizon or (kept >= 0 and place >= kept)):
        if x[base + place + apart] - x[base + place] != period:
            return False
        place -= 1
    return bool(x[base + place + apart] <= late - horizon)


@kernel
def _beats_alike(
    nodes: Int64Array, x: Int64Array, beats: Int64Array, node: int, first: int, early: int, apart: int, kept: int
) -> bool:
    """Return whether firings in flight of a flushable process have beats alike at two moments."""
    reference = nodes[first, BASE] + max(_passed_by(nodes, x, first, early) - 1, 0)
    shift = beats[reference + apart] - beats[reference]
    base = nodes[node, BASE]
    for place in range(kept, _passed_by(nodes, x, node, early)):
        if beats[base + place + apart] - beats[base + place] != shift:
            return False
    return True


@kernel
def _since(nodes: Int64Array, x: Int64Array, repeats: Int64Array, early: int, period: int, iterations: int) -> int:
    """Return the first cycle from which all passings repeat."""
    first = 0
    for node in range(len(nodes)):
        base, apart = nodes[node, BASE], iterations * repeats[node]
        place = _passed_by(nodes, x, node, early) - 1
        while place >= 0 and x[base + place + apart] - x[base + place] == period:
            place -= 1
        if place >= 0:
            first = max(first, x[base + place] + 1)
    return first
