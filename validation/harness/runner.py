"""Runs sections task by task, with a progress bar where somebody watches; a long section says each of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from validation.harness.pins import pinned
from validation.harness.rows import Row
from validation.harness.section import Outcome, Section, Task
from validation.harness.wording import shown

_TASKS: list[Task] = []
"""What a process of its own has to do, by number: it takes the list over from the process that starts it."""


def run_sections(
    sections: Sequence[Section], *, quick: bool, only: Sequence[str] = (), processes: int = 1
) -> list[Outcome]:
    """Return the outcome of every section, in order.

    Parameters
    ----------
    only : words of which one has to be in the label of a task; all tasks without any.
    processes : of more than one, sections whose tasks stand apart are shared, and each row is said as it comes.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    outcomes = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        for section in sections:
            tasks = [each for each in section.tasks(quick) if not only or any(word in each.label for word in only)]
            shared = section.apart and processes > 1
            bar = progress.add_task(section.name, total=len(tasks))
            began, rows = perf_counter(), []
            if not shared:
                for task in tasks:
                    progress.update(bar, description=f"{section.name}: {task.label}"[:34])
                    rows += task.work()
                    progress.advance(bar)
            for number, found in enumerate(_shared(tasks, processes) if shared else (), start=1):
                for row in pinned(section.name, found):
                    words = f"{section.name} {number}/{len(tasks)}  {row.what}, {row.group}: {shown(row.ours)}"
                    progress.console.print(f"{words} ({row.verdict})", markup=False, highlight=False, soft_wrap=True)
                rows += found
                progress.advance(bar)
            progress.update(bar, description=section.name)
            outcomes.append(Outcome(section=section, rows=pinned(section.name, rows), seconds=perf_counter() - began))
    return outcomes


def _shared(tasks: list[Task], processes: int) -> Iterator[list[Row]]:
    """Yield the rows of each task in order; several processes do the tasks."""
    _TASKS[:] = tasks
    with get_context("fork").Pool(processes) as pool:
        yield from pool.imap(_done, range(len(tasks)))


def _done(number: int) -> list[Row]:
    return _TASKS[number].work()
