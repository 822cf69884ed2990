"""When accesses were due: what is in flight in a pipeline that stands still, and which of it stands in the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ppnsim import Channel, Network, Process, Rates, run
from ppnsim.model.waits import beats_in_flight, due_cycles, ii_over, readable_from, writable_from


def stuck(latency: Any, **of_p: Any) -> Network:
    """P fills a channel to q, which waits for r, which waits for a later firing of p."""
    return Network(
        processes=[
            Process(name="p", firings=4, latency=latency, **({"style": "flushable"} | of_p)),
            Process(name="q", firings=4), Process(name="r", firings=2),
        ],
        channels=[
            Channel(name="c", source="p", target="q", depth=1),
            Channel(name="d", source="p", target="r", tokens=Rates(1, 2)),
            Channel(name="b", source="r", target="q", tokens=Rates(2, 1)),
        ],
    )  # fmt: skip


def test_what_is_in_flight_in_a_flushable_pipeline_leaves_in_order() -> None:
    """A quick firing behind a slow one is due a beat after it, though alone it would be done before."""
    found = run(stuck((1, 5, 1, 1)), on_deadlock="return")
    assert found.timeline.passed["p"].tolist() == [[0, 1, 2, 3], [1, -1, -1, -1]]
    # Firing 1 started in beat 1 and takes 5; those behind it follow one beat apart.
    assert beats_in_flight(found.timeline, "p") == {(1, 1): 6, (2, 1): 7, (3, 1): 8}
    assert found.deadlock is not None
    assert {wait.process: wait.firing for wait in found.deadlock.cycle} == {"p": 1, "q": 0, "r": 0}
    assert due_cycles(found.timeline, "p")[1, 1] == found.timeline.holds["p"][-1, 0]


def test_a_slow_firing_behind_a_quick_one_takes_its_own_time() -> None:
    found = run(stuck((5, 5, 8, 2)), on_deadlock="return")
    assert beats_in_flight(found.timeline, "p") == {(1, 1): 6, (2, 1): 10, (3, 1): 11}


def test_a_run_that_ended_has_nothing_in_flight() -> None:
    network = stuck((1, 5, 1, 1)).with_depths({"c": 2})
    assert not run(network).deadlocked
    assert beats_in_flight(run(network).timeline, "p") == {}


@pytest.mark.parametrize("style", ["elastic", "flushable", "frozen"])
def test_starts_are_due_an_interval_apart(style: str) -> None:
    network = Network(processes=[Process(name="p", firings=3, ii=2, latency=4, style=style)])  # type: ignore[arg-type]
    assert ii_over(run(network).timeline, "p").tolist() == [0, 2, 4]


def test_cycles_in_which_a_pipeline_is_held_count_for_no_interval() -> None:
    """Q reads a token every five cycles: p is held with a full channel, and its interval waits with it."""
    network = Network(
        processes=[
            Process(name="p", firings=4, ii=2, latency=1, style="flushable"), Process(name="q", firings=4, ii=5)
        ],
        channels=[Channel(name="c", source="p", target="q", depth=1)],
    )  # fmt: skip
    timeline = run(network).timeline
    passed, holds = timeline.passed["p"].tolist(), timeline.holds["p"].tolist()
    assert passed == [[0, 2, 4, 9], [1, 3, 8, 13]]
    assert holds == [[5, 8], [10, 13]]
    # Firing 3 was due 2 cycles after the start at 4; one of them was before the hold, whose 3 it sat out.
    assert ii_over(timeline, "p").tolist() == [0, 2, 4, 9]


def test_tokens_and_slots_of_rates_are_there_when_the_last_of_them_is() -> None:
    """Q reads two tokens that p writes three cycles apart; p finds a slot when q has freed it."""
    base = Network(
        processes=[Process(name="p", firings=4, ii=3, latency=1), Process(name="q", firings=2, latency=1)],
        channels=[Channel(name="c", source="p", target="q", tokens=Rates(1, 2), depth=2)],
    )
    timeline = run(base).timeline
    writes = timeline.passed["p"][-1]
    assert writes.tolist() == [1, 4, 7, 10]
    assert readable_from(timeline, "c").tolist() == [5, 11]  # a token can be read a cycle after its write
    assert writable_from(timeline, "c").tolist() == [0, 0, 6, 6]
    unbounded = replace(base, channels=(replace(base.channels[0], depth=None),))
    assert writable_from(run(unbounded).timeline, "c").tolist() == [0] * 4
    initial = replace(base.channels[0], initial=2, depth=3)
    shifted = run(
        replace(base, processes=(base.processes[0], replace(base.processes[1], firings=3)), channels=(initial,))
    )
    assert readable_from(shifted.timeline, "c").tolist() == [0, 5, 11]
