"""The places for results: a place that cannot be written is refused before any work is done."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.cli.options.places import places_of
from ppnsim.errors import InputError
from ppnsim.plots import save as saving
from ppnsim.report import csv, table, text

FORMATS = (".svg", ".png", ".pdf")
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="PATH", help="Write the results as JSON; - is standard output and nothing else."),
]

TimeWindow = Annotated[
    str | None,
    typer.Option("--window", metavar="A:B", help="Show cycles A .. B - 1 only, or times (10us:12us)."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where a command writes besides the terminal: a picture, the rows of its main table, and JSON."""

    plot: Annotated[Path | None, typer.Option("--plot", metavar="PATH")] = None
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="PATH", help="Write the main table as CSV; - is standard output.")
    ] = None
    json: Json = None

    def terminal(self) -> Console:
        """Return where tables go."""
        return console("-" if str(self.csv) == "-" else self.json)

    def check(self, inputs: Sequence[str] = ()) -> None:
        """Raise `InputError` if something could not be written, or would replace one of the files that are read."""
        pictures = self.pictures(inputs)
        for place in pictures or ([] if self.plot is None else [self.plot]):
            check_picture(place, "--plot", self.json)
        if self.csv is not None:
            check_output(self.csv, "--csv", self.json)
            check_standard_output({"--csv": self.csv, "--json": self.json})
        check_distinct({"--json": self.json, "--csv": self.csv, "--plot": self.plot}, inputs)
        if len(pictures) > 1:
            for place in pictures:
                check_distinct({"--json": self.json, "--csv": self.csv, "--plot": place}, inputs)

    def pictures(self, files: Sequence[str]) -> list[Path]:
        """Return where the picture of each file goes, nothing where none is asked for."""
        return [] if self.plot is None else places_of(self.plot, files)

    def save(self, figure: Any, terminal: Console | None = None, *, place: Path | None = None) -> None:
        """Write the picture that is asked for, to its place or to that of one of several files; tell a terminal so."""
        place = place or self.plot
        assert place is not None
        save_picture(figure, place, "--plot")
        if terminal is not None:
            text.plain_line(terminal, f"drawn to {place}")


def console(json_path: str | None) -> Console:
    """Return where tables go: standard output, or nowhere if that is taken by JSON."""
    # A table that a narrow terminal has no room for keeps its words whole, its lines are wrapped; a file gets it whole.
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return table.Screen(room=Console().width if narrow else 160, quiet=json_path == "-", folds=narrow)


def check_place(json_path: str | None) -> None:
    """Raise `InputError` before any work is done if the JSON could not be written to its place."""
    if json_path is not None and json_path != "-":
        if not json_path or Path(json_path).is_dir():
            raise InputError(f"'{json_path}' is not a file to write to (- is standard output)", where="--json")
        if not Path(json_path).parent.is_dir():
            raise InputError(f"there is no directory '{Path(json_path).parent}'", where=f"--json {json_path}")


def check_output(output: Path, option: str, json_path: str | None) -> None:
    """Raise `InputError` before any work is done if a file could not be written, or if the JSON would replace it."""
    if not output.parent.is_dir():
        raise InputError(f"there is no directory '{output.parent}'", where=f"{option} {output}")
    if output.is_dir():
        raise InputError(f"'{output}' is a directory", where=option)
    if json_path not in (None, "-") and os.path.realpath(str(json_path)) == os.path.realpath(output):
        raise InputError(f"'{output}' is also given to --json, which would replace it", where=option)


def check_standard_output(outputs: Mapping[str, Path | str | None]) -> None:
    """Raise `InputError` if standard output (``-``) would take two results at once."""
    if len(taken := [option for option, output in outputs.items() if str(output) == "-"]) > 1:
        raise InputError(f"only one of {' and '.join(taken)} can be - (standard output)", where=taken[0])


def check_distinct(outputs: Mapping[str, Path | str | None], inputs: Sequence[str] = ()) -> None:
    """Raise `InputError` before any work is done if two options would write one file, or one a file that is read.

    Examples
    --------
    >>> check_distinct({"--csv": "curves.csv", "--plot": Path("./curves.csv")})
    Traceback (most recent call last):
    ppnsim.errors.InputError: --plot: 'curves.csv' is also given to --csv, which it would replace
    """
    taken = {Path(os.path.realpath(each)): "" for each in inputs}  # `Path.resolve` fails at links in a circle
    for option, output in outputs.items():
        place = Path(os.path.realpath(str(output)))
        # Standard output and devices take what any number of writers bring.
        if output in (None, "", "-") or (place.exists() and not place.is_file()):
            continue
        if place in taken:
            other = f"also given to {taken[place]}, which it would replace" if taken[place] else "the input itself"
            raise InputError(f"'{output}' is {other}", where=option)
        taken[place] = option


def check_picture(place: Path | None, option: str, json_path: str | None, *, files: int = 1) -> None:
    """Raise `InputError` if a picture could not be written, is of an unknown format, or would show one of many files.

    Examples
    --------
    >>> check_picture(Path("front.jpeg"), "--plot", None)
    Traceback (most recent call last):
    ppnsim.errors.InputError: --plot front.jpeg: '.jpeg' is none of .svg, .png, .pdf
    """
    if place is None:
        return
    if place.suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        words = f"'{place.suffix}' is none of {known}" if place.suffix else f"the name has to end in one of {known}"
        raise InputError(words, where=f"{option} {place}")
    if files > 1:
        raise InputError(f"{files} files, but only one can be drawn", where=f"{option} {place}")
    check_output(place, option, json_path)


def save_picture(figure: Any, place: Path, option: str) -> None:
    """Write a figure of matplotlib, which only plots know; `InputError` names the option if that fails."""
    try:
        saving.save(figure, place)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"{option} {place}") from None


def write_json(value: Any, path: str) -> None:
    """Write JSON to a file, or to standard output for ``-``; the same value gives the same bytes."""
    written = json.dumps(value, indent=2, allow_nan=False) + "\n"
    if path == "-":
        sys.stdout.write(written)
    else:
        write_text(written, path)


def write_table(rows: Sequence[Mapping[str, Any]], path: Path, option: str) -> None:
    """Write rows as CSV, with all columns that any of them has; what a row does not have stays empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    try:
        csv.write_rows(columns, ([_cell(row.get(name)) for name in columns] for row in rows), path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"{option} {path}") from None


def _cell(value: object) -> object:
    """Return a cell: nothing for None, and JSON for what has parts of its own."""
    return "" if value is None else json.dumps(value) if isinstance(value, dict | list) else value


def write_text(written: str, path: str | Path) -> None:
    """Write a text file; `InputError` names a file that cannot be written."""
    try:
        Path(path).write_text(written, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path)) from None
