"""FIFOs in series and lanes: what a search leaves out or bounds together says the same as the whole network run."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim import Channel, Network, Process
from ppnsim.engines.evaluate import Evaluator
from ppnsim.errors import InputError
from ppnsim.explore.fifo.ends import enough_at_ends
from ppnsim.explore.fifo.lanes import Core, without_needless_tokens
from ppnsim.explore.fifo.problem import Goal
from ppnsim.explore.fifo.series import Series
from ppnsim.explore.fifo.series_cuts import SeriesCuts, in_series
from ppnsim.explore.fifo.series_steps import SlidingMinimum
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.variables import DepthVariable
from ppnsim.model.elements import Style
from ppnsim.model.step_lists import StepList
from tests.helpers.by_seed import by_seed

few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

_TOKENS = 6


@by_seed
def steps_of(draw: st.DrawFn, tokens: int = _TOKENS) -> list[int]:
    """Draw steps of accesses, in order."""
    gaps = draw(st.lists(st.sampled_from([0, 1, 1, 1, 2, 4]), min_size=tokens, max_size=tokens))
    steps = [draw(st.integers(0, 3))]
    for gap in gaps[1:]:
        steps.append(steps[-1] + gap)
    return steps


@by_seed
def lines(draw: st.DrawFn, processes: int = 4) -> Network:
    """Draw scheduled processes in a line, with one more FIFO past some of them."""
    ends = [*pairwise(range(processes))]
    if draw(st.booleans()):
        ends.append((0, processes - 1))
    channels = [
        Channel(
            name=f"c{number}", source=f"p{source}", target=f"p{target}", write_steps=StepList.of(draw(steps_of())),
            read_steps=StepList.of(draw(steps_of())),
        )
        for number, (source, target) in enumerate(ends)
    ]  # fmt: skip
    names = [f"p{number}" for number in range(processes)]
    return Network(processes=[Process.scheduled(name=name, steps=30) for name in names], channels=channels)


@few
@given(lines(), st.lists(st.integers(1, 3), min_size=3, max_size=3), st.integers(3, 9), st.booleans())
def test_no_way_to_spread_tokens_ends_before_the_run_that_stands_for_all(
    network: Network, prices: list[int], bound: int, whole: bool
) -> None:
    names = ("c0", "c1", "c2")
    prices = [1, 1, 1] if whole else prices
    bound = max(bound, sum(prices))
    series = Series(network, names, prices, whole=whole)
    trial = Evaluator(network)
    finishes = [
        trial.finish(dict(zip(names, depths, strict=True)))
        for depths in product(range(1, bound + 1), repeat=3)
        if sum(price * depth for price, depth in zip(prices, depths, strict=True)) <= bound
    ]
    together = series.finish(bound, series.anyhow, {})
    if together is None:
        assert set(finishes) == {None}
    else:
        assert all(finish is None or finish >= together for finish in finishes)


@few
@given(lines(), st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_where_nothing_can_be_moved_the_run_is_that_of_these_depths(network: Network, depths: list[int]) -> None:
    names, prices = ("c0", "c1", "c2"), (1, 2, 3)  # different prices: no FIFO shares a part
    series = Series(network, names, prices)
    bound = sum(price * depth for price, depth in zip(prices, depths, strict=True))
    spread = tuple((depth, depth) for depth in depths)
    assert series.finish(bound, spread, {}) == Evaluator(network).finish(dict(zip(names, depths, strict=True)))
    assert series.depths_at(spread) == depths


@settings(few, max_examples=20)  # 1296 runs each
@given(lines(), st.data())
def test_cuts_of_series_hold_for_all_depths_in_time(network: Network, data: st.DataObject) -> None:
    problem = problem_of([network])
    problem.budget = 10**6
    [limit] = problem.values(problem.top)
    if limit is None:
        return
    goal = Goal(limits=(limit,))
    vectors = list(product(range(1, _TOKENS + 1), repeat=len(problem.variables)))
    met = {vector: goal.met(problem.values(vector)) for vector in vectors}
    if failing := [vector for vector in vectors if not met[vector]]:
        cuts = SeriesCuts(problem, 0).cuts(data.draw(st.sampled_from(failing)), goal)
        assert [vector for vector in vectors if met[vector] and not all(cut.holds(vector) for cut in cuts)] == []


@settings(few, max_examples=30)
@given(lines())
def test_series_are_sized_as_by_brute_force(network: Network) -> None:
    problem = problem_of([network])
    found = FifoSizing(problem=problem, with_front=False).run().found
    [limit] = problem.unbounded
    if limit is None:
        assert not found
        return
    vectors = product(range(1, _TOKENS + 1), repeat=len(problem.variables))
    goal = Goal(limits=(limit,))
    assert found["lossless"].cost == min(sum(vector) for vector in vectors if goal.met(problem.values(vector)))
    assert found["lossless"].certified


@by_seed
def with_lanes(draw: st.DrawFn) -> tuple[Network, list[DepthVariable]]:
    """Draw two or three processes with arrays of FIFOs between them, each array of one depth."""
    channels, variables = [], []
    for array, (source, target) in enumerate(pairwise(range(draw(st.integers(2, 3))))):
        write, read = draw(steps_of()), draw(steps_of())
        names = []
        for lane in range(draw(st.integers(1, 4))):
            if draw(st.integers(0, 3)) == 0:
                write, read = draw(steps_of()), draw(steps_of())
            later, sooner = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            names.append(f"c{array}_{lane}")
            channels.append(
                Channel(
                    name=names[-1], source=f"p{source}", target=f"p{target}",
                    write_steps=StepList.of([step + later for step in write]),
                    read_steps=StepList.of([step + sooner for step in read]),
                )
            )  # fmt: skip
        variables.append(DepthVariable(channels=tuple(names), low=1))
    processes = [Process.scheduled(name=f"p{number}", steps=40) for number in range(3)]
    return Network(processes=processes, channels=channels), variables


@few
@given(with_lanes())
def test_lanes_left_out_show_in_no_run(drawn: tuple[Network, list[DepthVariable]]) -> None:
    network, variables = drawn
    core = Core.of(network, variables)
    whole, left = Evaluator(network), Evaluator(core.network)
    for chosen in product([1, 2, 3, 6, None], repeat=len(variables)):
        depths = {name: depth for each, depth in zip(variables, chosen, strict=True) for name in each.channels}
        assert whole.finish(depths) == left.finish(core.depths(depths))


@few
@given(lines(), st.sets(st.sampled_from(["c0", "c1", "c2"])), st.integers(1, 4))
def test_tokens_left_out_show_in_no_run(network: Network, bounded: set[str], depth: int) -> None:
    depths = dict.fromkeys(bounded, depth)
    short = without_needless_tokens(network, bounded)
    assert Evaluator(short).finish(depths) == Evaluator(network).finish(depths)


def test_lanes_of_a_plain_pipeline_and_an_elastic_one_stay() -> None:
    cases: list[tuple[Style, int]] = [("frozen", 1), ("elastic", 3)]
    for style, left in cases:
        channels = [Channel(name=f"c{lane}", source="a", target="b") for lane in range(3)]
        network = Network(processes=[Process(name=name, firings=9, style=style) for name in "ab"], channels=channels)
        core = Core.of(network, [DepthVariable(channels=("c0", "c1", "c2"), low=1)])
        assert len(core.network.channels) == left


@pytest.mark.parametrize("fixed", [1, 2])
def test_lanes_at_fixed_depths_keep_them(fixed: int) -> None:
    lanes = [Channel(name=f"c{lane}", source="a", target="b", depth=fixed + lane, fixed=True) for lane in range(2)]
    more = Channel(name="free", source="b", target="c")
    processes = [
        Process(name=name, firings=12, ii=ii, style="frozen") for name, ii in zip("abc", (1, 2, 1), strict=True)
    ]
    network = Network(processes=processes, channels=[*lanes, more])
    problem = problem_of([network])
    assert problem.values(problem.top) == (Evaluator(network.with_depths({"free": None})).finish(),)


def test_a_series_ends_at_a_process_that_does_not_move_in_fixed_steps() -> None:
    styles: dict[str, Style] = {"a": "frozen", "b": "frozen", "c": "elastic", "d": "frozen"}
    processes = [Process(name=name, firings=5, style=style) for name, style in styles.items()]
    channels = [Channel(name=f"{a}{b}", source=a, target=b) for a, b in pairwise(styles)]
    assert in_series(Network(processes=processes, channels=channels), ["cd", "bc", "ab"]) == ("ab", "bc")


@settings(few, max_examples=50)
@given(lines(), st.integers(0, 12), st.integers(0, 12), st.sampled_from([(1, 1), (1, 1), (0, 1), (1, 0), (0, 0)]))
def test_no_wait_for_slots_at_an_end_shows_from_the_depth_that_is_enough(
    network: Network, first: int, last: int, hops: tuple[int, int]
) -> None:
    forward, release = hops
    network = network.replace(
        processes=[
            Process.scheduled(name=each.name, steps=30 + {"p0": first, "p3": last}.get(each.name, 0))
            for each in network.processes
        ],
        channels=[replace(each, forward=forward, release=release) for each in network.channels],
    )
    variables = [DepthVariable(channels=(channel.name,), low=1) for channel in network.channels]
    enough = enough_at_ends(network, variables)
    trial = Evaluator(network)
    for chosen in product([1, 2, 3, None], repeat=len(variables)):
        depths = {channel.name: depth for channel, depth in zip(network.channels, chosen, strict=True)}
        free = {name: None if depth and depth >= enough.get(name, 99) else depth for name, depth in depths.items()}
        assert trial.finish(depths) == trial.finish(free)


def test_a_slot_that_is_free_for_a_token_of_the_same_cycle_is_not_enough_at_an_end() -> None:
    """Two tokens of one step are read in one step: with one slot, each waits for the other."""
    steps = StepList.of([3, 5, 5, 6]), StepList.of([0, 0, 1, 5])
    for at_once in (0, 1):
        channel = Channel(
            name="c", source="a", target="b", forward=0, release=at_once, write_steps=steps[0], read_steps=steps[1]
        )
        network = Network(processes=[Process.scheduled(name=name, steps=20) for name in "ab"], channels=[channel])
        [depth] = enough_at_ends(network, [DepthVariable(channels=("c",), low=1)]).values()
        assert depth == next(depth for depth in range(1, 9) if Evaluator(network).finish({"c": depth}) is not None)


def test_one_token_less_than_enough_at_an_end_loses_cycles() -> None:
    ends = [((1, 1), (1, 4)), ((2, 1), (1, 2)), ((1, 2), (3, 2)), ((4, 8), (2, 8))]
    for (write, written), (read, needed) in ends:
        steps = StepList(((write, written, 8),)), StepList(((read, needed, 8),))
        channel = Channel(name="c", source="a", target="b", write_steps=steps[0], read_steps=steps[1])
        processes = [Process.scheduled(name="a", steps=written * 8 + write), Process.scheduled(name="b", steps=90)]
        network = Network(processes=processes, channels=[channel])
        [depth] = enough_at_ends(network, [DepthVariable(channels=("c",), low=1)]).values()
        trial = Evaluator(network)
        unbounded = trial.finish({"c": None})
        assert trial.finish({"c": depth}) == unbounded
        assert depth == 1 or trial.finish({"c": depth - 1}) != unbounded


@few
@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=40), data=st.data())
def test_sliding_minima_are_those_of_each_window(values: list[int], data: st.DataObject) -> None:
    width = data.draw(st.integers(1, len(values)))
    windows = [min(values[first : first + width]) for first in range(len(values) - width + 1)]
    minima = SlidingMinimum(np.array(values, dtype=np.int64))
    for each in (width, data.draw(st.integers(1, width)), width):  # spans that are kept serve others
        first = np.arange(len(windows))
        expected = windows if each == width else [min(values[at : at + each]) for at in first]
        assert minima.from_(first, each).tolist() == expected


def test_starts_outside_of_their_run_are_refused_where_they_are_not_counted() -> None:
    starts = Process.scheduled(name="a", steps=4, start_steps=StepList((0, 4)))
    reader = Process.scheduled(name="b", steps=4)
    channel = Channel(name="c", source="a", target="b", write_steps=StepList((1,)), read_steps=StepList((1,)))
    with pytest.raises(InputError, match=r"start_steps\[1\] = 4 is outside the steps 0\.\.3 of a run"):
        problem_of([Network(processes=[starts, reader], channels=[channel])])
