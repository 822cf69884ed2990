"""A sweep as JSON and for the terminal: the number of points, the best and the worst, deadlocks, and the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.explore.sweep.run import Swept
from ppnsim.explore.sweep.sweep import Row, Sweep
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import counted, digits

_ALL = 24  # rows that are all shown; of more, the best
_BEST = 12
_REFUSED = 6  # points that are named one by one


def sweep_result(sweep: Sweep, swept: Swept, *, file: str, output: Path | None) -> dict[str, Any]:
    """Return what was found as a dictionary; ``best`` is the first of the earliest finishes, null if all deadlock."""
    finished = [row for row in swept.rows if not row["deadlocked"]]
    return {
        "file": file, "name": sweep.network.name,
        "vary": {axis.name: list(axis.values) for axis in sweep.axes},
        "output": None if output is None else str(output),
        "points": swept.points, "ran": swept.ran, "known": swept.known, "interrupted": swept.interrupted,
        "deadlocked": len(swept.rows) - len(finished),
        "best": min(finished, key=lambda row: row[sweep.measure], default=None),
        "rows": swept.rows, "refused": [each.row for each in swept.refused],
    }  # fmt: skip


def print_sweep(console: Console, sweep: Sweep, swept: Swept, *, output: Path | None, seconds: float) -> None:
    """Print the answer and the rows, or the best of them if they are many."""
    rows = swept.rows
    finishes = [row[sweep.measure] for row in rows if not row["deadlocked"]]
    span = "no point finishes"
    if finishes:
        least, most = (_word(finish) for finish in (min(finishes), max(finishes)))
        span = f"finish {least} to {most} {sweep.unit}"
    deadlocked = len(rows) - len(finishes)
    stuck = f"   {deadlocked} deadlocked" if deadlocked else ""
    stuck += f"   {len(swept.refused)} refused" if swept.refused else ""
    known = f", {swept.known} known before" if swept.known else ""
    points = f"{len(rows)} of {swept.points} points{known}"
    plain_line(console, f"{sweep.network.name}   {points}   {span}{stuck}   {seconds:.2f} s")
    if len(rows) > _ALL:
        rows = sorted(rows, key=lambda row: (row["deadlocked"], row[sweep.measure] or 0))[:_BEST]
        plain_line(console, f"the best {_BEST}:")
    names = [axis.name for axis in sweep.axes]
    measures = [name for name in sweep.measures if name != "deadlocked" and not name.startswith("occupancy.")]
    table = plain_table(*map(escape, names), *map(escape, measures), right=tuple(range(len(names) + len(measures))))
    for row in rows:
        table.add_row(
            *(escape(str(row[name])) for name in names), *(_shown(row, name, sweep.measure) for name in measures)
        )
    if rows:
        console.print(table)
    _print_refused(console, swept)
    _print_file(console, swept, output)


def _print_file(console: Console, swept: Swept, output: Path | None) -> None:
    """Say where the rows are, and of a sweep that was stopped whether the next one goes on there."""
    if output is not None:
        on = ": the same command goes on from there" if swept.interrupted else ""
        plain_line(console, f"rows in {output}{on}")
    elif swept.interrupted:
        plain_line(console, "the next sweep begins anew: only one with --out goes on where it was (-o rows.csv)")


def _print_refused(console: Console, swept: Swept) -> None:
    for each in swept.refused[:_REFUSED]:
        plain_line(console, f"refused at {each}")
    if len(swept.refused) > _REFUSED:
        more = counted(len(swept.refused) - _REFUSED, "more point")
        plain_line(console, f"and at {more} (--csv and --json have all of them)")


def _shown(row: Row, name: str, measure: str) -> str:
    value = row[name]
    if value is None:
        return "deadlock" if name == measure else "-"
    return _word(value)


def _word(value: object) -> str:
    return digits(value) if isinstance(value, float) else str(value)
