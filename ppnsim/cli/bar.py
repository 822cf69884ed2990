"""A progress bar as commands draw it: loaded once a run takes longer than a second."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def started(title: str, unit: str, console: Console) -> Progress:
    """Return a bar that is drawn from now on until it is stopped, with one task."""
    bar = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
        TimeRemainingColumn(), console=console, transient=True,
    )  # fmt: skip
    bar.add_task(title)
    bar.start()
    return bar
