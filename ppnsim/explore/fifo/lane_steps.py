"""A FIFO between two processes in fixed steps: when each token is written, awaited and freed, if nothing holds up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network


class LaneSteps(NamedTuple):
    """The steps at which the tokens of a FIFO are written, awaited, and freed, one entry per token."""

    written: Int64Array
    needed: Int64Array
    freed: Int64Array


def lane_of(network: Network, name: str) -> LaneSteps:
    """Return the steps of a channel's writer and reader at which they access it."""
    channel, counts = network.channel(name), network.counts[name]
    writer, reader = (
        (network.steps[each], network.passings_of(each), network.process(each).ii)
        for each in (channel.source, channel.target)
    )
    written = writer[0].places(*writer[1:])[writer[0].port["out", name]]
    read = reader[0].places(*reader[1:])[reader[0].port["in", name]]
    needed = np.maximum.accumulate(counts.need.first(reader[1])) + 1
    return LaneSteps(
        reached(counts.put.first(writer[1]), written),
        reached(needed, read),
        reached(counts.freed.first(reader[1]), read),
    )


def reached(counts: Int64Array, places: Int64Array) -> Int64Array:
    """Return the step by which a running count reaches 1, 2, ...

    Examples
    --------
    >>> reached(np.array([0, 2, 3]), np.array([5, 6, 9])).tolist()
    [6, 6, 9]
    """
    total = int(counts[-1]) if len(counts) else 0
    return places[np.searchsorted(counts, np.arange(1, total + 1), side="left")]
