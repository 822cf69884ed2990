"""The equations of the method: useful cycles, nested loops and performance (Eq. 1-4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.errors import InputError


def useful_cycles(operations: int, *, latency: int = 1, parallel: int = 1) -> Fraction:
    """Return the fewest cycles in which operations can start (Eq. 4).

    ``parallel`` of them start at once, each ``latency`` cycles after the one before it on the same operator.

    Raises
    ------
    InputError
        If no operator is there to execute them.

    Examples
    --------
    >>> useful_cycles(128, parallel=2)
    Fraction(64, 1)
    """
    if parallel < 1:
        raise InputError(f"parallel = {parallel} executes no operation (at least 1 is needed)")
    return Fraction(latency * operations, parallel)


def nested_cycles(levels: Sequence[tuple[int, int]]) -> int:
    """Return the cycles of nested loops from those of one iteration of each level (Eq. 1 and 2).

    ``levels`` holds ``(cycles of an iteration without those of inner loops, trip count)``, the innermost loop first.
    Eq. 1 is printed without the brackets of Eq. 2; they are needed, because inner loops run again for outer ones.

    Examples
    --------
    >>> nested_cycles([(16, 4), (2, 4), (2, 4)]) + 2  # Table 1: 4x4, no optimisation
    1066
    """
    inner = 0
    for cycles, trips in levels:
        inner = (inner + cycles) * trips
    return inner


def performance(operations: int, split: CycleSplit, *, clock_ns: Fraction) -> Fraction:
    """Return operations per nanosecond (Eq. 3), which is also their number in 10^9 per second.

    Examples
    --------
    >>> performance(128, CycleSplit(useful=64, initialisation=768, memory=128, control=106), clock_ns=Fraction(4))
    Fraction(16, 533)
    """
    return operations / (clock_ns * split.total)
