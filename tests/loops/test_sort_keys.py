"""Numbers that stand for rows: in the order of the rows, also where the columns' spans would not fit."""

from __future__ import annotations

import numpy as np
import pytest

from ppnsim.loops import points
from ppnsim.loops.points import sort_keys


def test_keys_of_wide_columns_are_in_the_order_of_the_rows() -> None:
    rows = [(2**40, 0, 3), (0, 2**40, -1), (2**40, 0, 2), (0, 2**40, -1), (5, -(2**40), 0), (5, -(2**40), 2**20)]
    keys = sort_keys([np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)], len(rows))
    assert sorted(range(6), key=keys.tolist().__getitem__) == sorted(range(6), key=rows.__getitem__)
    assert keys[1] == keys[3]
    assert len(set(keys.tolist())) == 5


@pytest.mark.parametrize(("largest", "expected"), [(12, [3, 8, 11]), (11, [3, 4, 7])])
def test_rows_are_numbered_anew_only_where_a_key_could_be_too_large(
    largest: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "_LARGEST_KEY", largest)
    assert sort_keys([np.array([0, 2, 2]), np.array([3, 0, 3])], 3).tolist() == expected
