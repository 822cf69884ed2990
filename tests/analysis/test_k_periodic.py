"""The period from some firings of each process is that of the whole iteration, or lies between the two bounds."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, event, given, settings
from typer.testing import CliRunner

from ppnsim import Channel, InputError, Network, Process, Rates
from ppnsim.analysis import k_periodic
from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.analysis.k_periodic import period_bounds
from ppnsim.analysis.steady_graph import Rows
from ppnsim.cli.app import app
from ppnsim.model.step_lists import StepList
from tests.analysis.test_cycle_ratio import periodic_networks
from validation.dataflow.data import load
from validation.dataflow.graphs import sdf_network

_search = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


@given(periodic_networks())
@settings(_search, max_examples=60)
def test_the_period_is_that_of_the_whole_iteration(drawn: tuple[Network, dict[str, int]]) -> None:
    network, _ = drawn
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    found = period_bounds(network)
    assert [part.most for part in found] == expected
    assert all(part.exact for part in found)
    event(f"{sum(part.unrolled < sum(part.firings.values()) for part in found)} parts not unrolled")


@given(periodic_networks())
@settings(_search, max_examples=60)
def test_bounds_that_are_left_enclose_the_period(drawn: tuple[Network, dict[str, int]]) -> None:
    network, _ = drawn
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    with patch.object(k_periodic, "_LARGEST", 60):
        for part, period in zip(period_bounds(network), expected, strict=True):
            event("exact" if part.exact else "bounds")
            if period is None:
                assert part.most is None
            else:
                assert part.least is not None
                assert part.least <= period
                assert part.most is None or period <= part.most


@given(periodic_networks())
@settings(_search, max_examples=30)
def test_iterations_that_are_followed_give_the_period_or_enclose_it(drawn: tuple[Network, dict[str, int]]) -> None:
    network, _ = drawn
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    with patch.object(k_periodic, "_FEW", 0):
        for part, period in zip(period_bounds(network), expected, strict=True):
            event("exact" if part.exact else "bounds")
            assert (part.most is None) == (period is None)
            assert period is None or (part.least is not None and part.least <= period)
            assert period is None or (part.most is not None and period <= part.most)


def test_the_floor_of_a_scheduled_process_is_the_steps_of_its_run() -> None:
    planned = Process.scheduled(name="plan", steps=6, runs=3, start_steps=StepList((0, 5)))
    with patch.object(k_periodic, "_LARGEST", 0):
        (part,) = period_bounds(Network(processes=[planned]).checked())
    assert part.firings == {"plan": 2}
    assert (part.least, part.most) == (Fraction(6), None)


@given(periodic_networks())
@settings(_search, max_examples=40)
def test_what_is_too_large_to_be_unrolled_at_all_has_a_floor(drawn: tuple[Network, dict[str, int]]) -> None:
    network, _ = drawn
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    with patch.object(k_periodic, "_LARGEST", 0):
        for part, period in zip(period_bounds(network), expected, strict=True):
            processes = [network.process(name) for name in part.firings]
            assert part.most is None
            if part.least is None:
                assert period is None, "an internal error before, where FIFOs hold less than a firing writes"
                continue
            assert part.least >= max(part.firings[each.name] * each.ii for each in processes)
            assert period is None or part.least <= period


@pytest.mark.parametrize(("latencies", "initial"), [((4, 5), 1), ((4, 5), 2), ((3, 4, 6), 2)])
def test_the_floor_of_a_ring_is_its_period(latencies: tuple[int, ...], initial: int) -> None:
    """Each process reads, computes and writes; all of it once around, over the tokens that go around (T1.2, T2.2)."""
    period = Fraction(sum(1 + latency + 1 for latency in latencies), initial)
    count = len(latencies)
    names = [f"p{n}" for n in range(count)]
    processes = [Process(name=name, firings=9, latency=at) for name, at in zip(names, latencies, strict=True)]
    ring = [
        Channel(name=f"c{n}", source=name, target=names[(n + 1) % count], initial=initial if n == count - 1 else 0)
        for n, name in enumerate(names)
    ]  # fmt: skip
    # A source that is faster binds nothing, and makes an iteration of several firings.
    source = Process(name="s", firings=27)
    fed = Channel(name="fed", source="s", target="p0", tokens=Rates((1, 3), (2, 4)))
    network = Network(processes=[*processes, source], channels=[*ring, fed])
    (exact,) = period_bounds(network)
    with patch.object(k_periodic, "_LARGEST", 0):
        (floor,) = period_bounds(network)
    assert exact.least == exact.most == exact.firings["p0"] * period
    assert floor.least == exact.least and not floor.exact


LARGE = ("darts_Beamformer", "kiter_BlackScholes", "sdf3_mp3playback")


@pytest.mark.parametrize(
    "case", [each for each in load()["sdf_csdf_cases"] if each["id"] not in LARGE], ids=lambda case: case["id"]
)
def test_the_period_of_a_published_graph(case: Any) -> None:
    for network in (sdf_network(case, 2), sdf_network(case, 2).never_full()):
        for part, state in zip(period_bounds(network), steady_states(network), strict=True):
            assert part.exact
            assert part.most == state.period


class _Counted(Rows):
    """The graph, and the edges that each channel brings into it."""

    def add_channel(self, channel: Channel) -> None:
        before = self._edges()
        super().add_channel(channel)
        brought[channel.name] = self._edges() - before

    def _edges(self) -> int:
        return sum(len(column[0]) for column in self.columns)


brought: dict[str, int] = {}


@given(periodic_networks())
@settings(_search, max_examples=60)
def test_no_channel_has_more_edges_than_it_is_expected_to(drawn: tuple[Network, dict[str, int]]) -> None:
    """What is said to be too large is never built: an estimate below the edges would build it."""
    network, _ = drawn
    real = k_periodic._Part._rows

    def checked(part: Any) -> tuple[Rows, int]:
        brought.clear()
        found: tuple[Rows, int] = real(part)
        firings = part._unrolled_firings()
        assert all(brought[each.name] <= part._pairs(each, firings) for each in part._channels)
        return found

    counting = patch.object(k_periodic, "Rows", _Counted)
    with patch.object(k_periodic._Part, "_rows", checked), counting, suppress(InputError):
        period_bounds(network)


@pytest.mark.parametrize(
    ("phases", "passings", "unrolled", "edges"),
    [
        ((2, 3), (2, 3), (1, 1), 3 * 1 + 2 * 1),  # an iteration is a round of each: each read meets one write
        ((2, 3), (2, 6), (1, 1), 3 * 2 + 2 * 1),  # two rounds of the reader in one of the writer
        ((2, 3), (2, 60), (1, 1), 3 * 2 + 2 * 1),  # 20 of them: no read meets more writes than there are
        ((2, 3), (60, 3), (1, 1), 3 * 1 + 2 * 3),  # and no write more reads
        ((2, 3), (12, 30), (2, 5), 15 * 2 + 4 * 3),  # rounds of 3 and 2 meet in 6
    ],
)
def test_a_channel_is_expected_to_have_the_edges_of_rounds_that_meet(
    phases: tuple[int, int], passings: tuple[int, int], unrolled: tuple[int, int], edges: int
) -> None:
    channel = Channel(name="c", source="a", target="b", tokens=Rates((1,), (1,)))
    processes = [Process(name=name, firings=count) for name, count in zip("ab", passings, strict=True)]
    network = Network(processes=processes, channels=[channel])
    by_name = [dict(zip("ab", each, strict=True)) for each in (phases, passings, unrolled)]
    part = k_periodic._Part(network, by_name[0], by_name[1], ["a", "b"])
    part._unrolled = by_name[2]
    assert part._pairs(channel, part._unrolled_firings()) == edges


def test_an_iteration_of_a_thousand_million_firings_is_not_unrolled() -> None:
    rates = [(30_011, 40_009), (50_021, 60_013), (7, 11)]
    names = ["a", "b", "c", "d"]
    channels = [
        Channel(name=f"c{n}", source=names[n], target=names[n + 1], tokens=Rates(*pair), depth=4 * sum(pair))
        for n, pair in enumerate(rates)
    ]
    network = Network(processes=[Process(name=name, firings=1, ii=2, latency=5) for name in names], channels=channels)
    (part,) = period_bounds(network)
    assert sum(part.firings.values()) > 10**9
    assert part.exact
    assert part.most == Fraction(2 * max(part.firings.values()))
    assert part.unrolled < 1000


def test_the_command_tells_the_period_of_what_is_too_large_to_go_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.analysis.throughput.LARGEST_AT_ONCE", 1000)
    file = tmp_path / "large.toml"
    file.write_text(
        "[process]\na = {firings = 3000, ii = 2}\nb = {firings = 3000}\n[channel.c]\nfrom = 'a'\nto = 'b'\ndepth = 1\n"
    )
    found = CliRunner().invoke(app, ["estimate", str(file), "--json", "-"])
    assert found.exit_code == 0
    (part,) = json.loads(found.stdout)["periods"]
    assert (part["period_least"], part["period_most"], part["exact"]) == ("2", "2", True)
    assert part["critical"] == "ii of a (1 firing, 2 cycles)"
    words = CliRunner().invoke(app, ["estimate", str(file)]).stdout
    assert [line.split()[-1] for line in words.splitlines() if line.startswith("a ")] == ["2"]
    with patch.object(k_periodic, "_LARGEST", 0):
        words = CliRunner().invoke(app, ["estimate", str(file)]).stdout
    assert [line.split()[-4:] for line in words.splitlines() if "least" in line] == [["no", "upper", "bound", "found"]]


def test_what_has_no_period_is_refused_with_both_reasons(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text("[process]\na = {firings = 900_000_000, style = 'flushable'}\n")
    found = CliRunner().invoke(app, ["estimate", str(file)])
    assert found.exit_code == 2
    assert "900000000 firings and tokens are more than an estimate goes through" in found.output
    assert "it is flushable" in " ".join(found.output.split())


def test_a_frame_in_a_circle_is_refused_without_a_word_of_memory(tmp_path: Path) -> None:
    """All pairs of two million phases are 31 TiB."""
    file = tmp_path / "frame.toml"
    file.write_text(
        "[process]\na = {firings = 2_075_521}\nb = {firings = 2_075_521}\n"
        "[channel.c]\nfrom = 'a'\nto = 'b'\nproduce = '1921 x 0, 2073600 x 1'\nconsume = '2073600 x 1, 1921 x 0'\n"
        "[channel.back]\nfrom = 'b'\nto = 'a'\ninitial = 2000\n"
    )
    with patch("ppnsim.analysis.throughput.LARGEST", 1000):
        found = CliRunner().invoke(app, ["estimate", str(file)])
    assert found.exit_code == 2
    assert "an iteration is too long to find the period of its graph" in " ".join(found.output.split())
