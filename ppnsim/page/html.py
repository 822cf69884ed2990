"""Puts a page together: runs as data, the engine and the pictures as scripts, everything in one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ppnsim.export.place import replacing
from ppnsim.page.sections import Origin, Section

PAGE = "report.html"  # in a folder of results
_SCRIPTS = ("engine.js", "classes.js", "looks.js", "view.js", "graph.js", "gantt.js", "still.js", "page.js")


def write_page(folder: Path, file: str, told: Callable[[Origin], Mapping[str, Any]]) -> None:
    """Write the page of what was made from a file, as it is told, to a folder that is there."""
    content = Path(file).read_bytes() if Path(file).is_file() else b""
    with replacing(folder / PAGE) as page:
        page.write(page_of([told(Origin(file=file, content=content))]))


def page_of(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the HTML of a page with these entries; the reader chooses between several.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.page.build import told_of
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
