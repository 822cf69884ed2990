"""The page of a network placed on nodes: who waited for whom, links and memories, and everything over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppnsim.export.window import picoseconds_in
from ppnsim.page.large import data_uri
from ppnsim.page.sections import Origin, Section, provenance, section
from ppnsim.placed.report.run import placed_result
from ppnsim.placed.run.record import PlacedRun
from ppnsim.units import duration

_TITLES = {
    "processes": "Processes", "channels": "Channels across links", "links": "Links", "memories": "Memories",
    "ports": "Memory ports",
}  # fmt: skip


def placed_told(outcome: PlacedRun, *, origin: Origin, window: str | None = None) -> dict[str, Any]:
    """Return a run across nodes as one entry of a page; the page shows it, of a window, and does not simulate it."""
    from ppnsim.placed.pictures.drawing import draw_placement  # matplotlib takes a while to import
    from ppnsim.placed.pictures.time import placed_figure

    view = picoseconds_in(window, outcome.stopped)
    result = placed_result(outcome, file=origin.file)
    if result["finish_s"] is None:
        answer = f"deadlock: {', '.join(result['stuck'])} did not come to an end"
    else:
        answer = f"finish {duration(result['finish_s'] * 1e9)}"
    sentence = result["binds"]["sentence"] if result["binds"] else ""
    tables = [_table(title, result[key]) for key, title in _TITLES.items() if result[key]]
    pictures = [
        {"title": "Nodes", "picture": data_uri(draw_placement(outcome.placement)), "notes": [sentence]},
        {"title": "Over time", "picture": data_uri(placed_figure(outcome, sentence, window=view))},
    ]
    return {
        "name": result["name"], "answer": answer, "deadlock": result["finish_s"] is None, "engine": "des",
        "sections": [*pictures, *tables, provenance(origin, engine="des")], "fallback": tables,
    }  # fmt: skip


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
        return f"{value:.3g}" if value > 1 else f"{100 * value:.3g} %"
    return value
