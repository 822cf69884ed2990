"""What to do next about a roofline, by what binds it: at the shares from which on something is near."""

from __future__ import annotations

from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.roofline import report


def bank(configured: float, peak: float = 10.0) -> Any:
    return Of(name="ddr[0]", configured=configured, peak=peak)


@pytest.mark.parametrize(
    ("configured", "words"),
    [
        (8.9, "ddr[0]: its port asks for less than the bank gives: a wider quantum or a faster clock"),
        (9.0, "memory bound by ddr[0]: move arguments to other banks, or keep more on chip"),
        (10.0, "memory bound by ddr[0]: move arguments to other banks, or keep more on chip"),
    ],
)
def test_a_bank_is_near_its_peak_from_nine_tenths_on(configured: float, words: str) -> None:
    assert report._of_bank(bank(configured)) == words


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        (8.0, "scratchpads of 64 bytes in front of ddr make it compute bound"),
        (7.5, "only scratchpads of 64 bytes in front of ddr would make it compute bound, more than 7.5 block RAMs "
              "hold: tile it"),
        (None, "scratchpads of 64 bytes in front of ddr make it compute bound"),
    ],
)  # fmt: skip
def test_a_wall_is_worth_its_block_rams(blocks: float | None, words: str) -> None:
    available = {} if blocks is None else {"bram": blocks}
    answer: Any = Of(accelerator=Of(available=available))
    wall: Any = Of(size=64, place="ddr", blocks=8)
    assert report._of_wall(wall, answer) == words


@pytest.mark.parametrize(
    ("pattern", "cure"),
    [
        ("stream", "a queue of 16 requests and more"),
        ("random", "longer segments, or a queue of 16 requests and more"),
        ("dependent", "3 concurrent streams"),
    ],
)  # fmt: skip
def test_a_port_has_the_cure_of_its_pattern(pattern: str, cure: str) -> None:
    port: Any = Of(queue=16, chains=3)
    argument: Any = Of(pattern=pattern, name="x")
    assert report._of_port(port, argument) == f"the {pattern} accesses of 'x' get less than the port: {cure}"


@pytest.mark.parametrize(
    ("reached", "place", "port"),
    [(8.9, "ddr[0]", True), (9.0, "ddr[0]", False), (8.9, "ddr[1]", False)],
)
def test_a_port_of_the_bank_that_binds_comes_first(reached: float, place: str, port: bool) -> None:
    found = Of(
        bound="ddr[0]", banks=[bank(10.0)], ports=[Of(reached=reached, configured=10.0, queue=4, chains=1)],
        peak=Of(bound="dsp"),
    )  # fmt: skip
    arguments = [Of(place=place, pattern="stream", name="x")]
    answer: Any = Of(found=found, accelerator=Of(arguments=arguments, available={}), walls=[])
    words = "ddr[0]: the stream accesses of 'x' get less than the port: a queue of 4 requests and more"
    assert report._advice(answer) == (words if port else report._of_bank(bank(10.0)))
    answer.found.bound = "operators"
    assert report._advice(answer).startswith("compute bound: the operators take all the dsp; cheaper operators")
