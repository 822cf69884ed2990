"""When firings happen at the earliest, sequence by sequence: loops over plain arrays, for `self_timed`.

A sequence is a step of a process; its firings pass it one after the other. Each is followed as far as what it waits for
is known; then it is put aside until the sequence that it waits for has got on. Only the last times are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array

TOO_FAR = -1


class SequenceWaits(NamedTuple):
    """What firing n waits for; ``first[s]`` is the row of phase 0 of sequence s, which has ``phases[s]`` of them.

    Row r has ``own[own_first[r] : own_first[r + 1]]``: (sequence, firings back, cycles), and likewise
    ``data[data_first[r] : data_first[r + 1]]``: (end, tokens until then in this cycle of phases). An end of a channel
    in ``ends`` is (sequence that moves tokens, cycles, tokens that are taken in a cycle, first of its phases in
    ``moved``, phases).
    """

    first: Int64Array
    phases: Int64Array
    own_first: Int64Array
    own: Int64Array
    data_first: Int64Array
    data: Int64Array
    ends: Int64Array
    moved: Int64Array


class Reached(NamedTuple):
    """How far all have got: ``passed`` firings of each sequence, ``times`` of the last ones (at firing mod columns).

    ``ends`` are the firings of each end that have been counted, their tokens, and the phase of the next one. A sequence
    that waits has looked at ``looked`` of its waits for data, and may not pass before ``early``.
    """

    passed: Int64Array
    times: Int64Array
    ends: Int64Array
    looked: Int64Array
    early: Int64Array

    @classmethod
    def nothing(cls, sequences: int, ends: int, columns: int) -> Reached:
        """Return the state in which nothing has happened."""
        none = np.zeros(sequences, dtype=np.int64)
        times = np.zeros((sequences, columns), dtype=np.int64)
        return cls(none, times, np.zeros((ends, 3), dtype=np.int64), none.copy(), none.copy())


def advance(
    first: Int64Array, phases: Int64Array, own_first: Int64Array, own: Int64Array, data_first: Int64Array,
    data: Int64Array, ends: Int64Array, moved: Int64Array, passed: Int64Array, times: Int64Array, counted: Int64Array,
    looked: Int64Array, early: Int64Array, limit: Int64Array, work: Int64Array, waiting: Int64Array, after: Int64Array,
) -> int:  # fmt: skip
    """Follow all sequences up to ``limit`` firings of each; return `TOO_FAR` where a time is needed that is not kept.

    The first arrays are `SequenceWaits` and `Reached`. ``work`` is a queue of sequences; ``waiting[s]`` is the
    first one that waits for sequence s, ``after`` the next one.
    """
    columns, sequences = times.shape[1], len(passed)
    for s in range(sequences):
        work[s], waiting[s] = s, -1
    head, left = 0, sequences
    while left:
        s = work[head]
        head, left = (head + 1) % sequences, left - 1
        n = passed[s]
        begun, cycle = n, n // phases[s]
        k = n - cycle * phases[s]
        blocked, farthest = -1, 0
        while n < limit[s]:
            row, e, time = first[s] + k, looked[s], early[s]
            if e == 0:
                for o in range(own_first[row], own_first[row + 1]):
                    u, m = own[o, 0], n - own[o, 1]
                    if m >= passed[u]:
                        blocked = u
                        break
                    if m >= 0:
                        farthest = max(farthest, passed[u] - m)
                        time = max(time, times[u, m & (columns - 1)] + own[o, 2])
            for d in range(data_first[row] + e, data_first[row + 1]):
                if blocked >= 0:
                    break
                c = data[d, 0]
                wanted = cycle * ends[c, 2] + data[d, 1]
                if wanted > 0:
                    u, m = ends[c, 0], _counted_up_to(wanted, c, ends, moved, counted)
                    if m >= passed[u]:
                        blocked, looked[s], early[s] = u, d - data_first[row], time
                    else:
                        farthest = max(farthest, passed[u] - m)
                        time = max(time, times[u, m & (columns - 1)] + ends[c, 1])
            if blocked >= 0:
                after[s] = waiting[blocked]
                waiting[blocked] = s
                break
            times[s, n & (columns - 1)] = time
            looked[s], early[s] = 0, 0
            n += 1
            passed[s] = n
            k += 1
            if k == phases[s]:
                k = 0
                cycle += 1
        if farthest > columns:
            return TOO_FAR
        if n > begun:
            woken = waiting[s]
            waiting[s] = -1
            while woken >= 0:
                work[(head + left) % sequences] = woken
                left += 1
                woken = after[woken]
    return 0


def _counted_up_to(wanted: int, c: int, ends: Int64Array, moved: Int64Array, counted: Int64Array) -> int:
    """Return the firing with which end ``c`` has moved the tokens that are wanted; the count in ``counted`` goes on."""
    m, there, phase = counted[c, 0], counted[c, 1], counted[c, 2]
    while there < wanted:
        there += moved[ends[c, 3] + phase]
        m += 1
        phase += 1
        if phase == ends[c, 4]:
            phase = 0
    counted[c, 0], counted[c, 1], counted[c, 2] = m, there, phase
    return int(m - 1)
