"""The report as one HTML file: style and figures are inside, nothing is fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from validation.harness.document import Block, Heading, Notes, Table, Text
from validation.harness.rows import Verdict

_COLOURS = {
    Verdict.EXACT: "#d6f0e0", Verdict.ROUNDING: "#e3f3e9", Verdict.TOLERANCE: "#e3f3e9", Verdict.EXPLAINED: "#fdecc8",
    Verdict.CONSISTENT: "#dde7f3", Verdict.NOT_UNDERSTOOD: "#f9d9b0",
    Verdict.IMPOSSIBLE: "#e4e7eb", Verdict.NOT_RUN: "#e4e7eb", Verdict.UNEXPLAINED: "#f7c6c7",
}  # fmt: skip
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 1200px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.7em } h2 { margin-top: 2.5em; border-bottom: 2px solid #cbd2d9 } h3 { margin: 1.6em 0 .3em }
p { max-width: 52em } table { border-collapse: collapse; font-size: 13px; margin: .5em 0 }
th, td { border: 1px solid #cbd2d9; padding: 2px 7px; text-align: left; vertical-align: top }
th { background: #f5f7fa } summary { cursor: pointer; color: #3e4c59 }
figure { margin: 1em 0 } figure svg { max-width: 100%; height: auto } figcaption { color: #52606d; font-size: 13px }
"""


def html(blocks: Sequence[Block], svgs: Mapping[str, str]) -> str:
    """Return the document with ``svgs[picture.name]`` in the place of each picture."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "report")
    body = "\n".join(_block(block, svgs) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _block(block: Block, svgs: Mapping[str, str]) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
    if isinstance(block, Text):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return _folded(block.title, "".join(f"<p>{escape(each)}</p>" for each in block.paragraphs))
    return f"<figure>{svgs[block.name]}<figcaption>{escape(block.caption)}</figcaption></figure>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.head)
    lines = []
    for row in table.rows:
        cells = [f"<td{_colour(table, index, cell)}>{escape(cell)}</td>" for index, cell in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    text = f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table>"
    if table.folded:
        return _folded(table.folded, text)
    return text


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{text}</details>"


def _colour(table: Table, column: int, cell: str) -> str:
    return f' style="background:{_COLOURS[Verdict(cell)]}"' if column == table.verdict else ""
