"""Values with units of platform files, as exact fractions of seconds, bytes and hertz."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isfinite
from typing import Annotated

from pydantic import PlainValidator

from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.units import quantity

_SECONDS = {unit: Fraction(1, 10**power) for unit, power in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9), ("ps", 12))}
_HERTZ = {unit: Fraction(10**power) for unit, power in (("Hz", 0), ("kHz", 3), ("MHz", 6), ("GHz", 9))}
_BYTES = {
    "byte": Fraction(1), "bytes": Fraction(1), "B": Fraction(1),
    "kB": Fraction(10**3), "MB": Fraction(10**6), "GB": Fraction(10**9),
    "KiB": Fraction(2**10), "MiB": Fraction(2**20), "GiB": Fraction(2**30),
}  # fmt: skip


def seconds(value: object) -> Fraction:
    """Return a time in seconds; a number is seconds.

    Examples
    --------
    >>> seconds("6.75 us"), seconds(2)
    (Fraction(27, 4000000), Fraction(2, 1))
    """
    return _measure(value, _SECONDS, "")


def per_byte(value: object) -> Fraction:
    """Return seconds per byte from a text like ``9.56 ns/byte``."""
    return _measure(value, _SECONDS, "/byte")


def hertz(value: object) -> Fraction:
    """Return a clock in hertz from a text like ``195 MHz``."""
    return _measure(value, _HERTZ, "")


def bandwidth(value: object) -> Fraction:
    """Return bytes per second from a text like ``1064 MB/s``; MB are 10**6 bytes, MiB 2**20."""
    return _measure(value, _BYTES, "/s")


def port(value: object) -> Fraction:
    """Return bytes per cycle from a text like ``8 bytes/cycle``."""
    return _measure(value, _BYTES, "/cycle")


def size(value: object) -> int:
    """Return a number of bytes; a whole number is bytes.

    Examples
    --------
    >>> size("32 KiB"), size(418)
    (32768, 418)
    """
    if isinstance(value, str):
        count = _measure(value, _BYTES, "")
        if count.denominator != 1:
            raise values.rule(f"is {float(count):g} bytes (a whole number of bytes is needed)", value=value)
        return values.whole(count.numerator)
    return values.whole(value)


def number(value: object) -> Fraction:
    """Return a plain number, exactly as it is written."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise values.rule("must be a number")
    return Fraction(str(value))


def flag(value: object) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise values.rule("must be true or false")
    return value


def efficiency(value: object) -> tuple[tuple[int, Fraction], ...]:
    """Return a table of (bytes, share) from a list like ``[["32 KiB", 0.31], ["1 MiB", 0.4]]``."""
    if not isinstance(value, list) or not value:
        raise values.rule('must list [bytes, share of the rate], like [["32 KiB", 0.31]]')
    for at, row in enumerate(value):
        if not isinstance(row, list) or len(row) != 2:
            raise values.rule("must be [bytes, share of the rate]", at=f"[{at}]", value=row)
    return tuple((size(row[0]), number(row[1])) for row in value)


def _measure(value: object, units: dict[str, Fraction], per: str) -> Fraction:
    """Return a number with one of the units, over ``per``; plain numbers only where seconds are meant."""
    if not isinstance(value, str):
        if units is _SECONDS and not per:
            return number(value)
        raise values.rule(f"must be a text of a number and a unit ({', '.join(unit + per for unit in units)})")
    text = "".join(value.split())
    if not text.endswith(per):
        raise values.rule(f"must end in '{per}' (as in '1 {next(iter(units))}{per}')")
    try:
        found, unit = quantity(text.removesuffix(per), units)
    except InputError:
        words = ", ".join(unit + per for unit in units)
        raise values.rule(f"must be a number and a unit: {words}") from None
    return found * units[unit]


Seconds = Annotated[Fraction, PlainValidator(seconds)]
PerByte = Annotated[Fraction, PlainValidator(per_byte)]
Hertz = Annotated[Fraction, PlainValidator(hertz)]
Bandwidth = Annotated[Fraction, PlainValidator(bandwidth)]
Port = Annotated[Fraction, PlainValidator(port)]
Bytes = Annotated[int, PlainValidator(size)]
Number = Annotated[Fraction, PlainValidator(number)]
Flag = Annotated[bool, PlainValidator(flag)]
Efficiency = Annotated[tuple[tuple[int, Fraction], ...], PlainValidator(efficiency)]


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
    unit = next((unit for unit, step in _SECONDS.items() if abs(value) >= step), "ps") if value else "s"
    return f"{decimal(value / _SECONDS[unit])} {unit}{per}"


def clock_text(value: Fraction) -> str:
    """Return a clock with the unit that suits it."""
    unit = next((unit for unit in ("GHz", "MHz", "kHz") if value >= _HERTZ[unit]), "Hz")
    return f"{decimal(value / _HERTZ[unit])} {unit}"


def size_text(value: int) -> str | int:
    """Return a size in the largest binary unit that it is a multiple of, else plain bytes."""
    unit = next((unit for unit in ("GiB", "MiB", "KiB") if not value % _BYTES[unit]), None)
    return value if unit is None or not value else f"{value // int(_BYTES[unit])} {unit}"
