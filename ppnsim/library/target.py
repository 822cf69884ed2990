"""What a kernel is scheduled for: a device at a clock, which has its unit."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library, load_library
from ppnsim.units import clock_ns

DEVICE, CLOCK = "xc7z020", "10 ns"


def period_of(clock: object) -> float:
    """Return the period in nanoseconds of a clock that has its unit.

    Raises
    ------
    InputError
        If it has no unit.

    Examples
    --------
    >>> period_of("200 MHz")
    5.0
    >>> period_of(200)
    Traceback (most recent call last):
    ppnsim.errors.InputError: clock = 200 has no unit: is it '200 ns' or '200 MHz'?
    """
    if not isinstance(clock, str):
        raise InputError(f"clock = {clock} has no unit: is it '{clock} ns' or '{clock} MHz'?")
    return clock_ns(clock)


def library_of(device: str = DEVICE, clock: str = CLOCK) -> Library:
    """Return the operators of a device, a board, or a table of your own (.toml), at a clock with its unit."""
    return load_library(device, period_of(clock))
