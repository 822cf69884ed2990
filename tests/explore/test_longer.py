"""How much longer a wait is where the slots that are spare are spent where they are worth most: typed by hand."""

from __future__ import annotations

from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.explore.fifo.series import _longer


@pytest.mark.parametrize(
    ("spare", "parts", "spread", "longer"),
    [
        # (cycles between tokens, price of a slot) and (fewest, most) of each part.
        (0, [(5, 1)], [(2, 6)], 20),  # four slots short, 5 cycles each
        (3, [(5, 1)], [(2, 6)], 5),
        (4, [(5, 1)], [(2, 6)], 0),
        (9, [(5, 1)], [(2, 6)], 0),  # more than it can hold
        (3, [(5, 2)], [(2, 6)], 13),  # one slot and a half: 12.5
        (2, [(5, 1), (8, 1)], [(0, 2), (0, 3)], 18),  # both for the second: 10 + 8
        (4, [(5, 1), (8, 1)], [(0, 2), (0, 3)], 5),  # three for the second, one for the first
        (4, [(5, 1), (8, 2)], [(0, 2), (0, 3)], 16),  # the first is worth more for its price
        (6, [(5, 1), (8, 2), (3, 1)], [(0, 2), (0, 1), (0, 4)], 6),
    ],
)
def test_spare_slots_are_spent_where_they_are_worth_most(
    spare: int, parts: list[tuple[int, int]], spread: list[tuple[int, int]], longer: int
) -> None:
    made: list[Any] = [Of(between=between, price=price) for between, price in parts]
    assert _longer(spare, made, spread) == longer
