"""What every process does over time: its firings, and under them where the cycles went that it waited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ppnsim.arrays import Float64Array, Int64Array
from ppnsim.model.cycles import CycleClasses, Label, cycle_classes
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline
from ppnsim.plots.axis import far_of, mark_stop, outcome, plain, rectangles, time_axes
from ppnsim.plots.colours import cause_colours
from ppnsim.plots.columns import edges_in_step, spent, view_of
from ppnsim.plots.firings import MOST_ENTRIES, draw_firings, legend_of_firings
from ppnsim.plots.margins import BORDER, FOOT, HEAD, PAD, POINT, UPPER, foot, head, legend_height, place, words_width
from ppnsim.plots.style import FAINT, GRID, INK, LABEL, OTHER, PAPER, SLIDE, SMALL, on, shortened, text_width, verbatim

Look = Mapping[str, Any]

_QUIET = {"starting": "#C4C4C4", "ii": "#DEDEDE", "draining": "#F0F0F0", "done": "#FFFFFF"}
_HATCH = {"starved": "", "blocked": "/////", "resource": "xxxx"}
_WORDS = {
    "starting": "a firing starts",
    "ii": "between two starts",
    "draining": "draining",
    "done": "done",
    "starved": "starved on",
    "blocked": "blocked on",
    "resource": "waits for resource",
}


def lost_cycles(classes: Sequence[CycleClasses], columns: Sequence[Int64Array]) -> Counter[Label]:
    """Return how many cycles all processes together spend in each class, by (class, cause), from those by column."""
    total: Counter[Label] = Counter()
    for each, cycles in zip(classes, columns, strict=True):
        counted = cycles.sum(axis=0).tolist()
        total.update({label: number for label, number in zip(each.labels, counted, strict=True) if number})
    return total


def looks_of(total: Mapping[Label, int], network: Network) -> dict[Label, Look]:
    """Return how each class is drawn: a channel has the same colour in all pictures of its network.

    It keeps the colour whether its consumer starves or its producer is blocked; the hatch tells which. With more
    channels than colours, those that cost most get them, and the others share a grey.
    """
    given = cause_colours(network, total)
    looks: dict[Label, Look] = {}
    for kind, cause in total:
        if cause is None:
            looks[kind, cause] = {"facecolor": _QUIET[kind], "edgecolor": "none", "linewidth": 0}
        else:
            colour, dots = given.get((kind == "resource", cause), (OTHER, ""))
            hatch = _HATCH[kind] + dots
            looks[kind, cause] = {"facecolor": colour, "edgecolor": on(colour), "linewidth": 0, "hatch": hatch}
    return looks


def legend_of(total: Mapping[Label, int], looks: Mapping[Label, Look]) -> list[Patch]:
    """Return the entries of a legend: causes by the cycles that they cost, then the classes that are not a loss."""
    causes = sorted((label for label in total if label[1] is not None), key=lambda label: -total[label])
    entries, others = [], 0
    for label in causes:
        if looks[label]["facecolor"] == OTHER:
            others += total[label]
        else:
            words = f"{_WORDS[label[0]]} {shortened(str(label[1]), 28)} ({total[label]:,})"
            entries.append(Patch(label=words, **looks[label]))
    if others:
        entries.append(Patch(label=f"other causes ({others:,})", facecolor=OTHER, edgecolor=INK, linewidth=0))
    for kind, colour in _QUIET.items():
        if (kind, None) in total:
            entries.append(Patch(label=_WORDS[kind], facecolor=colour, edgecolor=FAINT, linewidth=0.6))
    return entries


_STRIP, _FIRINGS = (0.08, 0.34), (0.38, 0.94)  # of the height of a lane


def gantt(
    timeline: Timeline, *, window: tuple[int, int] | None = None, places: Mapping[str, str] | None = None,
    classes: Sequence[CycleClasses] | None = None,
) -> Figure:  # fmt: skip
    """Return one lane per process over time: firings above, the classes of its cycles in a strip below.

    A strip is coloured by cause, the channel or resource that is missing; the legend says how many cycles each cost.
    Up to 200 cycles show reading, executing and writing; beyond 800 cycles firings become a density, beyond 2000 a
    column of the picture holds several cycles and the strip shows their shares.

    Parameters
    ----------
    timeline : of a run, deadlocked or not.
    window : cycles ``(first, last + 1)`` to be shown; default all.
    places : where processes stand in a source, by name; shown below their names.
    classes : of the cycles of each process (`cycle_classes`), if they are known already.

    Raises
    ------
    InputError
        If the window shows no cycle of the run.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> figure = gantt(run(predictor()).timeline, window=(0, 40))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['source', 'transformer', 'sink']
    """
    view = view_of(timeline, window)
    names = [process.name for process in timeline.network.processes]
    if classes is None:
        classes = [cycle_classes(timeline, name) for name in names]
    edges = edges_in_step(timeline, view)
    columns = [spent(each, edges) for each in classes]
    total = lost_cycles(classes, columns)
    looks = looks_of(total, timeline.network)
    lines = {name: shortened(place, 24) for name, place in (places or {}).items() if place}
    titles = ["\n".join(filter(None, (shortened(name, 24), lines.get(name)))) for name in names]
    causes = legend_of(total, looks)
    bottom = FOOT + legend_height(len(causes) + MOST_ENTRIES)
    figure, axes = _paper(timeline, titles, edges, bottom)
    notes = []
    for row, (name, each, cycles) in enumerate(zip(names, classes, columns, strict=True)):
        floor = -1.0 - row
        lane = floor + _FIRINGS[0], floor + _FIRINGS[1]
        notes.append(draw_firings(axes, timeline, name, edges=edges, far=far_of(timeline, view), lane=lane))
        _draw_strip(axes, name, each.labels, cycles / np.diff(edges)[:, None], edges, looks, floor)
    _draw_frames(axes, len(names), view)
    mark_stop(axes, timeline, view)
    place(figure, axes, left=_left(titles), right=_right(notes, edges), bottom=bottom)
    foot(figure, causes + legend_of_firings(axes, view[1] - view[0]), height=bottom - FOOT)
    return figure


def _draw_strip(
    axes: Axes, process: str, labels: Sequence[Label], part: Float64Array, edges: Int64Array,
    looks: Mapping[Label, Look], floor: float,
) -> None:  # fmt: skip
    upper = np.cumsum(part, axis=1)
    low, high = floor + _STRIP[0], _STRIP[1] - _STRIP[0]
    coarse = bool(np.any(np.diff(edges) > 1))
    for code, label in enumerate(labels):
        columns = np.flatnonzero(part[:, code])
        if not len(columns):
            continue
        bottom, top = upper[columns, code] - part[columns, code], upper[columns, code]
        left, right, under, over = _joined(edges[columns], edges[columns + 1], bottom, top)
        words = " ".join(filter(None, label))
        cells = rectangles(
            axes, left, right, low + high * under, low + high * over,
            **looks[label], label=f"{process}: {words}", zorder=3,
        )  # fmt: skip
        cells.set_rasterized(coarse)  # thousands of slivers make a vector picture large and slow


def _draw_frames(axes: Axes, lanes: int, view: tuple[int, int]) -> None:
    """Draw frames around all strips."""
    low = np.array([_STRIP[0] - 1.0 - lane for lane in range(lanes)], dtype=np.float64)
    left, right = (np.full(lanes, float(each)) for each in view)
    look = {"facecolor": "none", "edgecolor": FAINT, "linewidth": 0.6, "zorder": 4, "label": "strips"}
    rectangles(axes, left, right, low, low + _STRIP[1] - _STRIP[0], **look)


def _joined(left: Int64Array, right: Int64Array, low: Float64Array, high: Float64Array) -> list[Float64Array]:
    """Return the rectangles with neighbours of equal height made one."""
    same = (right[:-1] == left[1:]) & (low[:-1] == low[1:]) & (high[:-1] == high[1:])
    begins = np.flatnonzero(np.append(True, ~same))
    ends = np.append(begins[1:], len(left)) - 1
    return [left[begins].astype(float), right[ends].astype(float), low[begins], high[begins]]


def _left(titles: Sequence[str]) -> float:
    return BORDER + words_width(titles, LABEL) + 2 * PAD


def _right(notes: Sequence[str], edges: Int64Array) -> float:
    """Return the points right of the axes, for the notes there and for half of the last number of the axis."""
    return BORDER + max(words_width(notes, SMALL) + 2 * PAD, text_width(f"{edges[-1]:,}", SMALL) / 2)


def _paper(timeline: Timeline, names: list[str], edges: Int64Array, bottom: float) -> tuple[Figure, Axes]:
    lane = float(np.interp(len(names), [4, 20], [1.15, 0.55]))  # inches
    tall = (HEAD + UPPER + bottom) * POINT + lane * max(len(names), 2)
    figure = Figure(figsize=(SLIDE, tall), facecolor=PAPER)
    axes = figure.add_subplot()
    place(figure, axes, left=_left(names), right=_right((), edges), bottom=bottom)
    plain(axes)
    axes.set_ylim(-len(names), 0)
    axes.tick_params(axis="y", length=0, labelsize=LABEL)
    axes.set_yticks([-0.5 - row for row in range(len(names))], names)
    verbatim(*axes.get_yticklabels())
    lines = [[(0.0, -row), (1.0, -row)] for row in range(1, len(names))]
    between = LineCollection(lines, colors=GRID, linewidths=0.8, transform=axes.get_yaxis_transform(), label="lanes")
    axes.add_collection(between, autolim=False)
    time_axes(axes, axes, timeline, edges, within="each column shows the shares of")
    head(figure, f"{shortened(timeline.network.name, 60)} · {outcome(timeline)}")
    return figure, axes
