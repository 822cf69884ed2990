"""The tables of a run as data frames."""

from __future__ import annotations

from typing import Any, Literal, get_args

import pandas as pd

from ppnsim.errors import InputError, did_you_mean
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.export.tables import chunks_of
from ppnsim.export.window import window_of
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.report.result import run_result
from ppnsim.report.tables import occupancy_table, timeline_table

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
    fix = fix_deadlock(run) if run.deadlocked else None
    return run_result(summary_of(run), file=run.network.name, fix=fix)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose cycles by class are columns; of those by cause the sum."""
    cycles = row.get("cycles", {})
    sums = {name: sum(value.values()) if isinstance(value, dict) else value for name, value in cycles.items()}
    return {key: value for key, value in row.items() if key != "cycles"} | sums
