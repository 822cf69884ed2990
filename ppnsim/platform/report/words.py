"""Times of platforms in words: with the unit that suits them."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.messages.model.loggp import Duration


def time_words(picoseconds: Duration) -> str:
    """Return a time with the unit that suits it.

    Examples
    --------
    >>> time_words(300_000)
    '300 ns'
    """
    return seconds_words(Fraction(picoseconds) / 10**12)


def seconds_words(time: Duration) -> str:
    """Return a time in seconds with the unit that suits it.

    Examples
    --------
    >>> seconds_words(Fraction(3, 10**7)), seconds_words(Fraction(1, 10**11))
    ('300 ns', '10 ps')
    """
    for unit, size in (("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if time >= Fraction(size):
            return f"{float(time) / size:.4g} {unit}"
    return f"{float(time) * 1e12:.3g} ps"
