"""What ranks did, and the rates of flows, as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppnsim.messages.flows import Piece
from ppnsim.messages.record import Interval
from ppnsim.report.csv import write_rows


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
