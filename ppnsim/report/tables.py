"""Tables of a run: when every firing passed its stages, and how many tokens every channel held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.metrics import occupancy, touching
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.report.csv import write_rows

if TYPE_CHECKING:
    import pandas as pd  # takes a while, and files are written without it

Window = tuple[int, int] | None
Piece = tuple[str, Sequence[Int64Array]]  # a process or channel, and columns of some of its rows

TIMELINE_COLUMNS = ("process", "firing", "start", "execute", "write", "end")
OCCUPANCY_COLUMNS = ("channel", "cycle", "tokens")
_ROWS = 100_000  # of one chunk: what is in memory as objects at a time


class Shift(NamedTuple):
    """What is added to cycles, and to numbers of firings by process, of a run that stands for a part of another."""

    cycles: int = 0
    firings: Mapping[str, int] = {}

    def inside(self, window: tuple[int, int]) -> tuple[int, int]:
        """Return where a window of the longer run is in the one that stands for it."""
        return window[0] - self.cycles, window[1] - self.cycles


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
    import pandas as pd

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
    import pandas as pd

    nothing = "", [np.zeros(0, dtype=np.int64)] * 2
    pieces = (nothing, *_changes(timeline))
    return pd.concat([_frame(OCCUPANCY_COLUMNS, *piece) for piece in pieces], ignore_index=True)


def write_timeline(
    timeline: Timeline, path: str | Path, *, window: Window = None, shift: Shift | None = None
) -> None:  # fmt: skip
    """Write `timeline_table`, or its firings in a window, as CSV; a cell is empty where something never happened.

    A window is that of the longer run if ``shift`` says that the timeline stands for a part of one. May raise
    `OSError`.
    """
    later = shift or Shift()
    write_rows(TIMELINE_COLUMNS, _rows(_shifted(_firings(timeline, window and later.inside(window)), later)), path)


def write_occupancy(
    timeline: Timeline, path: str | Path, *, window: Window = None, shift: Shift | None = None
) -> None:  # fmt: skip
    """Write `occupancy_table`, or what it says of a window, as CSV; ``shift`` as of `write_timeline`."""
    later = shift or Shift()
    changes = _changes(timeline, window and later.inside(window))
    write_rows(OCCUPANCY_COLUMNS, _rows((name, [at + later.cycles, held]) for name, (at, held) in changes), path)


def _shifted(pieces: Iterator[Piece], later: Shift) -> Iterator[Piece]:
    for name, (firings, *cycles) in pieces:
        shown = [np.where(each == NEVER, NEVER, each + later.cycles) for each in cycles]
        yield name, [firings + later.firings.get(name, 0), *shown]


def firing_chunks(timeline: Timeline, window: Window = None) -> Iterator[pd.DataFrame]:
    """Yield `timeline_table` in pieces, or its firings in a window: a long run is never in memory as objects."""
    import pandas as pd

    for name, (firings, *cycles) in _firings(timeline, window):
        happened = (pd.arrays.IntegerArray(each, mask=each == NEVER) for each in cycles)
        yield _frame(TIMELINE_COLUMNS, name, (firings, *happened))


def _firings(timeline: Timeline, window: Window) -> Iterator[Piece]:
    """Yield numbers, starts, executes, writes and ends of firings: all, or those that touch a window."""
    for process in timeline.network.processes:
        name = process.name
        cycles = (timeline.start(name), timeline.execute(name), timeline.write(name), timeline.end(name))
        shown = np.arange(process.firings, dtype=np.int64) if window is None else touching(timeline, name, window)
        for first in range(0, len(shown), _ROWS):
            firings = shown[first : first + _ROWS]
            yield name, [firings, *(each[firings] for each in cycles)]


def _changes(timeline: Timeline, window: Window = None) -> Iterator[Piece]:
    """Yield cycles and tokens of the changes of channels."""
    for channel in timeline.network.channels:
        cycles, tokens = occupancy(timeline, channel.name, window)
        for first in range(0, len(cycles), _ROWS):
            rows = slice(first, first + _ROWS)
            yield channel.name, [cycles[rows], tokens[rows]]


def _frame(columns: tuple[str, ...], name: str, numbers: Sequence[Int64Array | pd.arrays.IntegerArray]) -> pd.DataFrame:
    import pandas as pd

    names = pd.Series([name] * len(numbers[0]), dtype="str")
    return pd.DataFrame(dict(zip(columns, (names, *numbers), strict=True)))


def _rows(pieces: Iterator[Piece]) -> Iterator[tuple[object, ...]]:
    for name, columns in pieces:
        cells = (["" if value == NEVER else value for value in column.tolist()] for column in columns)
        yield from zip(repeat(name), *cells)
