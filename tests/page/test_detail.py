"""The window of the picture beside an overview: a few hundred cycles around the bottleneck, or before a deadlock."""

from __future__ import annotations

import pytest

from ppnsim import Channel, Network, Process, run
from ppnsim.page.excerpt import detail_of


@pytest.mark.parametrize(
    ("view", "detail"),
    [
        ((0, 2001), (850, 1150)),  # p starts from 0 to 2000: half of the detail on each side of 1000
        ((0, 200), (0, 200)), ((1900, 2001), (1900, 2001)), ((0, 400), (50, 350)), ((1500, 2001), (1600, 1900)),
    ],
)  # fmt: skip
def test_the_detail_lies_in_the_middle_of_what_the_busiest_does(view: tuple[int, int], detail: tuple[int, int]) -> None:
    long = run(Network(processes=[Process(name="p", firings=1001, ii=2, latency=1)]), engine="des")
    assert detail_of(long, view) == detail


def test_of_a_deadlock_the_end_is_shown() -> None:
    """R never gets its token back, after p has run 1000 cycles."""
    stuck = Network(
        processes=[Process(name="p", firings=1000), Process(name="q", firings=1), Process(name="r", firings=1)],
        channels=[Channel(name="a", source="q", target="r"), Channel(name="b", source="r", target="q")],
    )
    found = run(stuck, on_deadlock="return")
    assert found.deadlocked and found.stopped >= 1000
    assert detail_of(found, (0, found.stopped)) == (found.stopped - 300, found.stopped)
