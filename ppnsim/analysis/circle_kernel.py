"""The cycles of all steps of processes in circles: loops over plain arrays, for `circles`.

A sequence is a step of a process; its firings pass it one after the other. Each is followed as far as what it waits for
is known; then it is put aside until the sequence that it waits for has got on.
"""

from __future__ import annotations

from typing import NamedTuple

from ppnsim.arrays import Int64Array
from ppnsim.machine_code.marks import kernel

COLUMNS = 13
"""Columns of the table of sequences: the place of its cycles, how many are known, and of how many firings."""
BASE, DONE, COUNT, FIRST, LAST, OFFSET, PER_FIRING, II, GAPS, CAPACITY, IN_ORDER, ACCESS, ACCESS_END = range(COLUMNS)
"""Then: the sequences of its process, where its offsets begin and whether there is one per firing, the process's
initiation interval, where its gaps begin (-1: none), its firings at a time (0: no limit), whether they start in order,
and its reads."""
SOURCE, FORWARD, STARTS, WANTED = range(4)
"""Of a read: the sequence that writes, the cycles until a token can be read, where it begins in ``starts`` (-1: each
firing waits for one firing of the writer) and in ``wanted`` (-1 there: for none)."""


class CircleTables(NamedTuple):
    """Sequences and what they wait for; ``x`` are their cycles, ``waited`` from when they may pass (-1: not known)."""

    table: Int64Array
    reads: Int64Array
    offsets: Int64Array
    gaps: Int64Array
    starts: Int64Array
    wanted: Int64Array
    x: Int64Array
    waited: Int64Array


class Queue(NamedTuple):
    """The sequences to be looked at next: from ``place[0]`` on, ``place[1]`` of them; who waits for whom, as lists."""

    work: Int64Array
    place: Int64Array
    waiting: Int64Array
    after: Int64Array


@kernel
def walk(circle: CircleTables, queue: Queue, budget: int) -> bool:
    """Follow sequences for about ``budget`` firings; return whether something is left to be tried."""
    table, size = circle.table, len(queue.work)
    while queue.place[1] > 0 and budget > 0:
        s = queue.work[queue.place[0]]
        queue.place[0] = (queue.place[0] + 1) % size
        queue.place[1] -= 1
        begun = table[s, DONE]
        blocked = _followed(circle, s)
        if blocked >= 0:
            queue.after[s] = queue.waiting[blocked]
            queue.waiting[blocked] = s
        if table[s, DONE] > begun:
            woken = queue.waiting[s]
            queue.waiting[s] = -1
            while woken >= 0:
                queue.work[(queue.place[0] + queue.place[1]) % size] = woken
                queue.place[1] += 1
                woken = queue.after[woken]
        budget -= table[s, DONE] - begun + 1
    more: bool = queue.place[1] > 0
    return more


@kernel
def _followed(circle: CircleTables, s: int) -> int:
    """Evaluate x(n, a) = max over steps b <= a of what b waits for + (a - b); return whom it waits for then, or -1."""
    table, offsets = circle.table, circle.offsets
    n = table[s, DONE]
    while n < table[s, COUNT]:
        offset, latest = offsets[table[s, OFFSET] + n * table[s, PER_FIRING]], 0
        for other in range(table[s, FIRST], table[s, LAST]):
            gap = offset - offsets[table[other, OFFSET] + n * table[other, PER_FIRING]]
            if gap >= 0:
                place = table[other, BASE] + n
                if circle.waited[place] < 0:
                    wait = _wait(circle, other, n)
                    if wait < 0:
                        blocked: int = -1 - wait
                        return blocked
                    circle.waited[place] = wait
                latest = max(latest, circle.waited[place] + gap)
        circle.x[table[s, BASE] + n] = latest
        n += 1
        table[s, DONE] = n
    return -1


@kernel
def _wait(circle: CircleTables, s: int, n: int) -> int:
    """Return from when tokens and earlier firings let firing n pass; -1 - u if sequence u has to get on before."""
    table, x, latest = circle.table, circle.x, 0
    if table[s, IN_ORDER] > 0 and n > 0:
        if table[s, DONE] < n:
            return -1 - s
        ii, first = table[s, II], table[s, FIRST]
        apart = min(ii, 1)
        if s == first:
            apart = ii if table[s, GAPS] < 0 else circle.gaps[table[s, GAPS] + n]
        latest = x[table[s, BASE] + n - 1] + apart
        oldest = n - table[s, CAPACITY]
        if s == first and table[s, CAPACITY] > 0 and oldest >= 0:
            for step in range(first, table[s, LAST]):
                if table[step, DONE] <= oldest:
                    return -1 - step
                latest = max(latest, x[table[step, BASE] + oldest])
    for read in range(table[s, ACCESS], table[s, ACCESS_END]):
        source, starts = circle.reads[read, SOURCE], circle.reads[read, STARTS]
        begin, end = n, n + 1
        if starts >= 0:
            begin, end = circle.starts[starts + n], circle.starts[starts + n + 1]
        for place in range(circle.reads[read, WANTED] + begin, circle.reads[read, WANTED] + end):
            writer = circle.wanted[place]
            if writer >= table[source, DONE]:
                late: int = -1 - source
                return late
            if writer >= 0:
                latest = max(latest, x[table[source, BASE] + writer] + circle.reads[read, FORWARD])
    found: int = latest
    return found
