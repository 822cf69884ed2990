"""Why a point leaves its law: which limit each counterfactual takes away, which one is named, and in which words."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from ppnsim.memory.laws import ceilings
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run import curves

DDR4 = preset("DDR4-2400").dram
DDR3 = preset("DDR3-1600").dram


def timed(dram: Dram, **times: int) -> Dram:
    return replace(dram, timing=replace(dram.timing, **times))


def asked(
    monkeypatch: pytest.MonkeyPatch, dram: Dram, traffic: Traffic, *, gains: tuple[float, ...] = (),
    limited: bool = False,
) -> tuple[str, list[tuple[Dram, Traffic]]]:  # fmt: skip
    """Return the reason, and what was simulated for it, where the runs give these gains over 10 GB/s, then none."""
    runs: list[tuple[Dram, Traffic]] = []

    def run(dram: Dram, traffic: Traffic) -> Any:
        runs.append((dram, traffic))
        gain = gains[len(runs) - 1] if len(runs) <= len(gains) else 0.0
        return SimpleNamespace(bandwidth_gbps=10 * (1 + gain))

    monkeypatch.setattr(curves, "run_memory", run)
    return curves.explain(dram, traffic, 10, 12, limited=limited), runs


def test_each_limit_is_taken_away_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic(pattern="rowbuf", burst=8, outstanding=6)
    _, runs = asked(monkeypatch, DDR4, traffic)
    even = timed(DDR4, tccd_l=DDR4.timing.tccd_s, trrd_l=DDR4.timing.trrd_s, twtr_l=DDR4.timing.twtr_s)
    assert runs == [
        (timed(DDR4, trefi=2**40), traffic),
        (even, traffic),
        (timed(DDR4, tfaw=0), traffic),
        (replace(DDR4, mapping="rorachbabgco"), traffic),
        (timed(DDR4, tras=1, trtp=0), traffic),
        (replace(DDR4, transaction_queue=4 * DDR4.transaction_queue), replace(traffic, outstanding=24)),
    ]


def test_limits_that_are_not_there_are_not_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """One bank group, one burst, a row within a segment, a chain, a law that counts the requests: no such runs."""
    assert DDR3.groups == 1
    few = Traffic(pattern="chain", burst=1, outstanding=1)
    _, runs = asked(monkeypatch, DDR3, few)
    calm, one_window, one_row = timed(DDR3, trefi=2**40), timed(DDR3, tfaw=0), timed(DDR3, tras=1, trtp=0)
    assert runs == [(calm, few), (one_window, few), (one_row, few)]
    columns_last = replace(DDR3, mapping="rorababgchco")
    burst = Traffic(pattern="rowbuf", burst=8)
    _, runs = asked(monkeypatch, columns_last, burst, limited=True)
    assert [each.mapping for each, _ in runs] == ["rorababgchco"] * 3
    assert [each for _, each in runs] == [burst] * 3


def test_the_limit_whose_loss_costs_most_is_named_with_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    traffic = Traffic(pattern="rowbuf", burst=8)
    words, _ = asked(monkeypatch, DDR4, traffic, gains=(0.0, 0.1, 0.25, 0.2))
    assert words == "tFAW: four activates at a time (without it +25 %)"
    words, _ = asked(monkeypatch, DDR4, traffic, gains=(0.0, 0.011))
    assert words == "tCCD_L, tRRD_L: accesses that meet in one bank group (without it +1 %)"
    words, _ = asked(monkeypatch, DDR4, traffic, gains=(0.0, 0.009))
    assert words == "waits of several kinds add up; none of them is more than 1 %"


@pytest.mark.parametrize(("limited", "gain"), [(False, 0.2), (True, 0.25)])
def test_of_refresh_only_what_the_law_does_not_know(
    monkeypatch: pytest.MonkeyPatch, limited: bool, gain: float
) -> None:
    """The peak of the law has its refresh already; Little's law with an unloaded latency has not."""
    share = ceilings(timed(DDR4, trefi=2**40)).peak / ceilings(DDR4).peak
    assert share == pytest.approx(1 / (1 - 420 / 9360), rel=1e-6)  # tRFC and tREFI of the preset
    grown = (1 + gain) * (1 if limited else share) - 1
    words, _ = asked(monkeypatch, DDR4, Traffic(), gains=(grown,), limited=limited)
    assert words == f"refresh: a rank waits for tRFC at a time (without it +{100 * gain:.0f} %)"


def test_above_the_law_nothing_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "run_memory", None)
    chains, one = Traffic(pattern="chain", outstanding=2), Traffic(pattern="chain", outstanding=1)
    assert curves.explain(DDR4, chains, 5, 4, limited=False).startswith("chains overlap:")
    for traffic in (one, Traffic(pattern="rand", outstanding=2)):
        assert curves.explain(DDR4, traffic, 5, 4, limited=False).startswith("part of the latency")
    monkeypatch.undo()
    assert "without it" in asked(monkeypatch, DDR4, one, gains=(1.0,))[0]


def test_a_curve_tells_its_points_and_keeps_one_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, told = list[Dram](), list[tuple[int, int]]()

    def run(dram: Dram, _: Traffic) -> Any:
        seen.append(dram)
        return SimpleNamespace(bandwidth_gbps=2.5, latency_ns=60.0)

    monkeypatch.setattr(curves, "run_memory", run)
    two = replace(DDR4, channels=2)
    one, four = curves.memory_curve(two, "banks", values=[1, 2], requests=300, progress=lambda *at: told.append(at))
    assert told == [(1, 2), (2, 2)]
    assert {each.channels for each in seen} == {1}
    # A row of one bank takes tRC = 56 clocks of 5/6 ns: 64 bytes in 46.67 ns.
    assert (one.x, one.bandwidth, one.latency, one.sweep) == (1, 2.5, 60, "banks")
    assert one.law == pytest.approx(64 / (56 * 5 / 6) * (1 - 420 / 9360))
    assert one.residual == 2.5 / one.law - 1
    assert four.law == pytest.approx(2 * one.law)
    assert one.because.startswith("part of the latency")


@pytest.mark.parametrize(("off", "explained"), [(0.0199, False), (0.0201, True), (-0.0199, False), (-0.0201, True)])
def test_a_residual_of_two_percent_needs_no_reason(
    monkeypatch: pytest.MonkeyPatch, off: float, explained: bool
) -> None:
    (law,) = [point.law for point in _one_point(monkeypatch, 1.0)]
    (point,) = _one_point(monkeypatch, law * (1 + off))
    assert bool(point.because) == explained


def _one_point(monkeypatch: pytest.MonkeyPatch, gbps: float) -> list[curves.CurvePoint]:
    monkeypatch.setattr(curves, "run_memory", lambda *_: SimpleNamespace(bandwidth_gbps=gbps, latency_ns=60.0))
    return list(curves.memory_curve(DDR4, "banks", values=[1]))
