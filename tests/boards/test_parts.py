"""Tests of parts as vendors' scripts write them."""

from __future__ import annotations

import pytest

from ppnsim.boards.files import load_board


@pytest.mark.parametrize(
    ("part", "table", "said"),
    [
        ("xcu280-fsvh2892-2L-e", "alveo-u280", ""),
        ("xc7z020clg400-1", "xc7z020", ""),
        ("xcvu9p-flga2104-2-i", "xcvu9p", ""),
        ("xcu55c-fsvh2892-2L-e", "xcvu9p", "no table of part 'xcu55c-fsvh2892-2L-e'"),
        ("xc7k70tfbg676-1", "xc7vx690t", "no table of part 'xc7k70tfbg676-1'"),
    ],
)
def test_a_part_takes_its_own_table_or_the_nearest_and_says_so(part: str, table: str, said: str) -> None:
    board = load_board(part)
    assert board.name == table
    assert board.assumed.startswith(said) and bool(board.assumed) == bool(said)
