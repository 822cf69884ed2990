"""Ranges of values that are worked out from the ranges of operands, against all values that there are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import fmod
from operator import add, and_, lshift, mul, or_, rshift, sub, xor

import pytest

from ppnsim.c.lowering.control.value_ranges import combined
from ppnsim.c.lowering.values.ranges import ValueRange

OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "&": and_, "|": or_, "^": xor, "<<": lshift, ">>": rshift,
    "/": lambda a, b: int(a / b), "%": lambda a, b: int(fmod(a, b)),
}  # fmt: skip
ENDS = ((-3, 2), (0, 0), (0, 5), (1, 3), (2, 7), (4, 4))


@pytest.mark.parametrize("text", OPERATORS)
def test_no_value_of_an_operator_is_outside_of_its_range(text: str) -> None:
    for (a, b), (c, d) in product(ENDS, repeat=2):
        if (text in ("<<", ">>") and c < 0) or (text in "/%" and c <= 0 <= d):
            continue  # of which C says nothing
        values = [OPERATORS[text](x, y) for x in range(a, b + 1) for y in range(c, d + 1)]
        found = combined(text, ValueRange(a, b), ValueRange(c, d))
        assert found.low is None or found.low <= min(values), (text, a, b, c, d)
        assert found.high is None or max(values) <= found.high, (text, a, b, c, d)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("+", (3, 9)), ("-", (-1, 5)), ("*", (2, 18)), ("/", (0, 6)), ("%", (0, 2)), ("&", (0, 3)), ("<<", (4, 48)),
        (">>", (0, 3)),
    ],
)  # fmt: skip
def test_ranges_of_numbers_from_0_on_are_as_narrow_as_their_ends_say(text: str, found: tuple[int, int]) -> None:
    assert combined(text, ValueRange(2, 6), ValueRange(1, 3)) == ValueRange(*found)


@pytest.mark.parametrize("text", ["+", "-", "*", "/", "<<", ">>"])
def test_what_has_no_end_gives_none(text: str) -> None:
    for open_, given in ((ValueRange(2, None), ValueRange(1, 3)), (ValueRange(2, 6), ValueRange(1, None))):
        found = combined(text, open_, given)
        assert None in (found.low, found.high) or (text in ("/", ">>") and open_.high == 6)
