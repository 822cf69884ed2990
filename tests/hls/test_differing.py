"""What arguments on one bus differ in that a port has one of."""

from __future__ import annotations

from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.hls.region.bursts import bytes_of, differing
from ppnsim.loops.program import Array


@pytest.mark.parametrize(("bits", "size"), [(1, 1), (8, 1), (9, 2), (16, 2), (24, 4), (32, 4), (33, 8), (512, 64)])
def test_a_beat_has_the_bytes_of_an_element_up_to_a_power_of_two(bits: int, size: int) -> None:
    assert bytes_of(Array(name="a", type="int", bits=bits, shape=(8,))) == size


@pytest.mark.parametrize(
    ("widths", "latencies", "words"),
    [
        ((32, 32), (64, 64), ""), ((32, 32), (64, 8), "several latencies"),
        ((32, 64), (64, 64), "elements of several widths"),
        ((32, 64), (64, 8), "elements of several widths"), ((17, 32), (None, None), ""), ((32,), (8,), ""),
    ],
)  # fmt: skip
def test_arguments_on_one_bus_have_one_width_and_one_latency(
    widths: tuple[int, ...], latencies: tuple[Any, ...], words: str
) -> None:
    names = "ab"[: len(widths)]
    arrays = {
        name: Array(name=name, type="int", bits=bits, shape=(8,)) for name, bits in zip(names, widths, strict=True)
    }
    directives: Any = Of(storage={name: Of(latency=each) for name, each in zip(names, latencies, strict=True)})
    assert differing(list(names), arrays, directives) == words
