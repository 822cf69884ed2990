"""What every part of a platform did, as CSV."""

from __future__ import annotations

from pathlib import Path

from ppnsim.export.csv_rows import write_rows
from ppnsim.platform.run_record import PlatformRun


def write_spans(run: PlatformRun, path: str | Path) -> None:
    """Write one line per stretch of time: where, kind, what, start and end in seconds.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    rows = ((*span[:3], repr(float(span.start)), repr(float(span.end))) for span in run.spans)
    write_rows(("where", "kind", "what", "start_s", "end_s"), rows, path)
