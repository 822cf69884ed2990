"""Depths of cyclic rates from the graph, against runs of the sized graphs, and against counting token by token."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from ppnsim import Channel, InputError, Network, Process, Rates
from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.analysis.k_periodic import PeriodBounds, period_bounds
from ppnsim.engines.run import run
from ppnsim.explore.fifo.graph_sizes import graph_sizes
from ppnsim.explore.fifo.round_starts import RoundStarts
from ppnsim.model.step_lists import StepList
from tests.helpers.by_seed import by_seed
from validation.dataflow.data import load
from validation.dataflow.graphs import sdf_network

_search = settings(deadline=None, database=None, max_examples=60, suppress_health_check=list(HealthCheck))


@by_seed
def cyclic_graphs(draw: st.DrawFn) -> Network:
    """Draw elastic processes with rates that differ between firings, without intervals as SDF3 has them or with."""
    often = draw(st.lists(st.sampled_from([1, 2, 3, 4]), min_size=2, max_size=4))
    phases = [draw(st.integers(1, 3)) for _ in often]
    convention, ii = draw(st.sampled_from([("sdf3", 0), ("ppn", 0), ("ppn", 1), ("ppn", 2)]))
    processes, channels = [], []
    for number, count in enumerate(often):
        latency = draw(st.integers(0, 4))
        cycles = tuple(draw(st.integers(0, 4)) for _ in range(phases[number]))
        varies = ii == 0 and draw(st.booleans())
        firings = 60 * count * phases[number]
        processes.append(
            Process(name=f"p{number}", firings=firings, ii=ii, read=0, write=0,
                    latency=cycles * (60 * count) if varies else latency)
        )  # fmt: skip
        if ii == 0:
            channels.append(Channel(name=f"own{number}", source=f"p{number}", target=f"p{number}", initial=1))
    ends = [(draw(st.integers(0, at - 1)), at) for at in range(1, len(often))]
    ends += draw(st.lists(st.sampled_from(ends), max_size=1)) + draw(st.sampled_from([[], [(len(often) - 1, 0)]]))
    for number, (source, target) in enumerate(ends):
        common = gcd(often[source], often[target])
        most = draw(st.integers(1, 2))
        puts, takes = most * often[target] // common, most * often[source] // common
        # All phases of an end move a multiple of what one cycle has to move, cut into parts.
        put, taken = _cut(draw, puts * 2, phases[source]), _cut(draw, takes * 2, phases[target])
        initial = draw(st.integers(1, 2)) * (puts + takes) * 2 if source > target else draw(st.integers(0, 3))
        channels.append(
            Channel(name=f"c{number}", source=f"p{source}", target=f"p{target}", tokens=Rates(put, taken),
                    initial=initial)
        )  # fmt: skip
    return Network(processes=processes, channels=channels).with_convention(convention).checked()


def _cut(draw: st.DrawFn, tokens: int, parts: int) -> tuple[int, ...]:
    """Return some whole numbers, which may be 0, whose sum is given."""
    places = sorted(draw(st.integers(0, tokens)) for _ in range(parts - 1))
    return tuple(after - before for before, after in zip([0, *places], [*places, tokens], strict=True))


def sized(network: Network) -> tuple[tuple[PeriodBounds, ...], tuple[Fraction, ...], dict[str, int]]:
    try:
        found = graph_sizes(network)
    except InputError as error:
        event(f"refused: {str(error).split(':')[-1][:60]}")
        assume(False)
        raise
    assert all(found.live[name] <= found.least[name] <= found.most[name] for name in found.most)
    return found.parts, found.periods, dict(found.most)


@given(cyclic_graphs())
@_search
def test_a_sized_graph_has_the_period_that_is_told(network: Network) -> None:
    parts, periods, depths = sized(network)
    states = steady_states(network.with_depths(depths))
    assert len(states) == len(parts)
    for state, part, told in zip(states, parts, periods, strict=True):
        assert state.period is not None
        assert part.most is not None
        assert state.period <= told
        event("exact" if state.period == part.most else "a longer period")


@given(cyclic_graphs())
@settings(_search, max_examples=25)
def test_both_engines_run_a_sized_graph_to_its_end(network: Network) -> None:
    _, _, depths = sized(network)
    bounded = network.with_depths(depths)
    assert run(bounded, engine="des").finish == run(bounded, engine="compiled").finish


@given(cyclic_graphs())
@settings(_search, max_examples=40)
def test_the_starts_are_a_schedule_when_tokens_are_counted(network: Network) -> None:
    """Write every access of two iterations down with its time, and count: nothing here knows of residues."""
    assume(network.convention == "ppn")
    sized(network)
    unlimited = network.never_full()
    for part in period_bounds(unlimited):
        graph = RoundStarts(unlimited, part)
        period, starts = graph.schedule()
        depths, first = graph.depths(period, starts), 0
        when: dict[str, list[Fraction]] = {}
        for name, count in part.repeated.items():
            of_round = period * count / part.firings[name]
            rounds = 12 * part.firings[name] // count
            when[name] = [r * of_round + starts[first + n] for r in range(rounds) for n in range(count)]
            first += count
        for channel in graph.channels:
            assert list(_faults(network, channel, depths[channel.name], when, period)) == []


def _faults(
    network: Network, channel: Channel, depth: int, when: dict[str, list[Fraction]], period: Fraction
) -> Iterator[str]:  # fmt: skip
    """Yield the accesses of a channel that are too early for its tokens and slots, and a depth that is not needed."""
    assert isinstance(channel.tokens, Rates)
    source, target = network.steps[channel.source], network.steps[channel.target]
    ends = ((source, "out", when[channel.source]), (target, "in", when[channel.target]))
    wrote, took = (
        [time + int(row[n % len(row)]) for n, time in enumerate(times)]
        for row, times in (
            (steps.offsets.reshape(steps.count, -1)[steps.port[side, channel.name]], times)
            for steps, side, times in ends
        )
    )
    puts, takes = channel.tokens.produce, channel.tokens.consume
    tokens = [t + network.forward(channel.name) for n, t in enumerate(wrote) for _ in range(puts[n % len(puts)])]
    slots = [t + network.release(channel.name) for n, t in enumerate(took) for _ in range(takes[n % len(takes)])]
    reads = [t for n, t in enumerate(took) for _ in range(takes[n % len(takes)])]
    writes = [t for n, t in enumerate(wrote) for _ in range(puts[n % len(puts)])]
    end = min(max(writes, default=Fraction(0)), max(reads, default=Fraction(0))) - period
    for number, read in enumerate(reads):
        if number >= channel.initial and read < end and read < tokens[number - channel.initial]:
            yield f"read {number} of {channel.name}"
    for number, write in enumerate(writes):
        if number + channel.initial >= depth and write < end and write < slots[number + channel.initial - depth]:
            yield f"write {number} of {channel.name}"
    least = max(channel.initial, *puts, *takes)
    together = Fraction(0 if network.release(channel.name) else 1, 10**6)  # a slot is taken after it is free
    if depth != least and not any(
        write < slots[number + channel.initial - depth + 1] + together
        for number, write in enumerate(writes)
        if number + channel.initial >= depth - 1 and write < end
    ):
        yield f"depth {depth} of {channel.name}: these starts need no such depth"


@pytest.mark.parametrize(
    ("process", "words"),
    [
        (Process(name="a", firings=4, style="frozen"), "and it is not elastic with one latency or with ii = 0"),
        (
            Process(name="a", firings=4, latency=(1, 2, 1, 2)),
            "and it is not elastic with one latency or with ii = 0",
        ),
        (Process.scheduled(name="a", steps=3, runs=4), "it is scheduled"),
    ],
)
def test_rounds_that_are_no_sums_of_starts_are_refused_by_name(process: Process, words: str) -> None:
    steps = StepList.of([1]) if process.schedule else None
    tokens = Rates((1,), (1, 3)) if steps else Rates((1, 3), (1, 3))
    channel = Channel(name="c", source="a", target="b", tokens=tokens, write_steps=steps)
    with pytest.raises(InputError, match=f"a.*: no depths from the graph: .*{words}"):
        graph_sizes(Network(processes=[process, Process(name="b", firings=2)], channels=[channel]))


LARGE = ("darts_Beamformer", "kiter_BlackScholes", "sdf3_mp3playback", "darts_FMRadio", "darts_DES", "darts_TDE")


@pytest.mark.parametrize(
    "case", [each for each in load()["sdf_csdf_cases"] if each["id"] not in LARGE], ids=lambda case: case["id"]
)
def test_a_published_graph_has_the_period_that_is_told_with_the_depths_from_its_graph(case: dict[str, object]) -> None:
    network = sdf_network(case, 2).never_full()
    try:
        found = graph_sizes(network)
    except InputError as error:
        pytest.skip(str(error))
    states = steady_states(network.with_depths(found.most))
    for state, told in zip(states, found.periods, strict=True):
        assert state.period is not None
        assert state.period <= told
