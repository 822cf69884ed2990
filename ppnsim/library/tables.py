"""The tables of a run as data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, get_args

import pandas as pd
from rich.console import Console

from ppnsim.errors import InputError, did_you_mean
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.export.tables import chunks_of
from ppnsim.export.window import window_of
from ppnsim.library.answer import text_of
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import summary_of
from ppnsim.report.result import run_result
from ppnsim.report.tables import occupancy_table, timeline_table
from ppnsim.report.text import print_run
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.of_run import add_source, print_source

RunTable = Literal["processes", "channels", "firings", "states", "occupancy"]


def run_frame(run: Run, table: RunTable = "processes") -> pd.DataFrame:
    """Return a table of a run as a data frame.

    ========= ==================================================================================
    processes firings, first and last start, last end, utilisation, cycles by class and cause
    channels  kind, depth, tokens, the most tokens that it held
    firings   start, execute, write and end of each firing (that of ``run.timeline.to_frame()``)
    states    what each process does, from cycle to cycle
    occupancy the tokens that each channel holds from a cycle on
    ========= ==================================================================================

    Raises
    ------
    InputError
        If there is no such table.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> frame = run_frame(run(predictor()))
    >>> int(frame.loc["sink", "starved"]), float(frame.loc["sink", "utilisation"])
    (63, 0.25)
    """
    if table == "firings":
        return timeline_table(run.timeline)
    if table == "occupancy":
        return occupancy_table(run.timeline)
    if table == "states":
        window = window_of(None, None, stopped=run.stopped)
        return pd.concat(list(chunks_of(run.timeline, "states", window)), ignore_index=True)
    if table not in ("processes", "channels"):
        raise InputError(f"'{table}' is no table of a run{did_you_mean(table, get_args(RunTable))}")
    result = run_result(summary_of(run), file=run.network.name)
    return pd.DataFrame.from_dict({name: _flat(row) for name, row in result[table].items()}, orient="index")


def run_dict(run: Run) -> dict[str, Any]:
    """Return what ``ppnsim run`` writes as JSON; of a deadlock with the depths that break it, which takes some runs."""
    fix, source = _fix(run), source_of(run)
    result = run_result(summary_of(run), file=run.network.name if source is None else source.file, fix=fix)
    if source is not None:
        add_source(result, source, run, fix)
    return result


def run_print(run: Run, console: Console) -> None:
    """Print what ``ppnsim run`` prints of a network to a console of rich; a deadlock as `run_dict` has it."""
    fix, source = _fix(run), source_of(run)
    print_run(console, summary_of(run), fix=fix, seconds=None)
    if source is not None:
        print_source(console, source, run, fix)


def run_text(run: Run) -> str:
    """Return what ``ppnsim run`` prints of a network, without how long it took.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> run_text(run(predictor())).splitlines()[0]
    'predictor   finish 83 cycles (830 ns)   parallelism 2.06 mean, 5 max   engine des   style elastic'
    """
    return text_of(partial(run_print, run))


def run_rows(run: Run) -> Sequence[Mapping[str, Any]]:
    """Return the main table of a run, a row for each process."""
    result = run_result(summary_of(run), file=run.network.name)
    return [{"process": name} | _flat(row) for name, row in result["processes"].items()]


def _fix(run: Run) -> Fix | None:
    return fix_deadlock(run) if run.deadlocked else None


def source_of(run: Run) -> SourceNetwork | None:
    """Return the C or C++ source that a run's network was read from, None for any other."""
    origin = run.network.origin
    return origin if isinstance(origin, SourceNetwork) else None


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose cycles by class are columns; of those by cause the sum."""
    cycles = row.get("cycles", {})
    sums = {name: sum(value.values()) if isinstance(value, dict) else value for name, value in cycles.items()}
    return {key: value for key, value in row.items() if key != "cycles"} | sums
