"""Linear programs of differences, and the circles that their duals consist of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from highspy import HighsModelStatus
from numpy.typing import NDArray

from ppnsim.explore.fifo.solver import quiet_solver

_NOTHING = 1e-7  # flow that is there by rounding only


class LinearProgram:
    """A linear program with free columns, solved by HiGHS."""

    def __init__(self, columns: int) -> None:
        self.highs = quiet_solver()
        bounds = np.full(columns, self.highs.inf)
        self.highs.addVars(columns, -bounds, bounds)
        self._least: list[float] = []
        self._starts: list[int] = []
        self._columns: list[int] = []
        self._factors: list[float] = []

    def row(self, least: float, entries: list[tuple[int, float]]) -> None:
        """Add a row: the sum of its entries is at least a number."""
        merged: defaultdict[int, float] = defaultdict(float)
        for column, factor in entries:
            merged[column] += factor
        self._starts.append(len(self._columns))
        self._least.append(float(least))
        self._columns += merged
        self._factors += merged.values()

    def run(self) -> bool:
        """Solve it; return whether there is a solution."""
        count = len(self._least)
        if count:
            self.highs.addRows(
                count, np.array(self._least), np.full(count, self.highs.inf), len(self._columns),
                np.array(self._starts, dtype=np.int32), np.array(self._columns, dtype=np.int32),
                np.array(self._factors),
            )  # fmt: skip
        self.highs.run()
        return bool(self.highs.getModelStatus() == HighsModelStatus.kOptimal)

    def solved(self) -> tuple[list[float], NDArray[np.float64]]:
        """Return the values of the columns and the duals of the rows."""
        solution = self.highs.getSolution()
        return list(solution.col_value), np.abs(np.array(solution.row_dual))


def circles_of(ends: list[tuple[int, int]], flow: NDArray[np.float64]) -> Iterator[list[int]]:
    """Yield circles that a flow which nowhere begins or ends consists of, as rows in the direction of the flow.

    Examples
    --------
    >>> sorted(map(sorted, circles_of([(0, 1), (1, 0), (1, 1)], np.array([2.0, 2.0, 1.0]))))
    [[0, 1], [2]]
    """
    leaving: defaultdict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(flow > _NOTHING).tolist()[::-1]:
        leaving[ends[row][0]].append(row)
    left = flow.copy()
    for start in list(leaving):
        path: list[int] = []
        place = {start: 0}
        node = start
        while True:
            rows = leaving[node]
            while rows and left[rows[-1]] <= _NOTHING:
                rows.pop()
            if not rows:
                if not path:
                    break
                # What is left of the flow by rounding.
                left[path[-1]] = 0.0
                del place[node]
                node = ends[path.pop()][0]
                continue
            path.append(rows[-1])
            node = ends[rows[-1]][1]
            if node in place:
                circle = path[place[node] :]
                left[circle] -= left[circle].min()
                yield circle
                for row in circle[:-1]:
                    del place[ends[row][1]]
                del path[len(path) - len(circle) :]
            else:
                place[node] = len(path)
