"""The tables of the boards typed a second time, from their sources: a figure that changes has to change in two places.

Sources: data sheets named in each table (resources), rule R2.6 of ``hls/RULES.md`` (operators of xc7z020), Wang et al.
sections 3.1 and 6.1 and Table 2 (DE5-Net under OpenCL), RATSS Tables II, III and VI (clusters).
"""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ppnsim.boards.files import known_boards, load_board
from ppnsim.opencl.kernel import LATENCIES
from ppnsim.platform.model.presets import preset_system

# LUTs (ALMs), registers, DSP blocks, block RAMs of 18 kbit (M20K), delays beside xc7z020.
RESOURCES = {
    "xc7z020": (53_200, 106_400, 220, 280, 1), "xc6vlx240t": (150_720, 301_440, 768, 832, 0.85),
    "xc7v2000t": (1_221_600, 2_443_200, 2_160, 2_584, 0.7), "xc7vx690t": (433_200, 866_400, 3_600, 2_940, 0.7),
    "xcvu9p": (1_182_240, 2_364_480, 6_840, 4_320, 0.45), "5sgxa7": (234_720, 938_880, 256, 2_560, 0.65),
    "alveo-u280": (1_303_680, 2_607_360, 9_024, 4_032, 0.45), "aws-f1": (1_182_240, 2_364_480, 6_840, 4_320, 0.45),
    "de5-net": (234_720, 938_880, 256, 2_560, 0.65),
    "alveo-u50": (871_680, 1_743_360, 5_952, 2_688, 0.45), "alveo-u55c": (1_303_680, 2_607_360, 9_024, 4_032, 0.45),
    "alveo-u200": (1_182_240, 2_364_480, 6_840, 4_320, 0.45), "alveo-u250": (1_728_000, 3_456_000, 12_288, 5_376, 0.45),
    "xczu9eg": (274_080, 548_160, 2_520, 1_824, 0.45), "xczu7ev": (230_400, 460_800, 1_728, 624, 0.45),
    "xck26": (117_120, 234_240, 1_248, 288, 0.45), "xc7k325t": (203_800, 407_600, 840, 890, 0.7),
    "xc7a100t": (63_400, 126_800, 240, 270, 1),
}  # fmt: skip
MAKERS_WORDS = {
    "xcvu9p": {"dsp": 6840, "lut": 1182240, "bram36": 2160, "uram": 960},
    "alveo-u280": {"dsp": 9024, "lut": 1303680, "bram36": 2016, "uram": 960},
    "5sgxa7": {"dsp": 256, "alm": 234720, "m20k": 2560},
    "alveo-u50": {"dsp": 5952, "lut": 871680, "bram36": 1344, "uram": 640},
    "alveo-u55c": {"dsp": 9024, "lut": 1303680, "bram36": 2016, "uram": 960},
    "alveo-u200": {"dsp": 6840, "lut": 1182240, "bram36": 2160, "uram": 960},
    "alveo-u250": {"dsp": 12288, "lut": 1728000, "bram36": 2688, "uram": 1280},
    "xczu9eg": {"dsp": 2520, "lut": 274080, "bram36": 912},
    "xczu7ev": {"dsp": 1728, "lut": 230400, "bram36": 312, "uram": 96},
    "xck26": {"dsp": 1248, "lut": 117120, "bram36": 144, "uram": 64},
    "xc7k325t": {"dsp": 840, "lut": 203800, "bram36": 445},
    "xc7a100t": {"dsp": 240, "lut": 63400, "bram36": 135},
}
# Clock in Hz, lanes of PCIe, memories as (name, preset, banks).
AROUND = {
    "alveo-u280": (225_000_000, 16, [("hbm", "U280-HBM", 32), ("ddr", "U280-DDR", 2)]),
    "aws-f1": (280_000_000, 16, [("ddr", "AWS-F1", 4)]),
    "de5-net": (250_000_000, 8, [("ddr", "DE5-Net", 2)]),
}
WHOLE, EVERY = ("integer", "fixed"), ("integer", "fixed", "half", "float", "double")
# Name, types, widest: delay and ns per bit, or states and ns of the first; LUT, FF, DSP; what it may not do.
OPERATORS = {
    ("add", WHOLE, 0): "delay 1.6 per_bit 0.027 lut_per_bit 1",
    ("cmp", WHOLE, 0): "delay 1.45 per_bit 0.032 lut_per_bit 0.5",
    ("select", EVERY, 0): "delay 0.7 lut_per_bit 1",
    ("logic", EVERY, 0): "delay 0.7 lut_per_bit 1",
    ("shift", WHOLE, 0): "delay 3.9 per_bit 0.011 lut_per_bit 3",
    ("mul", WHOLE, 10): "delay 4.2 dsp 1 shared 0",
    ("mul", WHOLE, 18): "delay 5.58 dsp 1 shared 0",
    ("mul", WHOLE, 25): "delay 6.54 entry 6.91 lut 50 dsp 2",
    ("mul", WHOLE, 40): "states 2 entry 6.91 ff 165 lut 50 dsp 3",
    ("mul", WHOLE, 0): "states 5 entry 6.98 ff 440 lut 180 dsp 6",
    ("div", WHOLE, 0): "states 4 states_per_bit 1 entry 5 ff_per_bit 40 lut_per_bit 30",
    ("sqrt", WHOLE, 17): "states 6 entry 4 lut 750 ff 480 hoisted 0",
    ("sqrt", WHOLE, 28): "states 10 entry 4 lut 1200 ff 800 hoisted 0",
    ("sqrt", ("integer",), 32): "states 8 entry 4 lut 1368 ff 643 hoisted 0",
    ("sqrt", WHOLE, 0): "states 19 entry 4 lut 1400 ff 900 hoisted 0",
    ("elementary", WHOLE, 28): "states 6 entry 5 lut 1000 ff 700 dsp 8 hoisted 0",
    ("sin", WHOLE, 0): "states 8 entry 5 lut 3330 ff 550 dsp 2 hoisted 0",
    ("sin", ("float",), 0): "states 30 entry 7.297 lut 2669 ff 1346 dsp 13",
    ("sin", ("double",), 0): "states 28 entry 7.297 lut 4500 ff 3500 dsp 26",
    ("pow", ("double",), 0): "states 71 entry 7.297 lut 7496 ff 16460 dsp 94",
    ("elementary", WHOLE, 0): "states 24 entry 5 lut 2500 ff 2000 dsp 8 hoisted 0",
    ("add", ("double",), 0): "states 7 entry 7.297 lut 800 ff 450 dsp 3",
    ("mul", ("double",), 0): "states 7 entry 7.297 lut 300 ff 320 dsp 11",
    ("div", ("double",), 0): "states 59 entry 7.297 lut 3200 ff 3000",
    ("sqrt", ("double",), 0): "states 57 entry 7.297 lut 1900 ff 1900",
    ("cmp", ("double",), 0): "states 2 entry 7.297 lut 110 ff 70",
    ("elementary", ("double",), 0): "states 18 entry 7.297 lut 4500 ff 3500 dsp 26",
    ("cast", ("double",), 0): "states 2 entry 4.43 lut 250 ff 250",
    ("from_integer", ("double",), 0): "states 6 entry 6.28 lut 250 ff 250",
    ("to_integer", ("double",), 0): "states 6 entry 7.297 lut 250 ff 250",
    ("add", ("float",), 0): "states 5 entry 7.25 lut 390 ff 205 dsp 2",
    ("mul", ("float",), 0): "states 4 entry 5.7 lut 321 ff 143 dsp 3",
    ("div", ("float",), 0): "states 16 entry 6.07 lut 994 ff 761",
    ("sqrt", ("float",), 0): "states 12 entry 7.297 lut 486 ff 405",
    ("cmp", ("float",), 0): "states 2 entry 5.43 lut 66 ff 66",
    ("elementary", ("float",), 0): "states 10 entry 7.297 lut 950 ff 280 dsp 7",
    ("tanh", ("float",), 0): "states 83 entry 7.297 lut 7692 ff 10579 dsp 32",
    ("pow", ("float",), 0): "states 11 entry 7.297 lut 4043 ff 1958 dsp 36",
    ("atan2", ("float",), 0): "states 30 entry 7.297 lut 21584 ff 6772 dsp 2",
    ("cast", ("float",), 0): "states 2 entry 5.2 lut 230 ff 200",
    ("cast", ("half",), 0): "states 2 entry 5.2 lut 230 ff 200",
    ("add", ("half",), 0): "states 5 entry 7.297 lut 113 ff 109 dsp 2",
    ("mul", ("half",), 0): "states 4 entry 7.297 lut 34 ff 91 dsp 2",
    ("div", ("half",), 0): "states 7 entry 7.297 lut 250 ff 190",
    ("sqrt", ("half",), 0): "states 6 entry 7.297 lut 120 ff 100",
    ("cmp", ("half",), 0): "states 2 entry 7.297 lut 30 ff 30",
    ("from_integer", ("float",), 0): "states 6 entry 6.41 lut 230 ff 200",
    ("to_integer", ("float",), 0): "states 5 entry 7.297 lut 230 ff 200",
}
# At 5 ns a product of 40 bits fits a state of the xcvu9p.
OWN = {
    "xcvu9p": {
        ("shift", WHOLE, 0): "delay 2.9 per_bit 0.0075 lut_per_bit 3",
        ("mul", WHOLE, 40): "delay 6.91 ff 165 lut 50 dsp 3",
        ("mul", WHOLE, 0): "states 7 clock_ns 3.33 entry 6.98 lut 180 ff 440 dsp 6",
        ("add", ("float",), 0): "states 7 clock_ns 3.33 entry 7.297 lut 198 ff 318 dsp 2",
        ("mul", ("float",), 0): "states 4 clock_ns 3.33 entry 7.297 lut 78 ff 143 dsp 3",
        ("div", ("float",), 0): "states 12 clock_ns 3.33 entry 7.297 lut 994 ff 761",
        ("reciprocal", ("float",), 0): "states 14 clock_ns 3.33 entry 7.297 lut 115 ff 286 dsp 8",
        ("max", ("float",), 0): "delay 4 lut 373",
        ("elementary", WHOLE, 16): "states 3 clock_ns 4.99 entry 5 lut 600 ff 400 dsp 2 hoisted 0",
        ("elementary", WHOLE, 0): "states 24 clock_ns 3.33 entry 5 lut 740 ff 720 dsp 21 hoisted 0",
        ("sin", WHOLE, 10): "states 6 clock_ns 4.99 entry 5 lut 1563 ff 362 dsp 2 hoisted 0",
        ("sin", WHOLE, 16): "states 8 clock_ns 4.99 entry 5 lut 3328 ff 550 dsp 2 hoisted 0",
        ("sin", WHOLE, 0): "states 8 clock_ns 10 entry 5 lut 10837 ff 987 dsp 6 hoisted 0",
        ("sin", ("float",), 0): "states 10 clock_ns 10 entry 7.297 lut 2000 ff 1000 dsp 13",
        ("sin", ("double",), 0): "states 15 clock_ns 4.99 entry 7.297 lut 4500 ff 3500 dsp 26",
        ("pow", ("float",), 0): "states 11 clock_ns 10 entry 7.297 lut 2000 ff 1000 dsp 13",
        ("pow", ("double",), 0): "states 40 clock_ns 4.99 entry 7.297 lut 7496 ff 16460 dsp 94",
        ("atan2", ("float",), 0): "states 17 clock_ns 10 entry 7.297 lut 21584 ff 6772 dsp 2",
        ("tanh", ("float",), 0): "states 75 clock_ns 3.33 entry 7.297 lut 5758 ff 11100 dsp 56",
        ("sqrt", WHOLE, 0): "states 19 clock_ns 3.33 entry 4 lut 5416 ff 774 hoisted 0",
        ("add", WHOLE, 0): "delay 1.5 per_bit 0.0142 lut_per_bit 1",
        ("logic", EVERY, 0): "delay 0.27 lut_per_bit 1",
        ("from_integer", ("float", "double"), 0): "states 4 clock_ns 4.99 entry 7.297 lut 230 ff 200",
        ("to_integer", ("float", "double"), 0): "delay 3.6 lut 230",
        ("elementary", ("float",), 0): "states 14 clock_ns 3.33 entry 7.297 lut 748 ff 316 dsp 7",
        ("cmp", ("float",), 0): "states 2 clock_ns 3.33 delay 6.2 entry 3.7 lut 66 ff 66",
        ("cast", ("float",), 0): "states 2 clock_ns 3.33 entry 7.297 lut 230 ff 200",
        ("cast", ("half",), 0): "states 2 clock_ns 3.33 entry 3.91 lut 230 ff 200",
        ("add", ("half",), 0): "states 5 clock_ns 3.33 entry 5.18 lut 113 ff 109 dsp 2",
        ("mul", ("half",), 0): "states 4 clock_ns 3.33 entry 4.64 lut 34 ff 91 dsp 2",
        ("div", ("half",), 0): "states 7 clock_ns 4.16 entry 7.297 lut 250 ff 190",
        ("sqrt", ("half",), 0): "states 6 clock_ns 4.16 entry 7.297 lut 120 ff 100",
        ("cmp", ("half",), 0): "states 2 clock_ns 3.33 entry 3.73",
        ("mul", ("double",), 0): "states 8 clock_ns 3.33 entry 7.297 lut 127 ff 388 dsp 8",
        ("add", ("double",), 0): "states 8 clock_ns 3.33 entry 16.3 lut 800 ff 450 dsp 3",
        ("div", ("double",), 0): "states 31 clock_ns 3.33 entry 7.297 lut 3200 ff 3200",
        ("sqrt", ("double",), 0): "states 17 clock_ns 4.99 entry 7.297 lut 1900 ff 1900",
        ("sqrt", ("float",), 0): "states 9 clock_ns 4.99 entry 7.297 lut 486 ff 405",
        ("elementary", ("double",), 0): "states 30 clock_ns 3.33 entry 7.297 lut 4500 ff 3500 dsp 26",
        ("cast", ("double",), 0): "states 2 clock_ns 3.33 entry 7.297 lut 250 ff 250",
    }
}
ULTRASCALE = ("alveo-u280", "aws-f1", "alveo-u50", "alveo-u55c", "alveo-u200", "alveo-u250", "xczu9eg", "xczu7ev")
OWN |= dict.fromkeys((*ULTRASCALE, "xck26"), OWN["xcvu9p"])
# Rule R9.42: Zynq UltraScale+, and grade -2LV of it in ns of grade -2.
MPSOC = OWN["xcvu9p"] | {
    ("add", ("float",), 0): "states 11 clock_ns 3.33 entry 11.1 lut 198 ff 318 dsp 2",
    ("mul", ("float",), 0): "states 7 clock_ns 3.33 entry 8.65 lut 78 ff 143 dsp 3",
    ("div", ("float",), 0): "states 30 clock_ns 3.33 entry 7.297 lut 994 ff 761",
    ("sqrt", ("float",), 0): "states 28 clock_ns 3.33 entry 7.297 lut 486 ff 405",
    ("cmp", ("float",), 0): "states 3 clock_ns 3.33 entry 3.7 lut 66 ff 66",
    ("elementary", ("float",), 0): "states 8 clock_ns 8.32 entry 7.297 lut 950 ff 280 dsp 7",
    ("add", ("double",), 0): "states 8 clock_ns 6.67 entry 7.6 lut 800 ff 450 dsp 3",
    ("mul", ("double",), 0): "states 7 clock_ns 6.67 entry 7.297 lut 127 ff 388 dsp 8",
    ("div", ("double",), 0): "states 22 clock_ns 8.32 entry 7.297 lut 3200 ff 3200",
}
SLOWER = {"3.33": "2.775", "6.67": "5.558"}
LOW = {
    key: re.sub("3.33|6.67", lambda found: SLOWER[found[0]], MPSOC[key])
    for key in (
        *((each, ("float",), 0) for each in ("add", "mul", "div", "cmp")),
        ("add", ("double",), 0),
        ("mul", ("double",), 0),
    )
}
LOW[("add", ("float",), 0)] = LOW[("add", ("float",), 0)].replace("11.1", "11.9")
LOW[("mul", ("float",), 0)] = LOW[("mul", ("float",), 0)].replace("8.65", "13")
OWN |= {"xczu9eg": MPSOC, "xczu7ev": MPSOC, "xck26": MPSOC | LOW}
# At other periods: ns, states, states of faster forms.
AT = {
    ("mul", "integer"): ((4.0, 6), (4.54, 5), (5.0, 2), (8.33, 1)),
    ("add", "float"): (
        (4.0, 7, 6, 3), (4.16, 5, 4, 3), (4.54, 5, 4, 3), (8.33, 4, 3), (10.0, 3, 2), (15.0, 2), (50.0, 1),
    ),
    ("mul", "float"): ((4.0, 4), (4.54, 4), (5.0, 4), (8.33, 3), (10.0, 2), (50.0, 1)),
    ("div", "float"): ((4.16, 10), (10.0, 6), (15.0, 5), (50.0, 2)),
    ("mul", "double"): ((4.0, 6), (4.99, 5), (15.0, 2), (50.0, 2)),
    ("add", "double"): ((4.16, 5), (4.99, 5, 4, 3), (10.0, 4, 3), (15.0, 2), (50.0, 1)),
    ("div", "double"): ((4.99, 22), (15.0, 9), (50.0, 5)), ("sqrt", "double"): ((15.0, 8), (50.0, 5)),
    ("elementary", "integer"): ((8.33, 5),), ("sqrt", "integer"): ((8.33, 6),),
    ("pow", "double"): ((10.0, 17), (50.0, 4)),
    ("elementary", "double"): ((4.99, 16), (15.0, 6), (50.0, 3)),
    ("elementary", "float"): ((4.99, 8), (15.0, 4), (50.0, 2)), ("cmp", "float"): ((4.99, 2, 1), (10.0, 0)),
    ("add", "half"): ((4.16, 5), (10.0, 2)), ("mul", "half"): ((4.16, 4), (10.0, 2)), ("div", "half"): ((10.0, 5),),
    ("sqrt", "half"): ((10.0, 4),), ("cast", "half"): ((10.0, 2), (15.0, 1)),
}  # fmt: skip
USUAL = {"ii": 1, "shared": 1, "hoisted": 1}  # of an operator where the table above says nothing; all else is 0
FIGURES = [
    "states",
    "clock_ns",
    "states_per_bit",
    "entry",
    "delay",
    "per_bit",
    "lut",
    "lut_per_bit",
    "ff",
    "ff_per_bit",
    "dsp",
    "bram",
    "ii",
    "shared",
    "hoisted",
]


def test_every_board_is_typed_twice() -> None:
    assert {load_board(path.stem).name for path in known_boards().values()} == set(RESOURCES)


@pytest.mark.parametrize("name", RESOURCES)
def test_resources(name: str) -> None:
    board = load_board(name)
    assert (board.lut, board.ff, board.dsp, board.bram, board.timing.delay_scale) == RESOURCES[name]


@pytest.mark.parametrize("name", MAKERS_WORDS)
def test_resources_in_the_makers_words(name: str) -> None:
    assert dict(load_board(name).resources) == MAKERS_WORDS[name]


@pytest.mark.parametrize("name", RESOURCES)
def test_clock_link_and_memories(name: str) -> None:
    board = load_board(name)
    clock, lanes, memories = AROUND.get(name, (None, None, []))
    assert (board.clock, board.host and board.host.lanes) == (clock, lanes)
    assert [(each.name, each.preset, each.banks) for each in board.memories] == memories


@pytest.mark.parametrize("name", RESOURCES)
def test_times_of_logic(name: str) -> None:
    """Clock in ns, share that is uncertain, ports of a RAM; then times in ns, and the multiply-add of a DSP block."""
    timing = load_board(name).timing
    assert (timing.reference_clock_ns, timing.uncertainty, timing.ram_ports) == (10, 0.27, 2)
    ram = (2.705, 1.5) if name == "xcvu9p" or name in (*ULTRASCALE, "xck26") else (3.254, 2.322)
    assert (timing.ram_ns, timing.lutram_ns) == ram
    fifo = {"xczu9eg": 4.07, "xczu7ev": 4.07, "xck26": 3.39}.get(name, 3.2 if ram[0] < 3 else 3.63)
    assert (timing.fifo_ns, timing.mux_ns, timing.forward_ns) == (fifo, 0.7, 1)
    assert (timing.writeback_ns, timing.quotient_ns, timing.sign_ns) == (1.6, 4.8, 2.4)
    three = (1.38, 0.0078) if ram[0] < 3 else (3.43, 0.0293)
    assert (timing.ternary_ns, timing.ternary_per_bit_ns) == three
    assert (timing.mac_states, timing.mac_ns, tuple(timing.mac_bits)) == (3, 2.1, (25, 18))


@pytest.mark.parametrize("name", RESOURCES)
def test_operators(name: str) -> None:
    found = {
        (each.name, tuple(each.types), each.max_bits): {key: float(getattr(each, key)) for key in FIGURES}
        for each in load_board(name).operators
    }
    typed = {}
    own = OWN.get(name, {})
    others = {each for each in OPERATORS if each[0] in ("from_integer", "to_integer") or each[2] in (17, 25, 28, 32)}
    like = {each: text for each, text in OPERATORS.items() if not (own and each in others)}
    for operator, text in (like | own).items():
        words = text.split()
        typed[operator] = (
            dict.fromkeys(FIGURES, 0.0) | USUAL | dict(zip(words[::2], map(float, words[1::2]), strict=True))
        )
    assert found == typed


def test_operators_at_other_periods() -> None:
    assert {(each.name, each.types[0]): each.at for each in load_board("xcvu9p").operators if each.at} == AT
    slow = {(each.name, each.types[0]): each.at for each in load_board("xc7z020").operators if each.at}
    assert slow == {
        ("mul", "integer"): ((4.0, 5), (5.0, 5), (6.0, 5)),
        ("add", "float"): ((5.0, 10), (5.6, 10), (30.0, 3), (100.0, 2)), ("mul", "float"): ((5.0, 8), (5.6, 7)),
        ("div", "float"): ((30.0, 7), (100.0, 3)), ("cmp", "float"): ((30.0, 2), (100.0, 1)),
        ("elementary", "float"): ((30.0, 4),),
        ("sin", "float"): ((50.0, 13),),
    }  # fmt: skip


def test_the_opencl_shell_of_the_de5_net() -> None:
    """[ALMs, M20K, DSP blocks]; a widest transaction of 64 bytes, 2 banks of 64 cycles, I_L, I_M, I_D."""
    shell = load_board("de5-net").opencl
    assert shell is not None
    assert (shell.banks, shell.width, shell.latency, shell.outstanding) == (2, 64, 64, 64)
    assert shell.available == (Fraction(83, 100), Fraction(89, 100), Fraction(1))
    assert (shell.amounts, shell.unit, shell.access) == ((234_720, 2560, 256), (6000, 40, 0), (1500, 12, 0))
    assert (shell.fastest, shell.slowdown, shell.per_unit) == (Fraction(300), Fraction(1, 10), Fraction(1, 7))
    assert dict(shell.costs) == {
        "fp_sqrt": (900, 4, 0), "fp_mul": (90, 0, 1), "fp_add": (400, 0, 0), "fp_div": (1400, 4, 0),
        "local_memory": (60, 1, 0), "int_mul": (40, 0, 1), "int_div": (1200, 0, 0), "branch": (20, 0, 0),
        "int_add": (32, 0, 0), "bitwise": (32, 0, 0), "register": (64, 0, 0), "fp_exp": (600, 2, 4),
        "fp_log": (900, 2, 4), "fp_trig": (1600, 4, 8), "fp_convert": (150, 0, 0),
    }  # fmt: skip


def test_latencies_of_opencl_instructions() -> None:
    """Table 2 of Wang et al. from square root to logic; then our assumptions."""
    table = "fp_sqrt 28 fp_mul 5 fp_add 7 local_memory 7 fp_div 14 int_mul 3 int_div 32 branch 1 int_add 1 bitwise 1"
    words = f"{table} fp_exp 17 fp_log 21 fp_trig 36 fp_convert 6".split()
    assert dict(zip(words[::2], map(int, words[1::2]), strict=True)) == LATENCIES


def test_the_clusters_of_ratss() -> None:
    h101, src6 = preset_system("nallatech-h101"), preset_system("src6")
    (cpu, fpga), (ethernet,), (pcix,) = h101.nodes, h101.networks, h101.buses
    assert [(cpu.count, cpu.clock), (fpga.count, fpga.clock)] == [
        (8, Fraction(3_200_000_000)),
        (8, Fraction(195_000_000)),
    ]
    assert dict(fpga.resources) == {"mac": 96}
    assert [ethernet.latency, ethernet.overhead, ethernet.gap, ethernet.per_byte] == [
        Fraction("108e-6"), Fraction("6.75e-6"), Fraction("16.4e-6"), Fraction("9.56e-9"),
    ]  # fmt: skip
    assert (pcix.write.delay, pcix.read.delay) == (Fraction("16e-6"), Fraction("32e-6"))
    assert pcix.write.rate == pcix.read.rate == 1_064_000_000
    assert (pcix.write.efficiency, pcix.read.efficiency) == (((32768, Fraction("0.31")),), ((262144, Fraction("0.1")),))
    (host, maps), (snap,) = src6.nodes, src6.networks
    assert [(host.clock, host.count), (maps.clock, maps.count)] == [
        (Fraction(3_200_000_000), 1),
        (Fraction(100_000_000), 4),
    ]
    assert (maps.port, dict(maps.resources)) == (Fraction(8), {"fpga": 2, "sram bank": 6})
    assert [snap.latency, snap.overhead, snap.gap, snap.per_byte] == [
        Fraction("10.1e-6"), 0, Fraction("0.64e-6"), Fraction("1.25e-9"),
    ]  # fmt: skip


def test_pcie_of_a_card() -> None:
    """PCIe 3.0 x16: 16 lanes x 8 Gbit/s x 128/130 / 8 bytes per second; a quarter of it at 4 KiB, 3/4 from 1 MiB on."""
    (bus,) = preset_system("aws-f1").buses
    assert bus.write == bus.read
    assert (bus.write.rate, bus.write.delay, bus.write.clamp) == (Fraction(15_753_846_153), Fraction("10e-6"), True)
    assert bus.write.efficiency == ((4096, Fraction(1, 4)), (1_048_576, Fraction(3, 4)))
