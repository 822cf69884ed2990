"""The command: run sections, print the summary, write the report; exit code 1 if a difference is unexplained."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

import ppnsim
from validation.harness.document import report, summary
from validation.harness.drawing import as_svg
from validation.harness.given import GIVEN
from validation.harness.html import html
from validation.harness.markdown import markdown
from validation.harness.pins import PINS, record
from validation.harness.rows import Row, Verdict
from validation.harness.runner import run_sections
from validation.harness.section import Outcome, Picture, Section
from validation.harness.sections import SECTIONS
from validation.harness.selftest import blind, passes
from validation.harness.wording import shown, shown_deviation

REPORT = Path(__file__).parents[1] / "report"
_NAMES = [section.name for section in SECTIONS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the given arguments (default: those of the process) and return its exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in _NAMES]
    if unknown:
        parser.error(f"no section is called '{unknown[0]}' (sections: {', '.join(_NAMES)})")
    console = Console(width=None if sys.stdout.isatty() else 160)
    if given.list:
        for section in SECTIONS:
            console.print(f"{section.name:<10} {section.title}", highlight=False)
        return 0
    GIVEN.designs = Path(given.designs) if given.designs else None
    GIVEN.own = given.own
    if GIVEN.designs is not None and not GIVEN.designs.is_dir():
        parser.error(f"--designs {given.designs}: no such folder")
    chosen = [section for section in SECTIONS if not given.names or section.name in given.names]
    if unmet := _unmet(chosen, given.only, quick=given.quick):
        parser.exit(2, f"{parser.prog}: error: {unmet}\n")
    if given.pin and (given.quick or given.only):
        parser.error("--pin records whole sections: leave out --quick and --only")
    processes = 1 if GIVEN.designs is None else given.processes or os.cpu_count() or 1
    outcomes = run_sections(chosen, quick=given.quick, only=given.only, processes=processes)
    if given.pin:
        console.print(f"{record(outcomes)} figures are recorded in {_near(PINS)}", highlight=False)
        return 0
    _print(console, outcomes)
    whole = not given.names and not given.only
    if place := given.report or (str(REPORT) if whole else ""):
        _write(outcomes, Path(place), quick=given.quick)
        console.print(f"report: {_near(Path(place))}/report.md and report.html", highlight=False)
    if given.json:
        Path(given.json).write_text(json.dumps(_as_json(outcomes), indent=1) + "\n", encoding="utf-8")
    rows = [row for outcome in outcomes for row in outcome.rows]
    for wrong in (unseen := blind(rows)):
        console.print(f"blind: {wrong.group}, {wrong.what}: {shown(wrong.recordable)} would pass", highlight=False)
    return 1 if unseen or not all(passes(row) for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m validation", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"sections to run (default all): {', '.join(_NAMES)}")
    parser.add_argument("--quick", action="store_true", help="samples of the long sections, as the tests run it")
    parser.add_argument(
        "--pin", action="store_true", help="record our figures of all rows near a printed one, and stop"
    )
    parser.add_argument("--list", action="store_true", help="list the sections and stop")
    parser.add_argument("--json", metavar="PATH", help="write all rows as JSON")
    parser.add_argument(
        "--designs",
        metavar="DIR",
        help="published designs, for 'designs' and 'native': a checkout, or a folder of checkouts called owner+name",
    )
    parser.add_argument("--own", action="store_true", help="with --designs: also our own schedules of them")
    parser.add_argument("--only", metavar="WORD", action="append", default=[], help="only rows whose task is so called")
    parser.add_argument(
        "--processes", metavar="N", type=int, default=0,
        help="with --designs: how many do the designs side by side (default one for each processor)",
    )  # fmt: skip
    parser.add_argument(
        "--report", metavar="DIR", nargs="?", const=str(REPORT),
        help=f"where the report goes (default validation/{REPORT.name}; of single sections only if asked for)",
    )  # fmt: skip
    return parser


def _unmet(chosen: Sequence[Section], only: Sequence[str], *, quick: bool) -> str:
    """Return what to say where a word of ``--only`` is in the name of no task, "" if each is in one."""
    labels = [task.label for section in chosen for task in section.tasks(quick)] if only else []
    word = next((word for word in only if not any(word in label for label in labels)), None)
    if word is None:
        return ""
    names = ", ".join(dict.fromkeys(label.partition(", ")[0] for label in labels))
    if len(names) > _WIDEST:
        names = f"{names[:_WIDEST].rpartition(',')[0]} ...; a section before it lists its own, such as 'hls'"
    return f"--only {word}: no task is so called; there are {names}"


_WIDEST = 1000  # characters


def _print(console: Console, outcomes: Sequence[Outcome]) -> None:
    content = summary(outcomes)
    console.print(
        "figures, and in brackets the rows that hold them, where one row holds several: a row is one independent "
        "comparison", highlight=False,
    )  # fmt: skip
    seconds = [outcome.seconds for outcome in outcomes]
    seconds += [sum(seconds)] * (len(outcomes) > 1)
    # Seven verdicts are too many columns for 80 characters: sections go across.
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(content.head[0], min_width=max(map(len, content.head)))
    for line in content.rows:
        table.add_column(line[0], justify="right")
    for index, verdict in enumerate(content.head[1:], start=1):
        table.add_row(verdict, *("-" if line[index] == "0" else line[index] for line in content.rows))
    table.add_row("seconds", *(f"{value:.1f}" for value in seconds))
    # A terminal folds long lines; columns that do not fit would be left out.
    Console(file=console.file, width=_WIDEST).print(table)
    for outcome in outcomes:
        for row in outcome.rows:
            if row.verdict is Verdict.UNEXPLAINED:
                console.print(
                    f"unexplained: {outcome.section.name}, {row.group}, {row.what}: {row.source} prints "
                    f"{row.printed} {row.unit}, ours is {shown(row.ours)}",
                    markup=False, highlight=False,
                )  # fmt: skip


def _write(outcomes: Sequence[Outcome], directory: Path, *, quick: bool) -> None:
    blocks = report(outcomes, version=ppnsim.__version__, quick=quick)
    svgs = {block.name: as_svg(block.figure) for block in blocks if isinstance(block, Picture)}
    directory.mkdir(parents=True, exist_ok=True)
    for name, svg in svgs.items():
        (directory / f"{name}.svg").write_text(svg, encoding="utf-8")
    (directory / "report.md").write_text(markdown(blocks), encoding="utf-8")
    (directory / "report.html").write_text(html(blocks, svgs), encoding="utf-8")


def _as_json(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    return [_row(outcome.section.name, row) for outcome in outcomes for row in outcome.rows]


def _row(section: str, row: Row) -> dict[str, object]:
    return {
        "section": section,
        "group": row.group,
        "what": row.what,
        "source": row.source,
        "printed": row.printed,
        "ours": None if row.ours is None else str(row.ours),
        "basis": None if row.basis is None else str(row.basis),
        "unit": row.unit,
        "deviation": shown_deviation(row),
        "allowed": None if row.allowed is None else str(row.allowed),
        "verdict": row.verdict,
        "explanation": row.explanation,
        "figures": row.figures,
    }


def _near(path: Path) -> Path:
    """Return the path as seen from here, if it is below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
