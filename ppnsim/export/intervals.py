"""What ranks did, and the rates of flows, as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppnsim.export.csv_rows import write_rows
from ppnsim.platform.flows import Piece
from ppnsim.platform.message_run import Interval


def write_intervals(intervals: Iterable[Interval], path: str | Path) -> None:
    """Write one row per interval: rank, kind, start, end.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_rows(Interval._fields, intervals, path)


def write_rates(pieces: Iterable[Piece], path: str | Path) -> None:
    """Write one row per stretch of constant rate: flow, start and end in seconds, rate in bytes per second.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_rows(Piece._fields, pieces, path)
