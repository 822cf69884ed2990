"""The laws of memory bandwidth: their own algebra, and where the simulated bank queue must and must not agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.memory.laws import (
    ceilings,
    concurrency_needed,
    dependent_bandwidth,
    interface_bandwidth,
    little_bandwidth,
    outstanding_needed,
    random_bandwidth,
)
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.pictures import memory_figure
from ppnsim.memory.run.curves import SWEEPS, memory_curve
from ppnsim.memory.run.traffic import run_memory

DDR4 = preset("DDR4-2400").dram
CALM = replace(DDR4, timing=replace(DDR4.timing, trefi=2**40))
peaks = st.floats(1, 500)
rates = st.floats(0.001, 2)
localities = st.integers(32, 1 << 16)


@given(peaks, rates, localities)
def test_dependent_access_is_slower_than_random_and_no_more_than_twice(peak: float, rate: float, size: int) -> None:
    # 1 / (1/a + 1/b) lies between min(a, b) / 2 and min(a, b): Eq. 10 against Eq. 9.
    independent, dependent = random_bandwidth(peak, rate, size), dependent_bandwidth(peak, rate, size)
    assert independent / 2 <= dependent * (1 + 1e-12)
    assert dependent <= independent


@given(peaks, rates, localities, st.floats(0.05, 0.95))
def test_the_concurrency_that_is_suggested_is_the_smallest(peak: float, rate: float, size: int, share: float) -> None:
    chains = concurrency_needed(peak, rate, size, share * peak)
    assert dependent_bandwidth(peak, rate, size, chains) >= share * peak * (1 - 1e-6)
    if chains > 1:
        assert dependent_bandwidth(peak, rate, size, chains - 1) < share * peak * (1 + 1e-6)


@given(peaks, st.sampled_from([32, 64]), st.floats(10, 500))
def test_the_requests_that_littles_law_suggests_are_the_fewest(bandwidth: float, size: int, latency: float) -> None:
    needed = outstanding_needed(bandwidth, size, latency)
    assert little_bandwidth(needed, size, latency) >= bandwidth * (1 - 1e-6)
    assert little_bandwidth(needed - 1, size, latency) < bandwidth


def test_a_port_is_bound_by_its_clock_its_width_or_the_bank() -> None:
    # The paper's Fig. 3 at 225 MHz: 32 and 64 bytes are bound by the quanta, 128 bytes by the DDR bank's peak.
    assert [interface_bandwidth(0.225, quanta, 19.2, 64) for quanta in (32, 64, 128)] == [7.2, 14.4, 19.2]
    assert interface_bandwidth(0.45, 32, 14.4, 32) == 14.4


def test_no_number_of_chains_reaches_the_peak() -> None:
    with pytest.raises(InputError, match=r"bandwidth = 20 GB/s must be above 0 and below the peak of 20 GB/s"):
        concurrency_needed(20, 0.1, 64, 20)


@pytest.mark.parametrize(
    ("dram", "banks", "bound", "clocks"),
    [
        (CALM, 0, "tFAW", Fraction(26, 4)),
        (CALM, 1, "banks", Fraction(56)),
        (replace(CALM, ranks=2), 0, "data bus", Fraction(4)),
        (replace(CALM, timing=replace(CALM.timing, tfaw=0, trrd_s=5)), 0, "tRRD", Fraction(5)),
    ],
)
def test_the_random_peak_is_the_tightest_term_of_rule_8(dram: Dram, banks: int, bound: str, clocks: Fraction) -> None:
    top = ceilings(dram, banks=banks)
    assert top.bound == bound
    assert top.random == pytest.approx(float(64 / (clocks * dram.clock_ns)))
    limit = 256 if bound != "data bus" else 64
    assert run_memory(dram, Traffic(banks=banks, outstanding=limit)).bandwidth_gbps <= top.random * 1.002


@pytest.mark.parametrize(("name", "clocks"), [("DDR3-1600", 337_412), ("DDR4-2400", 275_140), ("HBM2", 329_927)])
def test_random_reads_reach_the_random_peak_with_enough_under_way(name: str, clocks: int) -> None:
    dram = preset(name).dram
    run = run_memory(dram, Traffic(outstanding=64 * dram.channels, requests=40_000 * dram.channels))
    assert run.bandwidth_gbps == pytest.approx(ceilings(dram).random, rel=0.05)
    assert run.done.max() == clocks


@given(st.sampled_from(["rand", "seq", "rowbuf"]), st.integers(1, 100), st.integers(1, 16))
@settings(max_examples=30, deadline=None)
def test_littles_law_holds_for_what_is_simulated(pattern: str, limit: int, burst: int) -> None:
    run = run_memory(CALM, Traffic(pattern=pattern, outstanding=limit, burst=burst, requests=2000))
    # Bandwidth times latency is what is under way on average: never more than the limit, ends of the window aside.
    assert run.bandwidth_gbps * run.latency_ns / 64 <= limit * (1 + 2 * limit / 1600)


def test_random_traffic_needs_two_to_three_times_littles_requests() -> None:
    top = ceilings(CALM)
    needed = outstanding_needed(top.random, 64, top.conflict)
    at_law, at_three = (
        run_memory(CALM, Traffic(outstanding=limit)).bandwidth_gbps / top.random for limit in (needed, 3 * needed)
    )
    assert at_law < 0.85
    assert at_three > 0.98


@pytest.mark.parametrize("sweep", list(SWEEPS))
def test_every_point_that_leaves_its_law_says_why(sweep: str) -> None:
    points = list(memory_curve(DDR4, sweep, requests=1500))
    assert points
    assert all(bool(point.because) == (abs(point.residual) > 0.02) for point in points)


def test_reasons_name_the_limit_that_is_there() -> None:
    wide = {point.x: point for point in memory_curve(CALM, "locality", requests=3000) if point.series == "random"}
    # Bursts go round the banks: an activate for each of the eight.
    assert wide[512].because.startswith("address mapping")
    within = replace(CALM, mapping="rorababgcoch", timing=replace(CALM.timing, tfaw=0, trrd_s=1, trrd_l=1))
    narrow = {
        point.x: point for point in memory_curve(within, "outstanding", requests=3000) if point.series == "stream"
    }
    assert narrow[8].because.startswith("tCCD_L")


def test_chains_overlap_more_than_the_law_allows() -> None:
    points = [point for point in memory_curve(CALM, "concurrency", requests=3000) if point.series == "SL 64 B"]
    above = [point for point in points if point.residual > 0.02]
    assert above
    assert all(point.because.startswith("chains overlap") for point in above)


def test_the_picture_shows_every_sweep_with_simulation_and_law() -> None:
    points = [point for sweep in ("banks", "outstanding") for point in memory_curve(CALM, sweep, requests=500)]
    figure = memory_figure("DDR4", points)
    above = figure.axes[:2]
    assert [axes.get_title(loc="left") for axes in above] == ["outstanding", "banks"]
    assert [axes.get_ylim()[0] for axes in above] == [0, 0]
    drawn = {tuple(np.asarray(line.get_ydata()).tolist()) for line in above[1].lines}
    own = [point for point in points if point.sweep == "banks"]
    assert drawn == {tuple(point.law for point in own), tuple(point.bandwidth for point in own)}


def test_a_curve_without_values_has_its_own() -> None:
    """Typed a second time, as what is drawn beside a law says which laws it was held to."""
    under_way = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128]
    own = {
        "frequency": [[50, 100, 150, 200, 225, 250, 300, 350, 400, 450]] * 3,
        "locality": [[DDR4.request_bytes << power for power in range(8)]] * 2,
        "outstanding": [under_way] * 2,
        "concurrency": [[1, 2, 4, 8, 16, 32]] * 3,
        "banks": [[1, 2, 4, 8, 16]],  # as many as the memory has
    }
    assert set(own) == set(SWEEPS)
    for name, values in own.items():
        found: dict[str, list[float]] = {}
        for series, value, *_ in SWEEPS[name].points(DDR4, 100, ()):
            found.setdefault(series, []).append(value)
        assert list(found.values()) == values, name
        given = DDR4.request_bytes if name == "locality" else 8
        assert {value for _, value, *_ in SWEEPS[name].points(DDR4, 100, (given,))} == {given}
