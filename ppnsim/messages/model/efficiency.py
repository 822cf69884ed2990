"""Gaps that depend on the size of a transfer: what share of its bandwidth a bus or a link reaches at which size.

g(b) = 1 / (R eff(b)): microbenchmarks give the efficiency at some sizes; between them it is linear in log2(bytes), and
outside of them it is not known.

Source: Holland et al. 2011 (RATSS), section 3.2.2, Eq. 7 and Figure 6; L2.1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log2

from ppnsim.errors import InputError

Efficiency = tuple[tuple[int, Fraction], ...]  # (bytes of a transfer, share of the bandwidth), sizes increasing

_FINEST = 10**9  # logarithms are floats: digits beyond theirs would only make times long


def checked_efficiency(table: Efficiency) -> Efficiency:
    """Return the table itself.

    Raises
    ------
    InputError
        If it has no size, its sizes do not increase, or a share is not above 0 and at most 1.
    """
    if not table:
        raise InputError("efficiency lists no size")
    sizes = [size for size, _ in table]
    if sizes != sorted(set(sizes)) or sizes[0] < 1:
        raise InputError(f"efficiency lists the sizes {sizes} (from 1 byte on, increasing)")
    for size, share in table:
        if not 0 < share <= 1:
            raise InputError(f"efficiency at {size} bytes = {float(share):g} is not above 0 and at most 1")
    return table


def efficiency_at(table: Efficiency, size: int, *, clamp: bool = False) -> Fraction:
    """Return the share of the bandwidth at a size; ``clamp`` takes the nearest end outside the table.

    Raises
    ------
    InputError
        If the size is outside the table and the table is not to be clamped.

    Examples
    --------
    >>> table = ((1024, Fraction(1, 10)), (4096, Fraction(3, 10)))
    >>> efficiency_at(table, 2048), efficiency_at(table, 2**20, clamp=True)
    (Fraction(1, 5), Fraction(3, 10))
    """
    first, last = table[0], table[-1]
    if not first[0] <= size <= last[0]:
        if not clamp:
            raise InputError(
                f"the efficiency table has no {size} bytes (from {first[0]} to {last[0]} bytes; "
                "clamp = true takes the nearest end)"
            )
        return first[1] if size < first[0] else last[1]
    for (low, before), (high, after) in pairwise(table):
        if low <= size < high:
            part = Fraction(log2(size / low) / log2(high / low)).limit_denominator(_FINEST)
            return before + (after - before) * part
    return last[1]
