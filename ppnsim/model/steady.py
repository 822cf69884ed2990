"""Runs that repeat themselves: their steady state, and what a timeline that shows one repetition leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Steady:
    """Every ``iterations`` graph iterations a run does the same, ``cycles`` later, from cycle ``since`` on."""

    iterations: int
    cycles: int
    since: int

    @property
    def period(self) -> Fraction:
        """Cycles per graph iteration."""
        return Fraction(self.cycles, self.iterations)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Repetitions that a recorded timeline leaves out, after the end of a cycle.

    Attributes
    ----------
    network : what really ran; the recorded timeline is that of the same network with fewer firings.
    steady : the repetition.
    after : last cycle of the last repetition that is recorded in full; it began ``steady.cycles`` before.
    rounds : repetitions left out.
    firings : of each process in one repetition; passings, of a scheduled one.
    held : tokens that a channel holds more at the most than is recorded: those that are written, or read, all at once.
    """

    network: Network
    steady: Steady
    after: int
    rounds: int
    firings: Mapping[str, int]
    held: Mapping[str, int] = field(default_factory=dict)

    @property
    def iterations(self) -> int:
        """Graph iterations left out."""
        return self.rounds * self.steady.iterations

    @property
    def cycles(self) -> int:
        """Cycles by which everything after the gap happens later than it is recorded."""
        return self.rounds * self.steady.cycles

    def put_back(self, recorded: Timeline) -> Timeline:
        """Return the timeline of the whole run."""
        passed = {name: self._rows(name, rows) for name, rows in recorded.passed.items()}
        holds = {name: self._holds(holds) for name, holds in recorded.holds.items()}
        return Timeline(network=self.network, passed=passed, holds=holds)

    def take_out(self, whole: Timeline, short: Network) -> Timeline:
        """Return the timeline of ``short``, the network without what is left out: the inverse of `put_back`."""
        passed: dict[str, Int64Array] = {}
        for name, rows in whole.passed.items():
            gone = self.rounds * self.firings[name]
            left = np.empty((len(rows), rows.shape[1] - gone), dtype=np.int64)
            for row, into in zip(rows, left, strict=True):
                here = int(np.searchsorted(row, self.after, side="right"))
                into[:here] = row[:here]
                np.subtract(row[here + gone :], self.cycles, out=into[here:])
            passed[name] = read_only(left)
        end = self.after + 1
        holds = {
            name: _joined(np.where(own <= end, own, np.maximum(own - self.cycles, end)))
            for name, own in whole.holds.items()
        }
        return Timeline(network=short, passed=passed, holds=holds)

    def put_back_pieces(self, edges: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the edges of pieces of the whole run, and which recorded piece each of them shows.

        ``edges`` are those of the pieces that the recorded cycles are cut into, from 0 to where the record stops.

        Examples
        --------
        >>> network = Network(processes=[])
        >>> left_out = LeftOut(network=network, steady=Steady(1, 4, 0), after=5, rounds=2, firings={})
        >>> [each.tolist() for each in left_out.put_back_pieces(np.array([0, 3, 7]))]
        [[0, 3, 6, 7, 10, 11, 14, 15], [0, 1, 0, 1, 0, 1, 1]]
        """
        end = self.after + 1
        begin = end - self.steady.cycles
        first, behind = np.searchsorted(edges, [begin, end], side="right") - 1
        last = int(np.searchsorted(edges, end))
        later = self.steady.cycles * np.arange(1, self.rounds + 1, dtype=np.int64)
        repeated = (np.maximum(edges[first:last], begin) + later[:, None]).ravel()
        rest = np.maximum(edges[behind:], end) + self.cycles
        shown = (np.arange(last), np.tile(np.arange(first, last), self.rounds), np.arange(behind, len(edges) - 1))
        return np.concatenate([edges[:last], repeated, rest]), np.concatenate(shown)

    def _rows(self, name: str, rows: Int64Array) -> Int64Array:
        firings, rounds = self.firings[name], self.rounds
        later = self.steady.cycles * np.arange(1, rounds + 1, dtype=np.int64)
        # Written in place: of a long run, each copy costs more than the sums.
        whole = np.empty((len(rows), rows.shape[1] + rounds * firings), dtype=np.int64)
        for row, into in zip(rows, whole, strict=True):
            here = int(np.searchsorted(row, self.after, side="right"))
            behind = here + rounds * firings
            into[:here] = row[:here]
            np.add(row[here - firings : here], later[:, None], out=into[here:behind].reshape(rounds, firings))
            np.add(row[here:], self.cycles, out=into[behind:])
        return read_only(whole)

    def _holds(self, holds: Int64Array) -> Int64Array:
        """Return holds with those of the repetitions, cut at their ends and joined again."""
        end = self.after + 1
        begin = end - self.steady.cycles
        before, inside, behind = (
            np.stack([first, last], axis=1)[first < last]
            for first, last in (
                (holds[:, 0], np.minimum(holds[:, 1], end)),
                (np.maximum(holds[:, 0], begin), np.minimum(holds[:, 1], end)),
                (np.maximum(holds[:, 0], end), holds[:, 1]),
            )
        )
        later = self.steady.cycles * np.arange(1, self.rounds + 1, dtype=np.int64)
        repeated = (inside[None] + later[:, None, None]).reshape(-1, 2)
        return _joined(np.concatenate([before, repeated, behind + self.cycles]))


def _joined(holds: Int64Array) -> Int64Array:
    """Return holds without empty ones, those that touch as one."""
    holds = holds[holds[:, 0] < holds[:, 1]]
    if not len(holds):
        return read_only(holds)
    apart = np.concatenate([[True], holds[1:, 0] > holds[:-1, 1], [True]])
    return read_only(np.stack([holds[:, 0][apart[:-1]], holds[:, 1][apart[1:]]], axis=1))
