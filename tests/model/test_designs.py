"""Networks of the size of today's designs, the smallest of each kind: every process and every channel."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ppnsim.errors import InputError
from ppnsim.model import builders
from ppnsim.model.designs import fft, image_pipeline, multirate, residual, systolic, transformer
from ppnsim.model.network import Channel, Network
from ppnsim.model.tokens import ONE_PER_FIRING, Rates


def processes(network: Network) -> str:
    """Return ``name:latency``, with the firings where they are others than those of the first process."""
    usual = network.processes[0].firings
    return " ".join(
        f"{each.name}:{each.latency}" + (f"x{each.firings}" if each.firings != usual else "")
        for each in network.processes
    )


def ways(network: Network) -> list[str]:
    """Return ``source>target`` in alphabetical order, with the name where it is one of its own."""
    return sorted(_way(each) for each in network.channels)


def _way(each: Channel) -> str:
    name = "" if each.name == f"{each.source}_{each.target}" else f" {each.name}"
    early = "" if each.from_offset is None else f" +{each.from_offset}"
    return f"{each.source}>{each.target}{name}{early}"


def test_a_residual_network_is_blocks_with_a_skip_each() -> None:
    network = residual(blocks=3, firings=9)
    blocks = " ".join(f"fork{b}:1 conv{b}a:5 conv{b}b:{5 + 2 * b} add{b}:1" for b in range(3))
    assert processes(network) == f"source:1 {blocks} sink:1" and network.processes[0].firings == 9
    expected = ["source>fork0", "add0>fork1", "add1>fork2", "add2>sink"]
    for b in range(3):
        expected += [f"fork{b}>conv{b}a", f"conv{b}a>conv{b}b", f"conv{b}b>add{b}", f"fork{b}>add{b} skip{b}"]
    assert ways(network) == sorted(expected)
    assert [residual(blocks=6).process(f"conv{b}b").latency for b in range(6)] == [5, 7, 9, 11, 5, 7]
    assert (len(residual().processes), residual().processes[0].firings) == (18, 200)


def test_a_transformer_is_heads_between_norm_and_join_and_two_ways_around() -> None:
    network = transformer(layers=2, heads=4, firings=3)
    for layer in "01":
        own = {"split": 1, "norm": 6, "join": 3, "project": 4, "add": 1, "expand": 9, "shrink": 9, "sum": 1}
        assert {name: network.process(f"{name}{layer}").latency for name in own} == own
        for head in range(4):
            parts = {"query": 4, "key": 4, "value": 4, "score": 7, "softmax": 12 + head % 3, "weigh": 5}
            assert {name: network.process(f"{name}{layer}.{head}").latency for name in parts} == parts
    expected = ["source>split0", "sum0>split1", "sum1>sink"]
    for k in "01":
        expected += [f"split{k}>norm{k}", f"join{k}>project{k}", f"project{k}>add{k}", f"add{k}>expand{k}"]
        expected += [
            f"expand{k}>shrink{k}",
            f"shrink{k}>sum{k}",
            f"split{k}>add{k} skip{k}",
            f"add{k}>sum{k} around{k}",
        ]
        for h in (f"{k}.{head}" for head in range(4)):
            expected += [f"norm{k}>{part}{h}" for part in ("query", "key", "value")]
            expected += [f"query{h}>score{h}", f"key{h}>score{h}", f"score{h}>softmax{h}", f"softmax{h}>weigh{h}"]
            expected += [f"value{h}>weigh{h}", f"weigh{h}>join{k}"]
    assert ways(network) == sorted(expected)
    assert {each.firings for each in network.processes} == {3} and transformer().processes[0].firings == 256


def test_an_fft_has_a_butterfly_for_every_pair_and_multiplies_in_all_blocks_but_the_first() -> None:
    network = fft(points=8, firings=2)
    assert processes(network) == (
        "source:1 s0b0:4 s0b1:4 s0b2:4 s0b3:4 s1b0:4 s1b1:4 s1b4:7 s1b5:7 s2b0:4 s2b2:7 s2b4:7 s2b6:7"
    )
    owner = dict.fromkeys(range(8), "source")
    expected = []
    for stage, span in enumerate((4, 2, 1)):
        names = {value: f"s{stage}b{value & ~span}" for value in range(8)}
        expected += [f"{owner[value]}>{names[value]} x{stage}.{value}" for value in range(8)]
        owner = names
    assert ways(network) == sorted(expected)
    assert len(fft(points=2).processes) == 2 and fft().processes[0].firings == 128
    for points in (0, 1, 3, 12):
        with pytest.raises(InputError) as error:
            fft(points=points)
        assert str(error.value) == f"fft: {points} points are not a power of two of at least 2"


def test_a_systolic_array_passes_right_and_down_at_once() -> None:
    network = systolic(rows=2, columns=3, firings=5)
    assert processes(network) == "a:1 b:1 " + " ".join(f"cell{r}.{c}:3" for r in range(2) for c in range(3))
    assert network.name == "systolic array 2 x 3" and network.processes[0].firings == 5
    expected = []
    for r in range(2):
        for c in range(3):
            expected.append(f"cell{r}.{c - 1}>cell{r}.{c} a{r}.{c} +0" if c else f"a>cell{r}.0 a{r}.0")
            expected.append(f"cell{r - 1}.{c}>cell{r}.{c} b{r}.{c} +0" if r else f"b>cell0.{c} b0.{c}")
    assert ways(network) == sorted(expected)
    assert (len(systolic().channels), systolic().processes[0].firings) == (512, 64)


def test_an_image_pipeline_is_late_by_a_row_and_a_pixel() -> None:
    network = image_pipeline(stages=2, width=2, rows=3, images=2, reduce=3)
    assert processes(network) == (
        "camera:1 fork0:1 mix0:2 lines0:1x18 filter0:9 fork1:1 mix1:2 lines1:1x18 filter1:10 pool:1x4 sink:1x4"
    )
    assert network.processes[0].firings == 12
    six, late = (1,) * 6, (0,) * 3
    special = {
        "fork0_lines0": Rates(1, six + late), "lines0_filter0": Rates(late + six, 1), "mix1_pool": Rates(1, 3),
        "fork1_lines1": Rates(1, six + late), "lines1_filter1": Rates(late + six, 1),
    }  # fmt: skip
    assert {each.name: each.tokens for each in network.channels if each.tokens != ONE_PER_FIRING} == special
    assert ways(network) == sorted([
        "camera>fork0", "fork0>lines0", "lines0>filter0", "filter0>mix0", "fork0>mix0 pixel0", "mix0>fork1",
        "fork1>lines1", "lines1>filter1", "filter1>mix1", "fork1>mix1 pixel1", "mix1>pool", "pool>sink",
    ])  # fmt: skip
    with pytest.raises(InputError) as error:
        image_pipeline(width=3, rows=3, reduce=2)
    assert str(error.value) == "image_pipeline: 9 pixels are not a multiple of reduce = 2"
    assert (len(image_pipeline().channels), image_pipeline().processes[0].firings) == (22, 512)


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_random_network_balances_and_keeps_to_its_rules(seed: int) -> None:
    network = multirate(channels=40, seed=seed, iterations=5)
    assert (network.name, len(network.channels)) == (f"random multirate network {seed}", 40)
    fires = {each.name: each.firings // 5 for each in network.processes}
    assert set(fires.values()) <= {1, 2, 3, 4} and all(each.firings % 5 == 0 for each in network.processes)
    assert all(isinstance(each.latency, int) and 1 <= each.latency <= 12 for each in network.processes)
    assert {each.ii for each in network.processes} <= {1, 2, 3}
    for number, each in enumerate(network.channels):
        assert isinstance(each.tokens, Rates)
        produce, consume = each.tokens.produce, each.tokens.consume
        assert (len(produce), len(consume)) == (fires[each.source], fires[each.target])
        assert sum(produce) == sum(consume) and min(produce) >= 0
        assert 0 < int(each.target[1:]) - int(each.source[1:]) <= 8
        assert len(set(consume)) == 1
        assert len(set(produce)) == 1 or (number % 5 == 4 and len(set(produce[1:-1])) <= 1)
        if number % 6 != 5:
            assert sum(produce) <= 12
    reading = [sum(each.target == name for each in network.channels) for name in fires]
    assert reading[0] == 0 and set(reading[1:]) <= {1, 2, 3}


def test_a_seed_is_one_random_network() -> None:
    network = multirate(channels=7, seed=2, iterations=1)
    assert [(p.latency, p.ii, p.firings) for p in network.processes] == [
        (2, 1, 1), (3, 2, 2), (1, 1, 4), (8, 2, 4), (8, 2, 2), (4, 1, 2)
    ]  # fmt: skip
    assert ways(network) == ["p0>p1", "p0>p2", "p0>p3", "p1>p2", "p1>p5", "p2>p4", "p3>p4"]
    assert network.channel("p2_p4").tokens == Rates((10,) * 4, (20, 20))
    assert (len(multirate().channels), multirate().processes[0].firings % 20) == (100, 0)


@pytest.mark.parametrize("design", [residual, transformer, fft, systolic, image_pipeline, multirate])
def test_the_designs_are_builders_too(design: Callable[..., Network]) -> None:
    assert getattr(builders, design.__name__) is design
