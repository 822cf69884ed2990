"""The limit, the progress and the end by Ctrl-C of runs that follow an answer."""

from __future__ import annotations

import time
from collections.abc import Callable

_SHARE = 0.1  # of the seconds of a search, that are left to what follows where it has spent them

INTERRUPTED = "interrupted"
"""Why something was not run that Ctrl-C ended, or kept from being tried."""


class Ended(Exception):
    """Nothing is run any more; the message says why."""


class Watch:
    """What an engine calls now and then, with firings started and in all: it hands them on, or ends the run."""

    def __init__(self, progress: Callable[[int, int], None] | None = None, seconds: float | None = None) -> None:
        self._progress, self._seconds = progress, seconds
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._interrupted = False

    def __call__(self, done: int, total: int) -> None:
        """Hand on, or raise `Ended`."""
        if self._interrupted:
            raise Ended(INTERRUPTED)
        if self._ends is not None and time.monotonic() >= self._ends:
            raise Ended(f"the {self._seconds:.3g} seconds for it are spent")
        if self._progress is not None:
            self._progress(done, total)

    def interrupt(self) -> None:
        """End what is run, and all that comes after."""
        self._interrupted = True


def time_left(seconds: float | None, spent: float) -> float | None:
    """Return the seconds for what follows a search with a limit in seconds: the rest, or a tenth of all.

    Examples
    --------
    >>> time_left(5, 2), time_left(5, 5.3), time_left(None, 7)
    (3, 0.5, None)
    """
    return None if seconds is None else max(seconds - spent, _SHARE * seconds)
