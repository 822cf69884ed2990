"""The times, widths, latencies and lists of tokens of network files; TOML may write units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, cast

from pydantic import PlainValidator, ValidationInfo

from ppnsim import units
from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.model.latency import Distribution, Latency
from ppnsim.model.rate_pattern import is_pattern, pattern

_LARGEST_PARAMETER = 2**31  # cycles; what random generators draw from without overflow


@dataclass
class Dialect:
    """What one file may write, and the period (ns) in which it counts cycles.

    ``units`` says whether numbers may be texts with units. ``period`` is None once the clock has turned out wrong:
    no time can be counted then, and the complaint about the clock is enough.
    """

    units: bool = False
    period: Fraction | None = Fraction(10)


def cycles(value: object, info: ValidationInfo, *, at: str = "") -> int:
    """Return a number of cycles, or a time with a unit where the file may have them."""
    dialect = cast("Dialect", info.context)
    if not (isinstance(value, str) and dialect.units):
        return values.whole(value, at=at)
    period = dialect.period
    return 1 if period is None else _with_unit(value, lambda time: units.cycles(time, period), at)


def width(value: object, info: ValidationInfo) -> int:
    """Return a number of bits, with its unit where the file may have them."""
    dialect = cast("Dialect", info.context)
    return _with_unit(value, units.bits) if isinstance(value, str) and dialect.units else values.whole(value)


def _with_unit(value: str, convert: Callable[[str], int], at: str = "") -> int:
    try:
        return values.whole(convert(value), at=at)
    except InputError as error:
        plain, words = value.strip(), str(error).removeprefix(f"'{value}' ")
        hint = f" (write {plain} without quotes)" if plain.isascii() and plain.isdigit() else ""
        raise values.rule(f"{words}{hint}", at=at, value=value) from None


def clock(value: object, info: ValidationInfo) -> float:
    """Return the period in nanoseconds of a clock with its unit, and let the times of the file be counted in it."""
    dialect = cast("Dialect", info.context)
    dialect.period = None
    if not isinstance(value, str):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        which = f" (is it '{values.shown(value)} ns' or '{values.shown(value)} MHz'?)" if number else ""
        raise values.rule(f"must be a text with its unit, like '10 ns' or '100 MHz'{which}")
    return _period(value, dialect, f"'{value}' ")


def clock_ns(value: object, info: ValidationInfo) -> float:
    """Return a clock period that is a number of nanoseconds, and let the times of the file be counted in it."""
    dialect = cast("Dialect", info.context)
    dialect.period = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise values.rule("must be a number of nanoseconds (clock takes texts like '10 ns' or '100 MHz')")
    if isinstance(value, int) and abs(value) > values.LARGEST:
        raise values.rule(values.OUT_OF_RANGE.format(""))
    return _period(value, dialect, f"{value} ")


def _period(value: str | float, dialect: Dialect, shown: str) -> float:
    try:
        dialect.period = units.clock_period(value)
    except InputError as error:
        raise values.rule(str(error).removeprefix(shown)) from None
    return float(dialect.period)


def depth(value: object) -> int | None:
    """Return a depth in tokens, None for ``"unbounded"``."""
    if value == "unbounded":
        return None
    if isinstance(value, str | float):
        raise values.rule("must be a whole number, or 'unbounded'")
    return values.whole(value)


def latency(value: object, info: ValidationInfo) -> Latency:
    """Return execute latencies: a number, one per firing, or a distribution with its seed."""
    if isinstance(value, dict):
        return _distribution(value)
    if isinstance(value, list):
        return tuple(cycles(entry, info, at=f"[{at}]") for at, entry in enumerate(value))
    return cycles(value, info)


def _distribution(value: dict[str, Any]) -> Distribution:
    names = [key for key in value if key != "seed"]
    if len(names) != 1:
        raise values.rule("must name one distribution with its numbers, like {uniform = [3, 5], seed = 1}")
    given = value[names[0]]
    numbers = given if isinstance(given, list) else [given]
    at = f".{names[0]}"
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise values.rule("must be numbers", at=at, value=given)
        # Comparing comes first: a whole number may be too large for isfinite.
        if abs(number) > _LARGEST_PARAMETER or not isfinite(number):
            raise values.rule("is out of range (numbers up to 2**31 are taken)", at=at, value=number)
    return Distribution(names[0], tuple(numbers), values.whole(value.get("seed", 0), at=".seed"))


def rates(value: object) -> tuple[int, ...]:
    """Return tokens per firing: a number, or a list or a pattern that is repeated."""
    if isinstance(value, str) and is_pattern(value):
        try:
            return pattern(value)
        except InputError as error:
            raise values.rule(str(error)) from None
    if isinstance(value, list):
        return values.listed(values.whole, "rates")(value)
    if type(value) is not int:
        raise values.rule("must be a whole number, a list of them, or a pattern like '2 x 0, 3 x (0, 2 x 1)'")
    return (values.whole(value),)


def rows(shape: str, columns: int) -> PlainValidator:
    """Return the validator of a list of rows of whole numbers, each of this shape."""
    return PlainValidator(values.listed(values.listed(values.whole, shape, length=columns), shape))
