"""Which firings move a token of a round, and how many rounds apart: against the definition, where distances are few."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest

from ppnsim.analysis.movers import movers


@pytest.mark.parametrize(
    ("rates", "other", "index"),
    [
        ([1, 1, 1, 1], 2, [0, 3, 5]),
        ([1] * 6, 4, [0, 1, 7, -3]),
        ([0, 2, 0, 1, 1, 2], 4, [2, 9]),
        ([3, 0, 0, 1], 8, [0, 4, 11]),
        ([1] * 9, 3, [-10, 0, 10]),
    ],
)
def test_each_firing_moves_the_tokens_that_are_whole_distances_away(
    rates: list[int], other: int, index: list[int]
) -> None:
    running = np.cumsum(rates)
    total = int(running[-1])
    common = gcd(total, other)
    assert len(rates) > total // common  # few distances
    which, firing, apart = movers(np.array(index), running, other, total // common, np.int64, farthest=False)
    expected = {
        (at, number, -distance)
        for at, token in enumerate(index)
        for distance in range(-40, 41)
        for number, (before, end) in enumerate(zip([0, *running], running, strict=False))
        if before <= token - distance * common < end
    }
    assert set(zip(which.tolist(), firing.tolist(), apart.tolist(), strict=True)) == expected
