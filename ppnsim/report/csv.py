"""Rows as CSV, in a file or on standard output."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], path: str | Path) -> None:
    """Write a line of column names and one per row; the path ``-`` is standard output.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    # The same bytes on every system: line ends and encoding are not left to it.
    if str(path) == "-":
        _write(columns, rows, sys.stdout)
        return
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        _write(columns, rows, file)


def _write(columns: Sequence[str], rows: Iterable[Sequence[object]], file: IO[str]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
