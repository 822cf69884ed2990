"""Tries for a period cost little beside the run that follows them, and nothing that they would find is lost."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from ppnsim.engines.compiled import early_period, engine, generated, trials
from ppnsim.engines.compiled.budget import Budget, pay_beside
from ppnsim.engines.compiled.completion import evaluate_all
from ppnsim.engines.compiled.engine import run_cut_short
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import DONE, Tape
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import check_fast_forward, run
from ppnsim.model.builders import chain
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.steady import Steady
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import summary_of
from ppnsim.model.tokens import Rates
from ppnsim.report.result import run_result
from tests.engines.test_evaluate import repeating_networks, search

WORK = {"elastic": 1, "flushable": 3, "frozen": 8}  # as measured: of a passing by the general kernel
IN_ROUNDS = {"elastic": 2, "flushable": 3, "frozen": 2}  # and in the rounds of a long run
DEARER, FREE = 4, 1_000_000  # as measured: what a tried passing costs beside a plain one, and what may be lost always


def fork(firings: int) -> Network:
    """Return a fork and join whose FIFOs fill for ever: one branch is slower than the source, the other slower."""
    iis = {"source": 1, "two": 2, "three": 3, "join": 1}
    ends = [("source", "two"), ("source", "three"), ("two", "join"), ("three", "join")]
    return Network(
        processes=[Process(name=name, firings=firings, ii=ii) for name, ii in iis.items()],
        channels=[Channel(name=f"c{number}", source=a, target=b) for number, (a, b) in enumerate(ends)],
    )


def multirate(iterations: int) -> Network:
    processes = [("a", 2, 1), ("b", 3, 2), ("c", 1, 7)]
    return Network(
        processes=[Process(name=name, firings=each * iterations, ii=ii) for name, each, ii in processes],
        channels=[
            Channel(name="x", source="a", target="b", tokens=Rates((3,), (2,))),
            Channel(name="y", source="b", target="c", tokens=Rates((1,), (3,))),
        ],
    )


NEVER_REPEAT = {
    "unbounded": lambda passings: chain(firings=passings // 3, ii=(1, 3, 1), depth=None),
    "deep": lambda passings: chain(firings=passings // 3, ii=(1, 3, 1), depth=passings),
    "each slower": lambda passings: chain(firings=passings // 4, length=4, ii=(1, 2, 3, 4), depth=None),
    "fork and join": lambda passings: fork(passings // 4),
    "multirate": lambda passings: multirate(passings // 6),
}


def doubled(repetition: Repetition, tape: Tape, turns: int) -> list[int]:
    """Return after how many iterations to look if that cost nothing."""
    del tape, turns
    return [32 << number for number in range(20) if 32 << number < repetition.iterations // 2]


@pytest.mark.parametrize("name", NEVER_REPEAT)
@pytest.mark.parametrize("passings", [600_000, 12_000_000, 90_000_000])
@pytest.mark.parametrize("apart", [False, True])
def test_tries_in_vain_cost_a_tenth_of_the_run_at_most(
    monkeypatch: pytest.MonkeyPatch, name: str, passings: int, apart: bool
) -> None:
    made: list[int] = []

    class Counted(Tapes):
        def __init__(self, network: Network, *args: Any) -> None:
            made.append(network.passings)
            super().__init__(network, *args)

    monkeypatch.setattr(trials, "Tapes", Counted)
    monkeypatch.setattr(Trials, "_apart", lambda *_: None)
    network = NEVER_REPEAT[name](passings).checked()
    tries = Trials(network, apart=apart, budget=Budget(network.passings))
    assert tries.cut_short({channel.name: channel.depth for channel in network.channels}) is None
    assert len(made) > 5  # cheap ones are tried
    assert made == sorted(made) or apart
    assert tries.budget.spent == sum(made)
    assert DEARER * sum(made) <= FREE + network.passings // 10


def test_a_search_does_not_pay_for_the_same_tries_in_vain_again_and_again() -> None:
    network = chain(firings=1_000_000, ii=(1, 3, 1), depth=None).checked()
    tries = Trials(network, apart=False, budget=Budget(network.passings))
    for vector in range(1, 30):
        assert tries.cut_short({"c0": None, "c1": vector}) is None
        assert DEARER * tries.budget.spent <= FREE + vector * network.passings // 10


def test_tries_that_find_a_period_pay_for_themselves() -> None:
    budget = Budget(1_000_000)
    for _ in range(100):
        budget.spent += 250_000  # a million of a plain run, as the run itself
        budget.settle(budget.spent - 250_000, in_vain=False)
    assert (budget.spent, budget.allows(125_000)) == (0, True)


def test_a_long_run_that_repeats_soon_is_cut_short_as_before() -> None:
    for firings in (10**9, 10**12):
        found = run(chain(firings=firings, depth=1), engine="compiled")
        assert found.left_out is not None
        assert found.recorded.network.passings < 1000
        assert Evaluator(chain(firings=firings, ii=(1, 3, 1), depth=None)).finish() == 3 * firings + 10


@pytest.mark.parametrize("depth", [40_000, 100_000])
def test_a_period_that_shows_late_is_told_and_left_out(depth: int) -> None:
    network = chain(firings=666_667, ii=(1, 3, 1), depth=depth)
    found = run(network, engine="compiled")
    assert found.steady is not None
    assert (found.steady.iterations, found.steady.cycles) == (1, 3)
    assert found.steady == Evaluator(chain(firings=1_000, ii=(1, 3, 1), depth=depth)).steady() or depth > 65_536
    assert 2 * found.recorded.network.passings < network.passings
    check_fast_forward(found)


@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
@pytest.mark.parametrize("firings", [20_000, 600_000, 6_000_000])
def test_a_period_is_found_whoever_looks_for_it(style: Style, firings: int) -> None:
    """Late on a short tape, early on a longer one that a table may walk, and on tapes of its own."""
    found = run(chain(firings=firings, ii=(1, 3, 1), depth=300, style=style), engine="compiled")
    assert found.steady == Steady(1, 3, since=452)
    assert found.finish == 3 * firings + 10
    # No more than can be walked in the time that a tape takes to make (`Budget.of_one_run`), or as looks may cost.
    assert found.recorded.network.passings < (10_000 if firings < 600_000 else 65_000)


@pytest.mark.parametrize("look", ["early", "late"])
@settings(search, max_examples=60)
@given(network=repeating_networks())
def test_a_run_cut_on_its_own_tape_is_the_whole_run(look: str, network: Network) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Trials, "cut_short", lambda *_: None)
        patch.setattr(engine, "pay_beside", lambda _: False)
        if look == "early":
            patch.setattr(early_period, "looks_at", doubled)
        else:
            patch.setattr(engine, "look_early", lambda *_, **__: None)
        found = run(network, engine="compiled", on_deadlock="return")
    whole = run(network, engine="compiled", on_deadlock="return", fast_forward=False)
    assert (found.finish, found.stopped) == (whole.finish, whole.stopped)
    assert found.timeline == whole.timeline
    assert run_result(summary_of(found), file="") | {"steady": None} == run_result(summary_of(whole), file="")
    if found.left_out is not None:
        # What is recorded is what the shorter network does, run by itself.
        short = run(found.recorded.network, engine="compiled", fast_forward=False)
        assert short.timeline == found.recorded
        before = run_cut_short(network)
        assert before is None or before.steady == found.steady


@pytest.mark.parametrize("look", ["trials", "early", "late"])
def test_stops_behind_the_last_start_of_a_run_drain_only_in_the_last_run(
    monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    ends = [Process.scheduled(name="a", steps=6, runs=500), Process(name="b", firings=500)]
    channel = Channel(name="c", source="a", target="b", write_steps=StepList((3,)), depth=4)
    network = Network(processes=ends, channels=[channel])
    if look != "early":
        monkeypatch.setattr(engine, "look_early", lambda *_, **__: None)
    monkeypatch.setattr(early_period, "looks_at", doubled)
    found = run_cut_short(network) if look == "trials" else run(network, engine="compiled")
    assert found is not None
    assert found.left_out is not None
    counted = summary_of(found).processes["a"].cycles
    assert counted == summary_of(run(network, engine="des")).processes["a"].cycles
    assert counted.draining == 5


@pytest.mark.parametrize("name", NEVER_REPEAT)
@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
@pytest.mark.parametrize("passings", [100_000, 400_000, 1_500_000])
def test_looks_in_vain_cost_a_small_part_of_the_run(
    monkeypatch: pytest.MonkeyPatch, name: str, style: Style, passings: int
) -> None:
    network = NEVER_REPEAT[name](passings).with_style(style)
    if pay_beside(network):
        pytest.skip("tried on other tapes")
    looked: list[tuple[int, int]] = []

    def counted(tape: Tape) -> bool:
        before = int(tape.nodes[:, DONE].sum())
        found = evaluate_all(tape)
        looked.append((before, int(tape.nodes[:, DONE].sum())))
        return found

    monkeypatch.setattr(engine, "Trials", None)
    monkeypatch.setattr(early_period, "evaluate_all", counted)
    outcome = run(network, engine="compiled", on_deadlock="return")
    assert outcome.left_out is None
    steps = [len(rows) for rows in outcome.timeline.passed.values()]
    on_tape, nodes = sum(steps) / len(steps) * network.passings, sum(steps)
    in_vain = sum(after for _, after in looked)
    if style == "elastic":  # nothing is evaluated a second time
        assert [before for before, _ in looked] == [0, *(after for _, after in looked[:-1])][: len(looked)]
        in_vain = looked[-1][1] if looked and on_tape >= 3_000_000 else 0  # rounds would do that faster
    by_rounds = on_tape >= 3_000_000
    run_work = on_tape * (IN_ROUNDS if by_rounds else WORK)[style]
    dearest = max(WORK[style], IN_ROUNDS[style])
    one_in = 30 if by_rounds else 20
    assert one_in * (len(looked) * (100_000 + 250 * nodes) + in_vain * dearest) <= run_work
    # Looks that are paid for are made, with two thirds of it where they evaluate something anew.
    share = 2 / 3 if by_rounds or style != "elastic" else 1
    assert bool(looked) == (share * run_work >= one_in * (100_000 + 250 * nodes))


@pytest.mark.parametrize(("depth", "firings"), [(2, 100_000), (20, 260_000), (300, 350_000), (None, 350_000)])
def test_a_run_whose_fifos_are_shallow_takes_longer_and_pays_for_a_look_sooner(
    monkeypatch: pytest.MonkeyPatch, depth: int | None, firings: int
) -> None:
    looks: list[list[int]] = []

    looks_at = early_period.looks_at

    def noted(*of: Any) -> list[int]:
        looks.append(looks_at(*of))
        return looks[-1]

    for fewer in (0, firings // 4):
        network = chain(firings=firings - fewer, ii=(1, 3, 1), depth=depth)
        with monkeypatch.context() as patch:
            patch.setattr(early_period, "looks_at", noted)
            run(network, engine="compiled")
    assert [len(each) for each in looks] == [1, 0]


@pytest.mark.parametrize("by", ["kernel", "table", "generated code"])
def test_a_run_goes_on_from_what_a_look_has_evaluated(monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """Rounds begin where the last look has ended, also where that is before their first one or behind their last."""
    network = multirate(3_000).with_depths({"x": 7, "y": None})
    whole = run(network, engine="des")
    monkeypatch.setattr(early_period, "find_period", lambda *_: (0, 0, 0, 0))
    monkeypatch.setattr(generated, "_PAYS_BY_TABLE", 10**9 if by == "kernel" else 0)
    monkeypatch.setattr(generated, "_PAYS", 0 if by == "generated code" else 10**9)
    for first in (1, 32, 1400):
        monkeypatch.setattr(early_period, "looks_at", lambda *_, first=first: [first, 2 * first])
        assert run(network, engine="compiled").timeline == whole.timeline


def test_a_run_shorter_than_one_iteration_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_period, "looks_at", doubled)
    seldom = Channel(name="c", source="a", target="b", tokens=Rates((1,), (1,) + (0,) * 9), depth=2)
    network = Network(processes=[Process(name="a", firings=1), Process(name="b", firings=3)], channels=[seldom])
    assert run(network, engine="compiled").finish == run(network, engine="des").finish


def test_tries_for_one_run_are_as_many_as_a_thirtieth_of_it_pays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tape takes as long to make as 120 000 passings of the run, and 12 000 for each process and channel.

    By table as 36 000 in all. A passing tried costs two of the run.
    """
    tried: list[tuple[int, bool]] = []
    tapes: list[int] = []
    spend, making = Budget.spend, Tapes.__init__

    def noted(budget: Budget, passings: int, *, made: bool) -> None:
        tried.append((passings, made))
        spend(budget, passings, made=made)

    def counted(tape: Tapes, network: Network) -> None:
        tapes.append(network.passings)
        making(tape, network)

    monkeypatch.setattr(Budget, "spend", noted)
    monkeypatch.setattr(Tapes, "__init__", counted)
    for iterations in (195_000, 525_000, 1_950_000):
        tried.clear()
        tapes.clear()
        network = multirate(iterations)
        assert run_cut_short(network, sparing=True) is None
        assert [made for _, made in tried] == [False, True, *[False] * (len(tapes) - 1)]
        assert 36_000 * len(tapes) + 2 * sum(passings for passings, _ in tried) <= network.passings / 30
        # The first iterations are tried first; then all on the tape, which took as long to make as to walk.
        assert [tried[0][0], *[passings for passings, made in tried if not made][1:]] == [384, *tapes[1:]]
        assert tried[1][0] == pytest.approx(tapes[0], abs=12)
        assert tapes[0] == pytest.approx(18_000 if iterations > 195_000 else 1_116, abs=12)
        assert all(later >= 2 * before - 12 for before, later in pairwise(tapes))
    assert len(tapes) == 3
    assert not pay_beside(multirate(170_000))
