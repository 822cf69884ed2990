"""FIFOs in series: how many tokens they have to hold together, however these are spread over them.

A write into the first FIFO of a series waits for a read of the last one: the tokens between the two are those in the
FIFOs and those in the processes between them. Where such a process moves in fixed steps, it is known beforehand how far
its writes are behind its reads, so that one wait stands for all ways to spread a sum of depths. A run with that wait in
place of the FIFOs' own is never later than any of them: if it is too late, the sum has to be larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.explore.fifo.lanes import reached
from ppnsim.explore.fifo.objectives import Depths
from ppnsim.model.network import Network

_BEFORE = -(2**40)  # a step before all others
_EVEN = 1  # tokens by which the distance of reads and writes varies where their pace is the same
_DEEPEST = 2**40  # tokens
_SHIFTS = 8  # distances between a read and the write before it of which the cycles between are told apart

Spread = tuple[tuple[int, int], ...]  # of each part of a series, the least and the most tokens


class Series:
    """A network in which channels in series are bounded together.

    FIFOs are in one part if their tokens have one price and, unless ``whole``, the process between them reads and
    writes at the same pace.

    Parameters
    ----------
    prices : of a token in each of the channels.
    whole : whether parts end only where prices differ.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> series = Series(chain(firings=20, latency=3, style="frozen"), ("c0", "c1"), (1, 1))
    >>> [series.finish(bound, series.anyhow, {}) for bound in (2, 3, 4)]
    [55, 37, 32]
    """

    def __init__(
        self, network: Network, channels: Sequence[str], prices: Sequence[int], *, whole: bool = False
    ) -> None:
        self.channels, self.prices = tuple(channels), tuple(prices)
        self._open: dict[str, int | None] = dict.fromkeys((channel.name for channel in network.channels), None)
        fifos = [_Fifo.of(network, name) for name in channels]
        self._middles = [_Middle(*pair) for pair in pairwise(fifos)]
        ends = [
            at
            for at, middle in enumerate(self._middles, start=1)
            if prices[at - 1] != prices[at] or (middle.uneven > _EVEN and not whole)
        ]
        bounds = list(pairwise([0, *ends, len(fifos)]))
        self._parts = [_Part(after - first, prices[first], _between(fifos[first:after])) for first, after in bounds]
        self._waits = []
        for begin, end in combinations(range(len(bounds) + 1), 2):
            first, after = bounds[begin][0], bounds[end - 1][1]
            self._waits.append(_Wait(range(begin, end), fifos[first:after], self._middles[first : after - 1]))
        self._tapes = Tapes(network, [(wait.fifos[0].name, wait.fifos[-1].name) for wait in self._waits])

    @property
    def between(self) -> list[int]:
        """The cycles between two tokens, at least, of each FIFO's part."""
        return [part.between for part in self._parts for _ in range(part.fifos)]

    @property
    def halves(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The series before and after the process that keeps the distance of its writes and reads least."""
        at = 1 + max(range(len(self._middles)), key=lambda each: self._middles[each].uneven)
        return self.channels[:at], self.channels[at:]

    @property
    def anyhow(self) -> Spread:
        """Any depths."""
        return tuple((part.fifos, _DEEPEST) for part in self._parts)

    def most(self, bound: int, spread: Spread) -> list[int] | None:
        """Return how many tokens each part holds at the most at a price; None if they cost more in any case."""
        spare = bound - sum(part.price * low for part, (low, _) in zip(self._parts, spread, strict=True))
        if spare < 0:
            return None
        return [min(high, low + spare // part.price) for part, (low, high) in zip(self._parts, spread, strict=True)]

    def finish(self, bound: int, spread: Spread, depths: Depths) -> int | None:
        """Return a cycle before which no run ends whose series costs no more; None: each of them deadlocks.

        Parameters
        ----------
        bound : the price of the series; `most` must not be None.
        spread : how many tokens each part may hold.
        depths : of other channels; those not named are unbounded.
        """
        most = self.most(bound, spread)
        assert most is not None
        spare = bound - sum(part.price * low for part, (low, _) in zip(self._parts, spread, strict=True))
        for number, wait in enumerate(self._waits):
            parts = [self._parts[part] for part in wait.parts]
            longer = _longer(spare, parts, [(spread[part][0], most[part]) for part in wait.parts])
            self._tapes.set_wait(number, *wait.for_(parts, [most[part] for part in wait.parts], longer))
        each = [
            tokens - part.fifos + 1 for part, tokens in zip(self._parts, most, strict=True) for _ in range(part.fifos)
        ]
        given = {name: depth for name, depth in depths.items() if name in self._open}
        bounded = {**self._open, **given, **dict(zip(self.channels, each, strict=True))}
        return self._tapes.finish() if self._tapes.run(bounded) else None

    def spread_further(self, bound: int, spread: Spread) -> list[Spread]:
        """Return the two halves of what parts may hold; nothing where each holds what it has to, or there is one."""
        if len(self._parts) == 1:
            return []
        most = self.most(bound, spread)
        assert most is not None
        width, at = max((high - low, -at) for at, (high, (low, _)) in enumerate(zip(most, spread, strict=True)))
        if width == 0:
            return []
        (low, _), middle = spread[-at], spread[-at][0] + width // 2
        halves = ((low, middle), (middle + 1, most[-at]))
        return [(*spread[:-at], half, *spread[1 - at :]) for half in halves]

    def depths_at(self, spread: Spread) -> list[int]:
        """Return depths with the least tokens of a spread, those of a part in its first FIFO."""
        return [
            low - part.fifos + 1 if number == 0 else 1
            for part, (low, _) in zip(self._parts, spread, strict=True)
            for number in range(part.fifos)
        ]


def _longer(spare: int, parts: Sequence[_Part], spread: Sequence[tuple[int, int]]) -> int:
    """Return the cycles by which a wait is at least longer than if each part held the most that it can.

    For every token that a part does not hold, the writer before it has written, or the reader behind it reads, some
    cycles later. What is spare is spent where it is worth most.
    """
    longer, left = Fraction(0), Fraction(spare)
    ways = zip(parts, spread, strict=True)
    for part, (low, most) in sorted(ways, key=lambda way: Fraction(way[0].between, way[0].price), reverse=True):
        held = min(left / part.price, Fraction(most - low))
        left -= held * part.price
        longer += part.between * (most - low - held)
    return ceil(longer)


@dataclass(frozen=True, slots=True, eq=False)
class _Wait:
    """What writes into the first of some FIFOs in series wait for: ``parts`` are the numbers of these."""

    parts: range
    fifos: Sequence[_Fifo]
    middles: Sequence[_Middle]

    def for_(self, parts: Sequence[_Part], most: Sequence[int], longer: int) -> tuple[Int64Array, Int64Array]:
        """Return for each firing of the writer that of the last reader that it waits for, and the cycles between.

        Parts hold the most that they can, in whichever of their FIFOs; the wait is ``longer`` than it is then.
        """
        first = self.fifos[0]
        left = first.level[first.writes]
        cycles = np.full(len(left), longer + sum(fifo.release for fifo in self.fifos), dtype=np.int64)
        middles = iter([None, *self.middles])
        for part, tokens in zip(parts, most, strict=True):
            spare = 0
            for _ in range(part.fifos):
                if (middle := next(middles)) is not None:
                    shift, lag = middle.behind(left, spare)
                    left, cycles = left + shift, cycles + lag
                if spare == 0:
                    spare = tokens - part.fifos
                    left = left - spare
                left = np.where(left > 1, left - 1, _BEFORE)
        index, weight = np.full(len(first.level), -1, dtype=np.int64), np.zeros(len(first.level), dtype=np.int64)
        waits = left >= 1
        index[first.writes[waits]] = np.searchsorted(self.fifos[-1].left, left[waits], side="left")
        weight[first.writes[waits]] = cycles[waits]
        return index, weight


class _Part(NamedTuple):
    """FIFOs of a series between which tokens may be moved: the price of one, and the cycles between two at least."""

    fifos: int
    price: int
    between: int


@dataclass(frozen=True, slots=True, eq=False)
class _Fifo:
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
    def of(cls, network: Network, name: str) -> _Fifo:
        channel, counts = network.channel(name), network.counts[name]
        written, read = _places(network, channel.source, "out", name), _places(network, channel.target, "in", name)
        count, level = counts.put_by(len(written))
        left = counts.freed.first(len(read))
        put = reached(level, written)
        put[: counts.initial] = _BEFORE
        return cls(
            name, counts.initial, network.release(name), level, np.flatnonzero(count > 0), left, put,
            reached(left, read),
        )  # fmt: skip


def _between(fifos: Sequence[_Fifo]) -> int:
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


class _Middle:
    """A process that moves in fixed steps, between two FIFOs."""

    def __init__(self, into: _Fifo, out_of: _Fifo) -> None:
        self._freed, self._put = into.freed, out_of.put
        come = np.searchsorted(self._put, self._freed, side="right")
        self._more = np.where(come > out_of.initial, come - np.arange(1, len(self._freed) + 1), _BEFORE)

    @property
    def uneven(self) -> int:
        """By how many tokens its writes get nearer to its reads, or farther from them."""
        known = self._more[self._more > _BEFORE]
        return int(np.ptp(known)) if len(known) else 0

    def behind(self, low: Int64Array, spare: int) -> tuple[Int64Array, Int64Array]:
        """Return what holds for each of ``spare + 1`` numbers of tokens that have left, from ``low`` on.

        At the least so many more have come into the second FIFO before, and at the least so many cycles before.
        """
        width = min(spare, len(self._freed) - 1) + 1
        here = np.clip(low - 1, 0, len(self._freed) - width)
        shift = sliding_minimum(self._more, width)[here]
        if width == 1:
            level = np.clip(here + shift, 0, len(self._put) - 1)
            return shift, np.where(shift > _BEFORE, self._freed[here] - self._put[level], 0)
        lag = np.zeros(len(low), dtype=np.int64)
        values, counts = np.unique(shift[shift > _BEFORE], return_counts=True)
        for value in values[np.argsort(-counts, kind="stable")][:_SHIFTS]:
            level = np.clip(np.arange(len(self._freed)) + value, 0, len(self._put) - 1)
            mine = shift == value
            lag[mine] = sliding_minimum(self._freed - self._put[level], width)[here[mine]]
        return shift, np.maximum(lag, 0)


def sliding_minimum(values: Int64Array, width: int) -> Int64Array:
    """Return the least of ``width`` values from each place on.

    Examples
    --------
    >>> sliding_minimum(np.array([3, 1, 4, 1, 5, 9]), 3).tolist()
    [1, 1, 1, 1]
    """
    span = 1
    while 2 * span <= width:
        values = np.minimum(values[:-span], values[span:])
        span *= 2
    return np.minimum(values[: len(values) - width + span], values[width - span :]) if width > span else values
