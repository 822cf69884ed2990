"""What an accelerator may not be, number by number and in whole sentences, and what is just within."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.roofline.accelerator import Accelerator, Argument, DesignPoint, MemorySpec, OperatorUse
from ppnsim.roofline.checks import check_accelerator

MUL = OperatorUse(name="mul", count=20, cost={"dsp": 2})
DDR = MemorySpec(name="ddr", banks=2, peak=10.0, width=64, random=100.0, dependent=10.0, latency=50.0)
A = Argument(name="a", memory="ddr", bank=1, bytes=640.0, quanta=64)
GOOD = Accelerator(
    name="k", clock_ns=Fraction(4), available={"dsp": 8, "lut": 0}, memories=(DDR,), operators=(MUL,), arguments=(A,),
    points=(DesignPoint(name="p", performance=1.0, intensity=2.0),), results=1.0,
)  # fmt: skip


def operator(**changes: Any) -> Accelerator:
    return replace(GOOD, operators=(replace(MUL, **changes),))


def memory(**changes: Any) -> Accelerator:
    return replace(GOOD, memories=(replace(DDR, **changes),))


def argument(**changes: Any) -> Accelerator:
    return replace(GOOD, arguments=(replace(A, **changes),))


def point(**changes: Any) -> Accelerator:
    return replace(GOOD, points=(replace(GOOD.points[0], **changes),))


REFUSED: list[tuple[Callable[[], Accelerator], str]] = [
    (lambda: replace(GOOD, clock_ns=Fraction(0)), "clock = 0 must be above 0"),
    (lambda: replace(GOOD, allowance=0.0), "allowance = 0 must be above 0"),
    (lambda: replace(GOOD, allowance=1.5), "allowance = 1.5 must be above 0 and at most 1 (0.8 is the paper's)"),
    (lambda: replace(GOOD, results=0.0), "metric: results = 0 must be above 0"),
    (lambda: memory(banks=0), "memory 'ddr': banks = 0 must be above 0"),
    (lambda: memory(peak=-1.0), "memory 'ddr': peak_GBps = -1 must be above 0"),
    (lambda: memory(width=0), "memory 'ddr': width = 0 must be above 0"),
    (lambda: memory(random=0.0), "memory 'ddr': random_per_us = 0 must be above 0"),
    (lambda: memory(dependent=float("inf")), "memory 'ddr': dependent_per_us = inf must be above 0"),
    (lambda: memory(latency=float("nan")), "memory 'ddr': latency_ns = nan must be above 0"),
    (lambda: argument(quanta=0), "argument 'a': quanta = 0 must be above 0"),
    (lambda: argument(chains=0), "argument 'a': chains = 0 must be above 0"),
    (lambda: argument(memory="hbm"), "argument 'a': 'hbm' is not a memory (known: ddr)"),
    (lambda: argument(bank=2), "argument 'a': bank = 2: memory 'ddr' has 0 to 1"),
    (lambda: argument(bank=-1), "argument 'a': bank = -1: memory 'ddr' has 0 to 1"),
    (lambda: argument(pattern="randm"), "argument 'a': pattern = 'randm' is not a pattern (did you mean 'random'?)"),
    (lambda: argument(bytes=-1.0), "argument 'a': bytes = -1 must be 0 or more"),
    (lambda: argument(bytes=float("inf")), "argument 'a': bytes = inf must be 0 or more"),
    (lambda: argument(outstanding=-1), "argument 'a': outstanding = -1 must be 0 or more"),
    (lambda: argument(locality=63), "argument 'a': locality = 63 is less than the 64 bytes of one quantum"),
    (lambda: point(performance=0.0), "point 'p': performance = 0 must be above 0"),
    (lambda: point(intensity=0.0), "point 'p': intensity = 0 must be above 0"),
    (lambda: operator(count=0), "operator 'mul': count = 0 must be above 0"),
    (lambda: operator(count=float("inf")), "operator 'mul': count = inf must be above 0"),
    (lambda: operator(cost={"dps": 1}), "operator 'mul': 'dps' is not a resource (did you mean 'dsp'?)"),
    (lambda: operator(cost={"dsp": -1}), "operator 'mul': dsp = -1 must be 0 or more"),
    (lambda: operator(cost={"dsp": float("inf")}), "operator 'mul': dsp = inf must be 0 or more"),
    (lambda: operator(cost={"lut": 1}), "operator 'mul': needs 1 lut, of which the device has none"),
    (lambda: operator(cost={"dsp": 0}), "no operator needs any resource, so nothing bounds the peak performance"),
    (
        lambda: replace(operator(counted=False), results=None),
        "no operation counts for the metric 'operations': the performance would be 0",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_breaks_a_rule_is_refused_in_a_sentence(make: Callable[[], Accelerator], words: str) -> None:
    with pytest.raises(InputError) as error:
        check_accelerator(make())
    assert str(error.value) == words


def test_what_is_just_within_a_rule_is_taken() -> None:
    for each in (
        GOOD, replace(GOOD, allowance=1.0), argument(bytes=0.0, outstanding=0, bank=0), argument(locality=64),
        argument(locality=0), point(intensity=None), operator(cost={"dsp": 1, "lut": 0}), memory(random=None),
    ):  # fmt: skip
        check_accelerator(each)
