"""Every equation of the roofline paper on an example worked by hand, the working written out in the row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from ppnsim.c.load import load_kernels
from ppnsim.hls.library.library import load_library
from ppnsim.loops.program import LoopProgram
from ppnsim.memory.laws import (
    concurrency_needed,
    dependent_bandwidth,
    interface_bandwidth,
    outstanding_needed,
    random_bandwidth,
)
from ppnsim.roofline.accelerator import Accelerator, Argument, MemorySpec, OperatorUse
from ppnsim.roofline.laws import peak_performance, roofline
from ppnsim.roofline.mix import operator_mix
from ppnsim.roofline.walls import locality_walls
from validation.harness.rows import Row, ratio

PRODUCT = Path(__file__).with_name("product.c")
_BY_HAND = "worked by hand"
_MIX = (
    OperatorUse(name="add", count=10, cost={"dsp": 2, "lut": 390}),
    OperatorUse(name="mul", count=20, cost={"dsp": 3, "lut": 321}),
)
_DEVICE = {"dsp": 40.0, "lut": 2580.0}


def _row(equation: str, working: str, printed: str, ours: float, unit: str = "") -> Row:
    return Row(
        group="Equations, by hand", what=f"{equation}: {working}", source=_BY_HAND, printed=printed, ours=ratio(ours),
        unit=unit,
    )  # fmt: skip


def peak_rows() -> list[Row]:
    """Return Eq. 1 to 5 for ten additions and twenty multiplications on a small device at 250 MHz."""
    peak = peak_performance(_MIX, _DEVICE, 0.25, work=10)
    whole = peak_performance(_MIX, _DEVICE, 0.25, work=10, allowance=1)
    return [
        _row("Eq. 1", "c_DSP = 10 x 2 + 20 x 3", "80", peak.needed["dsp"], "DSP"),
        _row("Eq. 1", "c_LUT = 10 x 390 + 20 x 321", "10320", peak.needed["lut"], "LUT"),
        _row("Eq. 2", "SF = max(80 / 40, 10320 / 2580)", "4", peak.scale),
        _row("Eq. 3", "i_add = 10 / 4", "2.5", peak.units["add"], "units"),
        _row("Eq. 3", "i_mul = 20 / 4", "5", peak.units["mul"], "units"),
        _row("Eq. 4", "P = (2.5 + 5) x 0.25 GHz", "1.875", whole.operations, "G/s"),
        _row("80 % for routing", "0.8 x 1.875", "1.5", peak.operations, "G/s"),
        _row("Eq. 5", "P = 10 / 4 x 0.25 GHz, o_res = 10", "0.625", whole.performance, "G/s"),
        _row("80 % for routing", "0.8 x 0.625", "0.5", peak.performance, "G/s"),
    ]


def _two_banks() -> Accelerator:
    ddr = MemorySpec(name="ddr", banks=2, peak=19.2, width=64, random=0.15, latency=50.0)
    return Accelerator(
        name="two banks", clock_ns=Fraction(4), available=_DEVICE, operators=_MIX, memories=(ddr,), results=1000,
        arguments=(
            Argument(name="a", memory="ddr", bytes=250), Argument(name="b", memory="ddr", bank=1, bytes=40_000),
        ),
    )  # fmt: skip


def intensity_rows() -> list[Row]:
    """Return Eq. 6 and 7 and the minimum of section 2 for two banks at 250 MHz, ports of 64 bytes."""
    found = roofline(_two_banks())
    assert found.together is not None
    return [
        _row("Eq. 6", "OI of the first bank = 1000 / 250", "4", found.banks[0].intensity, "per byte"),
        _row("Eq. 6", "OI of the second bank = 1000 / 40000", "0.025", found.banks[1].intensity, "per byte"),
        _row("Eq. 7", "OI of both = 1000 / (250 + 40000)", "4/161", found.together.intensity, "per byte"),
        _row("section 2", "first bank: min(0.8 x 1000 / 4 x 0.25, 16 x 4)", "50", found.banks[0].attainable, "G/s"),
        _row("section 2", "second bank: min(50, 16 x 0.025)", "0.4", found.banks[1].attainable, "G/s"),
        _row("section 2", "ridge point of a bank: 50 / 16", "3.125", found.banks[0].ridge, "per byte"),
    ]


def memory_rows() -> list[Row]:
    """Return Eq. 8 to 11, Eq. 11 reversed and Little's law."""
    return [
        _row("Eq. 8", "min(0.2 x 64, 19.2 x 1)", "12.8", interface_bandwidth(0.2, 64, 19.2, 64), "GB/s"),
        _row("Eq. 8", "min(0.45 x 32, 19.2 x 32/64)", "9.6", interface_bandwidth(0.45, 32, 19.2, 64), "GB/s"),
        _row(
            "Eq. 8", "min(0.45 x 128, 19.2 x min(1, 128/64))", "19.2", interface_bandwidth(0.45, 128, 19.2, 64), "GB/s"
        ),
        _row("Eq. 9", "min(19.2, 64 x 0.15)", "9.6", random_bandwidth(19.2, 0.15, 64), "GB/s"),
        _row("Eq. 9", "min(19.2, 1024 x 0.15)", "19.2", random_bandwidth(19.2, 0.15, 1024), "GB/s"),
        _row("Eq. 10", "1 / (1/20 + 1/(1000 x 0.02))", "10", dependent_bandwidth(20, 0.02, 1000), "GB/s"),
        _row("Eq. 11", "1 / (1/20 + 1/(1000 x 0.02 x 4))", "16", dependent_bandwidth(20, 0.02, 1000, 4), "GB/s"),
        _row("Eq. 11 reversed", "C = 1 / (1000 x 0.02 x (1/16 - 1/20))", "4", concurrency_needed(20, 0.02, 1000, 16)),
        _row("Little's law", "19.2 x 50 / 64 requests", "15", outstanding_needed(19.2, 64, 50)),
    ]


@cache
def product() -> LoopProgram:
    """Return the small matrix product."""
    return load_kernels(str(PRODUCT)).programs[0]


def wall_rows() -> list[Row]:
    """Return the bytes and scratchpads of the locality walls of the small matrix product."""
    program = product()
    mix = operator_mix(program, load_library("xcvu9p", 5))
    rows = [
        _row("4.2.1", "additions of a 2 x 4 by 4 x 3 product: 2 x 3 x 4", "24", _count(mix.operators, "add float")),
        _row("4.2.1", "multiplications", "24", _count(mix.operators, "mul float")),
        _row("4.2.3", "nothing cached: 24 x (A + B + C in + C out) x 4 B", "384", sum(mix.bytes.values()), "B"),
    ]
    working = {
        "": ("in front of the kernel: (8 + 12 + 6 + 6) x 4 B", "128", "8 + 12 + 6", "104"),
        "i": ("in front of i: as the kernel", "128", "8 + 12 + 6", "104"),
        "j": ("in front of j, 2 visits: 2 x (4 + 12 + 3 + 3) x 4 B", "176", "4 + 12 + 3", "76"),
        "k": ("in front of k, 6 visits: 6 x (4 + 4 + 1 + 1) x 4 B", "240", "4 + 4 + 1", "36"),
    }
    for wall in locality_walls(program):
        words, moved, elements, size = working[wall.loop]
        rows.append(_row("4.2.3", words, moved, wall.moved, "B"))
        rows.append(_row("4.2.3", f"its scratchpads: ({elements}) x 4 B", size, wall.size, "B"))
    return rows


def _count(operators: Sequence[OperatorUse], name: str) -> float:
    return sum(use.count for use in operators if use.name == name)
