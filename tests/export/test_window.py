"""Windows by their edges: which cycles and moments they hold, and in which words the others are refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppnsim import chain
from ppnsim.errors import InputError
from ppnsim.export.window import (
    Window,
    WindowLike,
    period_of,
    picoseconds_in,
    seconds_in,
    time_window,
    window_called,
    window_from,
    window_of,
)

FORM = "is not of the form A:B with cycles or times A < B (100:200, 1us:2us), or one of them"
NETWORK = chain(firings=2)  # 100 MHz


def test_a_window_has_its_first_cycle_and_not_the_one_behind_its_last() -> None:
    assert [cycle in Window(3, 5) for cycle in (2, 3, 4, 5)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("ends", "stopped", "expected"),
    [
        ((None, None), 83, (0, 83)), ((None, None), 0, (0, 1)), ((0, 1), 83, (0, 1)), ((82, None), 83, (82, 83)),
        ((82, 84), 83, (82, 83)), ((0, 83), 83, (0, 83)), ((None, 7), 83, (0, 7)), ((1, 2), 2, (1, 2)),
    ],
)  # fmt: skip
def test_a_window_ends_with_the_run_at_the_latest(
    ends: tuple[int | None, int | None], stopped: int, expected: tuple[int, int]
) -> None:
    assert window_of(*ends, stopped=stopped) == Window(*expected)


@pytest.mark.parametrize(
    ("ends", "stopped", "words"),
    [
        ((83, None), 83, "window 83:83 holds no cycle: the run has the cycles 0..82"),
        ((5, 5), 83, "window 5:5 holds no cycle: the run has the cycles 0..82"),
        ((6, 5), 83, "window 6:5 holds no cycle: the run has the cycles 0..82"),
        ((90, 100), 83, "window 90:100 holds no cycle: the run has the cycles 0..82"),
        ((-1, 5), 83, "window -1:5 holds no cycle: the run has the cycles 0..82"),
        ((None, 0), 83, "window 0:0 holds no cycle: the run has the cycles 0..82"),
        ((1, None), 0, "window 1:1 holds no cycle: the run has the cycles 0..0"),
    ],
)
def test_a_window_without_a_cycle_is_refused(ends: tuple[int | None, int | None], stopped: int, words: str) -> None:
    with pytest.raises(InputError) as refused:
        window_of(*ends, stopped=stopped)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":", (None, None)), ("7:", (7, None)), (" 7 : 9 ", (7, 9)), ("0:0", (0, 0)), ("1us:2us", (100, 200)),
        ("15ns:15ns", (1, 2)), ("20ns:20ns", (2, 2)), ("0.5 ns:", (0, None)), (":11 ns", (None, 2)),
        (f"{10**18 - 1}:", (10**18 - 1, None)),
    ],
)  # fmt: skip
def test_times_become_the_cycle_that_holds_them_and_the_last_that_begins_before(
    text: str, expected: tuple[int | None, int | None]
) -> None:
    assert window_called(text, Fraction(10)) == expected


@pytest.mark.parametrize("text", ["", "7", "1..2", "a:b", "-1:3", "1:2:3", "1.5:2", "²:3", f"{10**18}:"])
def test_what_is_no_window_is_refused_as_it_was_given(text: str) -> None:
    with pytest.raises(InputError) as refused:
        window_called(text, Fraction(10))
    assert str(refused.value) == f"'{text}' {FORM}"


def test_without_a_clock_no_time_is_a_cycle() -> None:
    with pytest.raises(InputError) as refused:
        window_called("1us:")
    assert str(refused.value) == f"'1us:' {FORM}"


@pytest.mark.parametrize(
    ("given", "expected"),
    [("1:3", (1, 3)), ((1, 3), (1, 3)), ((None, None), (0, 10)), ((np.int64(2), None), (2, 10)), ("20ns:", (2, 10))],
)
def test_two_ends_are_as_good_as_a_text(given: WindowLike, expected: tuple[int, int]) -> None:
    assert window_from(given, NETWORK, 10) == Window(*expected)


@pytest.mark.parametrize("given", [(1,), (1, 2, 3), (1, "3"), (None, 2.5)])
def test_ends_that_are_no_two_numbers_are_refused(given: WindowLike) -> None:
    with pytest.raises(InputError) as refused:
        window_from(given, NETWORK, 10)
    assert str(refused.value) == f"'{given}' {FORM}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [(":", (0, 4000)), ("1us:", (1000, 4000)), (":1us", (0, 1000)), ("1us:9us", (1000, 4000)), ("0s:1ns", (0, 1))],
)
def test_times_of_several_clocks_are_cut_at_the_end(text: str, expected: tuple[Fraction, Fraction]) -> None:
    assert time_window(text, Fraction(4000)) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4us:", "window 4us: holds no moment: the simulation ends at 4000 ns"),
        ("-1us:2us", "window -1us:2us holds no moment: the simulation ends at 4000 ns"),
        ("2us:2us", "window 2us:2us holds no moment: the simulation ends at 4000 ns"),
        ("1us", f"'1us' {FORM}"),
        (
            "1:2",
            "--window: '1:2' is not of the form A:B with times (1us:2us); there are several clocks,"
            " so cycles name none",
        ),
    ],
)
def test_times_that_hold_no_moment_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        time_window(text, Fraction(4000))
    assert str(refused.value) == words


def test_the_same_window_in_picoseconds_and_in_seconds() -> None:
    assert picoseconds_in(None, 4000) is None
    assert picoseconds_in("1ns:3ns", 4000) == (1000, 3000)
    assert picoseconds_in(":", 4001) == (0, 4001)
    assert picoseconds_in("3ns:3.0001ns", 4001) == (3000, 3001)  # less than one
    assert seconds_in(None, Fraction(4)) is None
    assert seconds_in("1s:3s", Fraction(4)) == (Fraction(1), Fraction(3))
    assert seconds_in("1ns:", Fraction(4)) == (Fraction(1, 10**9), Fraction(4))


@pytest.mark.parametrize(("clock", "period"), [(10.0, Fraction(10)), (10 / 3, Fraction(10, 3)), (0.4, Fraction(2, 5))])
def test_a_period_is_the_fraction_that_was_meant(clock: float, period: Fraction) -> None:
    assert period_of(clock) == period
