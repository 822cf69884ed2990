"""Depths from the graph alone, against searches and runs of graphs that are small enough for them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import gcd
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim import Channel, InputError, Network, Process, Rates
from ppnsim.cli.app import app
from ppnsim.engines.evaluate import Evaluator
from ppnsim.explore.fifo.even_starts import floor_of, is_enough
from ppnsim.explore.fifo.graph_sizes import graph_sizes
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.stop import Stop
from tests.helpers.by_seed import by_seed

_search = settings(deadline=None, database=None, max_examples=40, suppress_health_check=list(HealthCheck))


@by_seed
def multirate_graphs(draw: st.DrawFn) -> Network:
    """Draw elastic and frozen processes of constant rates in one piece, now and then with a circle."""
    often = draw(st.lists(st.sampled_from([1, 2, 3, 4, 6]), min_size=2, max_size=5))
    processes = [
        Process(
            name=f"p{number}",
            firings=400 * count,
            ii=draw(st.integers(1, 3)),
            latency=draw(st.sampled_from([0, 0, 1, 4])),
            read=draw(st.sampled_from([None, 0])),
            write=draw(st.sampled_from([None, 0])),
            style=draw(st.sampled_from(["elastic", "frozen"])),
        )
        for number, count in enumerate(often)
    ]
    ends = [(draw(st.integers(0, at - 1)), at) for at in range(1, len(often))]
    ends += draw(st.lists(st.sampled_from(ends), max_size=2))
    channels = []
    few = st.sampled_from([None, 0, 0, 2])
    for number, (source, target) in enumerate([*ends, *draw(st.sampled_from([[], [(len(often) - 1, 0)]]))]):
        times, common = draw(st.sampled_from([1, 1, 2])), gcd(often[source], often[target])
        put, taken = times * often[target] // common, times * often[source] // common
        initial = draw(st.integers(1, 4)) * (put + taken) if source > target else draw(st.sampled_from([0, 0, 1, 3]))
        channels.append(
            Channel(
                name=f"c{number}",
                source=f"p{source}",
                target=f"p{target}",
                tokens=Rates(put, taken),
                initial=initial,
                forward=draw(few),
                release=draw(few),
            )
        )
    return Network(processes=processes, channels=channels).checked()


@given(multirate_graphs())
@_search
def test_the_depths_are_enough_for_the_period_that_is_told(network: Network) -> None:
    try:
        found = graph_sizes(network)
    except InputError:
        event("refused")
        assume(False)
        raise
    trial = Evaluator(network)
    period = trial.period(found.most)
    assert period is not None
    iterations = Fraction(trial.firings_per_iteration["p0"], found.parts[0].firings["p0"])
    assert period / iterations <= found.periods[0]
    assert all(found.live[name] <= min(found.least[name], found.most[name]) for name in found.most)
    lossless = found.periods[0] == found.parts[0].most
    assert (found.gap is not None) == lossless
    assert not lossless or all(found.least[name] <= found.most[name] for name in found.most)
    event("period of unbounded channels" if lossless else "a longer period")


@given(multirate_graphs())
@settings(_search, max_examples=20)
def test_no_search_finds_less_than_the_least(network: Network) -> None:
    assume(len(network.channels) <= 4)
    try:
        found = graph_sizes(network)
    except InputError:
        assume(False)
        raise
    free = network.with_depths(dict.fromkeys(found.most))
    sizing = FifoSizing(problem=problem_of([free], objective="period"), with_front=False, stop=Stop(seconds=5))
    for question, least in (("deadlock_free", found.live), ("lossless", found.least)):
        sized = (
            sizing.run().found.get(question) if question not in sizing.answers.found else sizing.answers.found[question]
        )
        if sized is not None:
            depths = sizing.problem.chosen(sized.vector)
            assert all(depths[name] >= least[name] for name in depths)


@pytest.mark.parametrize(
    ("put", "taken", "initial", "depth"), [(2, 3, 0, 4), (4, 6, 1, 9), (4, 6, 30, 30), (5, 5, 2, 7)]
)
def test_a_pair_stands_still_below_its_floor_and_not_at_it(put: int, taken: int, initial: int, depth: int) -> None:
    processes = [Process(name="a", firings=100 * taken), Process(name="b", firings=100 * put)]
    channel = Channel(name="c", source="a", target="b", tokens=Rates(put, taken), initial=initial)
    assert floor_of(channel) == depth
    trial = Evaluator(Network(processes=processes, channels=[channel]))
    assert trial.finish({"c": depth}) is not None
    if depth > initial:
        assert trial.finish({"c": depth - 1}) is None


def test_what_happens_in_the_same_cycle_does_not_wait_for_itself() -> None:
    """With one slot in c0 the write would wait for a read in the same cycle, which waits for the write to c1 (T2.5)."""
    processes = [Process(name="a", firings=400), Process(name="b", firings=400)]
    channels = [
        Channel(name="c0", source="a", target="b", initial=1, release=0),
        Channel(name="c1", source="a", target="b", forward=0),
    ]
    network = Network(processes=processes, channels=channels)
    found = graph_sizes(network)
    trial = Evaluator(network)
    assert trial.period(found.most) == found.periods[0] == 1
    assert trial.finish({**found.most, "c0": 1}) is None
    assert found.most["c0"] == 2


def test_depths_of_a_thousand_million_firings_take_no_longer_than_of_ten() -> None:
    names, rates = ["a", "b", "c", "d"], [(30_011, 40_009), (50_021, 60_013), (7, 11)]
    channels = [
        Channel(name=f"c{n}", source=names[n], target=names[n + 1], tokens=Rates(*pair)) for n, pair in enumerate(rates)
    ]
    network = Network(processes=[Process(name=name, firings=1, ii=2, latency=5) for name in names], channels=channels)
    found = graph_sizes(network)
    (part,) = found.parts
    assert sum(part.firings.values()) > 10**9
    assert found.periods == (part.most,)
    assert found.live == {"c0": 70_019, "c1": 110_033, "c2": 17}
    # A chain of rates that share nothing: a writer's burst waits beside a reader's at most.
    assert all(found.most[name] <= 2 * least for name, least in found.least.items())


def test_the_check_sees_one_token_less() -> None:
    processes = [Process(name="a", firings=3), Process(name="b", firings=2)]
    network = Network(processes=processes, channels=[Channel(name="c", source="a", target="b", tokens=Rates(2, 3))])
    starts = {"a": Fraction(0), "b": Fraction(4)}
    firings, period = {"a": 3, "b": 2}, Fraction(6)
    enough = [depth for depth in range(1, 12) if is_enough(network, firings, period, starts, {"c": depth})]
    assert enough == list(range(min(enough), 12))
    assert not is_enough(network, firings, Fraction(2), starts, {"c": 11})
    assert not is_enough(network, firings, period, {"a": Fraction(0), "b": Fraction(0)}, {"c": 11})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"fixed": True, "depth": 4},
            "^channel 'c': no depths from the graph: its depth is fixed, or shared in a group$",
        ),
    ],
)
def test_what_the_graph_alone_does_not_say_is_refused_by_name(change: dict[str, object], words: str) -> None:
    channel = Channel(**({"name": "c", "source": "a", "target": "b", "tokens": Rates(2, 2)} | change))  # type: ignore[arg-type]
    network = Network(processes=[Process(name="a", firings=4), Process(name="b", firings=4)], channels=[channel])
    with pytest.raises(InputError, match=words):
        graph_sizes(network)


def test_firings_that_may_start_at_any_time_have_no_depths() -> None:
    """An internal error before: all of the period is a division by the largest ii."""
    processes = [Process(name=name, firings=4, ii=0) for name in "ab"]
    network = Network(processes=processes, channels=[Channel(name="c", source="a", target="b", tokens=Rates(1, 1))])
    with pytest.raises(InputError, match="a: no depths from the graph: its firings start at any time, as nothing"):
        graph_sizes(network)


def test_the_command_bounds_the_depths_of_what_is_too_large_to_go_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.analysis.throughput.LARGEST_AT_ONCE", 1000)
    file = tmp_path / "large.toml"
    file.write_text(
        "[process]\na = {firings = 3000, ii = 2}\nb = {firings = 3000}\n[channel.c]\nfrom = 'a'\nto = 'b'\n"
    )
    found = CliRunner().invoke(app, ["estimate", str(file), "--json", "-"])
    assert json.loads(found.stdout)["depths"] == [{"channel": "c", "live": 1, "least": 1, "enough": 1}]
    told = CliRunner().invoke(app, ["estimate", str(file)])
    assert "1 tokens at least for the period of FIFOs that never fill; 1 are enough for a period of 2" in told.output
