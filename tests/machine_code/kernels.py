"""Kernels of all forms, each on a table, its first column, and two numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

from ppnsim.machine_code.marks import kernel, unsigned

LEFT, RIGHT = range(2)
_NEVER = 1 << 60


class Pair(NamedTuple):
    """A number and a truth value."""

    low: int
    is_open: bool


class State(NamedTuple):
    """A tuple in a tuple, and a table."""

    pair: Pair
    rows: Any


@kernel
def arithmetic(_rows: Any, column: Any, a: int, b: int) -> tuple[int, int, int, int]:
    """Signs, precedence, bits."""
    return -a + b * 3 - column[0], (a & 255) | (b & 7), (a ^ b) & 1023, ~a


@kernel
def comparisons(_rows: Any, column: Any, a: int, b: int) -> tuple[bool, bool, bool, bool, bool]:
    """Chains, and truth values as numbers."""
    return a < b <= _NEVER, a == b, not a > b, (a > b) & (column[0] != 0), bool(column[0])


@kernel
def extremes(rows: Any, _column: Any, a: int, b: int) -> tuple[int, int]:
    """Of two and of three, and a loop over them."""
    most, least = max(a, b, rows[0, RIGHT]), min(a, b)
    for row in range(len(rows)):
        most, least = max(most, rows[row, LEFT]), min(least, rows[row, 2])
    return most, least


@kernel
def choices(rows: Any, column: Any, a: int, b: int) -> int:
    """Values and tuples by condition; only what is wanted is looked at."""
    far = len(column) + 5
    first, second = (rows[0, 0], a) if a > b else (b, rows[1, 1])
    seen = column[far] if far < len(column) and column[far] else -1
    return int(first - second + (1 if a > 0 or b > 0 else 2) + seen)


@kernel
def found(rows: Any, column: Any, a: int, _b: int) -> int:
    """A loop that is left, one that is not, and what comes after each."""
    at = 0
    for k in range(len(column)):
        if column[k] == a % 9:
            at = k
            break
        if column[k] < 0:
            continue
        at -= 1
    else:
        at = 100
    while at > 0:
        at -= 7
        if rows[0, 0] == at:
            return -1
    else:
        at += 1000
    for k in range(len(column) - 1, -1, -1):
        at = at * 3 + column[k]
    for k in range(2, 9, 3):
        at += k
        k += 50
    return at


@kernel
def written(rows: Any, column: Any, a: int, b: int) -> None:
    """Elements, rows as arrays of their own, swaps."""
    own = rows[1]
    own[0], own[2] = own[2], own[0]
    own[-1] += a % 100
    column[0] -= b % 100
    column[len(column) - 1] *= 2
    rows[0, -2] //= 2
    if a > b:
        return
    _turn(rows, 0)


@kernel
def _turn(rows: Any, row: int) -> None:
    low, high = 0, rows.shape[1] - 1
    while low < high:
        rows[row, low], rows[row, high] = rows[row, high], rows[row, low]
        low += 1
        high -= 1


@kernel
def called(rows: Any, column: Any, a: int, b: int) -> int:
    """Kernels that call kernels, with arrays and rows, and get several values."""
    low, is_low = _pair_of(column, a, b)
    other, _ = _pair_of(rows[1], b, a)
    return low + other + is_low


@kernel
def _pair_of(values: Any, a: int, b: int) -> tuple[int, bool]:
    total: int = 0
    for k in range(unsigned(len(values))):
        total += values[k]
    if a < b:
        return total + a % 1000, True
    return total, total > 0


KERNELS = (arithmetic, comparisons, extremes, choices, found, written, called)
