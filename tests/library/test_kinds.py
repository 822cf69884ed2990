"""Which values an annotation takes, which part of one does not fit, and the words for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from ppnsim.calls import CallError, built_by_name, public
from ppnsim.errors import UnknownOption
from ppnsim.kinds import culprit, either, fits, plain, said_of, shown, words_of


@pytest.mark.parametrize(
    ("hint", "fitting", "others"),
    [
        (int, [3, np.int64(3)], [True, 2.5, "3", None]),
        (float, [3, 2.5, np.float32(1), Fraction(1, 2)], [True, "3", 1j]),
        (bool, [True, np.bool_(False)], [1, 0, None]),
        (str, ["a"], [1, b"a"]),
        (int | None, [3, None], [2.5, "3"]),
        (Literal["a", 1], ["a", 1], ["b", True, 1.0]),
        (tuple[int, str], [(1, "a"), [1, "a"]], [(1,), (1, "a", 2), ("a", 1), "1a"]),
        (tuple[int, ...], [(), (1,), [1, 2, 3]], [(1, "a"), 3]),
        (Sequence[int], [(1, 2), [1], []], ["12", [1, "a"], 3]),
        (Iterable[str], [["a"], {"a"}], ["a", 3]),
        (Mapping[str, int], [{"a": 1}, {}], [{1: 1}, {"a": "1"}, ["a"]]),
        (list[int], [[1]], [(1,), ["a"]]),
        (Any, [3, "a", None], []),
    ],
)
def test_a_value_fits_or_it_does_not(hint: Any, fitting: list[object], others: list[object]) -> None:
    assert [fits(value, hint) for value in fitting] == [True] * len(fitting)
    assert [fits(value, hint) for value in others] == [False] * len(others)


def test_a_thousand_parts_are_looked_at() -> None:
    for count, seen in ((999, True), (1000, False)):
        long = [*range(count), "a"]
        assert fits(long, Sequence[int]) is not seen
        assert fits(dict(enumerate(long)), Mapping[int, int]) is not seen
        assert culprit(long, Sequence[int])[0] == (f"[{count}]" if seen else "")
        assert culprit(dict(enumerate(long)), Mapping[int, int])[0] == (f"[{count}]" if seen else "")


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        ([1, "a", "b"], Sequence[int], ("[1]", "a", int)),
        ([1, "a"], list[int] | None, ("[1]", "a", int)),
        ({"a": 1, "b": "c"}, Mapping[str, int], ("['b']", "c", int)),
        ({1: "c"}, Mapping[str, int], ("", {1: "c"}, Mapping[str, int])),  # its name is wrong, not its value
        ({"a": "b"}, Sequence[int], ("", {"a": "b"}, Sequence[int])),
        ((1, "a"), tuple[int, int], ("", (1, "a"), tuple[int, int])),
        ([1], Mapping[str, int], ("", [1], Mapping[str, int])),
        ("ab", Sequence[int], ("", "ab", Sequence[int])),
        (3, str, ("", 3, str)),
    ],
)
def test_the_part_that_does_not_fit_is_found(value: object, hint: Any, expected: tuple[str, object, Any]) -> None:
    assert culprit(value, hint) == expected


def test_arrays_and_series_become_what_fits_and_nothing_else_does() -> None:
    array, series = np.arange(3), pd.Series({"a": 1})
    assert plain(array, Sequence[int]) == [0, 1, 2]
    assert plain(array, Mapping[str, int]) is array
    assert plain(array, np.ndarray) is array
    assert plain(series, Mapping[str, int]) == {"a": 1}
    assert plain(series, Sequence[int]) == [1]
    assert plain(series, Sequence[str]) is series
    ours = {"a": 1}
    assert plain(ours, Sequence[int]) is ours


checked: Any = public  # a type checker would refuse what follows, before it runs
made: Any = built_by_name


class Ours:
    """A class whose article is 'an'."""


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (int, ["a whole number"]), (float | None, ["a number", "None"]), (bool, ["True or False"]), (str, ["a text"]),
        (Literal["a", 1], ["'a'", "1"]), (tuple[int, int], ["a tuple of 2"]), (tuple[int, ...], ["a tuple"]),
        (Sequence[int], ["a list"]), (Iterable[int], ["a list"]), (Mapping[str, int], ["a dictionary"]),
        (PathLike[str], ["a path"]), (Callable[[int], int], ["a function"]), (Fraction, ["a Fraction"]),
        (Ours, ["an Ours"]), (object, []), (list[int], ["a list"]), (np.ndarray, ["a ndarray"]),
    ],
)  # fmt: skip
def test_an_annotation_in_words(hint: Any, words: list[str]) -> None:
    assert list(words_of(hint)) == words


def test_words_of_which_one_is_right() -> None:
    assert [either(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a or b", "a, b or c"]


def test_sixty_characters_of_a_value_are_shown() -> None:
    assert shown("a" * 58) == f"'{'a' * 58}'"
    assert shown("a" * 59) == f"'{'a' * 59}..."


def described(first: int, second: int = 0, third: int = 0, other: int = 0) -> None:
    """Do nothing.

    Parameters
    ----------
    first : how many ``words``
        there are.
    second, third : two
        in one.
    """


@pytest.mark.parametrize(
    ("name", "said"),
    [("first", "how many words there are"), ("second", "two in one"), ("third", "two in one"), ("other", "")],
)
def test_a_docstring_says_what_a_parameter_takes(name: str, said: str) -> None:
    assert said_of(described, name) == said


def two(first: int, *, second: str = "", third: int = 0) -> tuple[int, str, int]:
    return first, second, third


def several(first: int, *others: int) -> tuple[int, ...]:
    return (first, *others)


def anything(**named: object) -> Mapping[str, object]:
    return named


def refusing(first: int = 0) -> int:
    raise UnknownOption("secnd", f"{first} has no secnd", ["second"])


class Built:
    """A value with a name."""

    def __init__(self, name: str, *, size: int = 1) -> None:
        self.name, self.size = name, size
        if size < 0:
            len(size)  # type: ignore[arg-type]  # a mistake inside, which stays what it is


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: checked(two)(), "two: first is missing (a whole number)"),
        (lambda: checked(two)("a"), "two: first = 'a' is not a whole number"),
        (lambda: checked(two)(1, 2), "two: 2 has no name: write two(..., third=2)"),
        (lambda: checked(two)(1, 2.5), "two: 2.5 has no name: write two(..., second=2.5)"),
        (
            lambda: checked(two)(1, "a", second="b", third=3),
            "two: 'a' is one argument too many (it takes 1)",
        ),
        (lambda: checked(two, "TWO")(1, secnd=""), "TWO: no option is called 'secnd' (did you mean 'second'?)"),
        (lambda: checked(several)(1, "a"), "several: others = 'a' is not a whole number"),
        (lambda: checked(several)(), "several: first is missing (a whole number)"),
        (lambda: checked(refusing)(3), "refusing: 3 has no secnd (did you mean 'second'?)"),
        (lambda: made(Built)(), "Built: name is missing (a text)"),
        (lambda: made(Built)("a", 3), "Built: 3 has no name: write Built(..., size=3)"),
        (lambda: made(Built)("a", zzz=3), "Built: no option is called 'zzz' (known: name, size)"),
        (lambda: made(Built)("a", 3, size=2), "Built: 3 is one argument too many (it takes 1)"),
        (lambda: made(Built)(size=3), "Built: name is missing (a text)"),
        (lambda: checked(two)(1, zzz=3), "two: no option is called 'zzz' (known: first, second, third)"),
        (lambda: checked(anything)(3), "anything: 3 is one argument too many (it takes none)"),
    ],
)
def test_a_wrong_call_is_refused_in_a_sentence(call: Callable[[], object], words: str) -> None:
    with pytest.raises(CallError) as refused:
        call()
    assert str(refused.value) == words


def test_a_right_call_is_answered() -> None:
    assert checked(two)(np.int64(1), third=2) == (1, "", 2)
    assert checked(several)(1, 2, 3) == (1, 2, 3)
    assert checked(anything)(first=1) == {"first": 1}
    built = made(Built)("a", size=2)
    assert (built.name, built.size) == ("a", 2)


def test_a_mistake_inside_of_what_is_built_stays_what_it_is() -> None:
    with pytest.raises(TypeError) as inside:
        made(Built)("a", size=-1)
    assert not isinstance(inside.value, CallError)
