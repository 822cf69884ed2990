"""How full the channels of a placed network are over time: the slots that are taken, as their writers see them."""

from __future__ import annotations

from matplotlib.figure import Figure

from ppnsim.errors import InputError
from ppnsim.placed.report.lanes import outcome_of
from ppnsim.placed.report.slots import slots_of
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots.occupancy import draw_tokens, filled_rows
from ppnsim.plots.style import ALARM, INK, LABEL, shortened
from ppnsim.plots.ticks import unit_of

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
    unit, size = unit_of(last / 1000)
    scale = 1000 * size  # picoseconds in the unit
    found = list(slots_of(run, (first, last), _COLUMNS))
    full = [(channel.depth, taken.peak) for channel, taken in found]
    title = f"{shortened(network.name, 50)} · slots taken, seen by the writer · {outcome_of(run)}"
    figure, axes, rows = filled_rows(title, [channel.name for channel, _ in found], full, upper=False)
    for row, (_, taken) in zip(rows, found, strict=True):
        draw_tokens(axes, row, taken.fewest, taken.most, taken.edges / scale, taken.colour)
    if run.finish is None and last >= run.stopped:
        axes.axvline(last / scale, color=ALARM, linewidth=3)
    axes.set_xlim(first / scale, last / scale)
    axes.set_xlabel(f"time [{unit}]", size=LABEL, color=INK)
    return figure
