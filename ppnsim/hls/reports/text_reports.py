"""A reader for reports in plain text: ``FUNCTION_csynth.rpt``, and ``csynth.rpt`` of a whole design."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.reports.model import Head, Range, ReportedFunction, ReportedLoop

_TITLE = re.compile(r"== (?:Vitis|Vivado) HLS Report for '(.+)'")
_SUMMARY = re.compile(r"== Synthesis Summary Report of '(.+)'")
_HEAD = {"part": re.compile(r"\* Target device:\s*(\S+)"), "version": re.compile(r"\* Version:\s*(\S+)")}
_PERIOD = re.compile(r"\|\s*ap_clk\s*\|\s*([\d.]+)")


def read_text(path: Path) -> tuple[Head, list[ReportedFunction]]:
    """Return the contents of a report in plain text: one function, or all functions of the design.

    Raises
    ------
    InputError
        If the file is no report, or one of its tables is incomplete.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    found = {key: match[1] for key, pattern in _HEAD.items() if (match := pattern.search(text))}
    period = _PERIOD.search(text)
    head = Head(
        part=found.get("part", ""), version=found.get("version", ""), clock_ns=float(period[1] if period else 0)
    )
    if (title := _TITLE.search(text)) is not None:
        return replace(head, top=title[1]), [_function(title[1], text, str(path))]
    if (title := _SUMMARY.search(text)) is not None:
        return replace(head, top=title[1]), _summary(text, str(path))
    raise InputError("no report of Vitis HLS: it has no line \"== Vitis HLS Report for '..'\"", where=str(path))


def _function(name: str, text: str, file: str) -> ReportedFunction:
    """Return the function of a single report, from its section on latency."""
    latency, _, _ = text.partition("== Utilization Estimates")
    _, found, latency = latency.partition("+ Latency:")
    summary, _, detail = latency.partition("* Instance:")
    instances, _, loops = detail.partition("* Loop:")
    rows = [row for row in _rows(summary) if len(row) == 7 and row[-1] != "Type"]
    if not found or not rows:
        raise InputError("the report has no table of latencies", where=file)
    values = rows[-1]
    return ReportedFunction(
        name=name, latency=_span(values[0], values[1]), interval=_span(values[4], values[5]), kind=values[6],
        loops=_nested([_loop(row, name, file) for row in _rows(loops) if row[0].startswith(("-", "+"))]),
        instances=tuple((row[0], row[1]) for row in _rows(instances) if len(row) == 9 and row[-1] not in _COLUMNS),
        file=file,
    )  # fmt: skip


_COLUMNS = ("Type", "Pipeline")


def _loop(row: Sequence[str], function: str, file: str) -> tuple[int, ReportedLoop]:
    """Return the loop of a table row, and its nesting depth: ``- outer``, ``+ inner``, ``++ innermost``."""
    if len(row) != 8:
        raise InputError(f"loop '{row[0]}': a row of {len(row)} columns; a table of loops has 8", where=file)
    marks, _, name = row[0].partition(" ")
    ii = _number(row[4])
    depth = 0 if marks == "-" else len(marks)
    return depth, ReportedLoop(
        name=name.strip(), function=function, latency=_span(row[1], row[2]), trips=_range(row[6]),
        iteration_latency=_most(row[3]), ii=ii[1] if ii and row[7] == "yes" else None,
        kind="yes" if row[7] == "yes" else "dataflow" if row[7] == "dataflow" else "no", file=file,
    )  # fmt: skip


@dataclass(slots=True)
class _Open:
    """A function of the summary while its rows are read."""

    function: ReportedFunction
    loops: list[tuple[int, ReportedLoop]] = field(default_factory=list)


def _summary(text: str, file: str) -> list[ReportedFunction]:
    """Return the functions of the table ``Modules & Loops``: ``+`` is a function (``*``: dataflow), ``o`` a loop."""
    found: list[_Open] = []
    around: list[tuple[int, _Open]] = []
    for line in text.splitlines():
        match = re.match(r"\s*\|(\s*)([+o])\s+(\S+)\s*\|", line)
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if match is None or len(cells) < 9:
            continue
        depth, name = len(match[1]), match[3]
        latency, iteration, ii, trips, kind = cells[3], cells[5], cells[6], cells[7], cells[8]
        while around and around[-1][0] >= depth:
            around.pop()
        if match[2] == "+":
            own = _Open(
                ReportedFunction(
                    name=name.rstrip("*"), latency=_range(latency), interval=_range(ii), kind=kind or "no", file=file
                )
            )
            if around:
                parent = around[-1][1]
                inside = (*parent.function.instances, (own.function.name, own.function.name))
                parent.function = replace(parent.function, instances=inside)
            around.append((depth, own))
            found.append(own)
        elif around:
            interval = _number(ii)
            around[-1][1].loops.append((
                depth, ReportedLoop(
                    name=name, function=around[-1][1].function.name, latency=_range(latency), trips=_range(trips),
                    iteration_latency=_most(iteration), ii=interval[1] if interval and kind == "yes" else None,
                    kind="yes" if kind == "yes" else "dataflow" if kind == "dataflow" else "no", file=file,
                )
            ))  # fmt: skip
    if not found:
        raise InputError("the summary has no table of modules and loops", where=file)
    return [replace(own.function, loops=_nested(own.loops)) for own in found]


def _nested(rows: Sequence[tuple[int, ReportedLoop]]) -> tuple[ReportedLoop, ...]:
    """Return loops, each with the deeper loops after it as its parts."""
    found: list[ReportedLoop] = []
    for at, (depth, loop) in enumerate(rows):
        if depth > rows[0][0]:
            continue
        end = next((n for n in range(at + 1, len(rows)) if rows[n][0] <= depth), len(rows))
        found.append(replace(loop, inner=_nested(rows[at + 1 : end])))
    return tuple(found)


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of all rows of tables."""
    for line in text.splitlines():
        if line.strip().startswith("|"):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def _number(cell: str) -> Range | None:
    return (int(cell), int(cell)) if cell.isdecimal() else None


def _span(least: str, most: str) -> Range | None:
    return (int(least), int(most)) if least.isdecimal() and most.isdecimal() else None


def _range(cell: str) -> Range | None:
    """Return the ends of ``7`` or ``1 ~ 7``; None for ``?`` and ``-``."""
    least, _, most = cell.partition("~")
    return _span(least.strip(), (most or least).strip())


def _most(cell: str) -> int | None:
    found = _range(cell)
    return found[1] if found else None
