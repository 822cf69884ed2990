"""WaveDrom: the run as a timing diagram for a text, as WaveJSON and as an SVG that needs no network to be drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import IO, Any

import numpy as np

from ppnsim.errors import InputError
from ppnsim.export.trace import Spans, Trace
from ppnsim.export.window import Window

WIDEST = 1000  # cycles of a diagram: WaveDrom draws each of them

_LETTER = {"starting": "5", "done": "2", "draining": "7", "ii": "6", "blocked": "9", "starved": "4", "resource": "8"}
_FILL = {
    "5": "#56B4E9", "2": "#FFFFFF", "7": "#EEEEEE", "6": "#CFCFCF", "9": "#E69F00", "4": "#F0E442", "8": "#CC79A7",
    "3": "#009E73", "=": "#FFFFFF",
}  # fmt: skip
_CELL, _ROW, _BOX, _LEFT = 40, 26, 18, 150  # points


@dataclass(frozen=True, slots=True)
class Wave:
    """One row: ``(first, last + 1, letter, text)`` of each box, over the cycles of the window."""

    group: str
    name: str
    boxes: tuple[tuple[int, int, str, str], ...]


def waves_of(trace: Trace, window: Window) -> list[Wave]:
    """Return the rows of a diagram: state and firing of every process, tokens of every channel.

    Raises
    ------
    InputError
        If the window has more cycles than a diagram can show.
    """
    if window.last - window.first > WIDEST:
        cycles = window.last - window.first
        raise InputError(f"{cycles} {trace.tick}s are more than a diagram shows ({WIDEST}); --window A:B picks some")
    rows = []
    spans = {each.name: each for each in trace.spans}
    for states in trace.states:
        boxes = [(a, b, _LETTER.get(word.split(":")[0], "="), word) for a, b, word in states.within(window)]
        rows.append(Wave(states.name, "state", tuple(boxes)))
        if states.name in spans:
            rows.append(Wave(states.name, "firing", tuple(_starts(spans[states.name], window))))
    for levels in trace.levels:
        ticks = [*levels.within(window), (window.last, 0)]
        held = [(a, b, "=", str(value)) for (a, value), (b, _) in pairwise(ticks) if a < b]
        rows.append(Wave("channels", levels.name, tuple(held)))
    return rows


def write_wavejson(trace: Trace, window: Window, out: IO[str]) -> None:
    """Write WaveJSON: a group of rows per process, one of all channels; ``.`` goes on, ``x`` is nothing."""
    rows = waves_of(trace, window)
    groups: dict[str, list[Any]] = {}
    for row in rows:
        signal: dict[str, Any] = {"name": row.name, "wave": _wave(row, window)}
        if data := [text for _, _, _, text in row.boxes]:
            signal["data"] = data
        groups.setdefault(row.group, [row.group]).append(signal)
    diagram = {
        "signal": list(groups.values()),
        "head": {"text": trace.name, "tick": window.first},
        "foot": {"text": f"{trace.tick}s of {trace.tick_ns:g} ns"},
        "config": {"hscale": 2},
    }
    json.dump(diagram, out, indent=1)
    out.write("\n")


def write_svg(trace: Trace, window: Window, out: IO[str]) -> None:
    """Write the same diagram as SVG."""
    rows = waves_of(trace, window)
    width = _LEFT + _CELL * (window.last - window.first) + 10
    height = 50 + _ROW * len(rows)
    out.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#FFF"/>\n'
        f'<text x="8" y="16" font-size="13" font-weight="bold">{escape(trace.name)}</text>\n'
    )
    for cycle in range(window.first, window.last):
        x = _LEFT + _CELL * (cycle - window.first)
        out.write(f'<path d="M{x} 34V{height}" stroke="#DDD"/><text x="{x + 2}" y="32" fill="#666">{cycle}</text>\n')
    before = None
    for place, row in enumerate(rows):
        out.writelines(_row(row, 40 + _ROW * place, window, first=row.group != before))
        before = row.group
    out.write("</svg>\n")


def _starts(spans: Spans, window: Window) -> Iterator[tuple[int, int, str, str]]:
    """Yield a box for each cycle in which firings start, with their numbers."""
    inside = np.flatnonzero((spans.begin >= window.first) & (spans.begin < window.last))
    for cycle, at in zip(*np.unique(spans.begin[inside], return_index=True), strict=True):
        count = int((spans.begin[inside] == cycle).sum())
        first = int(spans.number[inside[at]])
        yield int(cycle), int(cycle) + 1, "3", str(first) if count == 1 else f"{first}..{first + count - 1}"


def _wave(row: Wave, window: Window) -> str:
    letters: list[str] = []
    for first, last, letter, _ in row.boxes:
        gap = first - window.first - len(letters)
        letters += ["x", *["."] * (gap - 1)] if gap else []
        letters += [letter, *["."] * (last - first - 1)]
    rest = window.last - window.first - len(letters)
    return "".join(letters + (["x", *["."] * (rest - 1)] if rest else []))


def _row(row: Wave, y: int, window: Window, *, first: bool) -> Iterator[str]:
    if first:
        yield f'<text x="8" y="{y + 13}" font-weight="bold">{escape(row.group)}</text>\n'
    yield f'<text x="{_LEFT - 6}" y="{y + 13}" text-anchor="end" fill="#333">{escape(row.name[:16])}</text>\n'
    for begin, end, letter, text in row.boxes:
        x, wide = _LEFT + _CELL * (begin - window.first), _CELL * (end - begin)
        room = max(wide // 6, 1)
        short = text if len(text) <= room else text[: room - 1] + "…"
        yield (
            f'<g><title>{escape(text)}, {begin}..{end - 1}</title><rect x="{x + 1}" y="{y}" width="{wide - 2}" '
            f'height="{_BOX}" rx="3" fill="{_FILL[letter]}" stroke="#333"/>'
            f'<text x="{x + wide / 2}" y="{y + 13}" text-anchor="middle">{escape(short)}</text></g>\n'
        )
