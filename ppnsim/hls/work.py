"""A limit on the work of a schedule: operations are counted instead of time, so that no result depends on a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ppnsim.errors import TooMuchWork
from ppnsim.loops.position import Position

MOST = 40_000_000
"""Most operations that a schedule may place, in all attempts together: about a minute of processor time."""
STATEMENT = 50
"""Operations that could be placed in the time that it takes to build the graph of one statement of an unrolled body."""
READ = 5
"""Operations that could be placed in the time that it takes to look for constants in one such statement."""
EDGES = 4
"""Pairs of accesses that can be ordered in the time that it takes to place one operation."""
Made = TypeVar("Made")
Spent = tuple[int, Position | None]
"""The operations of some work, and the statement of the last operation (None: the statement did not change)."""


@dataclass(slots=True)
class _WorkDone:
    """The work so far, and the statement that the last work was done for."""

    done: int = 0
    at: Position = field(default_factory=Position)


_CURRENT: ContextVar[_WorkDone | None] = ContextVar("work", default=None)


@contextmanager
def limited() -> Iterator[None]:
    """Limit the schedules inside the context to `MOST` operations.

    Examples
    --------
    >>> with limited():
    ...     spend(MOST + 1, Position("gemm.c", 4, 5))
    Traceback (most recent call last):
    ...
    ppnsim.errors.TooMuchWork: gemm.c:4:5: its schedule is too much work ...
    """
    before = _CURRENT.set(_WorkDone())
    try:
        yield
    finally:
        _CURRENT.reset(before)


def spend(operations: int, at: Position | None = None) -> None:
    """Add work for a statement, or for the last statement; raise TooMuchWork if the work exceeds a limit."""
    if (work := _CURRENT.get()) is None:
        return
    work.done += operations
    work.at = at or work.at
    if work.done > MOST:
        words = (
            f"its schedule is too much work (over {MOST:,} operations are placed, those of each unrolled copy and of "
            "each attempt): unroll loops less, or choose a function that it calls (--function)"
        )
        raise TooMuchWork(words, where=str(work.at))


@contextmanager
def tried() -> Iterator[None]:
    """Start the work inside the context from the current count, and drop it at the end."""
    work = _CURRENT.get()
    before = _CURRENT.set(None if work is None else replace(work))
    try:
        yield
    finally:
        _CURRENT.reset(before)


def counted(make: Callable[[], Made]) -> tuple[Made, Spent]:
    """Return the result of a function, and its work; without a limit, no work is counted."""
    work = _CURRENT.get() or _WorkDone()
    done, at = work.done, work.at
    made = make()
    return made, (work.done - done, None if work.at is at else work.at)


def fits(spent: Spent) -> bool:
    """Add work that was tried before, and return whether it fits into the limit; if not, nothing is added.

    Examples
    --------
    >>> with limited():
    ...     with tried():
    ...         _, spent = counted(lambda: spend(MOST))
    ...     fits(spent), fits(spent)
    (True, False)
    """
    work, (operations, at) = _CURRENT.get(), spent
    if work is not None and work.done + operations > MOST:
        return False
    if work is not None:
        work.done, work.at = work.done + operations, at or work.at
    return True
