"""Values of platforms as files write them; what is written means exactly the same."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from ppnsim.errors import InputError
from ppnsim.units import BYTES, HERTZ, SECONDS


def decimal(value: Fraction) -> str:
    """Return a fraction as a decimal that means exactly the same.

    Raises
    ------
    InputError
        If there is none, as for a third.

    Examples
    --------
    >>> decimal(Fraction(27, 4))
    '6.75'
    """
    with localcontext() as context:
        context.prec = 60
        text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    if Fraction(text) != value:
        raise InputError(f"{value} has no finite decimal, so a file cannot hold it exactly")
    return text.rstrip("0").rstrip(".") if "." in text else text


def time_text(value: Fraction, per: str = "") -> str:
    """Return a time with the unit that leaves at least one before the point.

    Examples
    --------
    >>> time_text(Fraction("9.56e-9"), "/byte"), time_text(Fraction(0))
    ('9.56 ns/byte', '0 s')
    """
    unit = next((unit for unit, step in SECONDS.items() if abs(value) >= step), "ps") if value else "s"
    return f"{decimal(value / SECONDS[unit])} {unit}{per}"


def clock_text(value: Fraction) -> str:
    """Return a clock with the unit that suits it."""
    unit = next((unit for unit in ("GHz", "MHz", "kHz") if value >= HERTZ[unit]), "Hz")
    return f"{decimal(value / HERTZ[unit])} {unit}"


def rate_text(value: Fraction) -> str:
    """Return a bandwidth with the unit that suits it.

    Examples
    --------
    >>> rate_text(Fraction(1_064_000_000))
    '1.064 GB/s'
    """
    unit = next((unit for unit in ("GB", "MB", "kB") if value >= BYTES[unit]), "B")
    return f"{decimal(value / BYTES[unit])} {unit}/s"


def size_text(value: int) -> str | int:
    """Return a size in the largest binary unit that it is a multiple of, else plain bytes."""
    unit = next((unit for unit in ("GiB", "MiB", "KiB") if not value % BYTES[unit]), None)
    return value if unit is None or not value else f"{value // int(BYTES[unit])} {unit}"


def period_text(nanoseconds: Fraction) -> str:
    """Return a clock as a frequency, or as a period where only that is a decimal.

    Examples
    --------
    >>> period_text(Fraction(5, 6)), period_text(Fraction(15, 16))
    ('1.2 GHz', '0.9375 ns')
    """
    try:
        return clock_text(10**9 / nanoseconds)
    except InputError:
        return f"{decimal(nanoseconds)} ns"
