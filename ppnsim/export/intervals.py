"""What ranks did, and the rates of flows, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from ppnsim.platform.flows import Piece
from ppnsim.platform.message_run import Interval


def write_intervals(intervals: Iterable[Interval], path: str | Path) -> None:
    """Write one row per interval: rank, kind, start, end.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    _write(Interval._fields, intervals, path)


def write_rates(pieces: Iterable[Piece], path: str | Path) -> None:
    """Write one row per stretch of constant rate: flow, start and end in seconds, rate in bytes per second.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    _write(Piece._fields, pieces, path)


def _write(columns: Sequence[str], rows: Iterable[Sequence[object]], path: str | Path) -> None:
    # The same bytes on every system: line ends and encoding are not left to it.
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
