"""Rows over time as SVG. matplotlib draws the same for slides, but its import alone costs as much as a run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from ppnsim.arrays import Float64Array
from ppnsim.plots.ticks import ticks

INK, FAINT, GRID, ALARM = "#1F2933", "#7B8794", "#E4E9EE", "#B00020"
_WIDTH, _LEFT, _RIGHT, _TOP, _FOOT, _LETTER = 1400, 190, 150, 6, 62, 7.2
_NAME = 25  # letters of a row's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled area between two heights, each from 0 to 1 of its row, one of both in each column.

    ``edges`` are the ends of the columns, one more than these, in the unit of the axis.
    """

    colour: str
    edges: Float64Array
    low: Float64Array
    high: Float64Array
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRow:
    """A row with its name, its areas, a dashed line at a height, and words at the right.

    What is ``inside`` are words between two times, written in white where they fit.
    """

    name: str
    areas: Sequence[Area]
    inside: Sequence[tuple[float, float, str]] = ()
    line: float | None = None
    words: str = ""


def lanes_svg(
    lanes: Sequence[TimeRow], ends: tuple[float, float], axis: str, legend: Mapping[str, str], *,
    stopped: float | None = None,
) -> str:  # fmt: skip
    """Return rows over time as a data URI.

    Parameters
    ----------
    ends : the first and the last time that is shown.
    axis : what is written below: what is counted, with its unit.
    legend : colours by what they mean.
    stopped : when a deadlock stands, None = there is none.

    Examples
    --------
    >>> area = Area(colour="#0072B2", edges=np.array([0.0, 4, 8]), low=np.zeros(2), high=np.array([0.5, 1]))
    >>> lanes_svg([TimeRow(name="a", areas=[area])], (0.0, 8.0), "time [ns]", {"at work": "#0072B2"})[:26]
    'data:image/svg+xml;base64,'
    """
    tall = float(np.interp(len(lanes), [8, 40], [46, 22]))
    bottom = _TOP + tall * len(lanes)
    scale = (_WIDTH - _LEFT - _RIGHT) / (ends[1] - ends[0])
    shapes = [f'<rect width="{_WIDTH}" height="{bottom + _FOOT:g}" fill="#fff"/>']
    for tick in ticks(*ends):
        x = _LEFT + (tick - ends[0]) * scale
        shapes.append(f'<path d="M{x:.1f},{_TOP}V{bottom:.1f}" stroke="{GRID}"/>')
        shapes.append(_text(f"{tick:,}", x, bottom + 16, anchor="middle"))
    for row, lane in enumerate(lanes):
        shapes += _row(lane, _TOP + tall * (row + 1), tall, scale, ends)
    if stopped is not None:
        x = _LEFT + (stopped - ends[0]) * scale
        shapes.append(f'<path d="M{x:.1f},{_TOP}V{bottom:.1f}" stroke="{ALARM}" stroke-width="3"/>')
    shapes.append(_text(axis, (_LEFT + _WIDTH - _RIGHT) / 2, bottom + 34, anchor="middle"))
    at: float = _LEFT
    for words, colour in legend.items():
        shapes.append(f'<rect x="{at:.1f}" y="{bottom + 44:.1f}" width="22" height="11" fill="{colour}"/>')
        shapes.append(_text(words, at + 28, bottom + 54))
        at += 52 + _LETTER * len(words)
    return svg_uri("".join(shapes), _WIDTH, bottom + _FOOT)


def spans(colour: str, ends: Sequence[tuple[float, float]], heights: tuple[float, float]) -> Area:
    """Return what lasts from a time to another, in any order, between two heights; what overlaps is one.

    Examples
    --------
    >>> area = spans("#0072B2", [(4.0, 6.0), (0.0, 2.0), (1.0, 3.0)], (0.5, 1.0))
    >>> area.edges.tolist(), area.high.tolist()
    ([0.0, 3.0, 4.0, 6.0], [1.0, 0.5, 1.0])
    """
    joined: list[list[float]] = []
    for begin, end in sorted(ends):
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    edges = np.array(joined).ravel()
    low, high = (np.full(len(edges) - 1, height) for height in heights)
    high[1::2] = heights[0]
    return Area(colour=colour, edges=edges, low=low, high=high)


def svg_uri(shapes: str, width: float, height: float) -> str:
    """Return shapes as a picture of so many dots, as a data URI."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    font = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="13"'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{shapes}</svg>'
    return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"


def _row(lane: TimeRow, floor: float, tall: float, scale: float, ends: tuple[float, float]) -> Iterator[str]:
    high, middle = 0.84 * tall, floor - 0.35 * tall
    for area in lane.areas:
        paths = "".join(_pieces(area, scale, floor, high, ends))
        yield f'<path d="{paths}" fill="{area.colour}" fill-opacity="{area.opacity:g}"/>'
    yield f'<path d="M{_LEFT},{floor:.1f}H{_WIDTH - _RIGHT}" stroke="{FAINT}" stroke-width=".6"/>'
    if lane.line is not None:
        dashed = f'stroke="{INK}" stroke-dasharray="6 4"'
        yield f'<path d="M{_LEFT},{floor - high * lane.line:.1f}H{_WIDTH - _RIGHT}" {dashed}/>'
    for begin, end, words in lane.inside:
        left, right = (_LEFT + (min(max(time, ends[0]), ends[1]) - ends[0]) * scale for time in (begin, end))
        if right - left > _LETTER * len(words):
            yield _text(words, (left + right) / 2, middle, anchor="middle", colour="#fff")
    half = _NAME // 2
    name = lane.name if len(lane.name) <= _NAME else f"{lane.name[:half]}..{lane.name[-half:]}"
    yield _text(name, _LEFT - 8, middle, anchor="end")
    yield _text(lane.words, _WIDTH - _RIGHT + 8, middle)


def _text(words: str, x: float, y: float, *, anchor: str = "start", colour: str = INK) -> str:
    look = f'fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>' if words else ""


def _pieces(area: Area, scale: float, floor: float, high: float, ends: tuple[float, float]) -> Iterator[str]:
    """Yield a rectangle for columns of the same heights that follow each other; empty ones are left out."""
    heights = np.stack([area.low, area.high])
    starts = np.flatnonzero(np.append(True, (np.diff(heights, axis=1) != 0).any(axis=0)))
    edges: Any = np.clip(area.edges, *ends)
    for begin, end in zip(starts, np.append(starts[1:], len(area.low)), strict=True):
        low, top = heights[:, begin]
        if top > low and edges[end] > edges[begin]:
            x, y = _LEFT + (edges[begin] - ends[0]) * scale, floor - high * top
            yield f"M{x:.1f},{y:.1f}h{(edges[end] - edges[begin]) * scale:.2f}v{high * (top - low):.1f}H{x:.1f}z"
