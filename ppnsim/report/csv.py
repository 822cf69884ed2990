"""Rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], path: str | Path) -> None:
    """Write a line of column names and one per row.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    # The same bytes on every system: line ends and encoding are not left to it.
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
