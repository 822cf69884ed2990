"""The cycles of a run that are written: long runs are looked at by window."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from numbers import Integral
from typing import TYPE_CHECKING

from ppnsim.errors import InputError
from ppnsim.units import SECONDS, measured

if TYPE_CHECKING:
    from ppnsim.model.network import Network

_DIGITS = 18  # of a cycle
WindowLike = str | tuple[int | None, int | None]
"""The cycles ``(first, last + 1)``, either None for the end of the run; or ``"A:B"`` in cycles or times."""


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
    begin, until = int(first or 0), end if last is None else min(int(last), end)
    if not 0 <= begin < until:
        shown = f"{begin}:{until if last is None else last}"
        raise InputError(f"window {shown} holds no cycle: the run has the cycles 0..{end - 1}")
    return Window(begin, until)


def window_called(text: str, period: Fraction | None = None) -> tuple[int | None, int | None]:
    """Return the two ends that ``A:B`` names, in cycles; either may be left out.

    An end may be a time, as of a clock of this ``period`` (ns): the window then begins with the cycle that holds it,
    and ends with the last cycle that begins before.

    Raises
    ------
    InputError
        If it is not of that form.

    Examples
    --------
    >>> window_called("100:200"), window_called(":50"), window_called("1us:1.234 us", Fraction(10))
    ((100, 200), (None, 50), (100, 124))
    """
    first, colon, last = text.partition(":")
    if not colon:
        raise _not_a_window(text)
    begin, end = (_cycle(part.strip(), text, period) for part in (first, last))
    return None if begin is None else floor(begin), None if end is None else ceil(end)


def window_in(text: str | None, network: Network, stopped: int) -> Window:
    """Return the cycles of a run that ``A:B`` names, all of them for None.

    Raises
    ------
    InputError
        If it is not of that form, or holds no cycle of the run.
    """
    ends = (None, None) if text is None else window_called(text, period_of(network.clock_ns))
    return window_of(*ends, stopped=stopped)


def window_from(given: WindowLike, network: Network, stopped: int) -> Window:
    """Return the cycles of a run that a text ``A:B`` or two ends name; None is the end of the run.

    Raises
    ------
    InputError
        If it is neither, or holds no cycle of the run.
    """
    if isinstance(given, str):
        return window_in(given, network, stopped)
    ends = tuple(given)
    if len(ends) != 2 or not all(end is None or isinstance(end, Integral) for end in ends):
        raise _not_a_window(str(given))
    return window_of(*ends, stopped=stopped)


def time_window(text: str, end_ns: Fraction) -> tuple[Fraction, Fraction]:
    """Return the times (ns) that ``A:B`` names in a simulation with several clocks, which has no cycles of its own.

    Raises
    ------
    InputError
        If its ends are not times, or no moment of the simulation is between them.

    Examples
    --------
    >>> time_window("1us:", Fraction(4000))
    (Fraction(1000, 1), Fraction(4000, 1))
    """
    first, colon, last = (part.strip() for part in text.partition(":"))
    try:
        begin, end = (measured(part, SECONDS) * 10**9 if part else None for part in (first, last))
    except InputError:
        words = f"'{text}' is not of the form A:B with times (1us:2us); there are several clocks, so cycles name none"
        raise InputError(words, where="--window") from None
    if not colon:
        raise _not_a_window(text)
    shown = begin or Fraction(0), end_ns if end is None else min(end, end_ns)
    if not 0 <= shown[0] < shown[1]:
        raise InputError(f"window {text} holds no moment: the simulation ends at {float(end_ns):g} ns")
    return shown


def picoseconds_in(text: str | None, stopped: int) -> tuple[int, int] | None:
    """Return what ``A:B`` names in a simulation of so many picoseconds, or None (see `time_window`); at least one.

    Examples
    --------
    >>> picoseconds_in("1ns:", 4000)
    (1000, 4000)
    """
    if text is None:
        return None
    first, last = time_window(text, Fraction(stopped, 1000))
    return floor(first * 1000), ceil(last * 1000)


def seconds_in(text: str | None, end: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return what ``A:B`` names in a simulation of so many seconds, or None (see `time_window`)."""
    if text is None:
        return None
    first, last = time_window(text, end * 10**9)
    return first / 10**9, last / 10**9


def period_of(clock_ns: float) -> Fraction:
    """Return the period of a clock (ns), exactly: 10/3 is not a binary number."""
    return Fraction(clock_ns).limit_denominator(10**6)


def _cycle(text: str, window: str, period: Fraction | None) -> Fraction | None:
    """Return an end of a window in cycles, None if it is left out."""
    if not text:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= _DIGITS:
        return Fraction(text)
    if period is None:
        raise _not_a_window(window)
    try:
        return measured(text, SECONDS) * 10**9 / period
    except InputError:
        raise _not_a_window(window) from None


def _not_a_window(text: str) -> InputError:
    return InputError(f"'{text}' is not of the form A:B with cycles or times A < B (100:200, 1us:2us), or one of them")
