"""A limit on the work of reading and scheduling: operations are counted, no time, so no result depends on a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ppnsim.errors import TooMuchWork
from ppnsim.loops.position import Position

MOST = 20_000_000
"""Most operations of reading and scheduling a source, in all attempts together: about half a minute of processor time.

An operation is one that is placed, about 1.5 us; other work counts as so many of them as could be placed in its time.
"""
BRANCHES = 5_000_000
"""Most operations to compare the branches of a source by their cycles; beyond this, their iterations decide (R5.8)."""
READ_NODE = 60
"""Operations that could be placed while one node of the syntax tree of a source is read and rewritten plainly."""
LOWERED = 120
"""Operations that could be placed in the time that it takes to lower one statement, each time that it is reached."""
EXECUTED = 2
"""Operations that could be placed in the time that it takes to execute a part of a program to count iterations."""
STRUCTURED = 150
"""Operations that could be placed in the time that it takes to find the structure around one statement."""
COMPARED = 20
"""Operations that could be placed in the time in which a branch is made a kernel, for each array of its program."""
STATEMENT = 75
"""Operations that could be placed in the time that it takes to find dependences and graph of an unrolled statement."""
READ = 5
"""Operations that could be placed in the time that it takes to look for constants in one such statement."""
VISITED = 40
"""Operations that could be placed in the time that it takes to list the accesses of one visit of a loop, or of code."""
JOINED = 256
"""Accesses in a list that is copied in the time that it takes to place one operation."""
EDGES = 4
"""Pairs of accesses that can be ordered in the time that it takes to place one operation."""
Made = TypeVar("Made")
Spent = tuple[int, Position | None]
"""The operations of some work, and the statement of the last operation (None: the statement did not change)."""


@dataclass(slots=True)
class _WorkDone:
    """The work so far, the ``most`` that is allowed, and the statement that the last work was done for."""

    done: int = 0
    most: int = field(default_factory=lambda: MOST)
    at: Position = field(default_factory=Position)


_CURRENT: ContextVar[_WorkDone | None] = ContextVar("work", default=None)


@contextmanager
def limited() -> Iterator[None]:
    """Limit reading and scheduling inside the context, together with that of a context around it, to `MOST` operations.

    Examples
    --------
    >>> with limited():
    ...     spend(MOST + 1, Position("gemm.c", 4, 5))
    Traceback (most recent call last):
    ...
    ppnsim.errors.TooMuchWork: gemm.c:4:5: reading and scheduling it is too much work ...
    """
    before = _CURRENT.set(_CURRENT.get() or _WorkDone())
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
    if work.done > work.most:
        words = (
            f"reading and scheduling it is too much work (over {MOST:,} operations, with those of each unrolled copy, "
            "of each call and of each attempt): unroll loops less, make bounds constants, or choose a function that it "
            "calls (--function)"
        )
        raise TooMuchWork(words, where=str(work.at))


@dataclass(slots=True)
class WorkShare:
    """A share of the limit for work that an answer can do without, of which so many operations are ``left``.

    Examples
    --------
    >>> from contextlib import suppress
    >>> share = WorkShare(10)
    >>> with limited(), suppress(TooMuchWork), share.spent():
    ...     spend(11)
    >>> share.left
    -1
    """

    left: int

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Take the work inside the context from the share, too; raise TooMuchWork if it exceeds what is left."""
        if (work := _CURRENT.get()) is None:
            yield
            return
        most, done = work.most, work.done
        work.most = min(most, done + self.left)
        try:
            yield
        finally:
            self.left -= work.done - done
            work.most = most


def is_exceeded() -> bool:
    """Return whether the work exceeds the limit of all work, or of the share that is open.

    Examples
    --------
    >>> from contextlib import suppress
    >>> with limited():
    ...     before = is_exceeded()
    ...     with suppress(TooMuchWork):
    ...         spend(MOST + 1)
    ...     before, is_exceeded()
    (False, True)
    """
    work = _CURRENT.get()
    return work is not None and work.done > work.most


def has_as_much() -> bool:
    """Return whether as much work as was done so far fits into the limit.

    Examples
    --------
    >>> with limited():
    ...     before, _ = has_as_much(), spend(MOST // 2 + 1)
    ...     before, has_as_much()
    (True, False)
    """
    work = _CURRENT.get()
    return work is None or 2 * work.done <= work.most


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
    if work is not None and work.done + operations > work.most:
        return False
    if work is not None:
        work.done, work.at = work.done + operations, at or work.at
    return True
