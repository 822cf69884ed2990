"""Periods from iterations in which all happens at the earliest are those of a graph with a node for each firing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, event, given, settings

from ppnsim import Channel, InputError, Network, Process, Rates
from ppnsim.analysis import k_periodic, self_timed
from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.analysis.k_periodic import period_bounds
from ppnsim.analysis.self_timed import Stands, self_timed_bounds
from ppnsim.analysis.steady_graph import phases_of
from ppnsim.analysis.step_sequences import StepSequences, step_sequences
from ppnsim.model.repetition import parts_of, passings_of
from tests.analysis.test_cycle_ratio import periodic_networks

_search = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def _elastic(process: Process) -> Process:
    return replace(process, style="elastic")


def _sequences(network: Network) -> list[StepSequences | None]:
    phases = phases_of(network)
    passings = passings_of(network, phases)
    return [step_sequences(network, phases, passings, members) for members in parts_of(network)]


@given(periodic_networks())
@settings(_search, max_examples=150)
def test_times_at_the_earliest_have_the_period_of_the_whole_graph(drawn: tuple[Network, dict[str, int]]) -> None:
    network = drawn[0]
    network = network.replace(processes=[_elastic(process) for process in network.processes])
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    for sequences, period in zip(_sequences(network), expected, strict=True):
        if sequences is None:
            event("not elastic")
        elif period is None:
            event("deadlock")
            with pytest.raises(Stands):
                self_timed_bounds(sequences)
        else:
            found = self_timed_bounds(sequences, budget=100_000)
            assert found is not None
            event("exact" if found[0] == found[1] else "bounds")
            assert found[0] <= period <= found[1]


@given(periodic_networks())
@settings(_search, max_examples=60)
def test_periods_are_the_same_where_iterations_are_followed_at_once(drawn: tuple[Network, dict[str, int]]) -> None:
    network, _ = drawn
    try:
        expected = [state.period for state in steady_states(network)]
    except InputError:
        return
    with patch.object(k_periodic, "_FEW", 0):
        assert [part.most for part in period_bounds(network)] == expected


def _ring(*tokens: int) -> Network:
    """Return three actors in a ring that takes turns of 7 x 11 x 13 firings, with so many initial tokens."""
    pairs = [("a", "b", Rates(7, 11)), ("b", "c", Rates(11, 13)), ("c", "a", Rates(13, 7))]
    return Network(
        processes=[
            Process(name=name, firings=1, ii=1, latency=cycles) for name, cycles in zip("abc", (3, 1, 2), strict=True)
        ],
        channels=[
            Channel(name=f"{source}{target}", source=source, target=target, tokens=rates, initial=initial)
            for (source, target, rates), initial in zip(pairs, tokens, strict=True)
        ],
    )


@pytest.mark.parametrize("tokens", [(0, 0, 40), (3, 5, 30), (0, 0, 400), (900, 0, 3000)])
def test_a_ring_has_the_period_of_the_whole_graph(tokens: tuple[int, ...]) -> None:
    network = _ring(*tokens)
    (expected,), (sequences,) = steady_states(network), _sequences(network)
    assert sequences is not None
    assert self_timed_bounds(sequences) == (expected.period, expected.period)


def test_a_ring_with_too_few_tokens_stands() -> None:
    (sequences,) = _sequences(_ring(0, 0, 12))
    assert sequences is not None
    with pytest.raises(Stands):
        self_timed_bounds(sequences)


def test_more_work_than_the_budget_has_no_bounds() -> None:
    (sequences,) = _sequences(_ring(0, 0, 40))
    assert sequences is not None
    assert self_timed_bounds(sequences, budget=100) is None


def test_tokens_of_many_iterations_need_more_times_than_are_kept_at_first() -> None:
    channels = [
        Channel(name="ab", source="a", target="b", tokens=Rates(1, 1), initial=0),
        Channel(name="ba", source="b", target="a", tokens=Rates(1, 1), initial=1000),
    ]
    network = Network(
        processes=[Process(name="a", firings=1, latency=4), Process(name="b", firings=1, latency=5)], channels=channels
    )
    (sequences,) = _sequences(network)
    assert sequences is not None
    with patch.object(self_timed, "_BURST", 4):
        assert self_timed_bounds(sequences) == (Fraction(1), Fraction(1))
    assert steady_states(network)[0].period == Fraction(1)


def test_short_iterations_that_repeat_late_end_in_bounds() -> None:
    # 1001 cycles for 1000 tokens: 64 iterations take 64 or 65 cycles for ever, and a look costs more than its waits.
    channels = [
        Channel(name="ab", source="a", target="b"), Channel(name="ba", source="b", target="a", initial=1000),
    ]  # fmt: skip
    network = Network(
        processes=[
            Process(name=name, firings=1, latency=cycles, read=0, write=0) for name, cycles in (("a", 700), ("b", 301))
        ],
        channels=channels,
    )
    (sequences,) = _sequences(network)
    assert sequences is not None
    with patch.object(self_timed, "_LOOKS", 200):
        found = self_timed_bounds(sequences)
    assert found is not None
    assert found[0] < Fraction(1001, 1000) < found[1]
