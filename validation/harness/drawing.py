"""Figures of the report: matplotlib objects without pyplot, drawn the same byte for byte every time."""

from __future__ import annotations

import io
from collections.abc import Callable

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")  # Okabe and Ito: safe for the colour-blind
MARKERS = ("o", "s", "^", "D", "v")
FAINT = "#7B8794"


def draw(fill: Callable[[Axes], None], *, width: float = 8.0, height: float = 3.6) -> Figure:
    """Return a figure (inches) with one plain axes that ``fill`` draws into."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="y", color="#E4E7EB", linewidth=0.7)
    axes.set_axisbelow(True)
    fill(axes)
    return figure


def as_svg(figure: Figure) -> str:
    """Return the figure as an SVG element, without the XML head that a file would have."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "ppnsim", "svg.fonttype": "path"}):
        FigureCanvasSVG(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
