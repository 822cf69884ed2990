"""How full the channels of a placed network are over time: the slots that are taken, as their writers see them."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ppnsim.arrays import Float64Array
from ppnsim.errors import InputError
from ppnsim.placed.pictures.time import outcome_of
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots.axis import unit_of
from ppnsim.plots.colours import channel_colours
from ppnsim.plots.columns import edges_of, extremes_of
from ppnsim.plots.occupancy import draw_tokens, filled_rows
from ppnsim.plots.style import ALARM, INK, LABEL, shortened

_COLUMNS = 1000


def placed_occupancy(run: PlacedRun, *, window: tuple[int, int] | None = None) -> Figure:
    """Return one row per channel: its slots from the write of a token until the writer may use the slot again.

    Across nodes that includes tokens on the link, and slots whose credit is on its way back. Where a column holds
    several cycles, the band reaches from the fewest to the most. ``window`` are picoseconds; default all.

    Raises
    ------
    InputError
        If the network has no channel.

    Examples
    --------
    >>> from ppnsim.placed.run.network import run_placed
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> (axes,) = placed_occupancy(run_placed(one_node(chain(firings=20, length=3)))).axes
    >>> {"c0", "c1"} <= {text.get_text() for text in axes.texts}
    True
    """
    network = run.placement.network
    if not network.channels:
        raise InputError(f"network '{network.name}' has no channel, so no occupancy to draw")
    first, last = (0, max(run.stopped, 1)) if window is None else window
    colours = channel_colours(network)
    unit, size = unit_of(last / 1000)
    scale = 1000 * size  # picoseconds in the unit
    curves = [run.taken(channel.name) for channel in network.channels]
    peaks = [int(curve[1].max()) for curve in curves]
    full = [(each.depth, peak) for each, peak in zip(network.channels, peaks, strict=True)]
    title = f"{shortened(network.name, 50)} · slots taken, seen by the writer · {outcome_of(run)}"
    figure, axes, rows = filled_rows(title, [each.name for each in network.channels], full, upper=False)
    for row, channel, curve in zip(rows, network.channels, curves, strict=True):
        colour, _ = colours.get(channel.name, ("#0072B2", ""))
        # Columns are whole cycles of the writer, the same number each: nothing beats with another clock.
        period = float(run.period(channel.source))
        cycles = edges_of(int(first // period), max(int(-(-last // period)), int(first // period) + 1), _COLUMNS)
        at: Float64Array = cycles.astype(np.float64) * (period / scale)
        draw_tokens(axes, row, *extremes_of(curve, cycles), at, colour)
    if run.finish is None and last >= run.stopped:
        axes.axvline(last / scale, color=ALARM, linewidth=3)
    axes.set_xlim(first / scale, last / scale)
    axes.set_xlabel(f"time [{unit}]", size=LABEL, color=INK)
    return figure
