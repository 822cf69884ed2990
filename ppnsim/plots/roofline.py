"""The hierarchical roofline with ceilings, walls and designs, and the chart of frequency against memory quanta.

Source: Siracusa et al. 2021, figures 3 and 6 to 9. Both take the dictionaries of `ppnsim.report.roofline`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import FAINT, GRID, INK, LABEL, PALETTE, PAPER, SLIDE, SMALL, TITLE, shortened, verbatim

_WALL = "#009E73"
_MARKERS = "v^sDoP*X"
# Of a bank: which bandwidth, its line, its name in the legend.
_CEILINGS = (
    ("configured_GBps", "-", "configured"),
    ("random_GBps", "--", "random"),
    ("dependent_GBps", ":", "data-dependent"),
)


def roofline_figure(result: Mapping[str, Any], *, banks: Sequence[str] = ()) -> Figure:
    """Return the roofline of a result: all banks together, and each of ``banks`` with its ceilings.

    Lines that fall on each other are drawn once.

    Examples
    --------
    >>> row = {"name": "ddr[0]", "intensity": 2.0, "peak_GBps": 19.2, "configured_GBps": 17.9, "random_GBps": 9.6,
    ...        "dependent_GBps": 1.2, "reached_GBps": 17.9}
    >>> figure = roofline_figure({"name": "k", "metric": "flop", "peak": {"performance_per_s": 1e11, "bound": "dsp"},
    ...     "banks": [row], "together": {**row, "name": "all banks"}, "chosen": None, "walls": [], "points": []})
    >>> figure.axes[0].get_xlabel()
    'operational intensity [flop/byte]'
    """
    figure = breathing(Figure(figsize=(SLIDE, 7.5), layout="constrained", facecolor=PAPER))
    axes = figure.add_subplot()
    top = result["peak"]["performance_per_s"]
    rows = [result["chosen"] or result["together"], *(row for row in result["banks"] if row["name"] in banks)]
    rows = [row for row in rows if row]
    near, far = _span(result, rows)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(top, color=INK, linewidth=2.2, label=f"compute bound ({result['peak']['bound']})")
    for number, row in enumerate(rows):
        _roofs(axes, row, INK if not number else PALETTE[number % len(PALETTE)], (near, far), top)
    _walls(axes, result)
    for number, point in enumerate(result["points"]):
        if point["intensity"] is not None:
            axes.plot(point["intensity"], point["performance_per_s"], _MARKERS[number % len(_MARKERS)], markersize=11,
                      color=PALETTE[(number + 3) % len(PALETTE)], zorder=6,
                      label=shortened(point["name"], 44))  # fmt: skip
    low = min([row["dependent_GBps"] * near * 1e9 for row in rows] + [p["performance_per_s"] for p in result["points"]],
              default=top / 1e3)  # fmt: skip
    axes.set_xlim(near, far)
    axes.set_ylim(low / 2, top * 3)
    axes.set_xlabel(f"operational intensity [{result['metric']}/byte]", size=LABEL, color=INK)
    axes.set_ylabel(f"performance [{result['metric']}/s]", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(which="major", color=GRID, linewidth=0.8)
    legend = axes.legend(fontsize=SMALL, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    title = figure.suptitle(f"{shortened(result['name'], 60)} · roofline", size=TITLE, weight="bold", color=INK)
    verbatim(title, axes.xaxis.label, axes.yaxis.label, *legend.get_texts())
    return figure


def _span(result: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return the range of intensities that shows every ridge, wall and design."""
    top = result["peak"]["performance_per_s"]
    found = [row["intensity"] for row in rows if row["intensity"]]
    found += [top / (1e9 * row[kind]) for row in rows for kind in ("peak_GBps", "configured_GBps")]
    found += [wall["intensity"] for wall in result["walls"]]
    found += [point["intensity"] for point in result["points"] if point["intensity"]]
    return min(found, default=0.1) / 4, max(found, default=10) * 4


def _roofs(axes: Axes, row: Mapping[str, Any], colour: str, span: tuple[float, float], top: float) -> None:
    at = np.geomspace(*span, 200)
    axes.plot(at, np.minimum(1e9 * row["peak_GBps"] * at, top), color=colour, linewidth=2.2,
              label=f"{row['name']}: {row['peak_GBps']:.4g} GB/s")  # fmt: skip
    drawn = {round(row["peak_GBps"], 6)}
    for kind, line, words in _CEILINGS:
        if round(row[kind], 6) not in drawn:
            drawn.add(round(row[kind], 6))
            axes.plot(at, np.minimum(1e9 * row[kind] * at, top), color=colour, linewidth=1.3, linestyle=line,
                      label=f"{row['name']} {words}: {row[kind]:.4g} GB/s")  # fmt: skip
    if row["intensity"] is not None:
        axes.axvline(row["intensity"], color=colour, linewidth=1.2, linestyle=(0, (1, 2)),
                     label=f"{row['name']}: {row['intensity']:.4g} per byte")  # fmt: skip


def _walls(axes: Axes, result: Mapping[str, Any]) -> None:
    """Draw the walls as vertical lines; those at one place share a text."""
    places: dict[float, list[str]] = {}
    for wall in result["walls"]:
        name = f"loop {wall['loop']}" if wall["loop"] else "kernel"
        places.setdefault(wall["intensity"], []).append(f"{name}: {_bytes(wall['cache_bytes'])}")
    for at, names in places.items():
        axes.axvline(at, color=_WALL, linewidth=1.6)
        text = axes.annotate(", ".join(names), (at, 0.02), xycoords=("data", "axes fraction"), rotation=90, size=SMALL,
                             color=_WALL, xytext=(-4, 0), textcoords="offset points", ha="right",
                             va="bottom")  # fmt: skip
        verbatim(text)


def _bytes(size: float) -> str:
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size:g} B"


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
    for number, size in enumerate(quanta):
        colour = PALETTE[(number + 1) % len(PALETTE)]
        axes.plot([0, last], [0, last * size / 1000], color=colour, linewidth=1.4, label=f"quanta {size} B")
        for (memory, (peak, width)), marker in zip(memories.items(), "^v<>" * len(memories), strict=False):
            limit = peak * min(1.0, size / width)
            axes.axhline(limit, color=FAINT, linewidth=1, linestyle="--" if limit < peak else "-", zorder=1)
            axes.plot(frequency, min(frequency * size / 1000, limit), marker, color=colour, markersize=10, zorder=4)
            axes.annotate(f"{memory}{f', {size} B' if limit < peak else ''}", (last, limit), size=SMALL, color=INK,
                          ha="right", va="bottom")  # fmt: skip
    axes.axvline(frequency, color=INK, linewidth=1.2, linestyle=":")
    axes.set_xlim(0, last)
    axes.set_ylim(0, 1.25 * max(peak for peak, _ in memories.values()))
    axes.set_xlabel("frequency of the design [MHz]", size=LABEL, color=INK)
    axes.set_ylabel("bandwidth of a port [GB/s]", size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=SMALL, frameon=False, loc="upper left")
    marks = ", ".join(f"{memory} {mark}" for memory, mark in zip(memories, "▲▼◀▶", strict=False))
    title = f"{shortened(name, 50)} · clock and quanta ({marks})"
    verbatim(figure.suptitle(title, size=TITLE, weight="bold", color=INK), *axes.texts)
    return figure
