"""The error of each model over two parameters, as a map."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ppnsim.comparison.model import Comparison, ModelComparison
from ppnsim.plots.axis import plain, with_unit
from ppnsim.plots.style import ALARM, INK, LABEL, SMALL, on, shortened, verbatim

_WRITTEN = 12  # columns in which a number can be read
_TICKS = 16


def draw_errors(figure: Figure, found: Comparison) -> None:
    """Draw a map for each model, beside each other, all of one scale; deadlocks are crossed."""
    errors = [point.error for model in found.models for point in model.points if point.error is not None]
    most = max(map(abs, errors), default=0) or 1.0
    plots = figure.subplots(1, len(found.models), sharey=True, squeeze=False)[0]
    for plot, model in zip(plots, found.models, strict=True):
        image = _map(plot, found, model, most)
    figure.colorbar(image, ax=list(plots), label="error of the model", format=PercentFormatter(1.0))
    plots[0].set_ylabel(with_unit(list(found.axes)[1]), size=LABEL, color=INK)


def _map(plot: Axes, found: Comparison, model: ModelComparison, most: float) -> Any:
    (across, columns), (up, rows) = found.axes.items()
    plain(plot)
    plot.grid(visible=False)
    x, y = ({value: at for at, value in enumerate(each)} for each in (columns, rows))
    cells = np.full((len(rows), len(columns)), np.nan)
    for point in model.points:
        if point.error is not None:
            cells[y[point.values[up]], x[point.values[across]]] = point.error
    image = plot.imshow(
        cells, origin="lower", aspect="auto", cmap="RdBu_r", vmin=-most, vmax=most, interpolation="nearest"
    )
    stuck = [(x[p.values[across]], y[p.values[up]]) for p in model.points if p.simulated is None]
    if stuck:
        crossed = [list(each) for each in zip(*stuck, strict=True)]
        plot.scatter(crossed[0], crossed[1], marker="x", s=40, color=ALARM)
    if max(cells.shape) * len(found.models) <= _WRITTEN:
        for (at_y, at_x), error in np.ndenumerate(cells):
            if np.isfinite(error):
                colour = on(to_hex(tuple(image.to_rgba(np.array([error]))[0])))
                plot.text(at_x, at_y, f"{100 * error:.3g} %", ha="center", va="center", size=SMALL, color=colour)
    for axis, values in ((plot.xaxis, columns), (plot.yaxis, rows)):
        every = -(-len(values) * (len(found.models) if axis is plot.xaxis else 1) // _TICKS)
        axis.set_ticks(range(0, len(values), every), [shortened(str(value), 14) for value in values[::every]])
    plot.set_xlabel(with_unit(across), size=LABEL, color=INK)
    words = f"{shortened(model.model, 20)}{' · crossed: deadlock' if stuck else ''}"
    plot.set_title(words, size=LABEL, color=INK)
    verbatim(plot.title, plot.xaxis.label, *plot.get_xticklabels(), *plot.get_yticklabels())
    return image
