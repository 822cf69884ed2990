"""Numbers with units: clocks, times and widths of scenario files, in exact arithmetic.

Texts are decimal, so they are read as fractions: "0.3 us" at "300 MHz" is 90 cycles and not nearly 90.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from ppnsim.errors import InputError

SECONDS = {unit: Fraction(1, 10**power) for unit, power in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9), ("ps", 12))}
HERTZ = {unit: Fraction(10**power) for unit, power in (("Hz", 0), ("kHz", 3), ("MHz", 6), ("GHz", 9))}
BYTES = {
    "byte": Fraction(1), "bytes": Fraction(1), "B": Fraction(1),
    "kB": Fraction(10**3), "MB": Fraction(10**6), "GB": Fraction(10**9),
    "KiB": Fraction(2**10), "MiB": Fraction(2**20), "GiB": Fraction(2**30),
}  # fmt: skip
_TIME_NS = {"fs": Fraction(1, 10**6)} | {unit: step * 10**9 for unit, step in reversed(SECONDS.items())}
_FREQUENCY_PER_NS = {unit: step / 10**9 for unit, step in HERTZ.items()}
_ROUNDED = 10**12
"""Denominator from which on a period is thought to be cut off at the end of a float."""
_CYCLES = {"cycle": Fraction(1), "cycles": Fraction(1)}
_BITS = {"bit": Fraction(1), "bits": Fraction(1), "byte": Fraction(8), "bytes": Fraction(8)}

# Two digits of exponent and 80 characters are beyond any clock, and keep every period within a float.
_QUANTITY = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)\s*([A-Za-zµμ]+)\s*")
_LONGEST = 80


def quantity(text: str, units: Mapping[str, Fraction]) -> tuple[Fraction, str]:
    """Split "2.5 us" into its exact number and its unit, which must be one of ``units``.

    Raises
    ------
    InputError
        If the text is not a number with one of the units; the message names the text and the units.

    Examples
    --------
    >>> quantity("2.5 us", {"us": Fraction(1000)})
    (Fraction(5, 2), 'us')
    """
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    unit = re.sub("^[µμ]", "u", match[2]) if match else ""
    if match is None or unit not in units:
        shown = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
        if match is None and len(text) <= _LONGEST and _QUANTITY.fullmatch(point := text.replace(",", ".", 1)):
            raise InputError(f"'{shown}' has a comma: a decimal point is '.' (did you mean '{point}'?)")
        near = next((each for each in units if match and each not in BYTES and each.lower() == unit.lower()), None)
        hint = f" (did you mean '{match[1]} {near}'?)" if match and near else ""
        if {"ns", "MHz"} <= units.keys() and re.fullmatch(r"[1-9][0-9]*\.?[0-9]*", shown):
            hint = f" (is it '{shown} ns' or '{shown} MHz'?)"
        raise InputError(f"'{shown}' must be a number and a unit: {', '.join(units)}{hint}")
    return Fraction(match[1]), unit


def measured(text: str, units: Mapping[str, Fraction], per: str = "") -> Fraction:
    """Return a text such as "1.25 GB/s" as a number of the unit that ``units`` count in, over ``per``.

    Raises
    ------
    InputError
        If the text is not a number with one of the units over ``per``.

    Examples
    --------
    >>> measured("1.25 GB/s", BYTES, "/s"), measured("6.75 us", SECONDS)
    (Fraction(1250000000, 1), Fraction(27, 4000000))
    """
    joined = "".join(text.split())
    if not joined.endswith(per):
        raise InputError(f"'{text}' must end in '{per}' (as in '1 {next(iter(units))}{per}')")
    try:
        number, unit = quantity(joined.removesuffix(per), units)
    except InputError:
        raise InputError(f"'{text}' must be a number and a unit: {', '.join(unit + per for unit in units)}") from None
    return number * units[unit]


def clock_period(clock: str | float) -> Fraction:
    """Return the period of a clock in nanoseconds, exactly: from a period, a frequency, or a number of nanoseconds.

    Raises
    ------
    InputError
        If the unit is not one of time or frequency, or the period would not be above 0.

    Examples
    --------
    >>> clock_period("10 ns"), clock_period("300 MHz"), clock_period(2.5)
    (Fraction(10, 1), Fraction(10, 3), Fraction(5, 2))
    """
    if isinstance(clock, str):
        number, unit = quantity(clock, _TIME_NS | _FREQUENCY_PER_NS)
        shown = f"'{clock}'"
        if unit in _FREQUENCY_PER_NS:
            if number > 0:
                return 1 / (number * _FREQUENCY_PER_NS[unit])
            raise InputError(f"{shown} must be a frequency above 0 Hz")
        period = number * _TIME_NS[unit]
    else:
        # The shortest decimal that means this float is the number that was written: 0.1 is a tenth.
        shown, period = str(clock), Fraction(str(clock)) if isfinite(clock) else Fraction(0)
    if period <= 0:
        raise InputError(f"{shown} must be a period above 0 ns")
    return _of_frequency(period)


def _of_frequency(period: Fraction) -> Fraction:
    """Return the period of a frequency in kHz where a period in ns is one to all digits of a float.

    A network keeps its clock as a float: 300 MHz are 3.3333333333333335 ns.
    """
    if period.denominator < _ROUNDED:
        return period
    exact = 10**6 / (10**6 / period).limit_denominator(1)
    return exact if float(exact) == float(period) else period


def clock_ns(clock: str | float) -> float:
    """Return the period of a clock in nanoseconds; see `clock_period`.

    Examples
    --------
    >>> clock_ns("100 MHz"), clock_ns("10 ns"), clock_ns("0.25 us")
    (10.0, 10.0, 250.0)
    """
    return float(clock_period(clock))


def clock_words(period: float) -> str:
    """Return the text of a clock that means a period in nanoseconds: that, or the frequency that it comes from.

    Examples
    --------
    >>> clock_words(5.0), clock_words(2.5), clock_words(clock_ns("300 MHz")), clock_words(clock_ns("1.2 GHz"))
    ('5 ns', '2.5 ns', '300 MHz', '1.2 GHz')
    """
    exact = clock_period(period)
    if Fraction(str(period)) == exact:
        return f"{str(period).removesuffix('.0')} ns"
    hertz = 10**9 / exact
    unit = next(unit for unit in ("GHz", "MHz", "kHz", "Hz") if hertz >= 10**9 * _FREQUENCY_PER_NS[unit])
    number = hertz / (10**9 * _FREQUENCY_PER_NS[unit])
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f} {unit}"


def period_with_unit(clock: object, named: str = "clock =") -> float:
    """Return the period in nanoseconds of a clock, which must have its unit; ``named`` is how an error names a text.

    Raises
    ------
    InputError
        If it has no unit, or is not above 0.

    Examples
    --------
    >>> period_with_unit("200 MHz")
    5.0
    >>> period_with_unit(200)
    Traceback (most recent call last):
    ppnsim.errors.InputError: clock = 200 has no unit: is it '200 ns' or '200 MHz'?
    """
    if not isinstance(clock, str):
        raise InputError(f"clock = {clock} has no unit: is it '{clock} ns' or '{clock} MHz'?")
    try:
        return clock_ns(clock)
    except InputError as error:
        raise InputError(f"{named} {error}") from None


def cycles(time: str, period: Fraction) -> int:
    """Return a time in cycles of a clock whose ``period`` is given in nanoseconds.

    Raises
    ------
    InputError
        If the unit is not one of time, or the time is not a whole number of cycles.

    Examples
    --------
    >>> cycles("30 ns", Fraction(10)), cycles("3 cycles", Fraction(10)), cycles("1 us", Fraction(10, 3))
    (3, 3, 300)
    """
    number, unit = quantity(time, _CYCLES | _TIME_NS)
    count = number if unit in _CYCLES else number * _TIME_NS[unit] / period
    if count.denominator != 1:
        of_clock = "" if unit in _CYCLES else f" of {_decimal(period)} ns"
        raise InputError(f"'{time}' is {_decimal(count)} cycles{of_clock} (a whole number of cycles is needed)")
    return count.numerator


def bits(width: str) -> int:
    """Return a width in bits.

    Raises
    ------
    InputError
        If the unit is neither bit nor byte, or the width is not a whole number of bits.

    Examples
    --------
    >>> bits("32 bit"), bits("4 bytes")
    (32, 32)
    """
    number, unit = quantity(width, _BITS)
    count = number * _BITS[unit]
    if count.denominator != 1:
        raise InputError(f"'{width}' is {_decimal(count)} bits (a whole number of bits is needed)")
    return count.numerator


def _decimal(number: Fraction) -> str:
    # Through Decimal, because a float ends at 1e308 and quotients of texts do not.
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.6g}"


def counted(number: int | Fraction, unit: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> counted(1, "cycle"), counted(0, "cycle")
    ('1 cycle', '0 cycles')
    """
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def edge(period: Fraction, cycle: int) -> int:
    """Return when a cycle of a clock starts: k periods, rounded half up to a whole picosecond.

    Examples
    --------
    >>> [edge(Fraction(10_000, 3), cycle) for cycle in range(4)]
    [0, 3333, 6667, 10000]
    """
    # In whole numbers: fractions take five times as long, and this is asked for every event.
    return (2 * cycle * period.numerator + period.denominator) // (2 * period.denominator)


def duration(ns: float | None) -> str:
    """Return a time with a unit that suits it.

    Examples
    --------
    >>> duration(830.0), duration(10350.0), duration(None)
    ('830 ns', '10.35 us', '-')
    """
    if ns is None:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size * 10:
            return f"{ns / size:.5g} {unit}"
    return f"{ns:g} ns"


def digits(value: float) -> str:
    """Return a number with six digits, or with all of those before its point.

    Examples
    --------
    >>> digits(35.87349), digits(2056886.7), digits(1e20)
    ('35.8735', '2056887', '1e+20')
    """
    return f"{value:.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:.6g}"
