"""FIFOs and the processes between them as steps: when so many tokens have come and gone, if nothing holds up a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.lane_steps import reached
from ppnsim.model.network import Network

BEFORE = -(2**40)  # a step before all others
_EVEN = 1  # tokens by which the distance of reads and writes varies where their pace is the same
_SHIFTS = 8  # distances between a read and the write before it of which the cycles between are told apart
_KEPT = 2**18  # cycles between them that are kept, for all distances together


@dataclass(frozen=True, slots=True, eq=False)
class Fifo:
    """A FIFO: ``put[f - 1]`` and ``freed[f - 1]`` are the steps by which f tokens have come in and left.

    Initial tokens have come in before all steps. ``level`` and ``left`` are the tokens that have come in and left by
    each firing of its writer and of its reader, ``writes`` the firings that write.
    """

    name: str
    initial: int
    release: int
    level: Int64Array
    writes: Int64Array
    left: Int64Array
    put: Int64Array
    freed: Int64Array

    @classmethod
    def of(cls, network: Network, name: str) -> Fifo:
        """Return a FIFO of a network; a process that does not move in fixed steps does everything at step 0."""
        channel, counts = network.channel(name), network.counts[name]
        written, read = _places(network, channel.source, "out", name), _places(network, channel.target, "in", name)
        count, level = counts.put_by(len(written))
        left = counts.freed.first(len(read))
        put = reached(level, written)
        put[: counts.initial] = BEFORE
        return cls(
            name, counts.initial, network.release(name), level, np.flatnonzero(count > 0), left, put,
            reached(left, read),
        )  # fmt: skip


def least_distance(fifos: Sequence[Fifo]) -> int:
    """Return the cycles between two tokens, at least, for the writer of the first FIFO or the reader of the last."""
    ends = fifos[0].put[fifos[0].initial :], fifos[-1].freed
    return max(int(np.diff(steps).min()) if len(steps) > 1 else 0 for steps in ends)


def _places(network: Network, process: str, side: str, channel: str) -> Int64Array:
    """Return the steps at which a process in fixed steps accesses a channel; of others, 0 for each firing."""
    steps, firings = network.steps[process], network.passings_of(process)
    if network.process(process).style != "frozen":
        return np.zeros(firings, dtype=np.int64)
    places: Int64Array = steps.places(firings, network.process(process).ii)[steps.port[side, channel]]
    return places


class Middle:
    """A process that moves in fixed steps, between two FIFOs."""

    def __init__(self, into: Fifo, out_of: Fifo) -> None:
        self._freed, self._put = into.freed, out_of.put
        come = np.searchsorted(self._put, self._freed, side="right")
        self._more = np.where(come > out_of.initial, come - np.arange(1, len(self._freed) + 1), BEFORE)
        self._shifts = SlidingMinimum(self._more)
        self._lags: dict[int, SlidingMinimum] = {}  # by shift: the cycles from that write to each read

    @property
    def uneven(self) -> int:
        """By how many tokens its writes get nearer to its reads, or farther from them."""
        known = self._more[self._more > BEFORE]
        return int(np.ptp(known)) if len(known) else 0

    @property
    def even(self) -> bool:
        """Whether it reads and writes at the same pace."""
        return self.uneven <= _EVEN

    def behind(self, low: Int64Array, spare: int) -> tuple[Int64Array, Int64Array]:
        """Return what holds for each of ``spare + 1`` numbers of tokens that have left, from ``low`` on.

        At the least so many more have come into the second FIFO before, and at the least so many cycles before.
        """
        if not len(self._freed):  # nothing leaves the first FIFO, so that no wait is known
            return np.full(len(low), BEFORE, dtype=np.int64), np.zeros(len(low), dtype=np.int64)
        width = min(spare, len(self._freed) - 1) + 1
        here = np.clip(low - 1, 0, len(self._freed) - width)
        shift = self._shifts.from_(here, width)
        if width == 1:
            level = np.clip(here + shift, 0, len(self._put) - 1)
            return shift, np.where(shift > BEFORE, self._freed[here] - self._put[level], 0)
        lag = np.zeros(len(low), dtype=np.int64)
        values, counts = np.unique(shift[shift > BEFORE], return_counts=True)
        for value in values[np.argsort(-counts, kind="stable")][:_SHIFTS].tolist():
            mine = np.flatnonzero(shift == value)
            lag[mine] = self._lag(value).from_(here[mine], width)
        return shift, np.maximum(lag, 0)

    def _lag(self, shift: int) -> SlidingMinimum:
        if shift not in self._lags:
            if len(self._lags) * len(self._freed) > _KEPT:
                self._lags.clear()
            level = np.clip(np.arange(len(self._freed)) + shift, 0, len(self._put) - 1)
            self._lags[shift] = SlidingMinimum(self._freed - self._put[level])
        return self._lags[shift]


class SlidingMinimum:
    """The least of any values that follow each other, from the minima over powers of two of them.

    Examples
    --------
    >>> SlidingMinimum(np.array([3, 1, 4, 1, 5, 9])).from_(np.arange(4), 3).tolist()
    [1, 1, 1, 1]
    """

    def __init__(self, values: Int64Array) -> None:
        self._spans = [values]

    def from_(self, first: Int64Array, width: int) -> Int64Array:
        """Return the least of ``width`` values from each of some places on, which all are there."""
        power = width.bit_length() - 1
        while len(self._spans) <= power:
            last, half = self._spans[-1], 1 << (len(self._spans) - 1)
            self._spans.append(np.minimum(last[:-half], last[half:]))
        span = self._spans[power]
        least = span[first]
        return least if width == 1 << power else np.minimum(least, span[first + width - (1 << power)])
