"""FIFOs in series: how many tokens they have to hold together, however these are spread over them.

A write into the first FIFO of a series waits for a read of the last one: the tokens between the two are those in the
FIFOs and those in the processes between them. Where such a process moves in fixed steps, it is known beforehand how far
its writes are behind its reads, so that one wait stands for all ways to spread a sum of depths. A run with that wait in
place of the FIFOs' own is never later than any of them: if it is too late, the sum has to be larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil

from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.explore.fifo.objectives import Depths
from ppnsim.explore.fifo.series_steps import Fifo, Middle, least_distance
from ppnsim.explore.fifo.series_waits import SeriesPart, SeriesWait
from ppnsim.model.network import Network

_DEEPEST = 2**40  # tokens

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
        fifos = [Fifo.of(network, name) for name in channels]
        self._middles = [Middle(*pair) for pair in pairwise(fifos)]
        ends = [
            at
            for at, middle in enumerate(self._middles, start=1)
            if prices[at - 1] != prices[at] or (not middle.even and not whole)
        ]
        bounds = list(pairwise([0, *ends, len(fifos)]))
        self._parts = [
            SeriesPart(after - first, prices[first], least_distance(fifos[first:after])) for first, after in bounds
        ]
        self._waits = []
        for begin, end in combinations(range(len(bounds) + 1), 2):
            first, after = bounds[begin][0], bounds[end - 1][1]
            self._waits.append(SeriesWait(range(begin, end), fifos[first:after], self._middles[first : after - 1]))
        self._tapes = Tapes(network, [(wait.fifos[0].name, wait.fifos[-1].name) for wait in self._waits])
        self._set: list[tuple[tuple[int, ...], int] | None] = [None] * len(self._waits)  # what the tape's waits are for

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
            held = tuple(most[part] for part in wait.parts)
            if self._set[number] != (held, longer):
                self._tapes.set_wait(number, *wait.for_(parts, held, longer))
                self._set[number] = held, longer
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


def _longer(spare: int, parts: Sequence[SeriesPart], spread: Sequence[tuple[int, int]]) -> int:
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
