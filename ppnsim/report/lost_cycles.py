"""Useful and lost cycles of a network as a table for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.analysis.lost_cycles import ProcessSplit
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration

PARTS = ("useful", "initialisation", "starved", "blocked", "control", "contention", "idle")
_ADVICE = {
    "initialisation": "it fills and empties, or waits for its own results: a shorter latency, or more firings",
    "starved": "it waits for the data of others: see `ppnsim explain` for whose",
    "blocked": "its FIFOs are full: see `ppnsim size` for depths that lose nothing",
    "control": "its initiation interval: a smaller ii, if the recurrence and the ports allow it",
    "contention": "a shared resource: another unit",
    "idle": "it has ended before others: it needs no more hardware",
}
_LOST_TO = {"starved": "starvation", "blocked": "full FIFOs"}


def lost_result(run: Run, splits: Sequence[ProcessSplit], *, file: str) -> dict[str, Any]:
    """Return the split of every process; ``lost`` are all its cycles but the useful ones.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.analysis.lost_cycles import lost_cycles
    >>> done = run(predictor())
    >>> result = lost_result(done, lost_cycles(done), file="predictor.toml")
    >>> result["finish"], result["processes"]["source"]["useful"], result["processes"]["source"]["lost"]
    (83, 25, 58)
    """
    processes = {split.process: {**asdict(split), "lost": split.lost} for split in splits}
    return {
        "file": file, "name": run.network.name, "finish": run.finish, "time_ns": run.time_ns, "engine": run.engine,
        "deadlock": None, "processes": processes,
    }  # fmt: skip


def print_lost(console: Console, run: Run, splits: Sequence[ProcessSplit]) -> None:
    """Print the finish, the parts of it in every process, and what costs the process that ends last most."""
    plain_line(
        console, f"{run.network.name}   finish {run.finish} cycles ({duration(run.time_ns)})   engine {run.engine}"
    )
    shown = [part for part in PARTS if part == "useful" or any(getattr(split, part) for split in splits)]
    table = plain_table("process", *shown, "all", "useful share", right=tuple(range(1, len(shown) + 3)))
    for split in splits:
        share = f"{100 * split.useful / run.finish:.3g} %" if run.finish else "-"
        parts = (str(getattr(split, part)) for part in shown)
        table.add_row(escape(split.process), *parts, str(run.finish), share)
    console.print(table)
    last = min(splits, key=lambda split: split.idle)
    worst = max(PARTS[1:], key=lambda part: int(getattr(last, part)))
    if cycles := getattr(last, worst):
        most = f"{_LOST_TO.get(worst, worst)} ({cycles} cycles)"
        plain_line(console, f"{last.process} ends last and loses most to {most}: {_advice(run, last, worst)}")
    else:
        plain_line(console, f"{last.process} ends last and loses no cycle: only to divide its work would be faster")


def _advice(run: Run, last: ProcessSplit, worst: str) -> str:
    """Say what would make a part smaller; most of an initialisation may be that others come first."""
    first = summary_of(run).processes[last.process].first_start or 0
    if worst == "initialisation" and 2 * first > last.initialisation:
        return f"it starts in cycle {first}, when its first data is there: see `ppnsim explain` for who takes that long"
    return _ADVICE[worst]
