from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.model.network import Network, Process
from ppnsim.units import BYTES, HERTZ, SECONDS, bits, clock_ns, clock_period, cycles, edge

TIMES = "fs, ps, ns, us, ms, s"
FREQUENCIES = "Hz, kHz, MHz, GHz"


@pytest.mark.parametrize(
    ("clock", "ns"),
    [
        ("10 ns", 10),
        ("100 MHz", 10),
        ("0.25us", 250),
        ("2.5 µs", 2500),
        (" 1e3 ps ", 1),
        ("1 GHz", 1),
        (4, 4),
        (0.1, 0.1),
    ],
)
def test_a_clock_is_a_period_a_frequency_or_a_number_of_ns(clock: str | float, ns: float) -> None:
    assert clock_ns(clock) == ns


def test_a_period_is_kept_exactly() -> None:
    assert clock_period("300 MHz") == Fraction(10, 3)
    assert clock_period(0.1) == Fraction(1, 10)


@given(count=st.integers(1, 10**9), megahertz=st.integers(1, 2000))
def test_whole_cycles_are_found_at_every_frequency_that_divides_nothing(count: int, megahertz: int) -> None:
    period = clock_period(f"{megahertz} MHz")
    time_fs = count * period * 10**6
    assert time_fs.denominator != 1 or cycles(f"{time_fs} fs", period) == count


def test_cycles_and_bytes_are_units_too() -> None:
    assert cycles("3 cycles", Fraction(10)) == cycles("1 cycle", Fraction(10)) + 2 == 3
    assert bits("32 bit") == bits("4 bytes") == 32


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("25 ns", "'25 ns' is 2.5 cycles of 10 ns (a whole number of cycles is needed)"),
        ("0.5 cycles", "'0.5 cycles' is 0.5 cycles (a whole number of cycles is needed)"),
        ("3 miles", f"'3 miles' must be a number and a unit: cycle, cycles, {TIMES}"),
        ("3", f"'3' must be a number and a unit: cycle, cycles, {TIMES}"),
        ("100 MHz", f"'100 MHz' must be a number and a unit: cycle, cycles, {TIMES}"),
        ("٣ ns", f"'٣ ns' must be a number and a unit: cycle, cycles, {TIMES}"),
        ("1e999 ns", f"'1e999 ns' must be a number and a unit: cycle, cycles, {TIMES}"),
        ("9" * 90 + " ns", f"'{'9' * 80}...' must be a number and a unit: cycle, cycles, {TIMES}"),
    ],
)
def test_a_time_that_is_no_whole_number_of_cycles_is_refused(time: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        cycles(time, Fraction(10))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("clock", "message"),
    [
        ("10 parsec", f"'10 parsec' must be a number and a unit: {TIMES}, {FREQUENCIES}"),
        ("100 mhz", f"'100 mhz' must be a number and a unit: {TIMES}, {FREQUENCIES} (did you mean '100 MHz'?)"),
        ("7.5", f"'7.5' must be a number and a unit: {TIMES}, {FREQUENCIES} (is it '7.5 ns' or '7.5 MHz'?)"),
        ("150 Mhz", f"'150 Mhz' must be a number and a unit: {TIMES}, {FREQUENCIES} (did you mean '150 MHz'?)"),
        ("150 MH", f"'150 MH' must be a number and a unit: {TIMES}, {FREQUENCIES}"),
        ("0 MHz", "'0 MHz' must be a frequency above 0 Hz"),
        ("-10 ns", "'-10 ns' must be a period above 0 ns"),
        (0, "0 must be a period above 0 ns"),
        (float("nan"), "nan must be a period above 0 ns"),
        (float("inf"), "inf must be a period above 0 ns"),
    ],
)
def test_a_clock_that_does_not_tick_is_refused(clock: str | float, message: str) -> None:
    with pytest.raises(InputError) as error:
        clock_ns(clock)
    assert str(error.value) == message


def test_half_a_bit_is_refused() -> None:
    with pytest.raises(InputError) as error:
        bits("0.3 bytes")
    assert str(error.value) == "'0.3 bytes' is 2.4 bits (a whole number of bits is needed)"


def test_units_are_what_they_are_everywhere() -> None:
    assert BYTES == {
        "byte": 1, "bytes": 1, "B": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
        "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824,
    }  # fmt: skip
    assert HERTZ == {"Hz": 1, "kHz": 1000, "MHz": 1_000_000, "GHz": 1_000_000_000}
    per_second = {unit: int(1 / step) for unit, step in SECONDS.items()}
    assert per_second == {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000, "ps": 1_000_000_000_000}
    assert all(step * per_second[unit] == 1 for unit, step in SECONDS.items())


@pytest.mark.parametrize(
    ("period", "edges"),
    [
        (Fraction(10_000, 3), [0, 3333, 6667, 10_000]), (Fraction(5, 2), [0, 3, 5, 8]), (Fraction(7), [0, 7, 14, 21]),
        (Fraction(1, 2), [0, 1, 1, 2]),
    ],
)  # fmt: skip
def test_edges_are_rounded_half_up_to_picoseconds(period: Fraction, edges: list[int]) -> None:
    assert [edge(period, cycle) for cycle in range(4)] == edges


def test_clocks_of_a_network_tick_between_a_femtosecond_and_a_quarter_of_an_hour() -> None:
    process = Process(name="p", firings=1)
    for period in (1e-6, 1e12):
        assert Network(processes=[process], clock_ns=period).checked().clock_ns == period
    for period in (0.999e-6, 1e12 + 1, 0.0, -1.0):
        with pytest.raises(InputError, match="must be a period of 1e-06 to 1e"):
            Network(processes=[process], clock_ns=period).checked()


def test_a_run_ends_within_2_to_the_62_cycles() -> None:
    """Each firing takes its interval, its latency, its write and one more; what channels carry adds to it."""
    most = Process(name="p", firings=2**50, ii=2**12 - 1, latency=0, read=0, write=0)
    assert Network(processes=[most]).checked().processes == (most,)
    with pytest.raises(InputError, match=r"a run could take up to 4\.61e\+18 cycles.*at most 2\*\*62"):
        Network(processes=[replace(most, ii=2**12)]).checked()


@pytest.mark.parametrize(
    ("clock", "exact"),
    [
        ("3.3333333333333335 ns", Fraction(10, 3)),  # what a float holds of 300 MHz
        (10 / 3, Fraction(10, 3)),
        (1000 / 216.667, Fraction(1_000_000, 216_667)),
        ("3.33 ns", Fraction(333, 100)),
        (2.123456789, Fraction(2_123_456_789, 1_000_000_000)),
        ("3.3333333333333 ns", Fraction("3.3333333333333")),  # no float of a frequency
    ],
)
def test_a_period_that_a_float_cuts_off_is_that_of_its_frequency(clock: str | float, exact: Fraction) -> None:
    assert clock_period(clock) == exact


def test_every_unit_is_as_large_as_a_second_table_says() -> None:
    assert {"s": 1, "ms": Fraction("0.001"), "us": Fraction("1e-6"), "ns": Fraction("1e-9"),
                       "ps": Fraction("1e-12")} == SECONDS  # fmt: skip
    assert HERTZ == {"Hz": 1, "kHz": 1000, "MHz": 1_000_000, "GHz": 1_000_000_000}
    assert BYTES == {"byte": 1, "bytes": 1, "B": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1024,
                     "MiB": 1_048_576, "GiB": 1_073_741_824}  # fmt: skip
    periods = {"fs": "1e-6", "ps": "0.001", "ns": "1", "us": "1000", "ms": "1e6", "s": "1e9"}
    assert {unit: clock_period(f"3 {unit}") for unit in periods} == {u: 3 * Fraction(p) for u, p in periods.items()}
    assert {unit: clock_period(f"2 {unit}") for unit in HERTZ} == {u: 10**9 / (2 * f) for u, f in HERTZ.items()}
    assert {unit: bits(f"24 {unit}") for unit in ("bit", "bits", "byte", "bytes")} == {
        "bit": 24, "bits": 24, "byte": 192, "bytes": 192
    }  # fmt: skip
    assert [cycles(f"3 {unit}", Fraction(10)) for unit in ("cycle", "cycles")] == [3, 3]
