"""Where a process reads or writes a channel, and between which places that comes round: the rows of a frame.

A *place* is a firing, or a pipeline step of a scheduled process. A line buffer reads in every place and writes in some
places of each row, but in no place of the first rows: what comes round has a beginning and an end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Channel, Network

_MOST_TURNS = 200_000  # changes of the distance between accesses
_WIDEST = 512  # of them in a row
_ASIDE = 8  # accesses in less than one part in so many of a process's places are its beginning's or its end's


class Regular(NamedTuple):
    """Of ``every`` places between ``begin`` and ``end`` the same ones make ``tokens`` accesses, again and again."""

    begin: int
    end: int
    every: int
    tokens: int


def regular_part(places: Int64Array) -> Regular | None:
    """Return the part of accesses, given by their ascending places, that comes round; None if there is none.

    Examples
    --------
    >>> regular_part(np.array([7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 40]))
    Regular(begin=8, end=30, every=4, tokens=2)
    """
    gaps = np.diff(places)
    if not len(gaps):
        return None
    first = np.concatenate([[0], np.flatnonzero(np.diff(gaps)) + 1, [len(gaps)]])  # of each run of equal gaps
    counts, values = np.diff(first), gaps[first[:-1]]
    if len(counts) == 1:
        return Regular(int(places[0]) + 1, int(places[-1]), int(gaps[0]), 1) if gaps[0] else None
    if len(counts) > _MOST_TURNS:
        return None
    middle = len(counts) // 2
    for wide in range(1, min(_WIDEST, middle // 2) + 1):
        if counts[middle] != counts[middle - wide] or values[middle] != values[middle - wide]:
            continue
        other = np.flatnonzero((counts[wide:] != counts[:-wide]) | (values[wide:] != values[:-wide]))
        at = int(np.searchsorted(other, middle - wide))
        begin = int(other[at - 1]) + 1 if at else 0
        end = (int(other[at]) if at < len(other) else len(counts) - wide) + wide
        if 2 * (end - begin) >= len(counts):
            low, high = int(first[begin]), int(first[end])
            tokens = int(counts[begin : begin + wide].sum())
            every = int(places[low + tokens] - places[low])
            return Regular(int(places[low]) + 1, int(places[high]), every, tokens) if every else None
    return None


class ChannelEnd(NamedTuple):
    """One end of a channel: its process, the place of each access, and what of them comes round.

    Of accesses without a regular part, ``begin`` and ``end`` are the places between which there are none.
    """

    process: str
    places: Int64Array
    regular: Regular | None
    begin: int
    end: int

    @property
    def at_once(self) -> bool:
        """Whether all accesses are in one place."""
        return bool(self.places[0] == self.places[-1])

    def in_places(self, count: int) -> int:
        """Return the accesses in so many places, whole rows, where they come round."""
        return 0 if self.regular is None else count // self.regular.every * self.regular.tokens


def end_of(process: str, places: Int64Array, count: int, regular: Regular | None = None) -> ChannelEnd | None:
    """Return the end of a channel at a process with ``count`` places; None if its accesses do not come round.

    ``regular`` is what is known to come round; then the first and the last place are enough.

    Examples
    --------
    >>> end_of("a", np.array([0, 1, 2]), 100)[3:], end_of("a", np.arange(2, 97), 100)[2:]
    ((3, 99), (Regular(begin=3, end=96, every=1, tokens=1), 3, 96))
    """
    if len(places) == 0:
        return ChannelEnd(process, places, None, 1, count - 1)
    first, last = int(places[0]), int(places[-1])
    if (last - first) * _ASIDE < count:
        if 2 * last < count:
            return ChannelEnd(process, places, None, max(1, last + 1), count - 1)
        return ChannelEnd(process, places, None, 1, min(first, count - 1)) if 2 * first > count else None
    regular = regular or regular_part(places)
    return regular and ChannelEnd(process, places, regular, max(1, regular.begin), min(regular.end, count - 1))


def places_of_ends(network: Network, channel: Channel) -> tuple[Int64Array, Int64Array] | None:
    """Return the places where a channel is written and read; None unless each token is read once, in order."""
    counts = network.counts[channel.name]
    if counts.kind != "IOM-" or channel.read_tokens is not None:
        return None
    if counts.reads is not None and not np.array_equal(counts.reads[:, 1], np.arange(len(counts.reads))):
        return None
    found = []
    for name, steps, moved in (
        (channel.source, channel.write_steps, counts.put),
        (channel.target, channel.read_steps, counts.freed),
    ):
        if steps is None:
            firings = network.process(name).firings
            found.append(np.repeat(np.arange(firings, dtype=np.int64), moved.each(firings)))
        else:
            found.append(steps.expand())
    return found[0], found[1]
