"""Units and ticks of axes over time, for pictures of matplotlib and for those that a page draws itself."""

from __future__ import annotations

from math import ceil, floor, log10

_UNITS = (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9))


def unit_of(nanoseconds: float) -> tuple[str, float]:
    """Return the largest unit of which there are at least two, and its nanoseconds.

    Examples
    --------
    >>> unit_of(830), unit_of(41_000)
    (('ns', 1.0), ('µs', 1000.0))
    """
    return next((unit for unit in reversed(_UNITS) if nanoseconds >= 2 * unit[1]), _UNITS[0])


def ticks(first: float, last: float, most: int = 10) -> list[float]:
    """Return round numbers from ``first`` to ``last``, 1, 2 or 5 times a power of ten apart, ``most`` or fewer steps.

    Examples
    --------
    >>> ticks(0, 41), ticks(0.5, 1.25, most=5)
    ([0, 5, 10, 15, 20, 25, 30, 35, 40], [0.6, 0.8, 1.0, 1.2])
    """
    least = (last - first) / most
    power = floor(log10(least))
    apart = next(each * 10.0**power for each in (1, 2, 5, 10) if each * 10.0**power >= least * (1 - 1e-9))
    numbers = range(ceil(first / apart - 1e-9), floor(last / apart + 1e-9) + 1)
    return [round(number * apart, max(0, -power)) if power < 0 else round(number * apart) for number in numbers]
