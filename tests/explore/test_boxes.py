"""The cheapest vector by boxes, and sums over FIFOs in series, against all vectors there are."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ppnsim import Channel, Network, Process
from ppnsim.explore.fifo.boxes import BoxSearch
from ppnsim.explore.fifo.cuts import cost_cut
from ppnsim.explore.fifo.problem import Goal
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.sums import Sums
from ppnsim.model.builders import chain
from ppnsim.model.step_lists import StepList
from tests.explore.test_series import few, lines

_MOST = 6

vectors = st.tuples(*[st.integers(1, _MOST)] * 3)
prices = st.tuples(*[st.lists(st.integers(0, 5), min_size=_MOST + 1, max_size=_MOST + 1).map(sorted)] * 3)


@few
@given(
    st.lists(vectors, min_size=1, max_size=5),
    prices,
    st.integers(0, 20),
    st.integers(1, 40),
    st.sampled_from([0.3, 1.0]),
)
def test_the_cheapest_of_all_vectors_in_time_or_a_cost_below_it(
    least: list[tuple[int, ...]], prices: tuple[list[int], ...], beyond: int, runs: int, near: float
) -> None:
    def in_time(vector: tuple[int, ...]) -> bool:
        return any(all(a >= b for a, b in zip(vector, each, strict=True)) for each in least)

    def cost(vector: tuple[int, ...]) -> int:
        return sum(prices[entry][depth] for entry, depth in enumerate(vector))

    search = BoxSearch((1,) * 3, (_MOST,) * 3, lambda entry, depth: prices[entry][depth], in_time, runs=runs, near=near)
    found = search.cheapest(beyond)
    cheapest = min(cost(each) for each in product(range(1, _MOST + 1), repeat=3) if in_time(each))
    assert search.lower <= max(cheapest, beyond)
    if found is not None:
        assert in_time(found)
        assert cost(found) == cheapest == search.lower < beyond
    elif runs == 1000 and near == 1.0:
        assert cheapest >= search.lower >= beyond


def test_a_search_with_runs_enough_finds_what_costs_less_than_what_is_known() -> None:
    tried = []

    def in_time(vector: tuple[int, ...]) -> bool:
        tried.append(vector)
        return vector[0] + 2 * vector[1] >= 20

    search = BoxSearch((1, 1), (30, 30), lambda entry, depth: (2, 5)[entry] * depth, in_time)
    assert search.cheapest(50) == (18, 1)
    assert search.lower == 41
    assert len(tried) == len(set(tried)) < 40
    assert BoxSearch((1, 1), (30, 30), lambda entry, depth: (1, 1)[entry] * depth, in_time).cheapest(11) is None


@few
@given(lines(), st.data())
def test_a_run_of_sums_is_never_later_than_any_way_to_spread_them(network: Network, data: st.DataObject) -> None:
    problem = problem_of([network])
    sums = Sums(problem, problem.low)
    assert sorted(index for each in sums.series for index in each) == list(range(len(problem.variables)))
    depths = data.draw(st.tuples(*[st.integers(1, 4)] * len(problem.variables)))
    [finish] = problem.values(depths)
    together = sums.finish(tuple(sum(depths[index] for index in each) for each in sums.series))
    assert finish is None or (together is not None and together <= finish)
    if all(len(each) == 1 for each in sums.series):
        assert together == finish


def test_fifos_in_series_of_one_price_are_one_sum() -> None:
    network = chain(firings=12, ii=(1, 1, 1, 1), style="frozen")
    assert Sums(problem_of([network]), (1, 1, 1)).series == [(0, 1, 2)]
    wide = network.replace(
        channels=[Channel(name=each.name, source=each.source, target=each.target, width=width)
                  for each, width in zip(network.channels, (8, 16, 16), strict=True)]
    )  # fmt: skip
    assert Sums(problem_of([wide], cost="bits"), (1, 1, 1)).series == [(0,), (1, 2)]
    assert Sums(problem_of([wide], cost="fpga"), (1, 1, 1)).series == [(0,), (1,), (2,)]


def test_sums_tell_the_cheapest_depths_where_prices_differ() -> None:
    steps = 70
    late = StepList(((20, 1, 16),))
    processes = [Process.scheduled(name=name, steps=steps) for name in "abc"]
    channels = [
        Channel(name="x", source="a", target="b", width=8, write_steps=StepList(((0, 1, 16),)), read_steps=late),
        Channel(name="y", source="b", target="c", width=4, write_steps=late, read_steps=StepList(((30, 2, 16),))),
    ]
    problem = problem_of([Network(processes=processes, channels=channels)], cost="bits")
    [limit] = problem.values(problem.top)
    assert limit is not None
    goal = Goal(limits=(limit,))
    cheapest = min(
        problem.cost_of(vector) for vector in product(range(1, 18), repeat=2) if goal.met(problem.values(vector))
    )
    vector, lower = Sums(problem, problem.low).cheapest(goal, cheapest + 1)
    assert vector is not None
    assert problem.cost_of(vector) == lower == cheapest
    cuts = cost_cut(problem, lower, goal)
    assert all(cut.holds(vector) for cut in cuts)
    assert not all(cut.holds((vector[0] - 1, vector[1])) for cut in cuts)
    found = FifoSizing(problem=problem, with_front=False).run().found["lossless"]
    assert (found.cost, found.certified) == (cheapest, True)
