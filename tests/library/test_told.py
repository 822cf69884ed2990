"""What the library answers, word for word, row for row and artist for artist: as recorded by `tests.golden`."""

import pytest

from tests.golden.told import TOLD, answers, differences, told_by_library


@pytest.mark.parametrize("name", answers())
def test_an_answer_tells_what_is_recorded(name: str) -> None:
    before = (TOLD / f"{name}.txt").read_text(encoding="utf-8")
    assert differences(before, told_by_library(answers()[name])) == [], "if it is meant: python -m tests.golden"
