"""Numbers in words, by the values at which the words change."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ppnsim.errors import InputError, UnknownOption, UnsupportedByEngine, did_you_mean, located
from ppnsim.units import (
    BYTES,
    clock_ns,
    clock_words,
    counted,
    cycles,
    digits,
    duration,
    measured,
    period_with_unit,
    quantity,
)


@pytest.mark.parametrize(
    ("ns", "words"),
    [
        (None, "-"), (0.0, "0 ns"), (9999.0, "9999 ns"), (10_000.0, "10 us"), (9.999e6, "9999 us"), (1e7, "10 ms"),
        (9.999e9, "9999 ms"), (1e10, "10 s"), (123_456_789.0, "123.46 ms"), (0.125, "0.125 ns"),
    ],
)  # fmt: skip
def test_a_duration_has_the_largest_unit_of_which_it_is_ten(ns: float | None, words: str) -> None:
    assert duration(ns) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"), (999_999.4, "999999"), (1e6, "1000000"), (1_234_567.8, "1234568"), (-1_234_567.8, "-1234568"),
        (9e14, "900000000000000"), (1e15, "1e+15"), (0.123_456_78, "0.123457"),
    ],
)  # fmt: skip
def test_a_number_has_six_digits_or_all_before_its_point(value: float, words: str) -> None:
    assert digits(value) == words


def test_only_one_is_one() -> None:
    assert [counted(number, "cycle") for number in (0, 1, 2, Fraction(1), Fraction(1, 2))] == [
        "0 cycles", "1 cycle", "2 cycles", "1 cycle", "1/2 cycles"
    ]  # fmt: skip


@pytest.mark.parametrize("clock", ["300 MHz", "1.2 GHz", "7 kHz", "3 Hz", "999 MHz", "3.3 ns", "5 ns", "0.7 ns"])
def test_the_words_of_a_clock_mean_the_same_clock(clock: str) -> None:
    words = clock_words(clock_ns(clock))
    assert clock_ns(words) == clock_ns(clock)
    assert words == clock or clock in ("7 kHz", "3 Hz")  # whose periods end: 142857.142857... does not


def test_the_longest_quantity_has_eighty_characters() -> None:
    longest = "1" * 77 + " ns"
    assert quantity(longest, {"ns": Fraction(1)}) == (Fraction("1" * 77), "ns")
    with pytest.raises(InputError) as refused:
        quantity("1" + longest, {"ns": Fraction(1)})
    assert str(refused.value) == f"'{'1' * 78} n...' must be a number and a unit: ns"


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.", 1), (".5", Fraction("0.5")), ("+2", 2), ("-3", -3), ("1e-2", Fraction("0.01")), ("2E3", 2000)],
)
def test_every_way_to_write_a_number_is_read(text: str, number: Fraction) -> None:
    assert quantity(f" {text}us ", {"us": Fraction(1)}) == (number, "us")


def test_bytes_and_bits_are_not_taken_for_each_other() -> None:
    """``mb`` may be megabits: no hint says that ``MB`` was meant."""
    with pytest.raises(InputError) as refused:
        quantity("3 mb", BYTES)
    assert "did you mean" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3 GB", "'3 GB' must end in '/s' (as in '1 byte/s')"),
        (
            "3 miles/s",
            "'3 miles/s' must be a number and a unit: byte/s, bytes/s, B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s",
        ),
    ],
)
def test_a_rate_needs_its_unit_over_its_time(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        measured(text, BYTES, "/s")
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (200, "clock = 200 has no unit: is it '200 ns' or '200 MHz'?"),
        ("0 ns", "clock = '0 ns' must be a period above 0 ns"),
        ("-1 MHz", "clock = '-1 MHz' must be a frequency above 0 Hz"),
    ],
)
def test_a_clock_without_a_unit_or_a_period_is_refused(clock: object, words: str) -> None:
    with pytest.raises(InputError) as refused:
        period_with_unit(clock)
    assert str(refused.value) == words


def test_what_is_no_whole_number_of_cycles_is_told_with_six_digits() -> None:
    with pytest.raises(InputError) as refused:
        cycles("1 ns", Fraction(10, 3))
    assert str(refused.value) == "'1 ns' is 0.3 cycles of 3.33333 ns (a whole number of cycles is needed)"


def test_a_near_miss_is_named_and_else_all_that_is_known() -> None:
    assert did_you_mean("dept", ["width", "depth"]) == " (did you mean 'depth'?)"
    assert did_you_mean("latency", ["width", "depth", "depth"]) == " (known: depth, width)"
    assert did_you_mean(3, ["width"]) == " (known: width)"
    assert did_you_mean("depth", []) == ""


def test_errors_keep_what_their_messages_are_made_of() -> None:
    error = InputError("depth = 0", where="channel 'c'")
    assert (str(error), error.message, error.exit_code) == ("channel 'c': depth = 0", "depth = 0", 2)
    assert str(InputError("depth = 0")) == "depth = 0"
    option = UnknownOption("dept", "no such option", (name for name in ("depth",)))
    assert (str(option), option.option, option.known) == ("no such option", "dept", ("depth",))
    other = UnsupportedByEngine("engine 'x'", "it has no y")
    assert (str(other), other.component, other.reason) == ("engine 'x': it has no y", "engine 'x'", "it has no y")
    with pytest.raises(InputError) as placed, located("file"):
        raise error
    assert str(placed.value) == "file: channel 'c': depth = 0"
