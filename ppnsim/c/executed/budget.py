"""Limits how much of a source is executed to count its loops, by a count of parts, independent of machine speed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ppnsim.errors import TooMuchWork
from ppnsim.loops.position import Position

WHOLE = 5_000_000
"""Most parts of a program that are executed for all loops of one reading: at most 25 s of processor time."""


@dataclass(slots=True)
class ExecutedParts:
    """The number of parts of a program that were executed so far, for all loops together."""

    parts: int = 0

    def check(self, at: Position) -> None:
        """Raise TooMuchWork if the execution for one more loop, at a position of the source, would exceed the limit."""
        if self.parts > WHOLE:
            words = (
                f"its iterations are counted by executing the code around it, which is too much work (over {WHOLE:,} "
                "parts are executed for the loops before it): make bounds constants, or choose a function that it "
                "calls (--function)"
            )
            raise TooMuchWork(words, where=str(at))


_CURRENT: ContextVar[ExecutedParts | None] = ContextVar("executed", default=None)


def executed() -> ExecutedParts:
    """Return the count of the current reading, or a new count outside of a reading."""
    return _CURRENT.get() or ExecutedParts()


@contextmanager
def counted_together() -> Iterator[ExecutedParts]:
    """Share one count between all executions inside the ``with`` block.

    Examples
    --------
    >>> with counted_together() as found:
    ...     executed().parts += WHOLE + 1
    ...     found.check(Position("gemm.c", 4, 5))
    Traceback (most recent call last):
    ...
    ppnsim.errors.TooMuchWork: gemm.c:4:5: its iterations are counted by executing the code around it, ...
    """
    before = _CURRENT.set(found := ExecutedParts())
    try:
        yield found
    finally:
        _CURRENT.reset(before)
