"""What a placement and the axes of its sweeps refuse, in whole sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from ppnsim.errors import InputError
from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.memory.model.presets import preset
from ppnsim.model.builders import chain
from ppnsim.model.network import Channel, Network, Process
from ppnsim.placed.files.toml import parse_placement, per_byte, whole_picoseconds
from ppnsim.placed.model.links import ClockedNode, Link
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.sweep.parameters import placed_axis_of, placement_text, varied_placement

A, B, C = (ClockedNode(name=name, period=Fraction(10_000)) for name in "abc")
AB = Link(name="ab", ends=("a", "b"), latency=1000)
PAIR = chain(firings=4, length=2)


def placed(**changes: object) -> Placement:
    good = Placement(network=PAIR, nodes=(A, B), links=(AB,), node_of={"p0": "a", "p1": "b"})
    return replace(good, **changes)  # type: ignore[arg-type]


def shared() -> Network:
    both = [Process(name=f"p{n}", firings=4, resource="m") for n in range(2)]
    return Network(processes=both, channels=[Channel(name="c0", source="p0", target="p1")], resources={"m": 1})


def axis(text: str) -> Callable[[], object]:
    return lambda: placed_axis_of(text, placed())


DRAM = preset("DDR4-2400").dram
FILE = {"node": {"x": {"clock": "1 GHz"}, "y": {"clock": "1 GHz"}}, "process": {"p": {"firings": 1, "node": "x"}}}
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: placed(nodes=(A, replace(B, period=Fraction(1, 2)))), "node 'b': a period of 0.5 ps is below 1 ps"),
    (lambda: placed(links=(AB, AB)), "link 'ab' is declared twice (names are unique)"),
    (lambda: placed(links=(replace(AB, ends=("a", "d")),)), "link 'ab': 'd' is not a node (known: a, b)"),
    (lambda: placed(links=(replace(AB, ends=("b", "b")),)), "link 'ab': both ends are 'b' (a link joins two nodes)"),
    (lambda: placed(network=shared()), "place: shared resources are for networks on one node"),
    (
        lambda: placed(memories=(MemoryGroup(name="m", dram=DRAM, on="d"),)),
        "memory 'm': 'd' is not a node (known: a, b)",
    ),
    (
        lambda: placed(memories=(MemoryGroup(name="m", dram=DRAM),) * 2),
        "memory 'm' is declared twice (names are unique)",
    ),
    (
        lambda: placed(links=()),
        "channel 'c0': no link joins 'a' and 'b', and no way leads there over other nodes (declare one, or place both "
        "processes on one node)",
    ),
    (
        lambda: placed(
            nodes=(A, B, C),
            links=(replace(AB, name="ac", ends=("a", "c")), replace(AB, name="bc", ends=("c", "b"))),
        ),
        "channel 'c0': no link joins 'a' and 'b' (over 'c' it would be two hops: put a process there that passes the "
        "tokens on)",
    ),
    (lambda: placed(packet={"c0": 0}), "packet of 'c0': 0 tokens in a packet (at least 1)"),
    (lambda: placed(packet={"c1": 1}), "packet: no channel is called 'c1' (known: c0)"),
    (lambda: whole_picoseconds("-1 ns"), "'-1 ns' must be a whole number of picoseconds from 0 on"),
    (lambda: whole_picoseconds("0.5 ps"), "'0.5 ps' must be a whole number of picoseconds from 0 on"),
    (lambda: per_byte("0 GB/s"), "'0 GB/s' must be above 0"),
    (
        lambda: parse_placement(
            FILE | {"link": {"l": {"between": ["x", "y"], "latency": "1 ns", "efficiency": [["4 B", 0.5]]}}}
        ),
        "link 'l': efficiency is a share of the bandwidth, which is missing",
    ),
    (axis("c0.packet"), "--vary c0.packet: is not of the form NAME.PARAMETER=VALUES or mapping=all"),
    (axis("c0.packet= "), "--vary c0.packet= : is not of the form NAME.PARAMETER=VALUES or mapping=all"),
    (axis("clock=5 ns"), "--vary clock=5 ns: every node has its own clock: vary NODE.clock"),
    (axis("ba.gap=5 ns"), "--vary ba.gap=5 ns: 'ba' is not a link (known: ab)"),
    (axis("p0.outstanding=1"), "--vary p0.outstanding=1: 'p0' is not a process with a memory port"),
    (axis("ab.gap=5"), "--vary ab.gap=5: '5' must be a number and a unit: s, ms, us, ns, ps"),
    (axis("a.clock=5 m"), "--vary a.clock=5 m: '5 m' "),
    (
        lambda: placed_axis_of(
            "mapping=all",
            placed(nodes=(replace(A, name="a;"), B), links=(replace(AB, ends=("a;", "b")),),
                   node_of={"p0": "a;", "p1": "b"}),
        ),
        "--vary mapping=all: names with spaces, commas, colons or semicolons: vary NAME.node instead",
    ),
    (
        lambda: placed_axis_of(
            "mapping=all",
            placed(network=chain(firings=1, length=13), node_of={f"p{n}": "a" for n in range(13)}),
        ),
        "--vary mapping=all: 13 processes on 2 nodes are 2**13 placements (at most 4096): vary some of them, like "
        "'p*.node=left,right'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("work", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_breaks_a_rule_is_refused_in_a_sentence(work: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value).startswith(words)


def test_every_parameter_of_a_sweep_reaches_its_part() -> None:
    base = placed(packet={"c0": 1})
    given = {
        "ab.latency": "7 ns", "ab.overhead": "3 ns", "ab.gap": "2 ns", "ab.bandwidth": "1 GB/s", "b.clock": "4 ns",
        "c0.packet": "2", "p1.latency": "9", "c0.depth": "5", "p0.node": "b",
    }  # fmt: skip
    axes = [placed_axis_of(f"{name}={value}", base) for name, value in given.items()]
    found = varied_placement(base, axes, [each.values[0] for each in axes])
    (link,) = found.links
    assert (link.latency, link.overhead, link.gap, link.per_byte) == (7000, 3000, 2000, 1000)
    assert [node.period for node in found.nodes] == [10_000, 4000]
    assert (found.packet, found.network.process("p1").latency, found.network.channel("c0").depth) == ({"c0": 2}, 9, 5)
    assert found.node_of == {"p0": "b", "p1": "b"} and placement_text(found, found.node_of) == "b: p0 p1"
    assert base == placed(packet={"c0": 1})
