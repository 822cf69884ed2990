"""The hierarchical roofline with ceilings, walls and designs, and the chart of frequency against memory quanta.

Source: Siracusa et al. 2021, figures 3 and 6 to 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf, isclose, log
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ppnsim.plots.axis import breathing
from ppnsim.plots.style import (
    ALARM,
    FAINT,
    GRID,
    INK,
    LABEL,
    PALETTE,
    PAPER,
    SLIDE,
    SMALL,
    TITLE,
    shortened,
    text_width,
    verbatim,
)
from ppnsim.roofline.answer import RooflineAnswer, known_intensity, per_s
from ppnsim.roofline.ceilings import BankRow

_WALL = "#009E73"
_POINTS = tuple(PALETTE[number] for number in (3, 5, 0, 6, 8))  # those of neither walls nor the first banks
_MARKERS = "v^sDoP*X"
_MOST_MARKS = 8  # banks that get a ring: those that bound the kernel first
_ACROSS, _UP = 850, 350  # points that the axes are wide and high, about
_BLANK = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6, "alpha": 0.8}  # behind a text that crosses lines
# Of a bank: which bandwidth, its line, its name in the legend.
_CEILINGS = (("configured", "-", "configured"), ("random", "--", "random"), ("dependent", "-.", "data-dependent"))
_KINDS = tuple(kind for kind, _, _ in _CEILINGS)


def roofline_figure(answer: RooflineAnswer, *, banks: Sequence[str] = ()) -> Figure:
    """Return a roofline: all banks together (or the chosen ones), and each of ``banks`` with its ceilings.

    Rings mark what is attainable at each bank; the kernel gets the least of it, which is filled. Lines that fall on
    each other are drawn once.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from ppnsim.roofline.accelerator import Accelerator, Argument, MemorySpec, OperatorUse
    >>> from ppnsim.roofline.laws import roofline
    >>> ddr = MemorySpec(name="ddr", banks=1, peak=19.2, width=64, random=0.15, latency=50)
    >>> made = Accelerator(
    ...     name="k", clock_ns=Fraction(4), available={"dsp": 160}, memories=(ddr,), metric="flop",
    ...     operators=(OperatorUse(name="mul", count=20, cost={"dsp": 4}),),
    ...     arguments=(Argument(name="a", memory="ddr", bytes=80),))
    >>> figure = roofline_figure(RooflineAnswer(file="k.toml", accelerator=made, found=roofline(made)))
    >>> figure.axes[0].get_xlabel()
    'operational intensity [flop/byte]'
    """
    figure = breathing(Figure(figsize=(SLIDE, 7.5), layout="constrained", facecolor=PAPER))
    axes = figure.add_subplot()
    found, top = answer.found, 1e9 * answer.found.peak.performance
    whole = answer.chosen or found.together
    named = [bank for bank in found.banks if bank.name in banks]
    rows = named if len(named) == 1 else [row for row in (whole, *named) if row]
    marks = _marks(answer, named or found.banks)
    near, far = _span(answer, rows, [intensity for intensity, _ in marks])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(top, color=INK, linewidth=2.2, label=f"compute bound ({found.peak.bound})")
    for number, row in enumerate(rows):
        _roofs(axes, row, INK if not number else PALETTE[number % len(PALETTE)], (near, far), top)
    _attained(axes, answer, marks, rows, (near, far))
    _walls(axes, answer, (near, far))
    points = [point for point, _ in answer.points()]
    for number, each in enumerate(points):
        if each.intensity is not None:
            axes.plot(each.intensity, 1e9 * each.performance, _MARKERS[number % len(_MARKERS)], markersize=11,
                      color=_POINTS[number % len(_POINTS)], zorder=6, label=shortened(each.name, 44))  # fmt: skip
    lowest = [row.dependent * near for row in rows] + [each.performance for each in points]
    lowest += [attainable for _, attainable in marks]
    low = 1e9 * min(lowest) if lowest else top / 1e3
    axes.set_xlim(near, far)
    axes.set_ylim(low / 2, top * 3)
    _labelled(axes, f"operational intensity [{answer.metric}/byte]", f"performance [{answer.metric}/s]")
    axes.grid(which="major", color=GRID, linewidth=0.8)
    # Below, where long names cost no width.
    legend = figure.legend(fontsize=SMALL, frameon=False, loc="outside lower center", ncols=2)
    title = f"{shortened(answer.accelerator.name, 60)} · roofline"
    heading = figure.suptitle(title, size=TITLE, weight="bold", color=INK)
    verbatim(heading, axes.xaxis.label, axes.yaxis.label, *legend.get_texts())
    return figure


def _marks(answer: RooflineAnswer, banks: Sequence[BankRow]) -> dict[tuple[float, float], list[str]]:
    """Return the banks by intensity and what is attainable there, the least first; a few, if there are many.

    Banks that share the traffic evenly bound the kernel together, at the intensity of all of them.
    """
    together = answer.found.together
    if together and len(banks) == len(answer.found.banks) and isclose(together.attainable, answer.found.attainable):
        banks = [together]
    places: dict[tuple[float, float], list[str]] = {}
    for bank in sorted(banks, key=lambda bank: (bank.attainable, bank.name != answer.found.bound)):
        if (intensity := known_intensity(bank)) is not None:
            places.setdefault((intensity, bank.attainable), []).append(bank.name)
    return dict(list(places.items())[:_MOST_MARKS])


def _attained(
    axes: Axes, answer: RooflineAnswer, marks: Mapping[tuple[float, float], Sequence[str]],
    rows: Sequence[BankRow], span: tuple[float, float],
) -> None:  # fmt: skip
    """Draw a ring for what is attainable at each bank, and fill that of the bank that bounds the kernel.

    The filled one lies on the compute bound or on the line of a bandwidth, which is drawn if it is none of ``rows``.
    """
    top, drawn = answer.found.peak.performance, {getattr(row, kind) for row in rows for kind in ("peak", *_KINDS)}
    for number, ((intensity, attainable), names) in enumerate(marks.items()):
        bounds = attainable <= answer.found.attainable or isclose(attainable, answer.found.attainable)
        colour = ALARM if bounds else PALETTE[number % len(PALETTE)]
        words, reached = shortened(", ".join(names), 30), attainable / intensity
        free = isclose(attainable, top)
        if bounds and not free and not any(isclose(reached, each, rel_tol=1e-6) for each in drawn):
            label = f"{words}: reached {reached:.4g} GB/s"
            _roof(axes, reached, span, 1e9 * top, color=ALARM, linewidth=1.3, label=label)
        why = (", the compute bound" if free else ", which bounds the kernel") if bounds else ""
        label = f"{words}: attainable {per_s(attainable)}/s{why}"
        axes.plot(intensity, 1e9 * attainable, "o", color=colour, markersize=10, linestyle="none", markeredgewidth=2,
                  fillstyle="full" if bounds else "none", zorder=5, label=label)  # fmt: skip


def _span(answer: RooflineAnswer, rows: Sequence[BankRow], marks: Iterable[float]) -> tuple[float, float]:
    """Return the range of intensities that shows every ridge, wall, mark and design."""
    top = 1e9 * answer.found.peak.performance
    known = [*map(known_intensity, rows), *marks, *(point.intensity for point, _ in answer.points())]
    found = [intensity for intensity in known if intensity]
    found += [top / (1e9 * bandwidth) for row in rows for bandwidth in (row.peak, row.configured)]
    found += [answer.intensity(wall) for wall in answer.walls]
    return min(found, default=0.1) / 4, max(found, default=10) * 4


def _roof(axes: Axes, bandwidth: float, span: tuple[float, float], top: float, **draw: Any) -> None:
    """Draw a bandwidth up to the compute bound."""
    at = [span[0], min(max(top / (1e9 * bandwidth), span[0]), span[1])]
    axes.plot(at, [1e9 * bandwidth * each for each in at], **draw)


def _roofs(axes: Axes, row: BankRow, colour: str, span: tuple[float, float], top: float) -> None:
    """Draw the bandwidths of a bank up to the compute bound, and its operational intensity."""
    roof = partial(_roof, axes, span=span, top=top, color=colour)
    roof(row.peak, linewidth=2.2, label=f"{row.name}: {row.peak:.4g} GB/s")
    drawn = {round(row.peak, 6)}
    for kind, line, words in _CEILINGS:
        bandwidth: float = getattr(row, kind)
        if round(bandwidth, 6) not in drawn:
            drawn.add(round(bandwidth, 6))
            roof(bandwidth, linewidth=1.3, linestyle=line, label=f"{row.name} {words}: {bandwidth:.4g} GB/s")
    if (intensity := known_intensity(row)) is not None:
        axes.axvline(intensity, color=colour, linewidth=1.2, linestyle=(0, (1, 2)),
                     label=f"{row.name}: intensity {intensity:.4g}")  # fmt: skip


def _walls(axes: Axes, answer: RooflineAnswer, span: tuple[float, float]) -> None:
    """Draw the walls as vertical lines with numbers, which the legend explains; walls at one place share a line."""
    loops = [wall.loop for wall in answer.walls]
    places: dict[float, list[str]] = {}
    for wall in answer.walls:
        line = f" (line {wall.line})" if loops.count(wall.loop) > 1 else ""
        name = f"loop {wall.loop}{line}" if wall.loop else "kernel"
        places.setdefault(answer.intensity(wall), []).append(f"{name} {_bytes(wall.size)}")
    last, height = -inf, 0.0
    for number, (at, names) in enumerate(sorted(places.items()), start=1):
        label = shortened(f"wall {number}: {', '.join(names)}", 64)
        axes.axvline(at, color=_WALL, linewidth=1.6, label=label)
        # Numbers of walls that are close together stand on each other.
        across = _ACROSS * log(at / span[0]) / log(span[1] / span[0])
        height = height + 1.4 * SMALL if across - last < 1.8 * SMALL else 0.0
        axes.annotate(str(number), (at, 0), xycoords=("data", "axes fraction"), xytext=(-3, 3 + height), ha="right",
                      textcoords="offset points", size=SMALL, color=_WALL, bbox=_BLANK, zorder=4)  # fmt: skip
        last = across


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
    _labelled(axes, "frequency of the design [MHz]", "bandwidth of a port [GB/s]")
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
                      textcoords="offset points", bbox=_BLANK)  # fmt: skip
        last, shift = up, shift + text_width(words, SMALL) + SMALL


def _labelled(axes: Axes, across: str, up: str) -> None:
    """Name the axes, and leave of the frame what carries something."""
    axes.set_xlabel(across, size=LABEL, color=INK)
    axes.set_ylabel(up, size=LABEL, color=INK)
    axes.tick_params(labelsize=SMALL, colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
