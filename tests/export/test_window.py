"""Windows by cycles, by times and by two ends: what they name, and what they do not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ppnsim.errors import InputError
from ppnsim.export.window import (
    Window,
    period_of,
    picoseconds_in,
    seconds_in,
    time_window,
    window_called,
    window_from,
    window_in,
)
from ppnsim.model.builders import chain

NETWORK = chain(firings=4).replace(clock_ns=5.0)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((10, 20), (10, 20)), ((None, 20), (0, 20)), ((10, None), (10, 100)), ((None, None), (0, 100)),
        ([3, 400], (3, 100)), ("10:20", (10, 20)), ("50ns:100ns", (10, 20)), ("51ns:99ns", (10, 20)),
        (" 10 : 20 ", (10, 20)), (":", (0, 100)), ("49.9ns:", (9, 100)), (":100.1ns", (0, 21)),
    ],
)  # fmt: skip
def test_a_window_is_two_cycles_of_the_run(given: object, found: tuple[int, int]) -> None:
    window = window_from(given, NETWORK, 100)  # type: ignore[arg-type]
    assert (window.first, window.last) == found
    assert isinstance(window, Window)


def test_a_window_holds_its_first_cycle_and_not_its_last() -> None:
    assert [cycle for cycle in range(9) if cycle in Window(3, 6)] == [3, 4, 5]


def test_no_window_is_all_of_the_run() -> None:
    window = window_in(None, NETWORK, 100)
    assert (window.first, window.last) == (0, 100)


@pytest.mark.parametrize("given", [(1,), (1, 2, 3), ("1", 2), (1.5, 2), (None, "9"), "12", "a:b", "1:2:3", "1us"])
def test_what_is_no_window_is_refused_in_its_own_words(given: object) -> None:
    with pytest.raises(InputError) as refused:
        window_from(given, NETWORK, 100)  # type: ignore[arg-type]
    assert str(refused.value).endswith(
        f"'{given}' is not of the form A:B with cycles or times A < B (100:200, 1us:2us), or one of them"
    )


@pytest.mark.parametrize("given", [(20, 10), (10, 10), (100, None), "200:300"])
def test_a_window_without_a_cycle_of_the_run_is_refused(given: object) -> None:
    with pytest.raises(InputError):
        window_from(given, NETWORK, 100)  # type: ignore[arg-type]


def test_times_mean_nothing_without_a_clock() -> None:
    assert window_called("1:2") == (1, 2)
    with pytest.raises(InputError, match="is not of the form A:B"):
        window_called("1us:2us")


@pytest.mark.parametrize(
    ("text", "found"),
    [("1us:2us", (1000, 2000)), (":2us", (0, 2000)), ("1us:", (1000, 4000)), ("1ns:9us", (1, 4000)), (":", (0, 4000))],
)
def test_times_of_several_clocks_are_kept_as_they_are(text: str, found: tuple[int, int]) -> None:
    assert time_window(text, Fraction(4000)) == tuple(map(Fraction, found))
    assert picoseconds_in(text, 4_000_000) == tuple(1000 * each for each in found)
    seconds = seconds_in(text, Fraction(4000, 10**9))
    assert seconds == tuple(Fraction(each, 10**9) for each in found)


def test_times_that_are_left_out_name_no_window() -> None:
    assert (picoseconds_in(None, 4000), seconds_in(None, Fraction(1))) == (None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1:2", "--window: '1:2' is not of the form A:B with times (1us:2us); there are several clocks, so cycles name "
         "none"),
        ("1us", "'1us' is not of the form A:B with cycles or times A < B (100:200, 1us:2us), or one of them"),
        ("4us:", "window 4us: holds no moment: the simulation ends at 4000 ns"),
        ("2us:2us", "window 2us:2us holds no moment: the simulation ends at 4000 ns"),
    ],
)  # fmt: skip
def test_times_that_are_none_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        time_window(text, Fraction(4000))
    assert str(refused.value) == words


def test_a_third_of_a_period_is_exact() -> None:
    assert period_of(10 / 3) == Fraction(10, 3)
