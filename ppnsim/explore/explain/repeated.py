"""The critical path of a run that is too large for a graph: its repetitions are walked a few times, and counted.

From the last round of a run the path is followed backwards. Where it comes to the same passing as before, some rounds
earlier, all that it meets there is the same as before, so it goes round as long as the rounds last. That is seen in a
run with few rounds; the cycles of one round are the difference to a run with one more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.analysis.path.event_edges import is_too_large
from ppnsim.analysis.path.path_shares import Share, sorted_shares
from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.rows import FrameRows
from ppnsim.engines.run import run
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.steady import LeftOut

_ROUNDS = (3, 12, 48)  # more than are recorded, in which the path may come round


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedPath:
    """The critical path of a whole run: its ``shares``, and the ``path`` of a run with fewer rounds, which is ``run``.

    Between the two the path only goes round more often.
    """

    run: Run
    path: CriticalPath
    shares: tuple[Share, ...]


def repeated_path(whole: Run) -> RepeatedPath | None:
    """Return the critical path of a run that repeats itself; None where it is not seen to come round.

    Examples
    --------
    >>> from ppnsim import chain
    >>> found = repeated_path(run(chain(firings=10**7, ii=(1, 3, 1), depth=2)))
    >>> found.shares[0].part, found.shares[0].cycles, found.run.finish < 2000
    ('p1', 29999997, True)
    """
    left = whole.left_out
    if left is None or (rows := _rows_of(whole, left)) is None:
        return None

    def explained(rounds: int) -> tuple[Run, CriticalPath]:
        shorter = run(rows.shortened((left.rounds - rounds) * left.steady.iterations))
        return shorter, critical_path(shorter.timeline)

    for more in _ROUNDS:
        if more + 1 > left.rounds or is_too_large(rows.shortened((left.rounds - more - 1) * left.steady.iterations)):
            return None
        few, one_more = explained(more), explained(more + 1)
        around = _rounds_around(few[1], one_more[1], left, more + 1)
        if not around:
            continue
        rest = (left.rounds - more) % around
        if more + rest + around > left.rounds:
            return None
        less = explained(more + rest) if rest else few
        longer = explained(more + rest + around) if rest or around > 1 else one_more
        times = (left.rounds - more - rest) // around
        shares = _extended(less[1].shares, longer[1].shares, times)
        assert sum(share.cycles for share in shares) == whole.finish, "every cycle is somebody's"
        return RepeatedPath(longer[0], longer[1], shares)
    return None


def fewer_rounds(whole: Run, fewer: int) -> Network | None:
    """Return the network of a run with so many rounds fewer of those left out; None where that cannot be said.

    Examples
    --------
    >>> from ppnsim import chain
    >>> whole = run(chain(firings=10**7, ii=(1, 3, 1), depth=2))
    >>> network = fewer_rounds(whole, 5)
    >>> whole.stopped - run(network).stopped == 5 * whole.steady.cycles
    True
    """
    left = whole.left_out
    if left is None or fewer > left.rounds or (rows := _rows_of(whole, left)) is None:
        return None
    return rows.shortened(fewer * left.steady.iterations)


def _rows_of(whole: Run, left: LeftOut) -> Repetition | FrameRows | None:
    """Return the iterations or rows that are left out."""
    for kind in (Repetition, FrameRows):
        rows = kind.of(left.network)
        if rows is not None and rows.shortened(left.rounds * left.steady.iterations) == whole.recorded.network:
            return rows
    return None


def _rounds_around(few: CriticalPath, one_more: CriticalPath, left: LeftOut, rounds: int) -> int:
    """Return after how many rounds the path of ``one_more`` passes the same again; 0 if that is not seen.

    What it passes there and what that waits for has to lie in the part that repeats.
    """
    graph = one_more.graph
    in_round = np.diff(_ends(one_more)) - np.diff(_ends(few))  # moments of each process
    cycles, moments = graph.cycle[graph.source[one_more.edges]], graph.source[one_more.edges]
    process = np.searchsorted(graph.first, moments, side="right") - 1
    longest = int(graph.weight[graph.kind != Kind.HOLD].max(initial=0))
    inside = (cycles >= left.steady.since + longest) & (cycles <= left.after + rounds * left.steady.cycles)
    inside &= in_round[process] > 0
    process, cycles, number = process[inside], cycles[inside], (moments - graph.first[process])[inside]
    round_, place = np.divmod(number, np.maximum(in_round[process], 1))
    seen: dict[tuple[int, int, int], int] = {}
    states = zip(process.tolist(), place.tolist(), (cycles - round_ * left.steady.cycles).tolist(), strict=True)
    for state, now in zip(states, round_.tolist(), strict=True):
        if seen.setdefault(state, now) != now:
            return int(now - seen[state])
    return 0


def _ends(path: CriticalPath) -> Int64Array:
    """Return the first moment of each process, and the end of all."""
    return np.append(path.graph.first, len(path.graph.cycle))


def _extended(few: tuple[Share, ...], more: tuple[Share, ...], times: int) -> tuple[Share, ...]:
    """Return the shares of a path that has what ``more`` has beyond ``few`` so many times."""
    cycles: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    for part, factor in ((few, 1 - times), (more, times)):
        for each in part:
            cycles[each.kind, each.part] += factor * each.cycles
            counts[each.kind, each.part] += factor * each.count
    return sorted_shares({key: (cycles[key], counts[key]) for key in cycles})
