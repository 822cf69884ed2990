"""Runs that are cut short where they repeat themselves: the same finish, to the cycle, as walking to the end."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled.engine import Reruns, run_cut_short
from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.objectives import PeriodStopwatch
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from ppnsim.model.summary import classes_of, summary_of
from ppnsim.model.tokens import Listed, Rates, Runs
from ppnsim.report.result import run_result
from ppnsim.report.slowest import usual_gap
from tests.helpers.by_seed import by_seed
from tests.helpers.strategies import networks

search = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@by_seed
def repeating_networks(draw: st.DrawFn) -> Network:
    """Draw a consistent dataflow graph: multirate and cyclo-static, cycles with tokens, all styles, many iterations."""
    names = [f"p{i}" for i in range(draw(st.integers(1, 5)))]
    counts = {name: draw(st.sampled_from([1, 1, 1, 2, 3])) for name in names}
    iterations = draw(st.integers(70, 200))
    styles = draw(st.sampled_from([STYLES, ("elastic",), ("flushable",), ("frozen",)]))
    phases = {name: draw(st.sampled_from([1, 1, 2])) for name in names}
    processes = []
    for name in names:
        style = draw(st.sampled_from(styles))
        processes.append(
            Process(
                name=name, firings=counts[name] * phases[name] * iterations, style=style,
                ii=draw(st.sampled_from([1, 1, 2, 3] + ([0] if style == "elastic" else []))),
                latency=draw(st.integers(0, 5)), read=draw(st.none() | st.integers(0, 2)),
            )
        )  # fmt: skip
    ends = [(names[draw(st.integers(0, i - 1))], names[i]) for i in range(1, len(names))]
    ends += draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=3))
    channels = [
        _channel(draw, f"c{k}", source, target, counts, phases, backwards=source >= target)
        for k, (source, target) in enumerate(ends)
    ]
    network = Network(processes=processes, channels=channels).checked()
    if draw(st.booleans()):
        return network
    # A rest that makes no whole iteration: a firing more of a process that nobody waits for, or that has the tokens.
    more = [replace(p, firings=p.firings + (p.name == draw(st.sampled_from(names)))) for p in processes]
    try:
        return network.replace(processes=more).checked()
    except InputError:
        return network


def _channel(
    draw: st.DrawFn, name: str, source: str, target: str, counts: Any, phases: Any, *, backwards: bool
) -> Channel:
    tokens = lcm(counts[source], counts[target]) * draw(st.sampled_from([1, 2]))
    produce, consume = tokens // counts[source], tokens // counts[target]
    rates = Rates(*(_spread(draw, *part) for part in ((produce, phases[source]), (consume, phases[target]))))
    if draw(st.integers(0, 9)) == 9:
        rates = Rates(0, 0)  # no token ever
    initial = draw(st.integers(0, 2)) + (2 * tokens if backwards else draw(st.sampled_from([0, 0, 1])))
    least = max(initial, produce + consume)
    return Channel(
        name=name, source=source, target=target, tokens=rates, initial=initial,
        depth=draw(st.none() | st.integers(least, least + 6) | st.integers(max(1, initial), least)),
        forward=draw(st.none() | st.integers(0, 3)), release=draw(st.none() | st.integers(0, 3)),
        to_offset=draw(st.sampled_from([None, None, 1, 4])),
    )  # fmt: skip


def _spread(draw: st.DrawFn, tokens: int, phases: int) -> tuple[int, ...]:
    first = draw(st.integers(0, tokens)) if phases == 2 else tokens
    return (first, tokens - first) if phases == 2 else (tokens,)


@given(networks(max_firings=8, resources=False), st.lists(st.integers(1, 6), min_size=2, max_size=3))
@settings(search, max_examples=60)
def test_whole_runs_on_one_tape_are_those_of_the_engine(network: Network, deeper: list[int]) -> None:
    """One after the other, also after a deadlock; what an earlier run recorded stays."""
    if not Reruns.takes(network):
        return
    reruns, found = Reruns(Program.of(network)), []
    for more in deeper:
        depths = {each.name: None if more == 6 else each.initial + more for each in network.channels}
        found.append((depths, reruns.run(depths)))
    for depths, outcome in found:
        assert outcome == run(network, engine="compiled", depths=depths, on_deadlock="return", fast_forward=False)


def test_depths_of_convention_sdf3_are_tried_beside_unbounded_channels_that_would_take_credits() -> None:
    """Credits are channels: one more put depths on those of other channels, and half the finish was said."""
    processes = [
        Process(name="free", firings=300, style="frozen"),
        Process(name="a", firings=900, ii=3, latency=4),
        Process(name="b", firings=600),
    ]
    channels = [
        Channel(name="unbounded", source="free", target="a", tokens=Rates(3, 1)),
        Channel(name="there", source="a", target="b", tokens=Rates(2, 3), depth=4),
        Channel(name="back", source="b", target="a", tokens=Rates(3, 2), initial=14, depth=14),
    ]
    network = Network(processes=processes, channels=channels, convention="sdf3")
    trial, reruns = Evaluator(network), Reruns(Program.of(network))
    for depths in ({"there": 4}, {"there": 5}, {"there": 6, "back": 17}):
        expected = run(network, engine="compiled", depths=depths, fast_forward=False)
        assert reruns.run(depths) == expected
        assert trial.finish(depths) == expected.finish


@pytest.mark.parametrize("style", ["elastic", "frozen"])
@pytest.mark.parametrize("latency", [3, (3, 5) * 20])
def test_depths_that_are_credits_are_tried(style: Style, latency: Any) -> None:
    """They are initial tokens of other channels: finishes were those of the depths of the file (None for 91)."""
    if style == "frozen" and latency != 3:
        return
    network = chain(firings=40, length=3, ii=2, depth=4).replace(
        processes=[Process(name=f"p{n}", firings=40, ii=2, latency=latency, style=style) for n in range(3)]
    )
    network = network.with_convention("sdf3")
    trial = Evaluator(network)
    assert Reruns.takes(network) == (not network.credits and latency == 3)
    for depth in (1, 4, 8, None):
        depths = {"c0": depth, "c1": depth}
        assert trial.finish(depths) == run(network, engine="des", depths=depths, on_deadlock="return").finish
    assert trial.finish() == run(network, engine="des", on_deadlock="return").finish
    assert trial.period({"c0": None, "c1": None}) == (2 if latency == 3 else None)


@search
@given(repeating_networks())
def test_a_run_cut_short_has_the_finish_of_the_whole_run(network: Network) -> None:
    assert (
        Evaluator(network).finish() == run(network, engine="compiled", on_deadlock="return", fast_forward=False).finish
    )


@settings(search, max_examples=80)
@given(repeating_networks())
def test_what_is_left_out_is_put_back_to_the_cycle(network: Network) -> None:
    short, long = run_cut_short(network), run(network, engine="compiled", on_deadlock="return", fast_forward=False)
    if short is None:
        return
    assert (short.finish, short.stopped) == (long.finish, long.timeline.stopped)
    gaps = [[usual_gap(each, p.name) for p in network.processes if p.firings > 1] for each in (short, long)]
    assert gaps[0] == gaps[1]
    for name, rows in long.timeline.passed.items():
        assert np.array_equal(short.timeline.passed[name], rows)
    for name, holds in long.timeline.holds.items():
        assert np.array_equal(short.timeline.holds[name], holds)
    assert run_result(summary_of(short), file="") | {"steady": None} == run_result(summary_of(long), file="")
    for found, expected in zip(classes_of(short), classes_of(long), strict=True):
        every = np.arange(long.timeline.stopped + 1)
        assert found.labels == expected.labels
        assert np.array_equal(found.before(every), expected.before(every))


def listed(network: Network) -> Network:
    """Return the network with every token listed, as a nested loop that is written out."""
    channels = []
    for channel in network.channels:
        flow = network.counts[channel.name]
        writers = flow.writing_firings(network.process(channel.source).firings)
        pairs = flow.reading_pairs(network.process(channel.target).firings)
        tokens = Listed(tuple(writers.tolist()), tuple(map(tuple, pairs.tolist())))
        channels.append(replace(channel, tokens=tokens))
    return network.replace(channels=channels).checked()


@settings(search, max_examples=60)
@given(repeating_networks())
def test_listed_tokens_that_repeat_are_cut_short_like_the_rates_that_they_are(network: Network) -> None:
    # Not the network itself: values that nobody reads enter a channel of rates, but not one that lists its firings.
    same = listed(network)
    whole = run(same, engine="compiled", on_deadlock="return", fast_forward=False)
    assert Evaluator(same).finish() == whole.finish
    short = run_cut_short(same)
    if short is None:
        return
    for name, rows in whole.timeline.passed.items():
        assert np.array_equal(short.timeline.passed[name], rows)
    assert run_result(summary_of(short), file="") | {"steady": None} == run_result(summary_of(whole), file="")


def test_a_nested_loop_is_cut_short_across_its_outer_iterations() -> None:
    # An inner loop of 16 firings, of which the last sends its sum on: 4000 outer iterations.
    inner, outer = 16, 4000
    network = Network(
        processes=[Process(name="mac", firings=inner * outer), Process(name="store", firings=outer, ii=20)],
        channels=[
            Channel(
                name="sum", source="mac", target="store", depth=2, tokens=Runs(((15, 16, outer),), ((0, 1, outer),))
            )
        ],
    )
    short = run_cut_short(network)
    assert short is not None
    assert short.steady is not None
    assert (short.steady.iterations, short.steady.cycles) == (1, 20)
    assert short.finish == run(network, engine="des").finish


@pytest.mark.slow
@settings(search, max_examples=10_000)
@given(repeating_networks())
def test_ten_thousand_runs_cut_short_have_the_finish_of_the_whole_run(network: Network) -> None:
    assert (
        Evaluator(network).finish() == run(network, engine="compiled", on_deadlock="return", fast_forward=False).finish
    )


@settings(search, max_examples=60)
@given(networks(), st.data())
def test_other_depths_give_the_finish_of_a_run_with_them(network: Network, data: st.DataObject) -> None:
    trial = Evaluator(network)
    for _ in range(3):
        depths = {
            channel.name: data.draw(st.none() | st.integers(max(1, channel.initial), max(1, channel.initial) + 5))
            for channel in network.channels
        }
        assert trial.finish(depths) == run(network, engine="des", depths=depths, on_deadlock="return").finish
    assert trial.finish() == run(network, engine="des", on_deadlock="return").finish


@settings(search, max_examples=30)
@given(repeating_networks())
def test_the_steady_state_repeats_in_a_longer_run(network: Network) -> None:
    trial = Evaluator(network)
    steady = trial.steady()
    if steady is None:
        return
    names = [process.name for process in network.processes]
    shortest = [process.firings for process in network.processes]
    timeline = run(network, engine="des", on_deadlock="return").timeline
    horizon = min(int(timeline.start(name)[-1]) for name in names)  # until a process runs out
    repeats = trial.firings_per_iteration
    for name, firings in zip(names, shortest, strict=True):
        start, apart = timeline.start(name), repeats[name] * steady.iterations
        for n in range(firings - apart):
            if start[n] >= steady.since and 0 <= start[n + apart] < horizon:
                assert start[n + apart] - start[n] == steady.cycles


@pytest.mark.parametrize(
    ("network", "since"),
    [
        (fork_join(firings=200), 1),  # the first firing alone is out of step
        (fork_join(firings=200, short_depth=1), 5),
        (fork_join(firings=200, short_depth=3), 7),
        (chain(firings=200, length=3, latency=3, depth=1), 3),
        (chain(firings=200, length=4, latency=(3, 5, 1), depth=2), 0),
        (chain(firings=200, length=3, ii=(1, 3, 1), depth=2), 5),
    ],
)
def test_the_steady_state_begins_behind_the_last_step_that_does_not_repeat(network: Network, since: int) -> None:
    trial = Evaluator(network)
    steady, timeline = trial.steady(), run(network, engine="des").timeline
    assert steady is not None
    horizon = min(int(timeline.start(process.name)[-1]) for process in network.processes)
    last = 0
    for name, firings in trial.firings_per_iteration.items():
        apart = firings * steady.iterations
        for row in timeline.passed[name]:
            alone = [
                at
                for at, later in zip(row, row[apart:], strict=False)
                if later < horizon and later - at != steady.cycles
            ]
            last = max([last, *(int(at) + 1 for at in alone)])
    assert steady.since == last == since


def test_the_steady_state_of_a_tight_fork_join_is_known() -> None:
    steady = Evaluator(fork_join(firings=1000)).steady({"short_in": 1, "short_out": 1})
    assert steady is not None
    assert (steady.iterations, steady.cycles, steady.period) == (4, 17, Fraction(17, 4))


def test_ten_million_firings_finish_when_a_hundred_say_they_do() -> None:
    few, many = (Evaluator(chain(length=8, firings=firings, depth=2)).finish() for firings in (100, 10_000_000))
    assert few is not None
    assert many is not None
    assert many - few == 10_000_000 - 100


def test_a_deadlock_far_ahead_is_found() -> None:
    # The reader wants three tokens of the last firing, which writes one: the rates do not show it before the end.
    writes, reads = tuple(range(300)), tuple((n, n) for n in range(299))
    network = Network(
        processes=[Process(name="a", firings=300), Process(name="b", firings=300)],
        channels=[
            Channel(name="there", source="a", target="b", tokens=Listed(writes, (*reads, (0, 299))), depth=3),
            Channel(name="plain", source="a", target="b", depth=3),
        ],
    )
    assert Evaluator(network).finish() is None
    assert (
        Evaluator(network).finish({"there": 300, "plain": 300})
        == run(network, depths={"there": 300, "plain": 300}).finish
    )


def test_a_graph_iteration_of_a_thousand_million_firings_is_refused_by_name_and_at_once() -> None:
    firings = [10**power for power in (0, 3, 6, 9)]
    thousandfold = Network(
        processes=[Process(name=f"p{i}", firings=count) for i, count in enumerate(firings)],
        channels=[
            Channel(name=f"c{i}", source=f"p{i}", target=f"p{i + 1}", depth=2000, tokens=Rates(1000, 1))
            for i in range(3)
        ],
    )
    with pytest.raises(InputError, match="a graph iteration has 1001001001 firings"):
        Evaluator(thousandfold).finish()
    with pytest.raises(InputError, match=r"one graph iteration .* 2002002002 pipeline steps"):
        PeriodStopwatch(thousandfold).time({channel.name: 2000 for channel in thousandfold.channels})


def test_trials_are_sparing_but_for_those_that_are_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that is too large to be run at all is not given up while a period may show."""
    network = chain(firings=20)
    small = Evaluator(network)
    monkeypatch.setattr("ppnsim.engines.evaluate._LARGE", 10)
    large = Evaluator(network)
    told = [each and each.sparing for one in (small, large) for each in (one._trials, one._short_trials)]
    assert told == [True, None, False, True]


@settings(search, max_examples=40)
@given(repeating_networks())
def test_a_deadlock_that_fewer_firings_show_is_that_of_all(network: Network) -> None:
    """As of networks that are too long for a record of each firing."""
    tight = network.with_depths(lambda channel: None if channel.depth is None else max(1, channel.initial))
    found = run_cut_short(tight, deadlocks=True)
    if found is None or not found.deadlocked:
        return
    whole = run(tight, engine="compiled", fast_forward=False, on_deadlock="return")
    assert (found.deadlock, found.stopped) == (whole.deadlock, whole.stopped)
    assert found.recorded.network.firings <= tight.firings
    assert run_result(summary_of(found), file="") == run_result(summary_of(whole), file="")
