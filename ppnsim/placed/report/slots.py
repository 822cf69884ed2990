"""How many slots of each channel of a placed network are taken, in the columns of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.model.elements import Channel
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots.colours import channel_colours
from ppnsim.plots.columns import edges_of, extremes_of

_ANY = "#0072B2"  # of a channel of a network with more channels than colours


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChannelSlots:
    """Slots that are taken: the most at any time, the fewest and the most of each column; its ends in picoseconds."""

    colour: str
    peak: int
    edges: Float64Array
    fewest: Int64Array
    most: Int64Array


def slots_of(run: PlacedRun, window: tuple[int, int], columns: int) -> Iterator[tuple[Channel, ChannelSlots]]:
    """Yield each channel with its slots in a window of picoseconds.

    A slot is taken from the write of a token until the writer may use it again; across nodes that includes tokens on
    the link, and slots whose credit is on its way back. Columns are whole cycles of the writer, the same number each:
    nothing beats with another clock.
    """
    network = run.placement.network
    colours, (first, last) = channel_colours(network), window
    for channel in network.channels:
        curve, period = run.taken(channel.name), float(run.period(channel.source))
        begin = int(first // period)
        cycles = edges_of(begin, max(int(-(-last // period)), begin + 1), columns)
        fewest, most = extremes_of(curve, cycles)
        colour, _ = colours.get(channel.name, (_ANY, ""))
        at: Float64Array = cycles.astype(np.float64) * period
        yield channel, ChannelSlots(colour=colour, peak=int(curve[1].max()), edges=at, fewest=fewest, most=most)
