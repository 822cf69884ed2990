"""Runs sections one task after the other, with a progress bar where somebody watches."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from validation.harness.pins import pinned
from validation.harness.section import Outcome, Section


def run_sections(sections: Sequence[Section], *, quick: bool) -> list[Outcome]:
    """Return the outcome of every section, in order."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    outcomes = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        for section in sections:
            tasks = section.tasks(quick)
            bar = progress.add_task(section.name, total=len(tasks))
            began, rows = perf_counter(), []
            for task in tasks:
                progress.update(bar, description=f"{section.name}: {task.label}"[:34])
                rows += task.work()
                progress.advance(bar)
            progress.update(bar, description=section.name)
            outcomes.append(Outcome(section=section, rows=pinned(section.name, rows), seconds=perf_counter() - began))
    return outcomes
