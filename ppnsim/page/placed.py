"""The page of a network placed on nodes: who waited for whom, links and memories, and everything over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ppnsim.export.window import picoseconds_in
from ppnsim.page.lanes import Area, TimeRow, lanes_svg
from ppnsim.page.nodes import nodes_svg
from ppnsim.page.sections import Origin, Section, provenance, section
from ppnsim.placed.report.lanes import LOOKS, edges_of_columns, lanes_of
from ppnsim.placed.report.run import placed_result
from ppnsim.placed.report.slots import slots_of
from ppnsim.placed.run.record import PlacedRun
from ppnsim.plots.ticks import unit_of
from ppnsim.units import duration

_NUMBERS = ("under_way",)  # averages that are no shares
_COLUMNS = 500  # of a row of slots
_SLOTS = "slots taken, seen by the writer: from the write of a token until the slot can be written again"

_TITLES = {
    "processes": "Processes", "channels": "Channels across links", "links": "Links", "memories": "Memories",
    "ports": "Memory ports",
}  # fmt: skip


def placed_told(outcome: PlacedRun, *, origin: Origin, window: str | None = None) -> dict[str, Any]:
    """Return a run across nodes as one entry of a page; the page shows it, of a window, and does not simulate it."""
    view = picoseconds_in(window, outcome.stopped)
    result = placed_result(outcome, file=origin.file)
    if result["finish_s"] is None:
        answer = f"deadlock: {', '.join(result['stuck'])} did not come to an end"
    else:
        answer = f"finish {duration(result['finish_s'] * 1e9)}"
    sentence = result["binds"]["sentence"] if result["binds"] else ""
    tables = [_table(title, result[key]) for key, title in _TITLES.items() if result[key]]
    pictures = [
        {"title": "Nodes", "picture": nodes_svg(outcome.placement), "notes": [sentence]},
        {"title": "Over time", "picture": _over_time(outcome, view)},
    ]
    if outcome.placement.network.channels:
        pictures.append({"title": "Occupancy", "picture": _occupancy(outcome, view), "notes": [_SLOTS]})
    return {
        "name": result["name"], "answer": answer, "deadlock": result["finish_s"] is None, "engine": "des",
        "sections": [*pictures, *tables, provenance(origin, engine="des")], "fallback": tables,
    }  # fmt: skip


def _over_time(run: PlacedRun, window: tuple[int, int] | None) -> str:
    edges = edges_of_columns(run, window)
    unit, size = unit_of(float(edges[-1]) / 1000)
    at, used, lanes = edges / (1000 * size), set[str](), []
    for name, shares in lanes_of(run, edges):
        low, areas = np.zeros(len(at) - 1), []
        for look, colour in LOOKS.items():
            if look in shares and (shares[look] > 0).any():
                used.add(look)
                high = low + np.clip(shares[look], 0, 1)
                areas.append(Area(colour=colour, edges=at, low=low, high=high))
                low = high
        lanes.append(TimeRow(name=name, areas=areas))
    legend = {look: colour for look, colour in LOOKS.items() if look in used}
    return lanes_svg(lanes, (at[0], at[-1]), f"time [{unit}]", legend, stopped=_stopped(run, edges[-1], at[-1]))


def _occupancy(run: PlacedRun, window: tuple[int, int] | None) -> str:
    """Return one row per channel: of columns of several cycles the fewest slots taken in full colour, the most pale."""
    first, last = window or (0, max(run.stopped, 1))
    unit, size = unit_of(last / 1000)
    scale, lanes = 1000 * size, []
    for channel, taken in slots_of(run, (first, last), _COLUMNS):
        drawn = channel.depth is not None and channel.depth <= max(4, 4 * taken.peak)
        top = 1.1 * max(taken.peak, channel.depth if drawn and channel.depth else 1)
        at, none = taken.edges / scale, np.zeros(len(taken.fewest))
        pale = Area(colour=taken.colour, edges=at, low=none, high=taken.most / top, opacity=0.45)
        full = Area(colour=taken.colour, edges=at, low=none, high=taken.fewest / top)
        depth = "unbounded" if channel.depth is None else f"depth {channel.depth}"
        line = channel.depth / top if drawn and channel.depth else None
        lanes.append(TimeRow(name=channel.name, areas=[pale, full], line=line, words=f"max {taken.peak}, {depth}"))
    ends = first / scale, last / scale
    return lanes_svg(lanes, ends, f"time [{unit}]", {}, stopped=_stopped(run, last, ends[1]))


def _stopped(run: PlacedRun, last: float, end: float) -> float | None:
    return end if run.finish is None and last >= run.stopped else None


def _table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Section:
    """Return rows by name as a table; seconds get a unit, shares are percent."""
    keys = list(dict.fromkeys(key for row in rows.values() for key in row))
    cells = [[name, *(_cell(key, row.get(key)) for key in keys)] for name, row in rows.items()]
    return section(title, ["", *(key.removesuffix("_s").replace("_", " ") for key in keys)], cells)


def _cell(key: str, value: Any) -> object:
    if isinstance(value, Mapping):
        return ", ".join(f"{cause} {_cell(key, share)}" for cause, share in value.items()) or None
    if value is not None and key.endswith("_s"):
        return duration(float(f"{value * 1e9:.5g}"))
    if isinstance(value, float):
        return f"{value:.3g}" if key in _NUMBERS else f"{100 * value:.3g} %"
    return value
