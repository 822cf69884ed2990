"""The chart of frequency against memory quanta: what ports ask for, and what banks give.

Source: Siracusa et al. 2021, figure 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, text_width, verbatim
from ppnsim.roofline.pictures.roofline import BLANK

_UP = 350  # points that the axes are high, about


def quanta_figure(
    name: str, memories: Mapping[str, tuple[float, int]], frequency: float, quanta: Sequence[int]
) -> Figure:
    """Return the chart of Fig. 3: what ports of some quanta ask for over the clock, and what banks give them.

    Parameters
    ----------
    memories : GB/s and bytes of the port of a bank, by memory.
    frequency : MHz of the design, with a triangle for each memory and quanta at what Eq. 8 gives there.

    Examples
    --------
    >>> figure = quanta_figure("U280", {"ddr": (19.2, 64), "hbm": (14.4, 32)}, 225, (32, 64))
    >>> figure.axes[0].get_xlabel()
    'frequency of the design [MHz]'
    """
    figure = breathing(Figure(figsize=(SLIDE * 0.75, 6.5), layout="constrained", facecolor=PAPER))
    axes = figure.add_subplot()
    last = max(500.0, 1.2 * frequency)
    labels: set[tuple[float, str]] = set()
    for number, size in enumerate(quanta):
        colour = PALETTE[(number + 1) % len(PALETTE)]
        axes.plot([0, last], [0, last * size / 1000], color=colour, linewidth=1.4, label=f"quanta {size} B")
        for (memory, (peak, width)), marker in zip(memories.items(), "^v<>" * len(memories), strict=False):
            limit = peak * min(1.0, size / width)
            axes.axhline(limit, color=FAINT, linewidth=1, linestyle="--" if limit < peak else "-", zorder=1)
            # Triangles at one place lie in each other, the smallest quanta on top.
            axes.plot(frequency, min(frequency * size / 1000, limit), marker, color=colour,
                      markersize=min(8 + 3 * number, 24), zorder=5 - number / len(quanta))  # fmt: skip
            labels.add((limit, f"{memory}{f', {size} B' if limit < peak else ''}"))
    top = 1.25 * max(peak for peak, _ in memories.values())
    _limits(axes, labels, last, top)
    axes.axvline(frequency, color=INK, linewidth=1.2, linestyle=":")
    axes.set_xlim(0, last)
    axes.set_ylim(0, top)
    axes.set_xlabel("frequency of the design [MHz]", size=LABEL, color=INK)
    axes.set_ylabel("bandwidth of a port [GB/s]", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=SMALL, facecolor=PAPER, edgecolor=PAPER, loc="upper left")
    marks = ", ".join(f"{memory} {mark}" for memory, mark in zip(memories, "▲▼◀▶", strict=False))
    title = f"{shortened(name, 50)} · clock and quanta ({marks})"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK), *axes.texts)
    return figure


def _limits(axes: Axes, labels: Iterable[tuple[float, str]], right: float, top: float) -> None:
    """Name the horizontal lines at their right ends; names that would overlap stand side by side."""
    last, shift = -inf, 0.0
    for limit, words in sorted(labels):
        up = _UP * limit / top
        shift = shift if up - last < 1.3 * SMALL else 0.0
        axes.annotate(words, (right, limit), size=SMALL, color=INK, ha="right", va="bottom", xytext=(-shift, 1),
                      textcoords="offset points", bbox=BLANK)  # fmt: skip
        last, shift = up, shift + text_width(words, SMALL) + SMALL
