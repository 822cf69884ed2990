"""How much work the schedule of a source may be: it is counted, so that no answer depends on a machine's speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ppnsim.errors import TooMuchWork
from ppnsim.loops.position import Position

MOST = 40_000_000
"""Operations that a schedule may place, in all attempts together: about a minute of processor time."""
STATEMENT = 200
"""Operations that are placed in the time in which a statement of an unrolled body becomes a graph."""
EDGES = 4
"""Orders of two accesses that are looked at in the time in which an operation is placed."""
Made = TypeVar("Made")
Spent = tuple[int, Position | None]
"""The operations of some work, and the statement that they were for last (None: that of before)."""


@dataclass(slots=True)
class _WorkDone:
    """What was done, and the statement that it was done for last."""

    done: int = 0
    at: Position = field(default_factory=Position)


_CURRENT: ContextVar[_WorkDone | None] = ContextVar("work", default=None)


@contextmanager
def limited() -> Iterator[None]:
    """Let what is scheduled inside be no more than `MOST` operations.

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
    """Count work, for a statement or for the last one; raise TooMuchWork where the work is limited and too much."""
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
    """Let the work inside go on from what was done before, but count for nothing behind it."""
    work = _CURRENT.get()
    before = _CURRENT.set(None if work is None else replace(work))
    try:
        yield
    finally:
        _CURRENT.reset(before)


def counted(make: Callable[[], Made]) -> tuple[Made, Spent]:
    """Return what is made, and the work that it is; nothing counts where work is not limited."""
    work = _CURRENT.get() or _WorkDone()
    done, at = work.done, work.at
    made = make()
    return made, (work.done - done, None if work.at is at else work.at)


def fits(spent: Spent) -> bool:
    """Count work that was tried, and return whether it is not too much; if it is, nothing is counted.

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
