"""Lists of steps in files: every form is read, written back as it was, and refused with its place."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_core import PydanticCustomError

from ppnsim.formats.step_lists import dump, read
from ppnsim.formats.values import shown
from ppnsim.model.step_lists import Nest, StepList


@pytest.mark.parametrize(
    ("written", "entries"),
    [
        ([], ()), ([3], (3,)), ([0, 3, 4], (0, 3, 4)), ([[4, 2, 3]], ((4, 2, 3),)), ([0, [4, 2, 3]], (0, (4, 2, 3))),
        ({"times": 2, "every": 10, "of": [1, 2]}, (Nest(2, 10, (1, 2)),)),
        ([{"times": 2, "every": 10, "of": [1]}, 30], (Nest(2, 10, (1,)), 30)),
        ({"times": 2, "every": 9, "of": {"times": 3, "every": 1, "of": [0]}}, (Nest(2, 9, (Nest(3, 1, (0,)),)),)),
    ],
)  # fmt: skip
def test_lists_are_read_and_written_back(written: Any, entries: Any) -> None:
    assert read(written) == StepList(entries)
    again = read(dump(StepList(entries)))
    assert again == StepList(entries)
    if "every': 1" not in str(written):  # a list of one nest may also be that nest
        assert dump(StepList(entries)) == written


_LIST = "must be a list of steps, of [first, step, count], or {times, every, of}"
_NEST = "must be {times, every, of}: a list, so many times, each so much later"


@pytest.mark.parametrize(
    ("written", "at", "words", "value"),
    [
        (3, "s", _LIST, 3), ("0", "s", _LIST, "0"), ([0, "1"], "s[1]", "must be a whole number", "1"),
        ([0, -1], "s[1]", "must be at least 0", -1), ([0, 1.5], "s[1]", "must be a whole number", 1.5),
        ([[1, 2]], "s[0]", "must be [first, step, count]", [1, 2]),
        ([5, [1, 2, -3]], "s[1][2]", "must be at least 0", -3),
        ([{"times": 2, "every": 1}], "s[0]", _NEST, {"times": 2, "every": 1}),
        ({"times": -2, "every": 1, "of": []}, "s.times", "must be at least 0", -2),
        ({"times": 2, "every": "1", "of": []}, "s.every", "must be a whole number", "1"),
        ({"times": 2, "every": 1, "of": 3}, "s.of", _LIST, 3),
        ([7, {"times": 2, "every": 1, "of": [0, -4]}], "s[1].of[1]", "must be at least 0", -4),
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused_with_its_place(written: Any, at: str, words: str, value: object) -> None:
    with pytest.raises(PydanticCustomError) as refused:
        read(written, at="s")
    context: Any = refused.value.context
    assert (refused.value.message(), context["at"], context["value"]) == (words, at, shown(value))
