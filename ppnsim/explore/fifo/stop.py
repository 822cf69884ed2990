"""When a search for FIFO depths may stop before everything is proven."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ppnsim.explore.fifo.problem import Problem

FRONT = 15
"""Seconds of a front where the search has no limit of its own: that of nine stages takes minutes, unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """When a search may stop early: ``within`` a part of the cost of what is proven, or after ``seconds``."""

    within: float = 0.0
    seconds: float | None = None


@contextmanager
def limited_front(problem: Problem) -> Iterator[None]:
    """Give a front `FRONT` seconds where the search has no limit of its own."""
    if problem.ends is not None:
        yield
        return
    problem.ends = time.monotonic() + FRONT, f"the {FRONT} seconds of a front are spent (--seconds N gives it more)"
    try:
        yield
    finally:
        problem.ends = None
