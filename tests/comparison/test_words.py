"""Where a model has no answer, in words."""

from __future__ import annotations

import pytest

from ppnsim.comparison.model import ComparedPoint
from ppnsim.comparison.report import _unanswered


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "n = 0: reason 0"),
        (2, "n = 0, n = 1: reason 0"),
        (6, "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5: reason 0"),
        (7, "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5 and 1 more: reason 0"),
        (9, "n = 0, n = 1, n = 2, n = 3, n = 4, n = 5 and 3 more: reason 0"),
    ],
)
def test_six_points_without_an_answer_are_named_and_the_first_reason(count: int, words: str) -> None:
    points = [
        ComparedPoint(values={"n": n}, series="", predicted=None, simulated=1.0, silent=f"reason {n}")
        for n in range(count)
    ]
    assert _unanswered(points) == words


def test_without_a_reason_only_the_points_are_named() -> None:
    assert _unanswered([ComparedPoint(values={"n": 3}, series="", predicted=None, simulated=1.0)]) == "n = 3"
