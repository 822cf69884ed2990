"""FIFO sizing against brute force, its certificates against the definition, and its claims about published designs."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from highspy import HighsModelStatus
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.answers import Answers
from ppnsim.explore.fifo.cost import XILINX, MemoryBlocks, MemoryTable, cost_of
from ppnsim.explore.fifo.cover import Cover, Proposal
from ppnsim.explore.fifo.cuts import Cut, Reach, cut_below
from ppnsim.explore.fifo.lowering import Lowering
from ppnsim.explore.fifo.problem import Goal, OutOfBudget, Problem
from ppnsim.explore.fifo.proposals import Proposals
from ppnsim.explore.fifo.search import GuidedSearch
from ppnsim.explore.fifo.separation import Separation
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.stop import Stop
from ppnsim.library.size import size
from ppnsim.model.builders import chain, fork_join, predictor
from ppnsim.model.elements import STYLES
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Rates, Runs
from tests.helpers.strategies import networks
from validation.rtl.section import design_network, designs, name_of

MOST_VECTORS = 400
few = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def answers(*scenarios: Network, target: int | None = None, **options: object) -> Answers:
    problem = problem_of(scenarios, **options)  # type: ignore[arg-type]
    return FifoSizing(problem=problem, target=target).run()


def depth_ranges(network: Network) -> list[range]:
    """Return the depths of each channel up to where nothing can ever be full; only few vectors are assumed."""
    ranges = []
    for channel in network.channels:
        low = max(1, channel.initial)
        ranges.append(range(low, max(low, channel.initial + network.counts[channel.name].written) + 1))
    assume(1 <= math.prod(map(len, ranges)) <= MOST_VECTORS)
    return ranges


def every_finish(network: Network) -> dict[tuple[int, ...], int | None]:
    """Run every vector of depths by the definition of time."""
    names = [channel.name for channel in network.channels]
    return {
        depths: run(network, engine="des", depths=dict(zip(names, depths, strict=True)), on_deadlock="return").finish
        for depths in product(*depth_ranges(network))
    }


def front_of(finishes: Mapping[tuple[int, ...], int | None], network: Network, cost: str) -> list[tuple[int, int]]:
    """Return the (cost, finish) that no vector beats, by looking at all."""
    price = cost_of(cost)
    widths = [channel.width for channel in network.channels]
    found = sorted(
        (sum(map(price, depths, widths)), finish) for depths, finish in finishes.items() if finish is not None
    )
    front: list[tuple[int, int]] = []
    for total, finish in found:
        if not front or finish < front[-1][1]:
            front.append((total, finish))
    return front


@settings(few, max_examples=40)
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=6, max_processes=3))
def test_totals_and_fronts_are_those_of_brute_force(network: Network) -> None:
    assume(1 <= len(network.channels) <= 4)
    finishes = every_finish(network)
    for cost in ("tokens", "fpga"):
        front = front_of(finishes, network, cost)
        found = answers(network, cost=cost)
        assert [(point.cost, point.time) for point in found.front] == front, cost
        if front:
            assert (found.found["deadlock_free"].cost, found.found["lossless"].cost) == (front[0][0], front[-1][0])
            assert not found.gaps


@few
@given(st.sampled_from(["tokens", "bits", "fpga"]))
def test_a_fifo_that_nobody_reads_is_sized_in_a_series_too(cost: str) -> None:
    """Found by ``tests.fuzz size --bulk --seed 20262911``: it ended in a traceback."""
    first = Process.scheduled(name="p0", steps=6, start_steps=StepList((1,)))
    one = Rates((1,), (1,))
    channels = [
        Channel(name="c1", source="p0", target="p1", tokens=Runs((), ((0, 1, 1),)), forward=1, release=3,
                write_steps=StepList((0, 1, 1, 2, 3, 4))),
        Channel(name="c0", source="p0", target="p1", tokens=one, initial=1, write_steps=StepList((1, 1))),
        Channel(name="c3", source="p1", target="p0", tokens=one, initial=2, forward=0, release=3,
                read_steps=StepList((4,))),
        Channel(name="c2", source="p0", target="p0", tokens=one, initial=4, release=1, write_steps=StepList((5, 5)),
                read_steps=StepList(())),
    ]  # fmt: skip
    processes = [first, Process(name="p1", firings=1, ii=4, latency=4, read=2, style="frozen")]
    network = Network(processes=processes, channels=channels)
    found = answers(network, cost=cost)
    assert [(point.cost, point.time) for point in found.front] == front_of(every_finish(network), network, cost)


@settings(few, max_examples=12)
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=6, max_processes=4), st.integers(1, 9))
def test_what_is_lowered_reaches_the_goal_and_its_cuts_hold_wherever_it_is_reached(network: Network, more: int) -> None:
    problem = problem_of([network])
    assume(len(problem.low) >= 2 and None not in problem.values(problem.top))
    goal = Goal.of(problem.values(problem.top))
    vector = tuple(depth + more for depth in problem.largest())
    lowered, cuts = Lowering(problem, Separation(problem), []).lowered(vector, goal)
    assert goal.met(problem.values(lowered))
    assert all(depth <= before for depth, before in zip(lowered, vector, strict=True))
    for depths in islice(product(*depth_ranges(network)), 100):
        assert not goal.met(problem.values(depths)) or all(cut.holds(depths) for cut in cuts)


@settings(few, max_examples=12)
@given(networks(resources=False, max_firings=5, max_processes=3), st.sampled_from(["tokens", "fpga"]), st.data())
def test_fixed_channels_keep_their_depth_and_cost_nothing(network: Network, cost: str, data: st.DataObject) -> None:
    assume(2 <= len(network.channels) <= 3)
    flushable = any(process.style == "flushable" for process in network.processes)
    kept = {
        channel.name: data.draw(st.sampled_from(depths), label=channel.name)
        for channel, depths in zip(network.channels, depth_ranges(network), strict=True) if data.draw(st.booleans())
    }  # fmt: skip
    names = [channel.name for channel in network.channels]
    free = [place for place, name in enumerate(names) if name not in kept]
    finishes = {
        tuple(depths[place] for place in free): finish for depths, finish in every_finish(network).items()
        if all(depths[names.index(name)] == depth for name, depth in kept.items())
    }  # fmt: skip
    chosen = network.replace(channels=[network.channels[place] for place in free])
    fixed = network.with_depths(kept)
    fixed = fixed.replace(channels=[replace(each, fixed=each.name in kept) for each in fixed.channels])
    found = answers(fixed, cost=cost, budget=500)
    assert all(
        set(problem_of([fixed]).chosen(point.vector)) == {names[place] for place in free} for point in found.front
    )
    if flushable and found.gaps:
        return
    assert [(point.cost, point.time) for point in found.front] == front_of(finishes, chosen, cost)


@pytest.mark.slow
@settings(max_examples=340, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=8, max_processes=4))
@pytest.mark.parametrize("cost", ["tokens", "bits", "fpga"])
def test_a_thousand_networks_are_sized_as_by_brute_force(cost: str, network: Network) -> None:
    assume(1 <= len(network.channels) <= 5)
    front = front_of(every_finish(network), network, cost)
    found = answers(network, cost=cost)
    assert [(point.cost, point.time) for point in found.front] == front


@few
@given(networks(max_firings=5, max_processes=3))
def test_networks_that_are_not_monotone_are_enumerated_or_say_what_is_missing(network: Network) -> None:
    assume(1 <= len(network.channels) <= 3)
    finishes = every_finish(network)
    found = answers(network, budget=300)
    front = front_of(finishes, network, "tokens")
    reached = min((gap.lower for gap in found.gaps if gap.lower is not None), default=None)
    for question, sized in found.found.items():
        if sized.certified:
            unbounded = found.unbounded[0]
            assert unbounded is not None
            limit = math.inf if question == "deadlock_free" else unbounded
            assert sized.cost == next(total for total, finish in front if finish <= limit)
        else:
            assert question in {gap.question for gap in found.gaps}
    for point in found.front:
        assert reached is None or point.cost <= reached or (point.cost, point.time) in front


@few
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=8, max_processes=4))
def test_one_token_less_loses_exactly_what_the_certificate_says(network: Network) -> None:
    assume(network.channels)
    found = answers(network)
    names = [channel.name for channel in network.channels]
    for question, sized in found.found.items():
        depths = dict(zip(names, sized.vector, strict=True))
        assert run(network, engine="des", depths=depths).finish == sized.time
        for index, claimed in sized.one_less.items():
            less = depths | {names[index]: sized.vector[index] - 1}
            finish = run(network, engine="des", depths=less, on_deadlock="return").finish
            assert finish == claimed
            assert finish is None or (question == "lossless" and finish > sized.time)
        lowest = {
            index for index, name in enumerate(names) if sized.vector[index] > max(1, network.channel(name).initial)
        }
        assert set(sized.one_less) == lowest


def graph(*, firings: int = 1) -> Network:
    """Return a small multirate graph in which two ways lead to the same process."""
    rates = {"ab": Rates((2,), (3,)), "bc": Rates((1,), (2,)), "ac": Rates((1,), (3,))}
    counts = {"a": 3, "b": 2, "c": 1}
    return Network(
        processes=[
            Process(name=name, firings=count * firings, ii=2, latency=3 + count) for name, count in counts.items()
        ],
        channels=[Channel(name=name, source=name[0], target=name[1], tokens=tokens) for name, tokens in rates.items()],
    )


def test_periods_are_those_of_brute_force() -> None:
    network, evaluator = graph(), Evaluator(graph(firings=50))
    best: dict[int, Fraction] = {}
    for ab, bc, ac in product(range(3, 12), range(2, 7), range(3, 16)):
        period = evaluator.period({"ab": ab, "bc": bc, "ac": ac})
        if period is not None:
            best[ab + bc + ac] = min(period, best.get(ab + bc + ac, period))
    front: list[tuple[int, Fraction]] = []
    for total, period in sorted(best.items()):
        if not front or period < front[-1][1]:
            front.append((total, period))
    found = answers(network, objective="period")
    assert [(point.cost, point.time) for point in found.front] == front
    assert len(front) > 1
    assert front[-1][1] == found.unbounded[0]


def test_a_period_that_only_unbounded_fifos_reach_is_said() -> None:
    processes = [Process(name=name, firings=3, ii=0, latency=0) for name in "ab"]
    network = Network(processes=processes, channels=[Channel(name="c", source="a", target="b")])
    sizing = FifoSizing(problem=problem_of([network], objective="period"))
    found = sizing.run().found
    assert set(found) == {"deadlock_free"}
    assert [gap.question for gap in sizing.answers.gaps] == ["lossless", "front"]
    assert "no depth up to 2**40 tokens is enough" in str(sizing.answers.gaps[0].not_searched)


def test_a_target_is_reached_with_the_cheapest_point_of_the_front_that_is_fast_enough() -> None:
    found = answers(fork_join(firings=20), target=45)
    assert found.found["target"].cost == next(point.cost for point in found.front if point.time <= 45)
    assert found.found["target"].time <= 45


def test_a_target_below_the_unbounded_finish_is_out_of_reach() -> None:
    found = answers(fork_join(firings=20), target=36)
    assert "target" not in found.found
    assert found.gaps[0].not_searched == "out of reach: with unbounded FIFOs the finish is 37 cycles"


def test_data_in_a_circle_is_said() -> None:
    circle = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="ab", source="a", target="b"), Channel(name="ba", source="b", target="a")],
    )
    found = answers(circle)
    assert not found.found
    words = "no depth helps: the data itself goes round in a circle (ppnsim run looks for initial tokens that break it)"
    assert found.gaps[0].not_searched == words


@pytest.mark.parametrize("initial", [0, 2])
def test_where_pipelines_stand_still_at_every_depth_the_styles_that_finish_are_said_and_others_not(
    initial: int,
) -> None:
    loop = Network(
        processes=[Process(name=name, firings=9, latency=3, style="frozen") for name in "ab"],
        channels=[
            Channel(name="ab", source="a", target="b"), Channel(name="ba", source="b", target="a", initial=initial),
        ],
    )  # fmt: skip
    (gap,) = answers(loop).gaps
    says = "in style flushable or elastic it finishes, with FIFOs that never fill (checked by running it): --style"
    assert (says in gap.not_searched, "goes round in a circle" in gap.not_searched) == (initial > 0, initial == 0)
    finishes = [style for style in STYLES if answers(loop.with_style(style)).found]
    assert finishes == (["elastic", "flushable"] if initial else [])


def test_limits_hold_and_what_they_make_impossible_is_said() -> None:
    found = answers(fork_join(firings=20), limits={"short_out": (1, 6), "long_in": (3, None)})
    assert {point.vector[2] for point in found.front} == {3}
    assert max(point.vector[1] for point in found.front) <= 6
    assert [gap.question for gap in found.gaps] == ["lossless"] or found.found["lossless"].time == 37


def test_a_channel_left_unbounded_is_not_sized() -> None:
    problem = problem_of([fork_join(firings=20)], limits={"short_out": None})
    found = FifoSizing(problem=problem).run()
    assert [variable.channels for variable in problem.variables] == [("short_in",), ("long_in",), ("long_out",)]
    assert found.found["lossless"].cost < answers(fork_join(firings=20)).found["lossless"].cost


def test_channels_of_a_group_share_the_depth_that_the_hungriest_needs() -> None:
    problem = problem_of([fork_join(firings=20)], groups=[["short_in", "short_out"], ["long_in", "long_out"]])
    lossless = FifoSizing(problem=problem).run().found["lossless"]
    # The scenario file says so: 8 in both channels of the short branch, 2 in the long one.
    assert (lossless.vector, lossless.cost, lossless.time) == ((8, 2), 20, 37)


def test_two_scenarios_get_depths_without_loss_for_both_and_not_one_token_more() -> None:
    slow, quick = fork_join(firings=20), fork_join(firings=20, latency=9, long_latency=2)
    both = answers(slow, quick).found["lossless"]
    for scenario, time_ in zip((slow, quick), both.times, strict=True):
        alone = answers(scenario).found["lossless"]
        assert time_ == alone.time
        assert both.cost >= alone.cost
    for index in range(4):
        less = [depth - (number == index) for number, depth in enumerate(both.vector)]
        if min(less) >= 1:
            depths = dict(zip(("short_in", "short_out", "long_in", "long_out"), less, strict=True))
            finishes = [run(each, depths=depths, on_deadlock="return").finish for each in (slow, quick)]
            assert any(
                finish is None or (time_ is not None and finish > time_)
                for finish, time_ in zip(finishes, both.times, strict=True)
            )


def test_an_earlier_answer_changes_nothing_but_the_work() -> None:
    cold = problem_of([fork_join(firings=20)])
    found = FifoSizing(problem=cold).run()
    warm = problem_of([fork_join(firings=20)])
    again = FifoSizing(problem=warm, start=[found.found["lossless"].vector]).run()
    assert [(point.cost, point.time) for point in again.front] == [(point.cost, point.time) for point in found.front]


def test_what_is_learned_of_an_earlier_answer_is_that_one_token_less_fails_anywhere() -> None:
    problem = problem_of([fork_join(firings=20)], limits={"long_out": (2, 9)})
    search = GuidedSearch(problem, Answers())
    vector = FifoSizing(problem=problem).run().found["lossless"].vector
    search._learn(vector)
    assert search._known == [(problem.cost_of(vector), vector)]
    goal = Goal(limits=tuple(value for value in problem.values(vector) if value is not None))
    assert search._cuts
    for index, depth in enumerate(vector):
        less = (*vector[:index], depth - 1, *vector[index + 1 :])
        assert any(not cut.holds(less) for cut in search._cuts) is (depth > problem.low[index])
    assert all(cut.concerns(goal) and cut.holds(vector) for cut in search._cuts)


def test_a_start_that_deadlocks_teaches_nothing() -> None:
    problem = problem_of([fork_join(firings=20, style="frozen")])
    search = GuidedSearch(problem, Answers())
    search._learn((1, 1, 1, 1))
    assert (search._known, search._cuts) == ([], {})


def test_a_spent_budget_leaves_bounds_around_the_answer() -> None:
    exact = answers(fork_join(firings=20)).found["lossless"].cost
    found = answers(fork_join(firings=20), budget=7)
    gaps = {gap.question: gap for gap in found.gaps}
    gap = gaps["lossless"]
    assert gap.lower is not None
    assert gap.lower <= exact <= (gap.upper or exact)
    assert gap.not_searched == "the budget of 7 vectors is spent"


def test_two_tokens_of_one_step_need_two_slots_also_if_they_are_free_in_the_same_cycle() -> None:
    """Found by ``python -m tests.fuzz size --bulk --seed 90210``: depth 1, which deadlocks, was proven."""
    processes = [Process.scheduled(name=name, steps=1) for name in ("p", "q")]
    twice = StepList((0, 0))
    channel = Channel(name="c", source="p", target="q", forward=0, release=0, write_steps=twice, read_steps=twice)
    network = Network(processes=processes, channels=[channel])
    assert run(network.with_depths({"c": 1}), on_deadlock="return").deadlocked
    assert {sized.vector for sized in answers(network).found.values()} == {(2,)}


def test_many_tokens_of_one_step_that_nobody_reads_are_left_in_a_series() -> None:
    """Found by ``python -m tests.fuzz size --bulk --seed 90210``: an IndexError."""
    steps = {"c": (StepList(((0, 0, 5), 2)), StepList((1,))), "d": (StepList((1,)), StepList((0, 2)))}
    channels = [
        Channel(name=name, source="p", target="p", release=2, initial=1, write_steps=write, read_steps=read)
        for name, (write, read) in steps.items()
    ]
    network = Network(processes=[Process.scheduled(name="p", steps=3)], channels=channels)
    assert not answers(network).gaps


def test_even_one_run_leaves_depths_that_work() -> None:
    network = fork_join(firings=20)
    found = answers(network, budget=1)
    kept, (gap, *_) = found.found["deadlock_free"], found.gaps
    assert (gap.question, gap.upper, kept.certified) == ("deadlock_free", kept.cost, False)
    depths = {channel.name: depth for channel, depth in zip(network.channels, kept.vector, strict=True)}
    assert run(network.with_depths(depths)).finish == kept.time


def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    evaluated = Problem.values
    calls: Iterator[int] = iter(range(10_000))

    def interrupted(problem: Problem, vector: tuple[int | None, ...]) -> object:
        if len(sizing.answers.front) == 3 and next(calls) == 5:
            raise KeyboardInterrupt
        return evaluated(problem, vector)

    monkeypatch.setattr(Problem, "values", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sizing.run()
    assert len(sizing.answers.front) >= 3
    assert [gap.question for gap in sizing.answers.gaps] == ["front"]
    assert sizing.answers.gaps[0].not_searched.startswith("interrupted")


def test_self_timed_peaks_are_far_above_what_is_needed() -> None:
    from ppnsim.explore.fifo.selftimed import selftimed_sizes

    network = chain(firings=200, ii=(1, 4, 1))
    assert sum(selftimed_sizes(network).values()) > 100
    assert answers(network).found["lossless"].cost < 10


def test_the_predictor_needs_more_bits_where_tokens_are_wider() -> None:
    network = predictor()
    bits = answers(network, cost="bits").found["lossless"]
    assert bits.cost == 32 * answers(network).found["lossless"].cost


@pytest.mark.parametrize(
    ("depth", "width", "bits"),
    [
        (1, 8, 8 * 32),  # LUTs of 32 x 1
        (2, 4096, 4096 * 32),  # depth 2 is a shift register, however wide
        (128, 8, 4 * 8 * 32),  # 1024 bits still are
        (129, 8, 18432),  # 2K x 9
        (2049, 9, 2 * 18432),
        (16384, 1, 18432),
        (512, 37, 2 * 18432),
    ],
)
def test_fpga_memory_comes_in_blocks(depth: int, width: int, bits: int) -> None:
    assert XILINX(depth, width) == bits


def test_of_depths_that_cost_the_same_in_memory_blocks_the_fewest_tokens_are_told() -> None:
    # All FIFOs of 32 x 32 bits are the same LUTs: "deadlock free" said 20 tokens in each of them.
    found = answers(fork_join(firings=20), cost="fpga").found
    assert found["deadlock_free"].vector == (1, 1, 1, 1)
    assert found["lossless"].vector == (2, 13, 2, 2)
    assert {sized.cost for sized in found.values()} == {4 * 1024}
    assert all(found["lossless"].one_less[index] != 37 for index in range(4))


def test_a_table_in_which_a_deeper_fifo_is_cheaper_is_refused() -> None:
    table = MemoryTable(
        (
            MemoryBlocks(name="registers", shapes=((1, 1),), bits=100, max_depth=8),
            MemoryBlocks(name="RAM", shapes=((512, 32),), bits=1000),
        )
    )
    with pytest.raises(InputError, match=r"memory table: a FIFO of 32 bits costs 25600 at depth 8 in 'registers'"):
        answers(fork_join(firings=20), cost=table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limits": {"short": (1, 2)}}, "no channel is called 'short' (did you mean 'short_in'?)"),
        ({"groups": [["short_in", "x"]]}, "no channel is called 'x'"),
        ({"groups": [["short_in", "long_in"], ["long_in"]]}, "group: channel 'long_in' is in two groups"),
        ({"objective": "speed"}, "objective = 'speed' is none of finish, period"),
        ({"cost": "area"}, "cost = 'area' is none of tokens, bits, fpga"),
    ],
)
def test_wrong_questions_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        answers(fork_join(firings=20), **options)  # type: ignore[arg-type]
    assert str(error.value).startswith(message)


def test_scenarios_with_other_channels_are_refused() -> None:
    with pytest.raises(InputError, match=r"^fork and join: has no channel 'c0', another scenario has"):
        answers(fork_join(firings=20), chain(firings=20))


def test_the_budget_counts_every_vector_once() -> None:
    problem = problem_of([fork_join(firings=20)], budget=1)
    first = problem.values((1, 1, 1, 1))
    assert problem.values((1, 1, 1, 1)) == first
    with pytest.raises(OutOfBudget):
        problem.values((1, 1, 1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("design", designs(), ids=name_of)
def test_published_designs_are_sized_without_a_gap(design: dict[str, object]) -> None:
    network = design_network(design)
    assert len(network.channels) <= 10
    problem = problem_of([network])
    unbounded = problem.unbounded[0]
    assert isinstance(unbounded, int)
    found = FifoSizing(problem=problem, target=unbounded * 11 // 10, stop=Stop(seconds=600)).run()
    assert not found.gaps
    assert all(point.certified for point in found.front)
    assert found.found["lossless"].time == unbounded


def test_a_bound_on_a_cost_in_steps_goes_up_every_one_of_them() -> None:
    """A cheap step, which is no wider, cannot be gone up twice in place of the dear one behind it."""
    cheap = MemoryBlocks(name="cheap", shapes=((4, 32),), bits=100, max_depth=8)
    table = MemoryTable((cheap, MemoryBlocks(name="dear", shapes=((4, 32),), bits=1000)))
    cover = Cover(problem_of([chain(firings=20, length=2)], cost=table), (12,))
    for depth, price in ((4, 100), (5, 200), (8, 200), (9, 3000), (12, 3000)):
        cover.add([Cut(((Reach(0, 1, 0), 1),), depth, None)])
        told = cover.cheapest()
        assert told is not None
        assert (told.vector, told.lower) == ((-(-depth // 4) * 4,), price)


@pytest.mark.parametrize("found", [False, True])
def test_a_program_whose_time_is_over_gives_what_it_has_found(found: bool) -> None:
    problem = problem_of([chain(firings=9)])
    cover = Cover(problem, (9, 9))
    cover.add([Cut(((Reach(0, 1, 0), 1), (Reach(1, 1, 0), 3)), 8, None)])
    exact = cover.cheapest()
    info = Mock(wraps=cover.highs.getInfo(), primal_solution_status=2 if found else 0, mip_dual_bound=0.5)
    solved = Mock(wraps=cover.highs)
    solved.getInfo.side_effect = lambda: info
    solved.getModelStatus.side_effect = lambda: HighsModelStatus.kTimeLimit
    cover.highs = solved
    if found:
        told = cover.cheapest(seconds=1.0)
        assert told is not None and exact is not None
        assert (told.vector, told.lower, exact.lower) == (
            exact.vector,
            1 + 1 + 1,
            4,
        )  # above the least depths, no part of a token
    else:
        with pytest.raises(OutOfBudget, match="the seconds are spent"):
            cover.cheapest(seconds=1.0)


def test_what_more_inequalities_ask_for_is_raised_first() -> None:
    """Of two FIFOs at one price the one that other inequalities need, too."""
    cover, first, second = Cover(problem_of([chain(firings=9)]), (9, 9)), Reach(0, 1, 0), Reach(1, 1, 0)
    both = Cut(((first, 1), (second, 1)), 6, None)
    cover.add([both])
    assert cover.raised((1, 1), both) == (5, 1)
    cover.add([Cut(((second, 1),), 3, None)])
    assert cover.raised((1, 1), both) == (1, 5)
    assert cover.hinted([{0: 2}]) == (2, 4)


def test_a_program_that_took_longer_than_is_left_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS may go on for seconds after its limit: the answer until then is better than one that comes too late."""
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    for module in ("problem", "proposals"):
        monkeypatch.setattr(f"ppnsim.explore.fifo.{module}.time", clock)
    problem = problem_of([chain(firings=9)])
    problem.ends = 10.0, "the 10 seconds are spent"

    took = iter([4.0, 1.0, 2.0])

    def cheapest(seconds: float) -> Proposal:
        now[0] += next(took)
        return Proposal((1, 1), round(seconds))

    cover = Mock(cheapest=cheapest)
    proposals = Proposals(problem)
    told = [proposals.cheapest(cover) for _ in range(3)]
    assert [each.lower for each in told if each] == [10, 6, 5]
    with pytest.raises(OutOfBudget, match="the 10 seconds are spent"):
        proposals.cheapest(cover)
    assert now[0] == 7.0  # 3 seconds are left, and one took 4


def test_a_front_that_nobody_limits_limits_itself_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newcomer waits for seconds, not for minutes, and learns how to wait for longer."""
    monkeypatch.setattr("ppnsim.explore.fifo.stop.FRONT", 0)
    cut = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    [gap] = cut.run().gaps
    words = "the 0 seconds of a front are spent (--seconds N gives it more): points between these costs may be missing"
    assert (gap.question, gap.not_searched, gap.lower, gap.upper) == ("front", words, 4, 19)
    assert "lossless" in cut.answers.found
    assert cut.problem.ends is None  # what is run after the search has no limit
    whole = FifoSizing(problem=problem_of([fork_join(firings=20)]), stop=Stop(seconds=60))
    assert not whole.run().gaps


def test_two_hundred_cuts_apart_from_each_other_add_up_without_a_call_for_each() -> None:
    pairs = 200
    problem = problem_of([chain(firings=4, length=2 * pairs + 1)])
    cover = Cover(problem, problem.largest())
    cover.add([cut_below((None,) * 2 * n + (1, 1) + (None,) * 2 * (pairs - 1 - n), None) for n in range(pairs)])
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 120)
    try:
        found = cover.cheapest()
    finally:
        sys.setrecursionlimit(usual)
    assert found is not None
    assert sum(found.vector) == found.lower == 3 * pairs


def test_a_few_runs_tell_that_a_burst_needs_room_for_all_of_its_tokens() -> None:
    burst = Network(
        processes=[Process(name="source", firings=4), Process(name="sink", firings=4 * 300)],
        channels=[Channel(name="c", source="source", target="sink", tokens=Rates((300,), (1,)))],
    )
    problem = problem_of([burst], objective="period")
    found = FifoSizing(problem=problem, with_front=False).run().found
    assert found["deadlock_free"].vector == (300,)
    assert problem.evaluated < 40  # each token more shows another circle of waits


def test_the_budget_that_is_spent_is_named() -> None:
    found = answers(fork_join(firings=20), budget=7)
    assert {gap.not_searched.split(":")[0] for gap in found.gaps} == {"the budget of 7 vectors is spent"}
    assert not found.found["lossless"].certified


@pytest.mark.parametrize("shared", [False, True])
def test_an_early_interrupt_keeps_depths_that_work(shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    network = fork_join(firings=20)
    if shared:  # not monotone any more: all vectors are run
        processes = [replace(process, resource="unit") for process in network.processes]
        network = network.replace(resources={"unit": 1}, processes=processes)
    sizing = FifoSizing(problem=problem_of([network]))
    evaluated = Problem.values
    stops = [12 if shared else 6]

    def interrupted(problem: Problem, vector: tuple[int | None, ...]) -> object:
        if problem.evaluated in stops:
            stops.clear()
            raise KeyboardInterrupt
        return evaluated(problem, vector)

    monkeypatch.setattr(Problem, "values", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sizing.run()
    gap, lossless = sizing.answers.gaps[0], sizing.answers.found["lossless"]
    assert (gap.question, gap.not_searched, gap.upper) == ("lossless", "interrupted", lossless.cost)
    assert gap.lower is not None
    assert gap.lower < lossless.cost
    assert lossless.time == sizing.answers.unbounded[0]
    assert not lossless.certified
    assert not shared or not lossless.one_less  # what only stands in until the first vectors are run costs one run


def test_the_starts_of_a_scheduled_process_cost_no_work() -> None:
    tasks = [
        Process.scheduled(name=name, steps=60_000, start_steps=StepList(((0, 1, 50_000),)))
        for name in ("source", "sink")
    ]
    accesses = StepList(((9, 400, 100),))
    channel = Channel(name="c", source="source", target="sink", write_steps=accesses, read_steps=accesses)
    problem = problem_of([Network(processes=tasks, channels=[channel])])
    found = FifoSizing(problem=problem).run().found["lossless"]
    assert sum(problem.networks[0].passings_of(name) for name in ("source", "sink")) < 250
    assert (found.vector, found.time) == ((1,), run(Network(processes=tasks, channels=[channel])).finish)


def test_what_one_token_less_does_is_not_said_if_it_was_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told as "-", as of a FIFO that cannot be smaller."""
    for runs, count in ((3_000_000, 0), (10, 3)):
        monkeypatch.setattr("ppnsim.explore.fifo.answers._LESS", runs)
        told = str(size(fork_join(firings=20), limits={"long_in": (2, 9)}, front=False))
        assert told.count("not run") == count
        assert "long_in 2 2 -" in " ".join(told.split())
