"""Figures and deviations as the report shows them."""

from __future__ import annotations

from fractions import Fraction

from validation.harness.rows import Row, Value, number


def shown(value: Value | None) -> str:
    """Return a figure as the report shows it.

    Examples
    --------
    >>> shown(Fraction(171, 83)), shown(Fraction(8, 2)), shown(None)
    ('171/83 = 2.0602', '4', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value} = {float(value):.5g}"
    return str(value)


def shown_deviation(row: Row) -> str:
    """Return the deviation of a row, absolute and in per cent of the printed figure."""
    deviation, printed = row.deviation, number(row.printed)
    if deviation is None or printed is None:
        return "-"
    if deviation == 0 or printed == 0:
        return f"{float(deviation):+g}" if deviation else "0"
    return f"{float(deviation):+.4g} ({float(deviation / printed) * 100:+.3g} %)"
