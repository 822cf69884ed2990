"""Sizes for a period against brute force over every vector of a box of depths, in tokens, bits and blocks of memory."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ppnsim.engines.run import run
from ppnsim.explore.fifo.cost import cost_of
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.tokens import Rates
from tests.helpers.by_seed import by_seed

_LATER = (240, 1080, 1920)  # graph iterations; 840 is a multiple of all numbers up to 8
_MOST_VECTORS = 60


@by_seed
def graphs(draw: st.DrawFn) -> tuple[Network, dict[str, tuple[int, int]]]:
    """Draw a connected graph with rates, one iteration long, and the depths that its channels may have."""
    style: Style = draw(st.sampled_from(["elastic", "frozen"]))
    counts = [draw(st.sampled_from([1, 1, 2, 3])) for _ in range(draw(st.integers(2, 4)))]
    processes = [
        Process(name=f"p{i}", firings=count, ii=draw(st.integers(1, 4)), latency=draw(st.integers(0, 6)), style=style)
        for i, count in enumerate(counts)
    ]
    ends = [(draw(st.integers(0, i - 1)), i) for i in range(1, len(counts))]
    if len(counts) > 2 and draw(st.booleans()):
        ends.append((0, len(counts) - 1))
    if draw(st.booleans()):
        ends.append((len(counts) - 1, 0))
    channels, limits = [], {}
    for number, (source, target) in enumerate(ends):
        tokens = lcm(counts[source], counts[target])
        produce, consume = tokens // counts[source], tokens // counts[target]
        initial = draw(st.integers(tokens, 2 * tokens + 2)) if source > target else 0
        channel = Channel(
            name=f"c{number}", source=f"p{source}", target=f"p{target}", tokens=Rates(produce, consume),
            initial=initial, width=draw(st.sampled_from([1, 32, 100])),
        )  # fmt: skip
        low = max(1, initial) + draw(st.integers(0, 3))
        limits[channel.name] = low, low + draw(st.integers(0, 5))
        channels.append(channel)
    assume(prod(high - low + 1 for low, high in limits.values()) <= _MOST_VECTORS)
    return Network(processes=processes, channels=channels).checked(), limits


def period_of(network: Network, depths: dict[str, int]) -> Fraction | None:
    """Return the cycles per iteration that long runs come to, None for a deadlock, by nothing that the search uses."""
    finishes = []
    for iterations in _LATER:
        processes = [
            Process(
                name=each.name, firings=each.firings * iterations, ii=each.ii, latency=each.latency, style=each.style
            )
            for each in network.processes
        ]
        longer = network.replace(processes=processes).with_depths(depths)
        finish = run(longer, engine="compiled", on_deadlock="return", fast_forward=False).finish
        if finish is None:
            return None
        finishes.append(finish)
    first, second, third = finishes
    assume(second - first == third - second)  # else it takes longer to settle
    inside = gcd(*(each.firings for each in network.processes))  # graph iterations in one of those drawn
    return Fraction(third - second, inside * (_LATER[2] - _LATER[1]))


def check(cost: str, network: Network, limits: dict[str, tuple[int, int]]) -> None:
    price = cost_of(cost)
    widths = [channel.width for channel in network.channels]
    found = []
    for depths in product(*(range(low, high + 1) for low, high in limits.values())):
        period = period_of(network, dict(zip(limits, depths, strict=True)))
        if period is not None:
            found.append((sum(map(price, depths, widths)), period))
    front: list[tuple[int, Fraction]] = []
    for total, period in sorted(found):
        if not front or period < front[-1][1]:
            front.append((total, period))
    sizing = FifoSizing(problem=problem_of([network], objective="period", cost=cost, limits=limits))
    sizing.run()
    assert [(point.cost, point.time) for point in sizing.answers.front] == front


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
@pytest.mark.parametrize("cost", ["tokens", "fpga"])
def test_fronts_by_period_are_those_of_brute_force(
    cost: str, drawn: tuple[Network, dict[str, tuple[int, int]]]
) -> None:
    check(cost, *drawn)


@pytest.mark.slow
@settings(max_examples=340, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
@pytest.mark.parametrize("cost", ["tokens", "bits", "fpga"])
def test_a_thousand_graphs_are_sized_for_a_period_as_by_brute_force(
    cost: str, drawn: tuple[Network, dict[str, tuple[int, int]]]
) -> None:
    check(cost, *drawn)
