"""What every part of a platform did, as CSV."""

from __future__ import annotations

from pathlib import Path

from ppnsim.platform.run.record import PlatformRun
from ppnsim.report.csv import write_rows


def write_spans(run: PlatformRun, path: str | Path) -> None:
    """Write one line per stretch of time: where, kind, what, start and end in seconds.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    rows = ((*span[:3], repr(float(span.start)), repr(float(span.end))) for span in run.spans)
    write_rows(("where", "kind", "what", "start_s", "end_s"), rows, path)
