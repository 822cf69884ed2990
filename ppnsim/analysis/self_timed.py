"""The period of a graph from some iterations in which all happens at the earliest, with two bounds that close in.

Times at the earliest are maxima of sums. If an iteration later each firing that others still wait for is between c and
C cycles later, then so is all that follows: an iteration takes at least c and at most C cycles, for ever. Mostly both
are the same one iteration after the start. No firing is kept for longer than another one waits for it.

Source: Baccelli, Cohen, Olsder and Quadrat 1992, Synchronization and linearity, section 3.2 (bounds on an eigenvalue);
Ghamarian et al. 2006, Throughput analysis of synchronous data flow graphs (self-timed execution).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, islice

import numpy as np

from ppnsim.analysis.self_timed_kernel import TOO_FAR, Reached, SequenceWaits, advance
from ppnsim.analysis.step_sequences import StepSequences, step_sequences
from ppnsim.arrays import Int64Array
from ppnsim.kernel_cache import run_for
from ppnsim.model.network import Network

LARGEST = 4_000_000_000  # waits of all iterations, about a minute
_KEPT = 2**24  # times that are kept at once
_BURST = 256  # firings of a sequence between two looks
_CUTS = 32  # of an iteration, in which times are compared
_ITERATIONS = 64  # that may make up a period
_LOOKS = 50_000  # at times that are compared, about a minute where iterations are short
_LONGEST = 1_000_000  # iterations, likewise before anything can be compared
_PER_WAIT = 2e-6  # seconds, of a kernel that is run as Python
Bounds = tuple[Fraction, Fraction]


class Stands(Exception):
    """Nothing can happen any more."""


def followed(
    network: Network, phases: Mapping[str, int], passings: Mapping[str, int], members: Sequence[str],
    budget: int = LARGEST,
) -> Bounds | None:  # fmt: skip
    """Return bounds on the period of processes that channels connect, None if it is too much work or not elastic."""
    sequences = step_sequences(network, phases, passings, members)
    return None if sequences is None else self_timed_bounds(sequences, budget)


def self_timed_bounds(sequences: StepSequences, budget: int = LARGEST) -> Bounds | None:
    """Return between which cycles an iteration takes in the long run, None if that is too much work.

    Raises
    ------
    Stands
        If it deadlocks.
    """
    least, most = Fraction(0), Fraction(0)
    parts = sequences.strong_parts()
    for part in sorted(parts, key=lambda part: part.waits):
        found = _alone(part) if not part.channels else None
        if found is None:
            found = _bounds(part, budget)
        if found is None:
            return None
        least, most = max(least, found[0]), max(most, found[1])
    return least, most


def _alone(part: StepSequences) -> Bounds | None:
    """Return the cycles of a sequence that waits for nothing but itself, always alike; None for others."""
    waits = {wait for phases in part.own for phase in phases for wait in phase}
    if len(part.phases) > 1 or any(waits != set(phase) for phase in part.own[0]):
        return None
    cycles = max((Fraction(part.firings[0] * weight, back) for _, back, weight in waits), default=Fraction(0))
    return cycles, cycles


def _bounds(part: StepSequences, budget: int) -> Bounds | None:
    """Return the bounds of sequences that all wait for each other, None if they are too much work."""
    columns = 4 * _BURST
    while part.waits <= budget and len(part.phases) * columns <= _KEPT:
        try:
            return _closed_in(part, columns, budget)
        except OverflowError:
            columns *= 2
    return None


def _closed_in(part: StepSequences, columns: int, budget: int) -> Bounds | None:
    """Follow iterations until both bounds are the same, or the budget is used up."""
    least, most = Fraction(0), None
    before: dict[int, list[tuple[int, Int64Array]]] = {}
    looks = _Following(part, columns).looks(min(budget // part.waits, _LONGEST))
    for iteration, cut, times in islice(looks, _LOOKS):
        for earlier, then in before.setdefault(cut, []):
            later = times - then
            apart = iteration - earlier
            least = max(least, Fraction(int(later.min()), apart))
            slowest = Fraction(int(later.max()), apart)
            most = slowest if most is None else min(most, slowest)
        if most is not None and least == most:
            break
        kept = min(_ITERATIONS, _KEPT // (2 * _CUTS * max(1, len(times))))
        before[cut] = [*before[cut][-kept:], (iteration, times)] if kept else [(iteration, times)]
    return None if most is None else (least, most)


class _Following:
    """Sequences as arrays, and how far they have got."""

    def __init__(self, part: StepSequences, columns: int) -> None:
        self._part, self._columns = part, columns
        self._waits = _as_arrays(part)
        self._reached = Reached.nothing(len(part.phases), len(part.channels), columns)
        self._spare = [np.zeros(len(part.phases), dtype=np.int64) for _ in range(3)]

    def looks(self, iterations: int) -> Iterator[tuple[int, int, Int64Array]]:
        """Yield iteration, number of a cut through it, and the times that are waited for from behind the cut."""
        firings = self._part.firings
        chunks = max(1, max(firings) // _BURST)
        every = -(-chunks // _CUTS)
        # The cut of an iteration that all have is one a little later: as much work as that, and one iteration.
        for iteration in range(iterations + 1):
            for chunk in range(1, chunks + 1):
                if iteration == iterations and chunk > every:
                    return
                self._go_on([iteration * n + n * chunk // chunks for n in firings], chunks)
                if chunk % every == 0 or chunk == chunks:
                    times = self._waited_for()
                    if times is not None:
                        yield iteration, chunk, times
            if (self._reached.passed < np.array(firings) * (iteration + 1)).any():
                raise Stands

    def _go_on(self, limit: list[int], chunks: int) -> None:
        seconds = _PER_WAIT * self._part.waits / chunks
        limits = np.array(limit, dtype=np.int64)
        if run_for(seconds, advance, *self._waits, *self._reached, limits, *self._spare) == TOO_FAR:
            raise OverflowError

    def _waited_for(self) -> Int64Array | None:
        """Return the times of all firings that later ones wait for; None if some are before the first one."""
        count = self._reached.passed.tolist()
        first = list(count)
        for s, phases in enumerate(self._part.own):
            for back, u in ((back, u) for phase in phases for u, back, _ in phase):
                first[u] = min(first[u], count[s] - back)
        for wait in self._part.channels:
            first[wait.source] = min(first[wait.source], wait.needs(count[wait.target]) - 1)
        if min(first) < 0:
            return None
        if any(there - since > self._columns for there, since in zip(count, first, strict=True)):
            raise OverflowError
        times = self._reached.times
        return np.concatenate(
            [
                times[s, np.arange(since, there) & (self._columns - 1)]
                for s, (since, there) in enumerate(zip(first, count, strict=True))
            ]
        )


def _as_arrays(part: StepSequences) -> SequenceWaits:
    number = range(len(part.phases))
    into = [[c for c, wait in enumerate(part.channels) if wait.target == s] for s in number]
    own, data = list[tuple[int, int, int]](), list[tuple[int, int]]()
    own_first, data_first = [0], [0]
    for s in number:
        for phase in range(part.phases[s]):
            own += part.own[s][phase]
            for c in into[s]:
                wait = part.channels[c]
                if wait.taken[phase]:
                    data.append((c, int(wait.taken[: phase + 1].sum()) - wait.initial))
            own_first.append(len(own))
            data_first.append(len(data))
    moved = [wait.put for wait in part.channels]
    starts = accumulate(map(len, moved), initial=0)
    ends = [
        (wait.source, wait.cycles, int(wait.taken.sum()), start, len(wait.put))
        for wait, start in zip(part.channels, starts, strict=False)
    ]
    return SequenceWaits(
        first=np.array([0, *accumulate(part.phases)][:-1], dtype=np.int64),
        phases=np.array(part.phases, dtype=np.int64),
        own_first=np.array(own_first, dtype=np.int64),
        own=_rows(own, 3),
        data_first=np.array(data_first, dtype=np.int64),
        data=_rows(data, 2),
        ends=_rows(ends, 5),
        moved=np.concatenate(moved) if moved else np.zeros(0, dtype=np.int64),
    )


def _rows(rows: Sequence[tuple[int, ...]], columns: int) -> Int64Array:
    return np.array(rows, dtype=np.int64).reshape(-1, columns)
