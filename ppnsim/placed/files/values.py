"""Values with units of networks across nodes, as whole picoseconds or exact fractions of them."""

from __future__ import annotations

from fractions import Fraction

from ppnsim import units
from ppnsim.errors import InputError


def period(text: str) -> Fraction:
    """Return the period of a clock in picoseconds.

    Examples
    --------
    >>> period("200 MHz"), period("3.3 ns")
    (Fraction(5000, 1), Fraction(3300, 1))
    """
    return units.clock_period(text) * 1000


def time(text: str) -> int:
    """Return a time in whole picoseconds.

    Examples
    --------
    >>> time("1.5 us")
    1500000
    """
    number, unit = units.quantity(text, units.SECONDS)
    picoseconds = number * units.SECONDS[unit] * 10**12
    if picoseconds < 0 or picoseconds.denominator != 1:
        raise InputError(f"'{text}' must be a whole number of picoseconds from 0 on")
    return int(picoseconds)


def per_byte(text: str) -> Fraction:
    """Return picoseconds per byte, from a bandwidth.

    Examples
    --------
    >>> per_byte("1.25 GB/s")
    Fraction(800, 1)
    """
    head, slash, tail = text.partition("/")
    try:
        if slash + tail.strip() != "/s":
            raise InputError("no bandwidth")
        number, unit = units.quantity(head, units.BYTES)
    except InputError:
        known = ", ".join(f"{name}/s" for name in units.BYTES)
        raise InputError(f"'{text}' must be a number and a unit: {known}") from None
    if number <= 0:
        raise InputError(f"'{text}' must be above 0")
    return Fraction(10**12) / (number * units.BYTES[unit])
