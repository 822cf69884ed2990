"""The kernel of networks whose processes are all scheduled: each goes from access to access as far as others have."""

from __future__ import annotations

from typing import NamedTuple

from ppnsim.arrays import Int64Array
from ppnsim.machine_code.marks import kernel

HEAD, LENGTH = range(2)  # of the queue, in control
NEVER_THERE = 1 << 60  # the place of a passing that no process has


class ScheduledWalk(NamedTuple):
    """A network under evaluation; all arrays are int64.

    Passings of all processes lie one behind the other, in ``cycles``; ``gaps`` are steps since the passing before, and
    accesses ``begin[n]`` .. ``begin[n + 1]`` - 1 are those of passing n. Each waits for ``weights`` cycles after the
    passing at ``wanted``, of process ``source``. Process p has the passings from ``first[p]`` on; ``done[p]`` is the
    next one of it. It waits for passing ``missing[p]`` of process ``asked[p]``, if that is not -1.
    """

    cycles: Int64Array
    gaps: Int64Array
    begin: Int64Array
    source: Int64Array
    wanted: Int64Array
    weights: Int64Array
    first: Int64Array
    done: Int64Array
    asked: Int64Array
    missing: Int64Array
    queue: Int64Array
    control: Int64Array


@kernel
def walk_scheduled(walk: ScheduledWalk, budget: int) -> bool:
    """Evaluate about ``budget`` passings; return whether something is left to be tried."""
    x, gaps, begin, source, wanted, weights, first, done, asked, missing, queue, control = walk
    size = len(done)
    while control[LENGTH] and budget > 0:
        head = control[HEAD]
        process = queue[head]
        control[HEAD] = head + 1 if head + 1 < size else 0
        control[LENGTH] -= 1
        before = done[process]
        place, end = before, first[process + 1]
        now = x[place - 1] if place > first[process] else -gaps[place]
        while place < end:
            now = max(now + gaps[place], 0)
            for access in range(begin[place], begin[place + 1]):
                if wanted[access] >= done[source[access]]:
                    asked[process], missing[process] = source[access], wanted[access]
                    break
                now = max(now, x[wanted[access]] + weights[access])
            else:
                x[place] = now
                place += 1
                continue
            break
        done[process] = place
        budget -= 1 + place - before
        for other in range(size):
            if asked[other] == process and missing[other] < place:
                asked[other] = -1
                tail = control[HEAD] + control[LENGTH]
                queue[tail if tail < size else tail - size] = other
                control[LENGTH] += 1
    left: bool = control[LENGTH] > 0
    return left
