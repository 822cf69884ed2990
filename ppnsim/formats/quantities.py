"""Values with units of platform files, as exact fractions of seconds, bytes and hertz, read and written."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Annotated, Any, cast, get_args

from pydantic import PlainValidator

from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.units import BYTES, HERTZ, SECONDS, measured


def seconds(value: object) -> Fraction:
    """Return a time in seconds; a number is seconds.

    Examples
    --------
    >>> seconds("6.75 us"), seconds(2)
    (Fraction(27, 4000000), Fraction(2, 1))
    """
    return _measure(value, SECONDS)


def size(value: object) -> int:
    """Return a number of bytes; a whole number is bytes.

    Examples
    --------
    >>> size("32 KiB"), size(418)
    (32768, 418)
    """
    if isinstance(value, str):
        count = _measure(value, BYTES)
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


def provenance(value: object) -> dict[str, str]:
    """Return words by parameter."""
    if not isinstance(value, dict):
        raise values.rule("must be a table of words by parameter")
    for key, words in value.items():
        if not isinstance(words, str):
            raise values.rule("must be words", at=f".{key}", value=words)
    return cast("dict[str, str]", value)


def one_of(choice: Any) -> PlainValidator:
    """Return the check that a value is one of a Literal's."""
    return PlainValidator(values.chosen_from(get_args(choice)))


def text_with(read: Callable[[str], Any], example: str) -> PlainValidator:
    """Return a validator of texts with a unit."""

    def check(text: object) -> Any:
        if not isinstance(text, str):
            raise values.rule(f"must be a text like '{example}'")
        try:
            return read(text)
        except InputError as error:
            raise values.rule(str(error).removeprefix(f"'{text}' ")) from None

    return PlainValidator(check)


def _measure(value: object, units: dict[str, Fraction], per: str = "") -> Fraction:
    """Return a number with one of the units, over ``per``; plain numbers only where seconds are meant."""
    if not isinstance(value, str):
        if units is SECONDS and not per:
            return number(value)
        raise values.rule(f"must be a text of a number and a unit ({', '.join(unit + per for unit in units)})")
    try:
        return measured(value, units, per)
    except InputError as error:
        raise values.rule(str(error).removeprefix(f"'{value}' ")) from None


Seconds = Annotated[Fraction, PlainValidator(seconds)]
PerByte = Annotated[Fraction, PlainValidator(partial(_measure, units=SECONDS, per="/byte"))]  # of 9.56 ns/byte
Hertz = Annotated[Fraction, PlainValidator(partial(_measure, units=HERTZ))]
Bandwidth = Annotated[Fraction, PlainValidator(partial(_measure, units=BYTES, per="/s"))]  # MB are 10**6 bytes
Port = Annotated[Fraction, PlainValidator(partial(_measure, units=BYTES, per="/cycle"))]
Bytes = Annotated[int, PlainValidator(size)]
Number = Annotated[Fraction, PlainValidator(number)]
Flag = Annotated[bool, PlainValidator(flag)]
Provenance = Annotated[dict[str, str], PlainValidator(provenance)]
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
