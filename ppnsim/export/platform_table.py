"""What every part of a platform did, as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

from ppnsim.platform.run_record import PlatformRun


def write_spans(run: PlatformRun, path: str | Path) -> None:
    """Write one line per stretch of time: where, kind, what, start and end in seconds."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("where", "kind", "what", "start_s", "end_s"))
        for span in run.spans:
            writer.writerow((*span[:3], repr(float(span.start)), repr(float(span.end))))
