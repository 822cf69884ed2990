"""What a roofline says: every table, the advice for each bound, and the dictionary for JSON."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest
from rich.console import Console

from ppnsim.roofline.accelerator import Accelerator, Argument, DesignPoint, MemorySpec, OperatorUse
from ppnsim.roofline.answer import RooflineAnswer, known_intensity, per_s, roofline_result
from ppnsim.roofline.ceilings import Bank, port_ceilings
from ppnsim.roofline.laws import roofline
from ppnsim.roofline.pictures import roofline_figure
from ppnsim.roofline.report import print_roofline
from ppnsim.roofline.run import SimulatedPort
from ppnsim.roofline.walls import Wall

DDR = MemorySpec(name="ddr", banks=2, peak=16.0, width=64, random=0.15, dependent=0.02, latency=50)
MADE = Accelerator(
    name="kernel", clock_ns=Fraction(4), available={"lut": 100_000, "dsp": 160, "bram": 280}, memories=(DDR,),
    results=10, metric="flop", notes=("made by hand",),
    operators=(
        OperatorUse(name="mul", count=20, cost={"dsp": 4, "lut": 50}),
        OperatorUse(name="cmp", count=5, cost={"lut": 10}, counted=False),
    ),
    arguments=(Argument(name="a", memory="ddr", bytes=80), Argument(name="b", memory="ddr", bank=1, bytes=40)),
    points=(DesignPoint(name="ours", performance=1.0), DesignPoint(name="theirs", performance=0.5, intensity=0.02)),
)  # fmt: skip


def answered(made: Accelerator = MADE, **more: object) -> RooflineAnswer:
    return RooflineAnswer(file="k.toml", accelerator=made, found=roofline(made), **more)  # type: ignore[arg-type]


def lines(answer: RooflineAnswer) -> list[list[str]]:
    console = Console(file=StringIO(), width=250)
    print_roofline(console, answer)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    rows = (line.split("  ") for line in text.splitlines() if line.strip() and "───" not in line)
    return [[cell.strip() for cell in row if cell.strip()] for row in rows]


def test_a_roofline_is_told_with_all_its_tables() -> None:
    # One mul for each of the 20 takes 80 of the 160 DSP blocks: 40 fit, and 80 % of them are counted on.
    wall = Wall(loop="i", line=7, bytes={"a": 40, "b": 10}, cache={"a": 512, "b": 0})
    ports = (
        SimulatedPort(argument="a", bandwidth=12.0, latency=50.0, ceiling=16.0, because="refresh"),
        SimulatedPort(argument="b", bandwidth=16.0, latency=50.0, ceiling=16.0, because=""),
    )
    assert lines(answered(walls=(wall,), simulated=ports, notes=("read so",))) == [
        ["kernel", "attainable 2 G flop/s", "bound by ddr[0]", "compute bound 4 G flop/s (dsp, 80 % of the device)",
         "250 MHz"],
        ["operator", "occurrences", "lut", "ff", "dsp", "units that fit", "counts"],
        ["mul", "20", "50", "0", "4", "32", "yes"],
        ["cmp", "5", "10", "0", "0", "8", "no"],
        ["bank", "arguments", "bytes", "flop/byte", "peak", "configured", "random", "dependent", "reached [GB/s]",
         "ridge", "attainable flop/s"],
        ["ddr[0]", "a", "80", "0.125", "16", "16", "9.6", "1.185", "16", "0.25", "2 G"],
        ["ddr[1]", "b", "40", "0.25", "16", "16", "9.6", "1.185", "16", "0.25", "4 G"],
        ["all banks", "a, b", "120", "0.08333", "32", "32", "19.2", "2.37", "32", "0.125", "2.667 G"],
        ["port", "bank", "pattern", "quanta", "asked", "configured", "reached [GB/s]", "simulated", "queue", "chains"],
        ["a", "ddr[0]", "stream", "64 B", "16", "16", "16", "12", "13", "113"],
        ["b", "ddr[1]", "stream", "64 B", "16", "16", "16", "16", "13", "113"],
        ["a: simulated -25.0 % of its ceiling: refresh"],
        ["scratchpads in front of", "bytes moved", "flop/byte", "cache [bytes]"],
        ["loop i (line 7)", "50", "0.2", "512"],
        ["design", "flop/s", "of attainable at its intensity"],
        ["ours", "1 G", "50 %"],
        ["theirs", "500 M", "78.1 %"],
        ["note: made by hand"],
        ["note: read so"],
        ["memory bound: scratchpads of 512 bytes in front of loop i (line 7) make it compute bound"],
    ]  # fmt: skip


def test_tables_without_rows_are_left_out() -> None:
    bare = replace(MADE, arguments=(), points=(), notes=())
    told = lines(answered(bare))
    assert [line[0] for line in told[1:4]] == ["operator", "mul", "cmp"]
    assert told[4:] == [
        ["compute bound: the operators take all the dsp; cheaper operators (narrower types) raise the roof"]
    ]
    heads = lines(answered())[7]
    assert heads[0] == "all banks"
    assert "simulated" not in lines(answered())[8]


def advice(made: Accelerator, **more: object) -> str:
    return lines(answered(made, **more))[-1][0]


@pytest.mark.parametrize(
    ("port", "words"),
    [
        ({"pattern": "random"}, "ddr[0]: the random accesses of 'a' get less than the port: longer segments, or a "
         "queue of 13 requests and more"),
        ({"pattern": "dependent"}, "ddr[0]: the dependent accesses of 'a' get less than the port: 113 concurrent "
         "streams"),
        ({"outstanding": 4}, "ddr[0]: the stream accesses of 'a' get less than the port: a queue of 13 requests and "
         "more"),
        ({"quanta": 16}, "ddr[0]: its port asks for less than the bank gives: a wider quantum or a faster clock"),
    ],
)  # fmt: skip
def test_each_bound_of_a_bank_has_its_advice(port: dict[str, object], words: str) -> None:
    a, b = MADE.arguments
    assert advice(replace(MADE, arguments=(replace(a, **port), b))) == words  # type: ignore[arg-type]


def test_scratchpads_are_advised_where_they_are_enough() -> None:
    # Behind them a moves 40 bytes: 40 x 0.25 flop/byte of the ridge are the 10 results.
    enough = Wall(loop="i", line=7, bytes={"a": 40, "b": 40}, cache={"a": 512, "b": 0})
    larger = Wall(loop="", line=0, bytes={"a": 20, "b": 20}, cache={"a": 4096, "b": 0})
    short = Wall(loop="j", line=8, bytes={"a": 41, "b": 40}, cache={"a": 64, "b": 0})
    assert advice(MADE, walls=(larger, enough, short)) == (
        "memory bound: scratchpads of 512 bytes in front of loop i (line 7) make it compute bound"
    )
    assert advice(MADE, walls=(larger, short)).startswith("memory bound: scratchpads of 4096 bytes in front of the k")
    assert advice(MADE, walls=(short,)).startswith("memory bound by ddr[0]: move arguments")
    small = replace(MADE, available={**MADE.available, "bram": 0.5})
    assert advice(small, walls=(enough,)) == (
        "memory bound: only scratchpads of 512 bytes in front of loop i (line 7) would make it compute bound, more "
        "than 0.5 block RAMs hold: tile it"
    )


def test_rates_have_four_digits_and_the_prefix_of_engineers() -> None:
    assert [per_s(rate) for rate in (2e3, 1e3, 999.9, 1.0, 0.9999, 1e-3, 0.00012346, 1e-6, 1e-7, 1.23456)] == [
        "2 T", "1 T", "999.9 G", "1 G", "999.9 M", "1 M", "123.5 k", "1 k", "100 ", "1.235 G"
    ]  # fmt: skip


def test_designs_are_held_against_what_is_attainable_at_their_intensity() -> None:
    (ours, at_ours), (theirs, at_theirs) = answered().points()
    assert (ours.intensity, at_ours) == pytest.approx((10 / 120, 2.0))  # of all banks together
    assert (theirs.intensity, at_theirs) == pytest.approx((0.02, 32 * 0.02))
    high = replace(MADE, points=(DesignPoint(name="high", performance=1, intensity=100.0),))
    assert answered(high).points()[0][1] == 4.0  # the compute bound
    alone = replace(MADE, arguments=(), points=MADE.points)
    assert [(point.intensity, at) for point, at in answered(alone).points()] == [(None, 4.0), (0.02, 4.0)]
    assert known_intensity(None) is None


def test_the_result_has_rates_per_second() -> None:
    wall = Wall(loop="i", line=7, bytes={"a": 40, "b": 10}, cache={"a": 5000, "b": 0})
    told = SimulatedPort(argument="a", bandwidth=12.0, latency=50.0, ceiling=16.0, because="refresh")
    result = roofline_result(answered(walls=(wall,), simulated=(told,), notes=("read so",)))
    assert {key: result[key] for key in ("file", "name", "metric", "work", "clock_MHz", "allowance", "bound")} == {
        "file": "k.toml", "name": "kernel", "metric": "flop", "work": 10, "clock_MHz": 250.0, "allowance": 0.8,
        "bound": "ddr[0]",
    }  # fmt: skip
    assert (result["attainable_per_s"], result["notes"], result["chosen"]) == (2e9, ["made by hand", "read so"], None)
    peak = result["peak"]
    assert (peak["performance_per_s"], peak["operations_per_s"], peak["scale"], peak["bound"]) == (
        4e9,
        1e10,
        0.5,
        "dsp",
    )
    assert (peak["needed"]["dsp"], peak["needed"]["lut"], peak["units"]) == (80, 1050, {"mul": 40.0, "cmp": 10.0})
    assert result["operators"][1] == {"name": "cmp", "count": 5, "cost": {"lut": 10}, "counted": False}
    assert result["banks"][0] == {
        "name": "ddr[0]", "arguments": ["a"], "bytes": 80, "intensity": 0.125, "peak_GBps": 16.0,
        "configured_GBps": 16.0, "random_GBps": pytest.approx(9.6), "dependent_GBps": pytest.approx(32 / 27),
        "reached_GBps": 16.0, "ridge": 0.25, "attainable_per_s": 2e9, "memory_bound": True,
    }  # fmt: skip
    assert result["together"]["bytes"] == 120
    assert result["ports"][1] == {
        "argument": "b", "bank": "ddr[1]", "pattern": "stream", "quanta": 64, "locality": 64, "bytes": 40,
        "asked_GBps": 16.0, "configured_GBps": 16.0, "random_GBps": pytest.approx(9.6),
        "dependent_GBps": pytest.approx(32 / 27), "reached_GBps": 16.0, "queue_advised": 13, "chains_advised": 113,
    }  # fmt: skip
    assert result["walls"] == [
        {"loop": "i", "line": 7, "bytes": 50, "cache_bytes": 5000, "cache_bram": 3, "intensity": 0.2, "arguments": {
            "a": {"bytes": 40, "cache_bytes": 5000}, "b": {"bytes": 10, "cache_bytes": 0}}}
    ]  # fmt: skip
    assert result["points"][1]["attainable_per_s"] == pytest.approx(0.64e9)
    assert result["simulated"] == [
        {"argument": "a", "bandwidth_GBps": 12.0, "latency_ns": 50.0, "ceiling_GBps": 16.0, "because": "refresh"}
    ]
    assert roofline_result(answered(replace(MADE, arguments=())))["together"] is None


def test_an_argument_is_a_stream_of_whole_quanta_unless_it_says_more() -> None:
    plain = Argument(name="a", memory="ddr")
    assert (plain.place, plain.segment, plain.locality, plain.pattern) == ("ddr[0]", 64, 0, "stream")
    assert (plain.bytes, plain.outstanding, plain.chains, plain.bank) == (0, 0, 1, 0)
    assert replace(plain, locality=256).segment == 256
    assert replace(plain, quanta=16).segment == 16
    made = Accelerator(name="k", clock_ns=Fraction(5), available={}, operators=MADE.operators, memories=())
    assert (made.work, made.frequency, made.allowance, made.metric) == (20, 0.2, 0.8, "operations")
    assert (made.points, made.notes, made.arguments, made.results) == ((), (), (), None)


def test_a_picture_without_memories_shows_three_decades_below_the_compute_bound() -> None:
    axes = roofline_figure(answered(replace(MADE, arguments=(), points=()))).axes[0]
    assert axes.get_ylim() == pytest.approx((4e9 / 1e3 / 2, 3 * 4e9))
    assert axes.get_xlim() == pytest.approx((0.1 / 4, 40))
    shown = roofline_figure(answered()).axes[0]
    near, far = shown.get_xlim()
    assert (near, far) == pytest.approx((0.02 / 4, 0.25 * 4))  # from a design to the mark of ddr[1]
    # The lowest thing in it is the ceiling of dependent accesses at the left edge.
    assert shown.get_ylim()[0] == pytest.approx(1e9 * 2 * 32 / 27 * near / 2)


def test_a_memory_that_answers_at_once_needs_one_request_and_one_chain() -> None:
    fast = Bank(peak=16.0, width=64, random=1.0, dependent=1.0, latency=1.0)
    port = port_ceilings(Argument(name="a", memory="ddr", quanta=16), fast, 0.25)
    assert (port.asked, port.configured, port.queue) == (4.0, 4.0, 1)
    slow = Bank(peak=16.0, width=64, random=0.15, dependent=0.02, latency=50.0)
    port = port_ceilings(Argument(name="a", memory="ddr", quanta=64, chains=1), slow, 0.25)
    assert (port.queue, port.chains) == (13, 113)  # 16 GB/s x 50 ns / 64 B = 12.5
