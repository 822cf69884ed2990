"""What is drawn in a figure, as text: every artist with its place, its colours and its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axes._secondary_axes import SecondaryAxis
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.spines import Spine
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator

from ppnsim.plots.axis import boxes_of

_TICKS = ("left", "bottom", "length", "labelsize", "labelcolor", "labelleft", "labelbottom", "gridOn", "grid_color")
_SHOWN = 6  # points of a line or places of a collection that are listed one by one


def artists(figure: Figure) -> str:
    """Return the artists of a figure, one a line."""
    width, height = figure.get_size_inches()
    lines = [f"figure {_numbers((width, height))} {_colour(figure.get_facecolor())}"]
    lines += [f"  {_text(each)}" for each in figure.texts]
    suptitle = figure.get_suptitle()
    lines += [f"  heading {suptitle!r}"] if suptitle else []
    for legend in figure.legends:
        lines += [f"  {line}" for line in _artist(legend)]
    for axes in figure.axes:
        lines += [f"  {line}" for line in _axes(axes)]
    return "\n".join(lines) + "\n"


def _axes(axes: Axes) -> Iterator[str]:
    yield f"axes x {_numbers(axes.get_xlim())} {axes.get_xscale()}, y {_numbers(axes.get_ylim())} {axes.get_yscale()}"
    for place in ("left", "center", "right"):
        if title := axes.get_title(loc=place):
            yield f"  title {place} {title!r}"
    yield from _axis("x", axes.xaxis)
    yield from _axis("y", axes.yaxis)
    for each in axes.get_children():
        if not isinstance(each, Axis | Spine) and each is not axes.patch and each.get_visible():
            yield from (f"  {line}" for line in _artist(each))


def _axis(name: str, axis: Axis) -> Iterator[str]:
    if axis.label.get_text():
        yield f"  {name} label {_text(axis.label)}"
    if isinstance(axis.get_major_locator(), FixedLocator):
        yield f"  {name} ticks {_points(np.asarray(axis.get_majorticklocs(), dtype=float).reshape(-1, 1))}"
    if isinstance(formatter := axis.get_major_formatter(), FixedFormatter):
        yield f"  {name} tick labels {list(formatter.seq)}"
    given = axis.get_tick_params()
    shown = "".join(f", {key} {given[key]}" for key in _TICKS if given.get(key) is not None)
    yield f"  {name} ticks by {type(axis.get_major_locator()).__name__}{shown}"


def _artist(each: Artist) -> Iterator[str]:
    order = f"z {each.get_zorder():g}"
    if isinstance(each, Legend):
        words = sorted({f"{text.get_fontsize():.3g} {_colour(text.get_color())}" for text in each.get_texts()})
        frame = f"{_colour(each.get_frame().get_facecolor())} framed" if each.get_frame_on() else "no frame"
        columns, names = vars(each)["_ncols"], [text.get_text() for text in each.get_texts()]
        yield f"legend {order} {columns} columns {words} {frame} {names}"
        yield from (f"  {line}" for handle in each.legend_handles if handle is not None for line in _artist(handle))
    elif isinstance(each, Text):
        if each.get_text():
            yield f"{_text(each)} {order}"
    elif isinstance(each, Line2D):
        style = f"{each.get_linestyle()} {each.get_linewidth():.3g} {each.get_marker()} {each.get_markersize():.3g}"
        points = np.column_stack([np.asarray(data, dtype=float) for data in each.get_data(orig=False)])
        yield f"line {order} {_colour(each.get_color())} {style} {_points(points)}"
    elif isinstance(each, Patch):
        box = each.get_path().get_extents(each.get_patch_transform())
        line = f"{_colour(each.get_edgecolor())} {each.get_linewidth():.3g} {each.get_hatch() or '-'}"
        kind = type(each).__name__
        if type(each) is PathPatch:  # many rectangles as one path
            yield f"{kind} {order} fill {_colour(each.get_facecolor())} line {line} boxes {_points(boxes_of(each))}"
            return
        yield f"{kind} {order} fill {_colour(each.get_facecolor())} line {line} {_numbers(box.extents)}"
    elif isinstance(each, Collection):
        colours = [sorted({_colour(one) for one in some}) for some in (each.get_facecolor(), each.get_edgecolor())]
        widths = sorted({f"{float(width):.3g}" for width in np.atleast_1d(each.get_linewidth())})
        sizes = _numbers(np.atleast_1d(getattr(each, "get_sizes", lambda: [0.0])())[:_SHOWN])
        boxes = [path.get_extents().extents for path in each.get_paths() if np.size(path.vertices)]
        places = np.asarray(np.ma.filled(each.get_offsets(), np.nan), dtype=float).reshape(-1, 2)
        yield (
            f"{type(each).__name__} {order} fill {colours[0]} line {colours[1]} {widths} sizes {sizes} at "
            f"{_points(places)} boxes {_points(np.reshape(boxes, (-1, 4)))}"
        )
    elif isinstance(each, AxesImage):
        cells: np.ndarray = np.ma.filled(np.ma.asarray(each.get_array(), dtype=float), np.nan)
        yield f"image {order} {each.get_cmap().name} {cells.shape} {_points(np.nan_to_num(cells, nan=-1.0))}"
    elif isinstance(each, Axes):
        yield from _axes(each)
    elif isinstance(each, SecondaryAxis):
        each._set_lims()  # type: ignore[attr-defined]  # as drawing would: its numbers follow those of the first
        yield f"second axis {order} x {_numbers(each.get_xlim())}, y {_numbers(each.get_ylim())}"
        yield from (f"  {line}" for name, axis in (("x", each.xaxis), ("y", each.yaxis)) for line in _axis(name, axis))
    else:
        yield f"{type(each).__name__} {order}"


def _text(each: Text) -> str:
    place = _numbers(each.get_position())
    aligned = f"{each.get_horizontalalignment()} {each.get_verticalalignment()}"
    style = f"{each.get_fontsize():.3g} {each.get_fontweight()} {aligned} {each.get_rotation():g}"
    mathematics = " mathematics" if each.get_parse_math() and "$" in each.get_text() else ""
    return f"text {each.get_text()!r} at {place} {_colour(each.get_color())} {style}{mathematics}"


def _points(points: np.ndarray) -> str:
    """Return points; of many, how many they are, the ends, and sums that every one of them changes."""
    if len(points) <= 2 * _SHOWN:
        return " | ".join(_numbers(point) for point in points)
    weights = np.arange(1, len(points) + 1) / len(points)
    finite = np.nan_to_num(points, nan=0.0, posinf=0.0, neginf=0.0)
    sums = f"mean {_numbers(finite.mean(axis=0))} weighed {_numbers(weights @ finite / len(points))}"
    return f"{len(points)}: {_points(points[:_SHOWN])} ... {_points(points[-2:])}; {sums}"


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{float(value) + 0.0:.4g}" for value in values)


def _colour(colour: object) -> str:
    return "none" if isinstance(colour, str) and colour == "none" else to_hex(colour, keep_alpha=True)  # type: ignore[arg-type]
