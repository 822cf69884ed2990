"""The cycles of a run that are written: long runs are looked at by window."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.errors import InputError


@dataclass(frozen=True, slots=True)
class Window:
    """The cycles ``first .. last - 1``."""

    first: int
    last: int

    def __contains__(self, cycle: int) -> bool:
        return self.first <= cycle < self.last


def window_of(first: int | None, last: int | None, *, stopped: int) -> Window:
    """Return the cycles from ``first`` (default 0) up to ``last`` (default: the end of the run, exclusive).

    A run without activity (``stopped`` 0) has cycle 0 to show.

    Raises
    ------
    InputError
        If the window holds no cycle of the run.

    Examples
    --------
    >>> window_of(10, None, stopped=83)
    Window(first=10, last=83)
    >>> window_of(100, None, stopped=83)
    Traceback (most recent call last):
    ppnsim.errors.InputError: window 100:83 holds no cycle: the run has the cycles 0..82
    """
    end = max(stopped, 1)
    begin, until = first or 0, end if last is None else min(last, end)
    if not 0 <= begin < until:
        shown = f"{begin}:{until if last is None else last}"
        raise InputError(f"window {shown} holds no cycle: the run has the cycles 0..{end - 1}")
    return Window(begin, until)


def window_called(text: str) -> tuple[int | None, int | None]:
    """Return the two ends that ``A:B`` names; either may be left out.

    Raises
    ------
    InputError
        If it is not of that form.

    Examples
    --------
    >>> window_called("100:200"), window_called(":50")
    ((100, 200), (None, 50))
    """
    first, colon, last = text.partition(":")
    parts = [part.strip() for part in (first, last)]
    if not colon or any(part and not (part.isascii() and part.isdecimal()) for part in parts):
        raise InputError(f"'{text}' is not of the form A:B with cycles A < B, either of which may be left out")
    begin, end = (int(part) if part else None for part in parts)
    return begin, end
