"""Tables of a run: when every firing passed its stages, and how many tokens every channel held."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from ppnsim.arrays import Int64Array
from ppnsim.model.metrics import occupancy
from ppnsim.model.timeline import NEVER, Timeline

TIMELINE_COLUMNS = ("process", "firing", "start", "execute", "write", "end")
OCCUPANCY_COLUMNS = ("channel", "cycle", "tokens")
_ROWS = 100_000  # of one chunk: what is in memory as objects at a time


def timeline_table(timeline: Timeline) -> pd.DataFrame:
    """Return one row per firing: process, firing, and the cycles of its start, execution, write and end.

    Rows are in order of declaration, then of firing; cycles are ``Int64`` with ``<NA>`` for what never happened.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> timeline_table(run(chain(firings=2, length=2, latency=1)).timeline)
      process  firing  start  execute  write  end
    0      p0       0      0        0      1    2
    1      p0       1      1        1      2    3
    2      p1       0      2        3      4    4
    3      p1       1      3        4      5    5
    """
    return pd.concat(list(firing_chunks(timeline)), ignore_index=True)


def occupancy_table(timeline: Timeline) -> pd.DataFrame:
    """Return the change points of every channel: channel, cycle, and the tokens it holds from that cycle on.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> occupancy_table(run(chain(firings=2, length=2, latency=1)).timeline)
      channel  cycle  tokens
    0      c0      0       0
    1      c0      1       1
    2      c0      2       2
    3      c0      3       1
    4      c0      4       0
    """
    nothing = _frame(OCCUPANCY_COLUMNS, "", np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    return pd.concat([nothing, *_occupancy_chunks(timeline)], ignore_index=True)


def write_timeline(timeline: Timeline, path: str | Path, *, window: tuple[int, int] | None = None) -> None:
    """Write `timeline_table`, or its firings in a window, as CSV; a cell is empty where something never happened.

    May raise `OSError`.
    """
    chunks = firing_chunks(timeline) if window is None else firings_within(timeline, window)
    _write(chunks, TIMELINE_COLUMNS, path)


def write_occupancy(timeline: Timeline, path: str | Path, *, window: tuple[int, int] | None = None) -> None:
    """Write `occupancy_table`, or what it says of a window, as CSV. May raise `OSError`."""
    _write(_occupancy_chunks(timeline, window), OCCUPANCY_COLUMNS, path)


def firing_chunks(timeline: Timeline) -> Iterator[pd.DataFrame]:
    """Yield `timeline_table` in pieces, so that a long run is never in memory as objects."""
    for process in timeline.network.processes:
        name = process.name
        cycles = [timeline.start(name), timeline.execute(name), timeline.write(name), timeline.end(name)]
        for first in range(0, process.firings, _ROWS):
            rows = slice(first, min(first + _ROWS, process.firings))
            firings = np.arange(rows.start, rows.stop, dtype=np.int64)
            shown = (column[rows].copy() for column in cycles)
            happened = (pd.arrays.IntegerArray(each, mask=each == NEVER) for each in shown)
            yield _frame(TIMELINE_COLUMNS, name, firings, *happened)


def firings_within(timeline: Timeline, window: tuple[int, int]) -> Iterator[pd.DataFrame]:
    """Yield the firings that touch a window, in pieces; only these are made rows."""
    for process in timeline.network.processes:
        start, end = timeline.start(process.name), timeline.end(process.name)
        until = np.where(end == NEVER, timeline.stopped, np.maximum(end, start + 1))
        inside = np.flatnonzero((start != NEVER) & (start < window[1]) & (until > window[0]))
        cycles = (start, timeline.execute(process.name), timeline.write(process.name), end)
        for first in range(0, len(inside), _ROWS):
            firings = inside[first : first + _ROWS]
            happened = (pd.arrays.IntegerArray(each[firings], mask=each[firings] == NEVER) for each in cycles)
            yield _frame(TIMELINE_COLUMNS, process.name, firings, *happened)


def _occupancy_chunks(timeline: Timeline, window: tuple[int, int] | None = None) -> Iterator[pd.DataFrame]:
    for channel in timeline.network.channels:
        cycles, tokens = occupancy(timeline, channel.name)
        if window is not None:  # from what the channel holds when the window begins
            begin = int(np.searchsorted(cycles, window[0], side="right")) - 1
            inside = slice(begin, int(np.searchsorted(cycles, window[1])))
            cycles, tokens = np.maximum(cycles[inside], window[0]), tokens[inside]
        for first in range(0, len(cycles), _ROWS):
            rows = slice(first, first + _ROWS)
            yield _frame(OCCUPANCY_COLUMNS, channel.name, cycles[rows], tokens[rows])


def _frame(columns: tuple[str, ...], name: str, *numbers: Int64Array | pd.arrays.IntegerArray) -> pd.DataFrame:
    names = pd.Series([name] * len(numbers[0]), dtype="str")
    return pd.DataFrame(dict(zip(columns, (names, *numbers), strict=True)))


def _write(chunks: Iterator[pd.DataFrame], columns: tuple[str, ...], path: str | Path) -> None:
    # The same bytes on every system: line ends and encoding are not left to it.
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        pd.DataFrame(columns=list(columns)).to_csv(file, index=False, lineterminator="\n")
        for chunk in chunks:
            chunk.to_csv(file, index=False, header=False, lineterminator="\n")
