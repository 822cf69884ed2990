"""Fixes of deadlocks: they work, they are the smallest, and where none exists that is said."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings

import ppnsim
from ppnsim import Channel, Network, Process, Rates, fork_join
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.explore.explain import deadlock_fix
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.model.network import Style
from ppnsim.model.run import Run
from ppnsim.report.result import deadlock_result
from tests.helpers.strategies import networks


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_fix_of_the_frozen_fork_join_works_and_one_slot_less_does_not(depth: int) -> None:
    network = fork_join(firings=20, short_depth=depth, style="frozen")
    fix = fix_deadlock(run(network, on_deadlock="return"))
    assert fix.smallest
    assert not run(network, depths=fix.depths, on_deadlock="return").deadlocked
    for name, deeper in fix.depths.items():
        assert run(network, depths={**fix.depths, name: deeper - 1}, on_deadlock="return").deadlocked


@settings(max_examples=60, deadline=None)
@given(networks(styles=["elastic", "frozen"], resources=False))
def test_no_smaller_increase_breaks_the_deadlock(drawn: Network) -> None:
    # As tight as it gets: most networks then deadlock.
    network = drawn.with_depths(lambda channel: None if channel.depth is None else max(1, channel.initial))
    stuck = run(network, on_deadlock="return")
    assume(stuck.deadlocked)
    fix = fix_deadlock(stuck)
    if not fix.depths or fix.behind is not None:
        assert run(network.with_depths(lambda _: None), on_deadlock="return").deadlocked
        return
    assert not run(network, depths=fix.depths, on_deadlock="return").deadlocked
    bounded = {channel.name: channel.depth for channel in network.channels if channel.depth is not None}
    total = sum(depth - bounded[name] for name, depth in fix.depths.items())
    if not fix.smallest or (total + 1) ** len(bounded) > 300:
        return  # too many to try one by one
    for increase in product(range(total), repeat=len(bounded)):
        if sum(increase) < total:
            depths = {name: depth + more for (name, depth), more in zip(bounded.items(), increase, strict=True)}
            assert run(network, depths=depths, on_deadlock="return").deadlocked, depths


def test_a_circle_of_data_says_that_no_depth_helps() -> None:
    network = Network(
        processes=[Process(name="a", firings=3), Process(name="b", firings=3)],
        channels=[
            Channel(name="there", source="a", target="b", depth=2),
            Channel(name="back", source="b", target="a", depth=2),
        ],
    )
    stuck = run(network, on_deadlock="return")
    assert stuck.deadlock is not None
    assert [(wait.process, wait.channel) for wait in stuck.deadlock.cycle] == [("a", "back"), ("b", "there")]
    fix = fix_deadlock(stuck)
    assert str(fix) == (
        "no depth helps: the data itself goes round in a circle; "
        "initial = 1 on 'back' breaks it (checked by running it; what is computed changes: the first tokens read are "
        "none that was written): --initial back=1"
    )
    assert fix.initial == {"back": 1} and not fix.depths


def test_tokens_that_nobody_takes_any_more_are_the_whole_explanation() -> None:
    network = Network(
        processes=[Process(name="a", firings=6), Process(name="b", firings=2)],
        channels=[Channel(name="c", source="a", target="b", tokens=Rates((1,), (1,)), depth=2)],
    )
    stuck = run(network, on_deadlock="return")
    assert stuck.deadlock is not None
    assert str(stuck.deadlock) == (
        "deadlock at cycle 6 after 6 of 8 firings:\n  a  firing 4  waits for a slot in 'c' (2/2 full)"
    )
    fix = fix_deadlock(stuck)
    assert fix.depths == {"c": 4}
    assert fix.buried == {"c": (6, 2)} and not fix.deeper
    assert "'c' gets 6 tokens and 2 are read" in str(fix)


def test_a_flushable_fix_is_not_called_the_smallest() -> None:
    network = Network(
        processes=[
            Process(name="a", firings=6, style="flushable"),
            Process(name="b", firings=3, style="flushable"),
        ],
        channels=[Channel(name="c", source="a", target="b", tokens=Rates((1,), (2,)), depth=1)],
    )
    fix = fix_deadlock(run(network, on_deadlock="return"))
    assert fix.depths == {"c": 2}
    assert not fix.smallest
    assert str(fix).endswith(
        "; a smaller change may do, which no search proves with flushable processes or shared resources)"
    )


def test_a_fix_says_how_often_it_ran_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[None] = []

    def counted(*given: Any, **options: Any) -> Run:
        times.append(None)
        return run(*given, **options)

    stuck = run(fork_join(firings=20, short_depth=2, style="frozen"), on_deadlock="return")
    monkeypatch.setattr("ppnsim.explore.explain.deadlock_fix.run", counted)
    monkeypatch.setattr("ppnsim.explore.fifo.other_styles.run", counted)
    assert fix_deadlock(stuck).runs == len(times) > 1


def test_the_fix_of_a_frame_is_the_smallest_though_few_runs_are_affordable() -> None:
    # A frame of 700 lines with 640 pixels: `blur` gives its first pixel after a line and one pixel more.
    width, frame = 640, 640 * 700
    behind = width + 1
    network = Network(
        processes=[
            Process(name="tee", firings=frame),
            Process(name="blur", firings=frame + behind),
            Process(name="join", firings=frame),
        ],
        channels=[
            Channel(name="line", from_="tee", to="blur", consume=f"{frame} x 1, {behind} x 0", depth=2),
            Channel(name="blurred", from_="blur", to="join", produce=f"{behind} x 0, {frame} x 1", depth=2),
            Channel(name="original", from_="tee", to="join", depth=width // 2),
        ],
    )
    fix = fix_deadlock(run(network, on_deadlock="return"))
    assert fix.smallest and set(fix.depths) == {"original"}
    assert not run(network, depths=fix.depths, on_deadlock="return").deadlocked
    assert run(network, depths={"original": fix.depths["original"] - 1}, on_deadlock="return").deadlocked


@pytest.mark.parametrize("budget", [0, 1_000_000])
def test_a_fix_is_small_also_where_the_search_has_to_stop(budget: int) -> None:
    # A slow reduction of 64 to 1: 30 tokens behind it hold what 1765 before it do, which was the advice without budget.
    firings, reduced = 2048, 32
    network = Network(
        processes=[
            Process(name="a", firings=firings),
            Process(name="m", firings=reduced, ii=600),
            Process(name="b", firings=reduced),
        ],
        channels=[
            Channel(name="mid", from_="m", to="b", depth=1),
            Channel(name="near", from_="a", to="m", consume=64, depth=64),
            Channel(name="far", from_="a", to="b", produce=(0,) * (firings - reduced) + (1,) * reduced, depth=reduced),
        ],
    )
    fix = fix_deadlock(run(network, on_deadlock="return"), budget=budget)
    assert sum(fix.depths.values()) <= 110
    assert ("the search ended after" in str(fix)) == fix.stopped == (not budget)


def test_the_depths_of_a_long_run_are_lowered_in_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[tuple[int, ...]] = []

    def lowered(self: object, depths: tuple[int, ...]) -> tuple[int, ...]:
        ways.append(depths)
        self.budget = 0  # type: ignore[attr-defined]  # as after the first run of so many firings
        return depths

    monkeypatch.setattr(deadlock_fix._DepthSearch, "lowered", lowered)
    for longest, expected in ((10_000_000, 2), (100, 1)):
        ways.clear()
        monkeypatch.setattr(deadlock_fix, "_LONGEST", longest)
        stuck = run(fork_join(firings=20, short_depth=3, style="frozen"), on_deadlock="return")
        assert fix_deadlock(stuck, budget=0).stopped and len(ways) == expected


def test_a_circle_that_only_the_style_closes_is_told_as_that() -> None:
    """Frozen, `a` keeps its first firing in the pipeline as long as the second one waits for what that would start."""
    processes = [Process(name="a", firings=20, style="frozen"), Process(name="b", firings=20, latency=4)]
    channels = [Channel(name="c", source="a", target="b"), Channel(name="back", source="b", target="a", initial=1)]
    stuck = run(Network(processes=processes, channels=channels), on_deadlock="return")
    fix = fix_deadlock(stuck)
    assert (fix.depths, fix.styles) == ({}, ("flushable", "elastic"))
    assert "in style flushable or elastic it finishes" in str(fix)
    assert "with these pipeline styles" in str(ppnsim.size(stuck.network))


def two_deadlocks(style: Style) -> Network:
    """Return a fork and join whose short branch is too shallow for a frozen pipeline, and behind it a circle."""
    names = {"split": 1, "short": 1, "long": 12, "join": 1, "a": 1, "b": 1}
    ends = {
        "short_in": ("split", "short"), "short_out": ("short", "join"), "long_in": ("split", "long"),
        "long_out": ("long", "join"), "on": ("join", "a"), "ab": ("a", "b"), "ba": ("b", "a"),
    }  # fmt: skip
    processes = [
        Process(name=name, firings=20, latency=latency, style="elastic" if name in ("a", "b") else style)
        for name, latency in names.items()
    ]
    channels = [Channel(name=name, from_=one, to=two, depth=2) for name, (one, two) in ends.items()]
    return Network(name="two deadlocks", processes=processes, channels=channels)


def test_a_deadlock_behind_the_first_does_not_hide_the_depths_that_break_the_first() -> None:
    network = two_deadlocks("frozen")
    stuck = run(network, on_deadlock="return")
    fix = fix_deadlock(stuck)
    assert list(fix.depths) == ["short_out"] and fix.behind is not None and fix.behind.depths == {}
    again, less = (
        run(network.with_depths({"short_out": depth}), on_deadlock="return").deadlock
        for depth in (fix.depths["short_out"], fix.depths["short_out"] - 1)
    )
    assert again is not None and {wait.process for wait in again.cycle} == {"a", "b"}
    assert less is not None and {wait.process for wait in less.cycle} == {"split", "short", "long", "join"}
    words = f"; the next deadlock follows, at cycle {fix.behind_at} if no FIFO is full: no depth helps: the data itself"
    assert words in str(fix) and str(fix).startswith("'short_out' at depth ")
    told = deadlock_result(stuck, fix)
    assert told is not None and told["next"] == {"at": fix.behind_at, "explanation": str(fix.behind)}


def test_initial_tokens_behind_a_first_deadlock_are_tried_with_the_depths_that_break_it() -> None:
    fix = fix_deadlock(run(two_deadlocks("frozen"), on_deadlock="return"))
    assert fix.behind is not None and fix.behind.initial
    channels = [
        replace(each, initial=fix.behind.initial.get(each.name, 0)) for each in two_deadlocks("frozen").channels
    ]
    assert run(two_deadlocks("frozen").replace(channels=channels).with_depths(fix.depths)).finish


def test_a_circle_that_no_depth_helps_and_that_comes_first_is_no_second_one() -> None:
    fix = fix_deadlock(run(two_deadlocks("elastic"), on_deadlock="return"))
    assert fix.depths == {} and fix.behind is None


def test_another_style_is_told_where_deeper_fifos_help_too() -> None:
    network = fork_join(firings=20, short_depth=3, style="frozen")
    fix = fix_deadlock(run(network, on_deadlock="return"))
    assert fix.depths and fix.styles == ("flushable", "elastic")
    assert "in style flushable or elastic it finishes with its depths as they are" in str(fix)
    assert run(network.with_style("elastic")).finish


def test_flushable_pipelines_are_named_only_where_they_help() -> None:
    """Found by a search among small networks: of its frozen pipelines, flushable ones deadlock as well."""
    latencies = {"a": 1, "b": 7, "c": 1, "d": 2}
    processes = [Process(name=name, firings=8, latency=cycles, style="frozen") for name, cycles in latencies.items()]
    ends = {"ab": (3, 1, 1), "ac": (1, 1, 0), "ad": (3, 2, 2), "bc": (3, None, 0), "cd": (1, None, 0)}
    channels = [
        Channel(name=name, from_=name[0], to=name[1], depth=depth, from_offset=write, to_offset=read)
        for name, (depth, write, read) in ends.items()
    ]
    network = Network(processes=processes, channels=channels)
    finish = {style: run(network.with_style(style), on_deadlock="return").finish for style in ("flushable", "elastic")}
    assert finish["flushable"] is None and finish["elastic"]
    fix = fix_deadlock(run(network, on_deadlock="return"))
    assert fix.styles == ("elastic",) and "; in style elastic it finishes" in str(fix)


def test_a_run_of_many_channels_is_charged_for_them() -> None:
    narrow = fork_join(firings=20, short_depth=1, style="frozen")
    beside = [Process(name=f"p{n}", firings=1) for n in range(201)]
    channels = [Channel(name=f"c{n}", from_=f"p{n}", to=f"p{n + 1}") for n in range(200)]
    wide = narrow.replace(processes=[*narrow.processes, *beside], channels=[*narrow.channels, *channels])
    narrow_fix, wide_fix = (fix_deadlock(run(each, on_deadlock="return"), budget=24_000) for each in (narrow, wide))
    assert (narrow_fix.stopped, wide_fix.stopped) == (False, True)
    assert sum(wide_fix.depths.values()) >= sum(narrow_fix.depths.values())


@pytest.mark.parametrize("blocks", [True, False])
def test_a_long_network_that_stands_still_at_once_is_told_by_what_happened(blocks: bool) -> None:
    network = fork_join(firings=200_000_000, short_depth=3, style="frozen")
    stuck = run(network, on_deadlock="return", blocks=blocks)
    few = run(fork_join(firings=20, short_depth=3, style="frozen"), on_deadlock="return")
    assert stuck.deadlock is not None and few.deadlock is not None
    assert stuck.deadlock == replace(few.deadlock, firings=800_000_000)
    assert stuck.network == network
    assert stuck.recorded.network.passings < 200_000  # a tape that is tried


def test_a_long_circle_without_tokens_is_not_lowered_to_say_that_no_depth_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lowered: list[int] = []
    of = Program.of

    def noted(network: Network) -> Program:
        lowered.append(network.passings)
        return of(network)

    monkeypatch.setattr(Program, "of", noted)
    processes = [Process(name=name, firings=300_000_000, style="frozen") for name in "ab"]
    ends = [("to", "a", "b"), ("back", "b", "a")]
    circle = Network(processes=processes, channels=[Channel(name=x, source=a, target=b, depth=2) for x, a, b in ends])
    stuck = run(circle, on_deadlock="return")
    assert stuck.deadlock is not None
    assert (stuck.deadlock.at, stuck.deadlock.ended, stuck.deadlock.firings) == (0, 0, 600_000_000)
    assert "no depth helps" in str(fix_deadlock(stuck))
    assert lowered
    assert max(lowered) < 200_000
