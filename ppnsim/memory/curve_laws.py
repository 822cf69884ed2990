"""The laws of a memory along what varies: for each point the traffic, and the bandwidth in GB/s that the law gives it.

Nothing here runs a memory; `ppnsim.memory.run.curves` does, and puts the two side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppnsim.errors import InputError
from ppnsim.memory.laws import ceilings, dependent_bandwidth, interface_bandwidth, little_bandwidth, random_bandwidth
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Port, Traffic

LawPoint = tuple[str, float, Traffic, float]
"""Series, what varies, the traffic, and the law in GB/s."""
_MOST_OUTSTANDING = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What varies, in which unit, and the law; ``points`` are those of given values, else of its own."""

    name: str
    x: str
    law: str
    points: Callable[[Dram, int, Sequence[int]], Iterator[LawPoint]]


def _frequency(dram: Dram, requests: int, values: Sequence[int]) -> Iterator[LawPoint]:
    peak, width = ceilings(dram).peak, dram.request_bytes
    for quanta in (width // 2, width, 2 * width):
        for megahertz in values or (50, 100, 150, 200, 225, 250, 300, 350, 400, 450):
            port = Port(quanta=quanta, clock_ns=Fraction(1000, megahertz))
            traffic = Traffic(pattern="seq", outstanding=_MOST_OUTSTANDING, port=port, requests=requests)
            law = interface_bandwidth(megahertz / 1000, quanta, peak, width)
            yield f"quanta {quanta} B", megahertz, traffic, law


def _locality(dram: Dram, requests: int, values: Sequence[int]) -> Iterator[LawPoint]:
    top, size = ceilings(dram), dram.request_bytes
    for value in values:
        if value % size:
            raise InputError(f"locality = {value} bytes are not whole requests of {size} bytes")
    bursts = [value // size for value in values] or [1 << power for power in range(8)]
    for burst in bursts:
        traffic = Traffic(pattern="rowbuf", burst=burst, outstanding=_MOST_OUTSTANDING, requests=requests)
        yield "random", burst * size, traffic, random_bandwidth(top.peak, top.random / size, burst * size)
    for burst in bursts:
        traffic = Traffic(pattern="chain", burst=burst, outstanding=1, requests=requests)
        yield "data-dependent", burst * size, traffic, dependent_bandwidth(top.peak, 1 / _access(dram), burst * size)


def _outstanding(dram: Dram, requests: int, values: Sequence[int]) -> Iterator[LawPoint]:
    top, size = ceilings(dram), dram.request_bytes
    for limit in values or (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128):
        law = min(top.random, little_bandwidth(limit, size, _access(dram) + _burst(dram)))
        yield "random", limit, Traffic(outstanding=limit, requests=requests), law
    for limit in values or (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128):
        latency = (top.closed if dram.closed_page else top.hit) + float(dram.clock_ns)
        law = min(top.peak, little_bandwidth(limit, size, latency))
        yield "stream", limit, Traffic(pattern="seq", outstanding=limit, requests=requests), law


def _concurrency(dram: Dram, requests: int, values: Sequence[int]) -> Iterator[LawPoint]:
    peak, size = ceilings(dram).peak, dram.request_bytes
    for burst in (1, 4, 16):
        for chains in values or (1, 2, 4, 8, 16, 32):
            traffic = Traffic(pattern="chain", burst=burst, outstanding=chains, requests=requests)
            law = dependent_bandwidth(peak, 1 / _access(dram), burst * size, chains)
            yield f"SL {burst * size} B", chains, traffic, law


def _banks(dram: Dram, requests: int, values: Sequence[int]) -> Iterator[LawPoint]:
    for count in values or [1 << power for power in range(dram.total_banks.bit_length())]:
        traffic = Traffic(outstanding=_MOST_OUTSTANDING, banks=count, requests=requests)
        yield "random", count, traffic, ceilings(dram, banks=count).random


def _access(dram: Dram) -> float:
    """Return the time of a random access to an idle memory in ns, without its data's own time on the bus.

    The requester answers one clock after the completion.
    """
    top = ceilings(dram)
    return (top.closed if dram.closed_page else top.conflict) + float(dram.clock_ns) - _burst(dram)


def _burst(dram: Dram) -> float:
    return dram.burst * float(dram.clock_ns)


SWEEPS = {
    each.name: each
    for each in (
        Curve(name="frequency", x="kernel clock [MHz]", law="Eq. 8", points=_frequency),
        Curve(name="locality", x="spatial locality [B]", law="Eq. 9, Eq. 10", points=_locality),
        Curve(name="outstanding", x="requests under way", law="Little", points=_outstanding),
        Curve(name="concurrency", x="chains", law="Eq. 11", points=_concurrency),
        Curve(name="banks", x="banks of a channel", law="random peak", points=_banks),
    )
}
