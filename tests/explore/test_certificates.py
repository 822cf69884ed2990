"""Certificates of sizes: every inequality that a search used, against runs by the definition of time."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.answers import Answers, goals_of
from ppnsim.explore.fifo.cuts import Cut, Reach, cut_of
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.problem import worst
from ppnsim.explore.fifo.search import GuidedSearch
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.fifo.stop import Stop
from ppnsim.explore.fifo.tracing import WayBack
from ppnsim.explore.fifo.walks import Lap, WalkCuts, _pace
from ppnsim.model.builders import fork_join
from ppnsim.model.designs import fft, image_pipeline, residual, systolic, transformer
from ppnsim.model.network import Channel, Network, Process
from tests.helpers.strategies import networks

DESIGNS = {
    "residual": residual(blocks=3, firings=60),
    "residual, frozen": residual(blocks=2, firings=60, style="frozen"),
    "transformer": transformer(layers=1, heads=2, firings=60),
    "fft": fft(points=8, firings=40),
    "systolic": systolic(rows=3, columns=4, firings=30),
    "image": image_pipeline(stages=1, width=6, rows=4, images=3),
}


def searched(network: Network, *, with_front: bool = True) -> GuidedSearch:
    problem = problem_of([network], budget=3000)
    answers = Answers(unbounded=problem.unbounded)
    search = GuidedSearch(problem, answers)
    if worst(answers.unbounded) is not None:
        search.run(goals_of(answers.unbounded, None), [], with_front=with_front)
    return search


def check_cuts(search: GuidedSearch, *, each: int) -> int:
    """Run depths just outside every cut, all other FIFOs as deep as counts: none may end before the cut says."""
    problem, drawn, checked = search.problem, random.Random(1), 0
    most = problem.largest()
    network = problem.networks[0]
    for cut in search._cuts:
        variables = sorted({reach.variable for reach, _ in cut.terms})
        for _ in range(each):
            vector = list(most)
            for variable in variables:
                vector[variable] = drawn.randint(problem.low[variable], most[variable])
            while cut.holds(tuple(vector)):
                lower = [variable for variable in variables if vector[variable] > problem.low[variable]]
                if not lower:
                    break
                variable = drawn.choice(lower)
                vector[variable] = max(problem.low[variable], vector[variable] - drawn.choice([1, 1, 7]))
            else:
                for variable in drawn.sample(variables, len(variables)):
                    while vector[variable] < most[variable]:
                        vector[variable] += 1
                        if cut.holds(tuple(vector)):
                            vector[variable] -= 1
                            break
                depths = problem.depths(tuple(vector))
                finish = run(network, engine="des", depths=depths, on_deadlock="return").finish
                assert finish is None or (cut.beyond is not None and finish >= cut.beyond), (cut, vector, finish)
                checked += 1
    return checked


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=20, max_processes=4))
def test_what_breaks_a_cut_is_as_late_as_it_says(network: Network) -> None:
    assume(1 <= len(network.channels) <= 5)
    check_cuts(searched(network), each=3)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks(styles=["elastic", "frozen"], resources=False, max_firings=24, max_processes=5))
def test_what_breaks_a_cut_is_as_late_as_it_says_in_a_thousand_networks(network: Network) -> None:
    assume(1 <= len(network.channels) <= 6)
    check_cuts(searched(network), each=4)


def check_cuts_of_the_period(network: Network) -> None:
    """Draw vectors that break a cut of a search for the period, and run them."""
    assume(1 <= len(network.channels) <= 5)
    assume(Repetition.of(network) is not None)
    try:
        problem = problem_of([network], objective="period", budget=3000)
        unbounded = problem.unbounded
    except InputError:
        assume(False)
        raise
    assume(worst(unbounded) is not None)
    search = GuidedSearch(problem, Answers(unbounded=unbounded))
    search.run(goals_of(unbounded, None), [], with_front=True)
    drawn = random.Random(1)
    for cut in search._cuts:
        for _ in range(4):
            vector = tuple(low + drawn.randint(0, 8) for low in problem.low)
            if not cut.holds(vector):
                period = worst(problem.values(vector))
                assert period is None or (cut.beyond is not None and period >= cut.beyond), (cut, vector, period)


_PERIODIC = networks(styles=["elastic", "frozen"], resources=False, max_firings=12, max_processes=4)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(_PERIODIC)
def test_what_breaks_a_cut_of_the_period_is_as_slow_as_it_says(network: Network) -> None:
    check_cuts_of_the_period(network)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(_PERIODIC)
def test_what_breaks_a_cut_of_the_period_is_as_slow_as_it_says_in_hundreds_of_networks(network: Network) -> None:
    check_cuts_of_the_period(network)


@pytest.mark.parametrize("name", DESIGNS)
def test_cuts_of_designs_hold_and_nothing_had_to_be_tried(name: str) -> None:
    search = searched(DESIGNS[name], with_front=False)
    found = search.answers.found["lossless"]
    assert found.certified
    assert search.separation.tried == 0
    assert check_cuts(search, each=2) > 0
    network = search.problem.networks[0]
    assert run(network, engine="des", depths=search.problem.depths(found.vector)).finish == found.time


@pytest.mark.parametrize("name", ["residual", "image"])
def test_what_a_walk_proves_is_about_runs_that_miss_the_goal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[Time | None, int | float]] = []
    cuts = WalkCuts.cuts

    def noted(self: WalkCuts, walk: WayBack, limit: int | float) -> list[Cut]:
        found = cuts(self, walk, limit)
        told.extend((cut.beyond, limit) for cut in found)
        return found

    monkeypatch.setattr(WalkCuts, "cuts", noted)
    searched(DESIGNS[name])
    assert told
    assert all(beyond is None or beyond > limit for beyond, limit in told)


def test_a_proof_leaves_out_first_what_takes_fewest_cycles_an_iteration() -> None:
    """Of four hops that go back 1, 2, 0 and 0 iterations; what goes back none is as slow as can be."""
    cycle, shift, none = np.array([20, 15, 9, 4, 1]), np.array([1, 2, 0, 0]), np.zeros(4, dtype=np.int64)
    walk = WayBack(moment=np.arange(5), cycle=cycle, slot=none, by=none)
    laps = [Lap(2, 4, (2, 3)), Lap(3, 4, (3,)), Lap(0, 1, (0,)), Lap(1, 2, (1,))]
    paces = {lap: _pace(walk, lap, shift) for lap in laps}
    assert list(paces.values()) == [(inf, 2), (inf, 1), (5.0, 1), (3.0, 1)]


def test_slots_that_nobody_frees_are_known_without_a_trial() -> None:
    """Nine tokens are written and five read: four stay, and with less room the last writes never happen."""
    left = Channel(name="c", source="a", target="b")
    network = Network(
        processes=[Process(name="a", firings=9, latency=2), Process(name="b", firings=5)], channels=[left]
    )
    search = searched(network)
    assert search.answers.found["deadlock_free"].vector == (4,)
    assert search.separation.tried == 0
    deadlocks = [cut for cut in search._cuts if cut.beyond is None]
    assert [any(not cut.holds((depth,)) for cut in deadlocks) for depth in range(1, 6)] == [True] * 3 + [False] * 2


def test_a_rounded_inequality_is_divided_by_its_largest_counts_and_stays_true() -> None:
    reaches = [Reach(number, 1, 0) for number in range(4)]
    found = cut_of(dict(zip(reaches, (7, 5, 3, 2), strict=True)), 50, None, 0, (1, 1, 1, 1))
    # At (1, 1, 1, 1) the left side is 17, of 50: what is missing is divided and rounded up, as the counts are.
    assert [([count for _, count in cut.terms], cut.least) for cut in found] == [
        ([1, 1, 1, 1], 4 + 5), ([2, 1, 1, 1], 5 + 7), ([3, 2, 1, 1], 7 + 11), ([7, 5, 3, 2], 50),
    ]  # fmt: skip
    for vector in product(range(1, 10), repeat=4):
        if 7 * vector[0] + 5 * vector[1] + 3 * vector[2] + 2 * vector[3] >= 50:
            assert all(cut.holds(vector) for cut in found)


@pytest.mark.parametrize("name", ["residual", "transformer", "fft"])
def test_every_fifo_that_is_deeper_than_it_could_be_is_in_an_inequality_without_spare(name: str) -> None:
    problem = problem_of([DESIGNS[name]])
    lossless = FifoSizing(problem=problem, with_front=False).run().found["lossless"]
    assert all(cut.value(lossless.vector) == cut.least for cut in lossless.forced)
    assert {reach.variable for cut in lossless.forced for reach, _ in cut.terms} >= {
        index for index, depth in enumerate(lossless.vector) if depth > problem.low[index]
    }


def test_a_period_of_many_fifos_is_proven() -> None:
    problem = problem_of([residual(blocks=12)], objective="period")
    found = FifoSizing(problem=problem, with_front=False).run().found
    assert found["lossless"].certified
    finish = FifoSizing(problem=problem_of([residual(blocks=12)]), with_front=False).run().found["lossless"]
    assert (found["lossless"].cost, found["lossless"].time) == (finish.cost, 1)


def test_a_search_with_a_limit_of_time_alone_goes_on_to_the_proof() -> None:
    problem = problem_of([fork_join(firings=60)])
    found = FifoSizing(problem=problem, with_front=False, stop=Stop(seconds=1e6)).run().found["lossless"]
    exact = FifoSizing(problem=problem_of([fork_join(firings=60)]), with_front=False).run().found["lossless"]
    assert found.certified and (found.cost, found.time) == (exact.cost, exact.time)
    assert Stop() == Stop(within=0.0, seconds=None)


def test_near_enough_has_bounds_around_the_answer() -> None:
    problem = problem_of([fork_join(firings=200)])
    told: list[tuple[str, int, int | None]] = []
    FifoSizing(problem=problem, with_front=False, stop=Stop(within=0.5), bounds=lambda *told_: told.append(told_)).run()
    exact = FifoSizing(problem=problem_of([fork_join(firings=200)]), with_front=False).run().found["lossless"].cost
    assert all(
        lower <= exact and (upper is None or upper >= exact)
        for question, lower, upper in told
        if question == "lossless"
    )


def test_the_order_of_declaration_changes_no_cost() -> None:
    network = residual(blocks=2, firings=50)
    other = network.replace(
        processes=[replace(process) for process in reversed(network.processes)], channels=network.channels[::-1]
    )
    costs = [
        FifoSizing(problem=problem_of([each]), with_front=False).run().found["lossless"].cost
        for each in (network, other)
    ]
    assert costs[0] == costs[1]
