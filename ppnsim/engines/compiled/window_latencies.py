"""Latencies per firing for windows of a run: those of one window after the other, drawn as they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.pipeline import DrawnSteps
from ppnsim.model.steps import Steps


class WindowSteps:
    """The steps of a process with a latency per firing, window after window.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.model.network import Network, Process
    >>> steps = Network(processes=[Process(name="a", firings=4, latency=(3, 1, 4, 1))]).steps["a"]
    >>> windows = WindowSteps(steps)
    >>> windows.of(0, 3).latencies.tolist(), windows.of(2, 2).latencies.tolist()
    ([3, 1, 4], [4, 1])
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._pieces: Iterator[Int64Array] = iter(())
        self._first, self._known = 0, np.zeros(0, dtype=np.int64)
        if isinstance(steps, DrawnSteps):
            self._pieces = steps.drawn.latency.pieces(steps.drawn.firings)

    def of(self, first: int, count: int) -> Steps:
        """Return the steps of ``count`` firings from ``first`` on, which is none before an earlier window's."""
        if not isinstance(self._steps, DrawnSteps):
            some = slice(first, first + count)
            return replace(self._steps, offsets=self._steps.offsets[:, some], latencies=self._steps.latencies[some])
        known = [self._known[first - self._first :]]
        while sum(map(len, known)) < count:
            known.append(next(self._pieces))
        self._first, self._known = first, np.concatenate(known)
        return self._steps.of(self._known[:count])
