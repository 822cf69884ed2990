"""Networks across nodes: on one node, or over a link that is free, they are themselves; links have their price."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.builders import chain
from ppnsim.model.network import Network
from ppnsim.placed.model.links import ClockedNode, Link
from ppnsim.placed.model.placement import Placement, one_node
from ppnsim.placed.run.clock import NodeClock
from ppnsim.placed.run.network import run_placed
from tests.helpers.strategies import networks

search = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
NS = 1000


def two_nodes(network: Network, second: set[str], link: Link, *periods: int, **packet: int) -> Placement:
    """Place the processes named in ``second`` on node b, the others on a; periods in ns, 10 by default."""
    a, b = (Fraction(period * NS) for period in periods or (10, 10))
    return Placement(
        network=network,
        nodes=(ClockedNode(name="a", period=a), ClockedNode(name="b", period=b)),
        links=(link,),
        node_of={process.name: "b" if process.name in second else "a" for process in network.processes},
        packet=packet,
    )


def ideal(**changes: int) -> Link:
    return replace(Link(name="link", ends=("a", "b"), latency=0), **changes)  # type: ignore[arg-type]


@search
@given(networks())
def test_on_one_node_all_cycles_are_the_networks_own(network: Network) -> None:
    alone, placed = run(network, engine="des", on_deadlock="return"), run_placed(one_node(network))
    for name, rows in alone.timeline.passed.items():
        assert np.array_equal(placed.passed[name], rows)
    assert (placed.finish is None) == alone.deadlocked
    if alone.finish is not None:
        assert placed.finish == alone.finish * 10 * NS


@search
@given(networks(resources=False), st.data())
def test_over_a_link_that_costs_nothing_all_cycles_are_the_networks_own(network: Network, data: st.DataObject) -> None:
    second = {process.name for process in network.processes if data.draw(st.booleans())}
    alone = run(network, engine="des", on_deadlock="return")
    placed = run_placed(two_nodes(network, second, ideal()))
    for name, rows in alone.timeline.passed.items():
        assert np.array_equal(placed.passed[name], rows)


@settings(search, max_examples=40)
@given(networks(styles=["elastic"], resources=False), st.data())
def test_a_slower_link_makes_nothing_earlier(network: Network, data: st.DataObject) -> None:
    """Where channels share a port it may, as in any schedule by arrival: another of them goes first."""
    second = {process.name for process in network.processes if data.draw(st.booleans())}
    ends = [(channel.source in second, channel.target in second) for channel in network.channels]
    assume(ends.count((True, False)) <= 1 and ends.count((False, True)) <= 1)
    key = data.draw(st.sampled_from(["latency", "overhead", "gap"]))
    fast = ideal(latency=data.draw(st.integers(0, 40)) * NS, gap=data.draw(st.integers(0, 40)) * NS)
    slow = replace(fast, **{key: getattr(fast, key) + 7 * NS})
    before, after = (run_placed(two_nodes(network, second, link)) for link in (fast, slow))
    for name, rows in before.passed.items():
        happened = after.passed[name] >= 0
        assert (rows[happened] >= 0).all()
        assert (rows[happened] <= after.passed[name][happened]).all()


@settings(search, max_examples=40)
@given(networks(resources=False), st.data())
def test_what_is_sent_is_what_is_written_and_the_port_keeps_its_pace(network: Network, data: st.DataObject) -> None:
    second = {process.name for process in network.processes if data.draw(st.booleans())}
    link = ideal(latency=20 * NS, overhead=3 * NS, gap=30 * NS)
    placement = two_nodes(network, second, link, 10, 7)
    placed = run_placed(placement)
    for channel in network.channels:
        mine = [message for message in placed.messages if message.channel == channel.name]
        if placement.crosses(channel) and placed.finish is not None:
            size = -(-channel.width // 8)
            assert sum(message.size for message in mine) == size * network.counts[channel.name].written
        for message in mine:
            assert message.ready <= message.started < message.arrived <= message.accepted
    for source in ("a", "b"):
        starts = [message.started for message in placed.messages if message.source == source]
        assert all(later - earlier >= link.gap for earlier, later in pairwise(starts))
        accepted = [message.accepted for message in placed.messages if message.source == source]
        assert accepted == sorted(accepted)


def cut_chain(firings: int = 100, depth: int | None = None) -> Network:
    return chain(firings=firings, length=2, latency=1, depth=depth)


def test_the_gap_of_the_link_is_the_pace_of_the_consumer() -> None:
    placed = run_placed(two_nodes(cut_chain(), {"p1"}, ideal(latency=100 * NS, gap=50 * NS)))
    starts = placed.start("p1")
    assert set(np.diff(starts).tolist()) == {50 * NS}


def test_packets_share_one_gap() -> None:
    link = ideal(latency=100 * NS, gap=50 * NS)
    placed = run_placed(two_nodes(cut_chain(), {"p1"}, link))
    packed = run_placed(two_nodes(cut_chain(), {"p1"}, link, c0=10))
    assert len(packed.messages) == 10
    assert placed.finish is not None
    assert packed.finish is not None
    assert packed.finish < placed.finish / 3


def test_credits_come_back_after_the_latency_and_bound_the_pace() -> None:
    # One credit: write, 1 cycle forward, 100 ns there, read, 1 cycle to free it, 100 ns back: 22 cycles a token.
    placed = run_placed(two_nodes(cut_chain(depth=1), {"p1"}, ideal(latency=100 * NS)))
    assert set(np.diff(placed.start("p1")).tolist()) == {220 * NS}


def test_a_token_is_seen_at_the_next_edge_of_the_other_clock() -> None:
    # p0 passes its write step (read 0 + latency 1) in cycle 1; it leaves one cycle later, at 20 ns, and arrives at 21.
    placed = run_placed(two_nodes(cut_chain(firings=1), {"p1"}, ideal(latency=1 * NS), 10, 7))
    assert placed.start("p1").tolist() == [21 * NS]


def test_edges_of_a_clock_are_rounded_and_found_again() -> None:
    clock = NodeClock(None, Fraction(10_000, 3))  # type: ignore[arg-type]
    for cycle in range(100):
        assert clock.cycle_at(clock.edge(cycle)) == clock.first_edge_from(clock.edge(cycle)) == cycle
        assert clock.cycle_at(clock.edge(cycle + 1) - 1) == cycle
        assert clock.first_edge_from(clock.edge(cycle) + 1) == cycle + 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node_of": {"p0": "a"}}, "place: process 'p1' is on no node"),
        ({"node_of": {"p0": "a", "p1": "c"}}, "place: process 'p1' is on 'c', which is not a node (known: a, b)"),
        ({"node_of": {"p0": "a", "p1": "b", "p2": "b"}}, "place: no process is called 'p2' (known: p0, p1)"),
        ({"links": ()}, "channel 'c0': no link joins 'a' and 'b', and no way leads there over other nodes"),
        ({"packet": {"c0": 0}}, "packet of 'c0': 0 tokens in a packet"),
        ({"packet": {"c": 1}}, "packet: no channel is called 'c' (did you mean 'c0'?)"),
        ({"packet": {"c0": 3}}, "channel 'c0': a packet of 3 tokens never fills with 2 credits"),
        ({"links": (replace(ideal(), ends=("a", "a")),)}, "link 'link': both ends are 'a'"),
        ({"nodes": (ClockedNode(name="a", period=Fraction(1)),) * 2}, "node 'a' is declared twice"),
    ],
)
def test_a_placement_that_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    good = two_nodes(cut_chain(depth=2), {"p1"}, ideal())
    with pytest.raises(InputError, match="^" + re.escape(message)):
        replace(good, **changes)  # type: ignore[arg-type]


def test_a_link_with_a_negative_time_is_refused() -> None:
    with pytest.raises(InputError, match=r"^link 'link': gap = -1 is negative$"):
        ideal(gap=-1)
