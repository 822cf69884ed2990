"""Puts a page together: runs as data, the engine and the pictures as scripts, everything in one file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.export.window import WindowLike, window_from
from ppnsim.model.run import Run
from ppnsim.model.summary import RunSummary, summary_of
from ppnsim.page.drawing import drawing_of
from ppnsim.page.engine_model import engine_model
from ppnsim.page.large import large_sections
from ppnsim.page.sections import Origin, Section, cycles_section, drawn_path, path_of, sections_of
from ppnsim.report.text import style_words
from ppnsim.units import duration

Told = dict[str, Any]

LARGEST = 300_000  # firings and tokens of a network that the page simulates itself
_CELLS = 30_000_000  # cycles of all processes together for which it keeps a class each
_SCRIPTS = ("engine.js", "classes.js", "view.js", "graph.js", "gantt.js", "page.js")


def told_of(run: Run, *, origin: Origin, window: WindowLike | None = None) -> Told:
    """Return a run as one entry of a page: what it simulates and plays, or of a large one pictures and tables.

    The picture over time begins with a window of cycles, or times ``A:B``; the page can leave it, a large one cannot.
    """
    view = None if window is None else window_from(window, run.network, run.stopped)
    summary, network = summary_of(run), run.network
    answer = str(run.deadlock) if run.finish is None else f"finish {run.finish} cycles ({duration(run.time_ns)})"
    told: Told = {
        "name": network.name, "answer": answer, "style": style_words(network), "deadlock": run.deadlocked,
        "finish": run.finish, "engine": run.engine,
        "fallback": [cycles_section(summary)], "source": origin.source, "lines": dict(origin.lines),
        "places": dict(origin.places),
    }  # fmt: skip
    fix = fix_deadlock(run) if run.deadlocked else None
    path = path_of(run, fix)
    sections = sections_of(summary, origin, path)
    if plays(summary):
        # The engine of the page knows no shared resources; what has some is shown as it was recorded.
        recorded = run.timeline if any(process.resource is not None for process in network.processes) else None
        told |= {"model": engine_model(network, recorded=recorded), "layout": drawing_of(network)}
        told["window"] = None if view is None else [view.first, view.last]
        return told | {"sections": sections, "path": drawn_path(path), "fix": dict(fix.depths) if fix else {}}
    return told | {"sections": [*large_sections(run, view), cycles_section(summary), *sections]}


def plays(summary: RunSummary) -> bool:
    """Return whether the page simulates a run of this size itself."""
    run = summary.run
    return run.network.events <= LARGEST and run.stopped * len(run.network.processes) <= _CELLS


def page_of(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the HTML of a page with these entries; the reader chooses between several.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> page = page_of([told_of(run(predictor()), origin=Origin(file="predictor.toml"))])
    >>> page.startswith("<!DOCTYPE html>"), "http://" in page.replace("http://www.w3.org/2000/svg", "")
    (True, False)
    """
    assets = files("ppnsim.page") / "assets"
    read = {name: (assets / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", *_SCRIPTS)}
    # A name may hold "</script>": in JSON, "<" can be written as a number.
    data = json.dumps(entries, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    title = ", ".join(str(entry["name"]) for entry in entries)
    parts = {
        "title": escape(title), "style": read["page.css"], "data": data,
        "fallback": "".join(table_html(each) for entry in entries for each in entry.get("fallback", ())),
        "script": "\n".join(read[name] for name in _SCRIPTS),
    }  # fmt: skip
    page, *rest = read["page.html"].split("@@")
    for place, text in enumerate(rest):
        page += parts[text] if place % 2 == 0 else text
    return page


def table_html(section: Section) -> str:
    """Return a section that is a table as plain HTML, for where there is no JavaScript.

    Examples
    --------
    >>> table_html({"title": "T", "columns": ["a"], "rows": [[1], [None]]})
    '<h3>T</h3><table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>-</td></tr></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in section["columns"])
    rows = (
        "".join(f"<td>{escape('-' if cell is None else str(cell))}</td>" for cell in row) for row in section["rows"]
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<h3>{escape(section['title'])}</h3><table><tr>{head}</tr>{body}</table>"
