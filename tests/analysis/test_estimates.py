"""The thesis's estimates: computed apart from the engine, equal to it where theory says so."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings

from ppnsim import Channel, Listed, Network, Process, Rates, chain, fork_join, predictor
from ppnsim.analysis import throughput
from ppnsim.analysis.lower_bounds import longest_path, lower_bounds
from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.timeline import NEVER
from tests.helpers.strategies import networks
from tests.oracles.estimates import plain_estimate


def four_processes() -> Network:
    """Thesis, chapter 4.3: P1 feeds P2 and P3, P4 joins them."""
    numbers = {"P1": (2, 1), "P2": (1, 1), "P3": (1, 2), "P4": (1, 1)}
    ends = [("P1", "P2"), ("P1", "P3"), ("P2", "P4"), ("P3", "P4")]
    return Network(
        processes=[Process(name=name, firings=4, ii=ii, latency=latency) for name, (ii, latency) in numbers.items()],
        channels=[Channel(name=f"{source}{target}", source=source, target=target) for source, target in ends],
    )


def test_four_processes_give_the_thesis_figures() -> None:
    one_each, by_data = absolute(four_processes()), unbounded(four_processes())
    assert (one_each.finish, one_each.parallelism.average, one_each.parallelism.maximum) == (14, 20 / 14, 3)
    assert (by_data.finish, by_data.parallelism.average, by_data.parallelism.maximum) == (8, 20 / 8, 8)


def test_predictor_gives_the_thesis_figures() -> None:
    one_each, by_data = absolute(predictor()), unbounded(predictor())
    assert (one_each.finish, one_each.parallelism.average, one_each.parallelism.maximum) == (83, 171 / 83, 5)
    assert (by_data.finish, by_data.parallelism.average, by_data.parallelism.maximum) == (45, 171 / 45, 25)


@settings(max_examples=70, deadline=None)
@given(networks(styles=["elastic"], resources=False))
def test_absolute_estimate_is_the_elastic_run_with_fifos_that_never_fill(network: Network) -> None:
    result = run(network.with_depths(lambda _: None), on_deadlock="return")
    estimate = absolute(network)
    assert estimate.finish == result.finish
    for process in network.processes:
        assert estimate.timeline.passed[process.name].tolist() == result.timeline.passed[process.name].tolist()


@settings(max_examples=70, deadline=None)
@given(networks(styles=["elastic", "flushable", "frozen"], resources=True))
def test_no_run_is_below_a_lower_bound(network: Network) -> None:
    result = run(network, on_deadlock="return")
    assume(not result.deadlocked)
    assert result.finish is not None
    for bound in lower_bounds(network, absolute(network), unbounded(network)):
        assert bound.cycles <= result.finish, bound


@settings(max_examples=70, deadline=None)
@given(networks(styles=["elastic", "flushable", "frozen"], resources=True))
def test_an_estimate_at_once_is_that_of_firing_by_firing(network: Network) -> None:
    for estimate in (absolute, unbounded):
        quick = estimate(network)
        with patch.object(throughput, "passed_at_once", return_value={}):
            slow = estimate(network)
        assert quick.finish == slow.finish
        for name, passed in slow.timeline.passed.items():
            assert quick.timeline.passed[name].tolist() == passed.tolist()


@settings(max_examples=15, deadline=None)
@given(networks(styles=["elastic", "flushable"], resources=False))
def test_estimates_are_those_of_the_plain_rules(network: Network) -> None:
    for own_processes, estimate in ((False, absolute), (True, unbounded)):
        with patch.object(throughput, "passed_at_once", return_value={}):
            passed = estimate(network).timeline.passed
        plain = plain_estimate(network, own_processes=own_processes)
        for name, rows in plain.items():
            assert passed[name].tolist() == [[NEVER if each is None else each for each in row] for row in rows]
        if any(None in row for rows in plain.values() for row in rows):
            return  # one that stands still is followed in the order of its firings, also where each is a process


def test_a_frame_of_fifteen_stages_is_estimated_at_once() -> None:
    frame, stages = 1920 * 1080, 15
    network = chain(length=stages, firings=frame, latency=1, depth=2)
    assert network.events > throughput.LARGEST
    # Each stage reads, executes and writes in a cycle; the first reads nothing, the last writes nothing.
    assert absolute(network).finish == frame - 1 + 3 * stages - 2
    assert unbounded(network).finish == 3 * stages - 2


def test_a_frame_that_goes_round_in_a_circle_is_too_large() -> None:
    processes = [Process(name="a", firings=30_000_000)]
    network = Network(processes=processes, channels=[Channel(name="c", source="a", target="a", initial=1)])
    with pytest.raises(InputError, match="90000000 firings and tokens are more than an estimate goes through"):
        absolute(network)


def test_a_resource_bounds_the_run_and_says_so() -> None:
    network = Network(
        processes=[Process(name=name, firings=10, ii=2, latency=3, resource="mult") for name in ("a", "b", "c")],
        resources={"mult": 2},
    )
    bounds = lower_bounds(network, absolute(network), unbounded(network))
    assert (bounds[0].name, bounds[0].reason) == ("resource 'mult'", "60 busy cycles on 2 units")
    assert bounds[0].cycles <= (run(network).finish or 0)


def test_a_circle_of_data_has_no_estimate() -> None:
    network = Network(
        processes=[Process(name="a", firings=3), Process(name="b", firings=3)],
        channels=[Channel(name="there", source="a", target="b"), Channel(name="back", source="b", target="a")],
    )
    assert absolute(network).finish is None
    assert unbounded(network).finish is None


def test_longest_path_names_the_processes_in_order() -> None:
    assert longest_path(unbounded(fork_join(firings=5)).timeline) == ["split", "long", "join"]


@pytest.mark.parametrize("firings", [1, 7])
def test_unbounded_finish_of_a_chain_does_not_depend_on_the_firings(firings: int) -> None:
    # Three processes: 3 + write 1, read 1 + 3 + write 1, read 1 + 3.
    assert unbounded(chain(firings=firings)).finish == 4 + 5 + 4


def test_rates_and_lists_say_the_same() -> None:
    listed = Listed((0, 0, 1, 1, 2, 2), ((0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 5)))
    finishes = set()
    for tokens in (Rates((2,), (3,)), listed):
        processes = [Process(name="a", firings=3, ii=2), Process(name="b", firings=2, latency=4)]
        channel = Channel(name="c", source="a", target="b", tokens=tokens, depth=4)
        finishes.add(run(Network(processes=processes, channels=[channel])).finish)
    assert len(finishes) == 1


@pytest.mark.parametrize("ii", [0, 1, 3])
def test_a_quick_firing_writes_one_cycle_after_a_slow_one_before_it(ii: int) -> None:
    """Writes of one process are in order, at most one a cycle, however far apart its starts are; with ii 0 at once."""
    network = Network(processes=[Process(name="p", firings=3, ii=ii, latency=(9, 1, 1))])
    (_, *_, writes) = absolute(network).timeline.passed["p"].tolist()
    assert writes == [9, 9, 9] if ii == 0 else writes == [9, 10, 11]
    assert run(network).timeline.passed["p"].tolist()[-1] == writes


def test_a_path_counts_firings_in_a_row_of_one_process() -> None:
    """Each firing of p reads (1), takes 2 and writes (1) before the next one; q takes 1 + 5 after the last."""
    chained = Network(
        processes=[Process(name="p", firings=3, latency=2), Process(name="q", firings=1, latency=5)],
        channels=[
            Channel(name="own", source="p", target="p", initial=1),
            Channel(name="c", source="p", target="q", tokens=Rates(1, 3)),
        ],
    )
    assert longest_path(unbounded(chained).timeline) == ["p (3 firings)", "q"]
    assert absolute(chained).finish == unbounded(chained).finish == 3 * 4 + 6
    names = [
        (bound.name, bound.cycles, bound.reason)
        for bound in lower_bounds(chained, absolute(chained), unbounded(chained))
    ]
    assert names[0][:2] == ("one process per statement", 18)
    assert ("longest dependence path", 18, "p (3 firings) -> q") in names


def test_a_flushable_process_may_hold_more_firings_than_an_elastic_one() -> None:
    """Firing 2 has no latency: its read waits in turn for the end of firing 1, and those behind it catch up."""
    first = Process(name="p", firings=8, latency=(4, 5, 0, 3, 3, 3, 1, 3), write=0)
    second = replace(first, name="q", ii=2, write=None, style="flushable")
    channel = Channel(name="c", source="p", target="q", to_offset=1)
    network = Network(processes=[first, second], channels=[channel])
    assert (run(network).finish, absolute(network).finish) == (21, 20)
    assert all(bound.cycles <= 21 for bound in lower_bounds(network, absolute(network), unbounded(network)))
    assert run(network.with_style("elastic")).finish == absolute(network.with_style("elastic")).finish == 22
