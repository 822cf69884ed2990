"""The period from the graph alone: against every cycle there is, against runs, and against published graphs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any
from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim import Channel, Distribution, InputError, Listed, Network, Process, Rates, chain, fork_join, run
from ppnsim.analysis import steady_graph
from ppnsim.analysis.cycle_ratio import steady_states
from ppnsim.analysis.howard import Edges, howard, is_certified
from ppnsim.model.network import Style
from tests.helpers.by_seed import by_seed
from validation.dataflow.data import load
from validation.dataflow.graphs import pipelined_network, ppn_network, sdf_network
from validation.dataflow.points import _points

_search = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
Row = tuple[int, int, int, int]


# -- the algorithm against every cycle --------------------------------------------------------------------------------


@by_seed
def graphs(draw: st.DrawFn) -> tuple[int, list[Row]]:
    """Draw a graph without circles of distance 0: those edges go from smaller to larger numbers."""
    count = draw(st.integers(1, 6))
    node, weight = st.integers(0, count - 1), st.integers(0, 9)
    rows = [(v, v, draw(weight), draw(st.integers(1, 3))) for v in range(count)]
    for u, v, w, d in draw(st.lists(st.tuples(node, node, weight, st.integers(0, 3)), max_size=12)):
        rows.append((u, v, w, d if u < v else d + 1))
    return count, rows


def edges_of(count: int, rows: list[Row]) -> Edges:
    source, target, weight, distance = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return Edges(count, source, target, weight, distance)


def ratio_by_enumeration(count: int, rows: list[Row]) -> list[Fraction]:
    """Return the largest ratio of the cycles that lead to each node, by looking at all of them."""
    # Each edge becomes a node of its own, so that parallel edges are told apart.
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for number, (u, v, _, _) in enumerate(rows):
        graph.add_edge(u, ("edge", number))
        graph.add_edge(("edge", number), v)
    best = [Fraction(-1)] * count
    for cycle in nx.simple_cycles(graph):
        on_it = [rows[node[1]] for node in cycle if isinstance(node, tuple)]
        ratio = Fraction(sum(row[2] for row in on_it), sum(row[3] for row in on_it))
        first = next(node for node in cycle if not isinstance(node, tuple))
        for node in {first, *nx.descendants(graph, first)}:
            if not isinstance(node, tuple):
                best[node] = max(best[node], ratio)
    return best


def test_a_policy_whose_potentials_an_edge_contradicts_is_not_certified() -> None:
    edges = edges_of(2, [(0, 0, 2, 1), (1, 0, 1, 0), (1, 1, 7, 2)])
    found = howard(edges)
    assert is_certified(edges, found) is True
    assert is_certified(edges, replace(found, potential=found.potential - np.array([100, 0]))) is False


@given(graphs())
@settings(_search, max_examples=200)
def test_howard_finds_what_enumeration_finds(graph: tuple[int, list[Row]]) -> None:
    count, rows = graph
    edges = edges_of(count, rows)
    found = howard(edges)
    assert [found.ratios[number] for number in found.ratio] == ratio_by_enumeration(count, rows)
    cycle = found.critical_cycle(edges)
    assert [int(edges.target[edge]) for edge in cycle] == [int(edges.source[edge]) for edge in cycle[1:] + cycle[:1]]
    assert Fraction(int(edges.weight[cycle].sum()), int(edges.distance[cycle].sum())) == found.ratios[-1]


@given(graphs(), st.data())
@settings(_search, max_examples=100)
def test_a_certificate_does_not_hold_for_a_graph_with_a_better_cycle(
    graph: tuple[int, list[Row]], data: st.DataObject
) -> None:
    count, rows = graph
    found = howard(edges_of(count, rows))
    at = data.draw(st.integers(0, count - 1))
    u, v, _, d = rows[at]
    better = int(found.ratios[found.ratio[at]] * d) + 1  # node ``at`` has a loop of this weight now
    assert not is_certified(edges_of(count, [*rows[:at], (u, v, better, d), *rows[at + 1 :]]), found)


def test_numbers_beyond_64_bits_stay_exact() -> None:
    large, other = 2**60 - 1, 2**31 - 1
    rows = [(0, 1, large, 0), (1, 0, large, other), (0, 0, 2 * large // other, 1), (1, 1, 0, 1)]
    found = howard(edges_of(2, rows))
    assert found.ratios[-1] == Fraction(2 * large, other)


# -- networks against long runs ---------------------------------------------------------------------------------------


@by_seed
def periodic_networks(draw: st.DrawFn) -> tuple[Network, dict[str, int]]:
    """Draw a network with balanced rates and the firings of one iteration; the network runs one of them."""
    names = [f"p{i}" for i in range(draw(st.integers(1, 4)))]
    repeats = {name: draw(st.sampled_from([1, 1, 2, 3])) for name in names}
    small = st.none() | st.integers(0, 3)
    processes = []
    for name in names:
        style: Style = draw(st.sampled_from(["elastic", "elastic", "frozen"]))
        ii = draw(st.sampled_from([1, 1, 2, 5] + ([0] if style == "elastic" else [])))
        processes.append(
            Process(
                name=name, firings=repeats[name], ii=ii, latency=draw(st.integers(0, 7)), read=draw(small),
                write=draw(small), style=style,
            )
        )  # fmt: skip
    ends = [(names[draw(st.integers(0, i - 1))], names[i]) for i in range(1, len(names))]
    ends += draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=2))
    channels = []
    for number, (source, target) in enumerate(ends):
        tokens = lcm(repeats[source], repeats[target]) * draw(st.integers(1, 2))
        produce, consume = (_dealt(draw, tokens, repeats[name]) for name in (source, target))
        initial = 0 if source < target else tokens * draw(st.integers(1, 2)) + draw(st.integers(-1, 2))
        least = max(initial, 1)
        depth = draw(st.none() | st.integers(least + tokens, least + 4 * tokens) | st.integers(least, least + 3))
        channels.append(
            Channel(
                name=f"c{number}", source=source, target=target, tokens=Rates(produce, consume), initial=initial,
                depth=depth, forward=draw(small), release=draw(small),
                from_offset=draw(st.none() | st.integers(0, 12)), to_offset=draw(st.none() | st.integers(0, 9)),
            )
        )  # fmt: skip
    return Network(processes=processes, channels=channels), repeats


def _dealt(draw: st.DrawFn, tokens: int, phases: int) -> tuple[int, ...]:
    """Deal the tokens of an iteration to its firings, evenly or not."""
    rates = [tokens // phases] * phases
    for _ in range(draw(st.integers(0, 2))):
        one, other = draw(st.integers(0, phases - 1)), draw(st.integers(0, phases - 1))
        if rates[one]:
            rates[one] -= 1
            rates[other] += 1
    return tuple(rates)


def repeated(network: Network, repeats: dict[str, int], iterations: int) -> Network:
    return network.replace(processes=[replace(p, firings=repeats[p.name] * iterations) for p in network.processes])


@given(periodic_networks())
@settings(_search, max_examples=150)
def test_every_process_settles_to_its_period(drawn: tuple[Network, dict[str, int]]) -> None:
    network, repeats = drawn
    iterations = 400
    long = repeated(network, repeats, iterations)
    try:
        outcome = run(long, engine="compiled", on_deadlock="return", fast_forward=False)
    except InputError:
        return  # a token of its own that a process reads too early
    states = steady_states(network)
    assert outcome.deadlocked == any(state.period is None for state in states)
    if outcome.deadlocked:
        return
    for state in states:
        for name, period in state.periods.items():
            # An iteration here may be several of ours: the smallest repetition is what counts as one.
            each = state.firings[name]
            start = outcome.timeline.start(name)
            # A frozen pipeline that no firing enters any more drains faster: the end is not the steady state.
            half = start[len(start) // 2 : -len(start) // 10]
            shifts = [k * period.denominator for k in range(1, 25) if k * period.denominator * each < len(half)]
            assert any((half[k * each :] - half[: -k * each] == k * period).all() for k in shifts), (name, period)


# -- published graphs -------------------------------------------------------------------------------------------------


def period_of(network: Network) -> str:
    periods = [state.period for state in steady_states(network)]
    return "deadlock" if None in periods else str(max(period for period in periods if period is not None))


def expected(period: str | None) -> str:
    return "deadlock" if period in (None, "deadlock") else str(Fraction(period))


_CASES = load()["sdf_csdf_cases"]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_unbounded_period_of_a_published_graph(case: Any) -> None:
    assert period_of(sdf_network(case, 2)) == expected(case["expected"]["unbounded"]["period"])


@pytest.mark.parametrize("case", load()["pipelined"]["cases"], ids=lambda case: case["id"])
def test_period_of_a_published_pipelined_network(case: Any) -> None:
    printed = "deadlock" if case["expected"]["deadlock"] else case["expected"]["period"]
    assert period_of(pipelined_network(case, 2)) == expected(printed)


@pytest.mark.parametrize("case", [case for case in _CASES if _points(case)], ids=lambda case: case["id"])
def test_period_of_a_published_graph_with_capacities(case: Any) -> None:
    for sizes, printed, _ in _points(case)[::10]:
        assert period_of(sdf_network(case, 2, sizes=sizes)) == expected(printed), sizes


@pytest.mark.parametrize("case", load()["ppn_cases"], ids=lambda case: case["id"])
def test_period_of_a_published_process_network(case: Any) -> None:
    for key, told in case["expected"]["independent_sim"].items():
        convention, sizes = key.split("/")
        assert period_of(ppn_network(case, 2, convention=convention, sizes=sizes)) == str(told["period_5to6"]), key


# -- what is named ----------------------------------------------------------------------------------------------------


def test_the_critical_cycle_names_what_binds() -> None:
    (state,) = steady_states(fork_join(firings=9, short_depth=3))
    assert state.period == Fraction(17, 8)
    assert (state.critical.cycles, state.critical.iterations) == (17, 8)
    assert {(bind.kind, bind.part) for bind in state.critical.binds} == {
        ("latency", "long"), ("capacity", "short"), ("data", "long_in"), ("data", "long_out"),
        ("depth", "short_out"), ("depth", "short_in"),
    }  # fmt: skip
    (deep,) = steady_states(fork_join(firings=9, short_depth=12))
    assert deep.period == 1


def test_a_deadlock_is_named_by_its_circle() -> None:
    network = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="there", source="a", target="b"), Channel(name="back", source="b", target="a")],
    )
    (state,) = steady_states(network)
    assert state.period is None
    assert set(state.critical.channels) == {"there", "back"}
    (frozen,) = steady_states(fork_join(firings=20, short_depth=3, style="frozen"))
    assert frozen.period is None
    assert {"short_in", "short_out", "long_in", "long_out"} >= set(frozen.critical.channels)
    assert frozen.critical.iterations <= 0


def test_parts_and_processes_have_periods_of_their_own() -> None:
    one, two = chain(firings=4, ii=(2, 3)), Process(name="alone", firings=7, ii=9)
    first, second = steady_states(one.replace(processes=[*one.processes, two]))
    assert dict(first.periods) == {"p0": 2, "p1": 3}
    assert second.period == 9
    assert str(second.critical) == "ii of alone (1 firing, 9 cycles)"


def test_latencies_that_come_round_count() -> None:
    alternating = chain(firings=8, length=1, ii=1).replace(
        processes=[Process(name="p", firings=8, latency=(1, 5) * 4)],
        channels=[Channel(name="self", source="p", target="p", initial=1)],
    )
    (state,) = steady_states(alternating)
    gaps = np.diff(run(alternating).timeline.start("p"))
    assert (state.firings["p"], state.period) == (2, Fraction(int(gaps[-2:].sum())))


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (chain(firings=4, style="flushable"), "process 'p0': no steady state: it is flushable"),
        (
            Network(
                processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
                channels=[Channel(name="c", source="a", target="b", tokens=Listed((0, 1), ((0, 0), (1, 1))))],
            ),
            "channel 'c': no steady state: its tokens are listed",
        ),
        (
            Network(processes=[Process(name="a", firings=9, latency=Distribution("uniform", (1, 9), seed=1))]),
            "process 'a': no steady state: its latency differs",
        ),
        (
            Network(processes=[Process(name="a", firings=2, resource="r")], resources={"r": 1}),
            "process 'a': no steady state: it shares resource 'r'",
        ),
        (
            Network(
                processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
                channels=[
                    Channel(name="c", source="a", target="b"),
                    Channel(name="d", source="a", target="b", tokens=Rates(2, 1)),
                ],
            ),
            "channel 'd': the rates are inconsistent",
        ),
    ],
)
def test_what_has_no_steady_state_is_refused_by_name(network: Network, message: str) -> None:
    with pytest.raises(InputError, match=message):
        steady_states(network.checked())


@pytest.mark.parametrize(("most", "refused"), [(5, True), (6, False), (7, False)])
def test_an_iteration_is_unrolled_up_to_a_number_of_pipeline_steps(most: int, refused: bool) -> None:
    # An iteration has two firings of one process and one of the other, each of two steps.
    ends = Process(name="a", firings=4, latency=2), Process(name="b", firings=2, latency=3)
    channel = Channel(name="c", source="a", target="b", tokens=Rates(1, 2))
    network = Network(processes=ends, channels=[channel]).checked()
    assert [network.steps[each].count for each in "ab"] == [2, 2]
    if refused:
        words = "of 'a' and what it is connected to has 6 pipeline steps"
        with patch.object(steady_graph, "_LARGEST", most), pytest.raises(InputError, match=words):
            steady_states(network)
        return
    with patch.object(steady_graph, "_LARGEST", most):
        steady_states(network)
