"""G by message size: networks and links whose bandwidth is reached by large messages only, predicted and simulated."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log2
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.formats.decode import decode_toml
from ppnsim.messages.model.efficiency import checked_efficiency, efficiency_at
from ppnsim.messages.model.loggp import LogGP
from ppnsim.model.builders import chain
from ppnsim.placed.files.toml import parse_placement
from ppnsim.placed.model.links import ClockedNode, Link
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.sentence import binding_sentence
from ppnsim.placed.report.terms import binding
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.files.dump import dump_platform
from ppnsim.platform.files.toml import parse_platform
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.nodes import Interconnect, NodeGroup
from ppnsim.platform.model.stages import Application, Collective, Compute, Stage
from ppnsim.platform.model.system import System
from ppnsim.platform.run.application import run_platform
from validation.loggp.closed_forms import binomial_gather, binomial_scatter

NS = Fraction(1, 10**9)
TABLE = ((1024, Fraction(1, 10)), (4096, Fraction(3, 10)), (16384, Fraction(9, 10)))


def network(**changes: Any) -> Interconnect:
    given: dict[str, Any] = {"latency": 5000 * NS, "overhead": 300 * NS, "gap": 700 * NS, "per_byte": 9 * NS}
    return Interconnect(name="net", connects=("n",), **(given | {"efficiency": TABLE} | changes))


def case(ranks: int = 8, size: int = 2048, link: Interconnect | None = None, **transfer: Any) -> Any:
    """Return one collective on nodes that compute nothing."""
    node = NodeGroup(name="n", kind="fpga", count=ranks, clock=Fraction(10**9))
    given: dict[str, Any] = {"pattern": "scatter", "algorithm": "binomial"}
    moved = Collective(name="x", over="net", size=size, root="n", group="n", **(given | transfer))
    work = Compute(on="n", elements=0, ops_per_element=0, ops_per_cycle=Fraction(1))
    system = System(name="t", nodes=(node,), networks=(link or network(),))
    return system, Application(stages=(Stage(name="s", compute=work, inputs=(moved,)),))


WAYS: list[dict[str, Any]] = [
    {"pattern": pattern, "algorithm": algorithm}
    for pattern in ("scatter", "broadcast", "gather", "reduce")
    for algorithm in ("binomial", "linear", "serialised")
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way.values()))
@pytest.mark.parametrize("sharing", ["fifo", "exclusive", "fair"])
def test_a_table_of_the_whole_bandwidth_at_every_size_is_none(way: dict[str, Any], sharing: Any) -> None:
    all_of_it = network(efficiency=((1, Fraction(1)), (2**30, Fraction(1))), sharing=sharing)
    with_table, without = case(link=all_of_it, **way), case(link=network(efficiency=(), sharing=sharing), **way)
    assert predict(*with_table).quantities() == predict(*without).quantities()
    assert run_platform(*with_table).times == run_platform(*without).times


def test_eq_19_prices_the_bytes_of_each_round_by_their_own_gap() -> None:
    # Rounds of 2, 4 and 8 KiB at efficiencies 0.2, 0.3 and 0.6, G = 9 ns.
    throughput = sum(size * 9 * NS / share for size, share in ((2048, Fraction(1, 5)), (4096, Fraction(3, 10)),
                                                               (8192, Fraction(3, 5))))  # fmt: skip
    prediction = predict(*case())
    assert prediction.quantities()["s.x"] == 3 * 5000 * NS + 2 * 300 * NS + throughput
    assert prediction.terms[0].equation == "Eq. 19, P = 8, G by message size"


@pytest.mark.parametrize(("pattern", "form"), [("scatter", binomial_scatter), ("gather", binomial_gather)])
def test_a_tree_on_idle_nodes_is_its_closed_form_with_the_gaps_of_its_messages(pattern: str, form: Any) -> None:
    # In ps: (s - 1) 9 ns / eff(s) for the messages of 2, 4 and 8 KiB.
    link = LogGP(latency=5_000_000, overhead=300_000, gap=700_000, per_byte=9000, efficiency=TABLE)
    after_first = [link.after_first(size) for size in (2048, 4096, 8192)]
    assert after_first == [2047 * 45_000, 4095 * 30_000, 8191 * 15_000]
    expected = Fraction(form(link, 8, 2048), 10**12)
    assert run_platform(*case(pattern=pattern)).times["s.x"] == expected


def test_a_fair_flow_has_the_bandwidth_of_its_size() -> None:
    run = run_platform(*case(ranks=2, link=network(sharing="fair"), algorithm="linear"))
    assert run.times["s.x"] == 5000 * NS + 2048 * 45 * NS


@given(st.sampled_from(WAYS), st.integers(1024, 4096), st.sampled_from([2, 4]))
@settings(max_examples=40, deadline=None)
def test_reasons_add_up_to_the_difference_of_prediction_and_run(way: dict[str, Any], size: int, ranks: int) -> None:
    system, application = case(ranks, size, **way)
    formula, run = predict(system, application).quantities(), run_platform(system, application).times
    for name, listed in reasons(system, application, formula, run).items():
        assert sum(reason.seconds for reason in listed) == run[name] - formula[name]


@given(st.integers(1024, 16384), st.integers(1024, 16384))
def test_between_its_points_the_efficiency_rises_with_the_logarithm(one: int, other: int) -> None:
    low, high = sorted((one, other))
    shares = efficiency_at(TABLE, low), efficiency_at(TABLE, high)
    assert shares[0] <= shares[1]
    if high <= 4096:
        assert float(shares[1] - shares[0]) == pytest.approx(0.2 * (log2(high) - log2(low)) / 2, abs=1e-9)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way.values()))
def test_a_message_of_a_size_that_the_table_lacks_is_refused_by_prediction_and_run(way: dict[str, Any]) -> None:
    short, clamped = case(size=1000, **way), case(size=1000, link=network(clamp=True), **way)
    words = (
        r"^stage 's': transfer 'x': network 'net': the efficiency table has no 1000 bytes \(from 1024 to 16384 bytes; "
        r"clamp = true takes the nearest end\)$"
    )
    for work in (predict, run_platform):
        with pytest.raises(InputError, match=words):
            work(*short)
        work(*clamped)


def test_a_large_message_of_a_tree_is_looked_up_as_well() -> None:
    # The root of 8 sends 4 x 8 KiB at once.
    for work in (predict, run_platform):
        with pytest.raises(InputError, match="has no 32768 bytes"):
            work(*case(size=8192))


def test_files_hold_tables_of_networks() -> None:
    made = case(link=network(clamp=True, provenance={"efficiency": "guess: a test"}))
    text = dump_platform(*made)
    assert 'efficiency = [["1 KiB", 0.1], ["4 KiB", 0.3], ["16 KiB", 0.9]]' in text
    assert parse_platform(decode_toml(text)) == made


BAD: list[tuple[dict[str, Any], str]] = [
    ({"efficiency": (), "clamp": True}, "network 'net': clamp is for sizes outside of an efficiency table, and there"),
    ({"efficiency": ((8, Fraction(2)),)}, "network 'net': efficiency at 8 bytes = 2 is not above 0 and at most 1"),
    ({"efficiency": ((8, Fraction(1)), (4, Fraction(1)))}, "network 'net': efficiency lists the sizes [8, 4]"),
]


@pytest.mark.parametrize(("changes", "words"), BAD)
def test_a_table_that_cannot_be_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        network(**changes)
    assert str(error.value).startswith(words)


# -- links of a mapping ------------------------------------------------------------------------------------------------


def placed(packet: int = 4, *, firings: int = 10, **link: Any) -> Placement:
    """Return a pipeline of three on two nodes; a token has 4 bytes."""
    cable = Link(name="cable", ends=("a", "b"), latency=1000, per_byte=Fraction(1000), **link)
    nodes = tuple(ClockedNode(name=name, period=Fraction(10_000)) for name in "ab")
    return Placement(
        network=chain(firings=firings, depth=8), nodes=nodes, links=(cable,), packet={"c0": packet},
        node_of={"p0": "a", "p1": "b", "p2": "b"},
    )  # fmt: skip


def test_a_message_over_a_link_takes_the_gap_of_its_size() -> None:
    # Packets of 16, 16 and, at the end, 8 bytes, at efficiencies 0.5 and 0.25.
    run = run_placed(placed(efficiency=((8, Fraction(1, 4)), (16, Fraction(1, 2)))))
    assert [message.size for message in run.messages] == [16, 16, 8]
    assert run.placement.links[0].cost(16).interval == 15 * 2000
    assert run.placement.links[0].cost(8).interval == 7 * 4000
    # Accepted at 71, 111 and 151 ns, so there 30, 30 and 28 ns later, and seen at the edges of a clock of 10 ns.
    assert [message.accepted for message in run.messages] == [71_000, 111_000, 151_000]
    assert run.readable["c0"].tolist() == [11] * 4 + [15] * 4 + [18] * 2


def test_a_packet_of_a_size_that_the_table_lacks_is_refused_the_last_one_too() -> None:
    words = r"^channel 'c0': a packet of {} tokens: link 'cable': the efficiency table has no {} bytes"
    with pytest.raises(InputError, match=words.format(4, 16)):
        placed(efficiency=((4, Fraction(1)), (8, Fraction(1))))
    with pytest.raises(InputError, match=words.format(2, 8)):
        placed(efficiency=((16, Fraction(1)),))
    assert placed(firings=12, efficiency=((16, Fraction(1)),)).links[0].cost(16).interval == 15_000
    assert placed(efficiency=((16, Fraction(1)),), clamp=True).links[0].cost(8).interval == 7000


def test_packets_are_advised_by_the_table() -> None:
    slow = placed(1, firings=200, efficiency=((4, Fraction(1, 20)), (64, Fraction(1))))
    run = run_placed(slow)
    binds = binding(run)
    assert binds is not None
    assert "larger packets would reach more of its bandwidth" in binding_sentence(run, binds)
    larger = run_placed(replace(slow, packet={"c0": 8}))
    assert larger.finish is not None
    assert run.finish is not None
    assert larger.finish < run.finish


def test_files_hold_tables_of_links() -> None:
    node = {"clock": "100 MHz"}
    cable = {"between": ["x", "y"], "latency": "1 us", "bandwidth": "1 GB/s", "efficiency": [["4 B", 0.5]]}
    file = {
        "node": {"x": node, "y": node}, "link": {"l": cable},
        "process": {"a": {"firings": 4, "node": "x"}, "b": {"firings": 4, "node": "y"}},
        "channel": {"c": {"from": "a", "to": "b"}},
    }  # fmt: skip
    assert parse_placement(file).links[0].efficiency == ((4, Fraction(1, 2)),)
    without = {key: value for key, value in cable.items() if key != "bandwidth"}
    with pytest.raises(InputError, match=r"^link 'l': efficiency is a share of the bandwidth, which is missing$"):
        parse_placement(file | {"link": {"l": without}})
    assert replace(parse_placement(file).links[0], per_byte=Fraction(500)).cost(4).interval == 3000


def test_a_channel_without_a_packet_sends_single_tokens_and_their_size_is_asked_for() -> None:
    """A token is 4 bytes; the table of the link ends there, or begins above it."""
    nodes = (ClockedNode(name="a", period=Fraction(1000)), ClockedNode(name="b", period=Fraction(1000)))
    where = {"p0": "a", "p1": "b", "p2": "b"}

    def single(size: int) -> Placement:
        link = Link(name="cable", ends=("a", "b"), latency=0, efficiency=((size, Fraction(1)),))
        return Placement(network=chain(firings=9, depth=8), nodes=nodes, links=(link,), node_of=where)

    assert single(4).link_of(single(4).network.channels[0]).name == "cable"
    with pytest.raises(InputError, match=r"^channel 'c0': a packet of 1 tokens: link 'cable': .* has no 4 bytes"):
        single(8)


def test_a_channel_that_writes_less_than_a_packet_sends_what_it_has() -> None:
    """Two tokens and a packet of four: one message of 8 bytes, and none of 16."""
    assert placed(firings=2, efficiency=((8, Fraction(1)),)).packet == {"c0": 4}


def test_a_share_between_two_sizes_is_a_fraction_of_nine_digits() -> None:
    """log2(3) / 2 of the way, as the best fraction with a denominator up to 10**9."""
    table = ((1024, Fraction(0)), (4096, Fraction(1)))
    part = efficiency_at(table, 3072)
    assert part == Fraction(log2(3) / 2).limit_denominator(10**9)
    assert part.denominator > 10**8
    assert [efficiency_at(table, size) for size in (1024, 2048, 4096)] == [0, Fraction(1, 2), 1]


@pytest.mark.parametrize(("size", "held"), [(1023, False), (1024, True), (16384, True), (16385, False)])
def test_outside_of_the_table_only_a_clamp_helps(size: int, held: bool) -> None:
    assert efficiency_at(TABLE, size, clamp=True) == (Fraction(1, 10) if size <= 1024 else Fraction(9, 10))
    if held:
        assert efficiency_at(TABLE, size) == efficiency_at(TABLE, size, clamp=True)
    else:
        with pytest.raises(InputError, match=rf"has no {size} bytes \(from 1024 to 16384 bytes; clamp = true"):
            efficiency_at(TABLE, size)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ((), "efficiency lists no size"),
        (((0, Fraction(1)),), "efficiency lists the sizes [0] (from 1 byte on, increasing)"),
        (((2, Fraction(1)), (2, Fraction(1))), "efficiency lists the sizes [2, 2] (from 1 byte on, increasing)"),
        (((4, Fraction(1)), (2, Fraction(1))), "efficiency lists the sizes [4, 2] (from 1 byte on, increasing)"),
        (((1, Fraction(0)),), "efficiency at 1 bytes = 0 is not above 0 and at most 1"),
        (((1, Fraction(9, 8)),), "efficiency at 1 bytes = 1.125 is not above 0 and at most 1"),
    ],
)
def test_tables_that_are_none_are_refused(table: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        checked_efficiency(table)
    assert str(error.value) == words


def test_the_ends_of_what_a_table_may_say() -> None:
    table = ((1, Fraction(1, 10**6)), (2, Fraction(1)))
    assert checked_efficiency(table) is table
