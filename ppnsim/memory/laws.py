"""Closed forms of memory bandwidth (M8): the roofline paper's Eq. 8 to 11 (M8.4), Little's law (M8.3), channel bounds.

Bandwidths are GB/s (1e9 bytes), which is bytes per ns; times ns; locality bytes. Source of the numbered equations:
Siracusa et al., "A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model", 2021, section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf

from ppnsim.errors import InputError
from ppnsim.memory.model.dram import Dram


def interface_bandwidth(frequency: float, quanta: int, bank_bandwidth: float, width: int) -> float:
    """Return the bandwidth of a port: what it asks for, or what the bank gives to ports of that width (Eq. 8).

    Parameters
    ----------
    frequency : of the kernel in GHz.
    quanta, width : bytes that the port asks for per cycle; bytes of the memory's own port.

    Examples
    --------
    >>> interface_bandwidth(0.225, 64, 19.2, 64), interface_bandwidth(0.45, 32, 19.2, 64)
    (14.4, 9.6)
    """
    return min(frequency * quanta, bank_bandwidth * min(1.0, quanta / width))


def random_bandwidth(peak: float, requests: float, locality: float) -> float:
    """Return the bandwidth of independent segments of ``locality`` bytes, at ``requests`` per ns at most (Eq. 9).

    Examples
    --------
    >>> random_bandwidth(19.2, 0.15, 64), random_bandwidth(19.2, 0.15, 1024)
    (9.6, 19.2)
    """
    return min(peak, locality * requests)


def dependent_bandwidth(peak: float, requests: float, locality: float, concurrency: int = 1) -> float:
    """Return the bandwidth of chains of segments, each of which waits for the one before (Eq. 10; Eq. 11 for C > 1).

    Examples
    --------
    >>> round(dependent_bandwidth(20, 0.02, 1000), 6), round(dependent_bandwidth(20, 0.02, 1000, concurrency=4), 6)
    (10.0, 16.0)
    """
    return 1 / (1 / peak + 1 / (locality * requests * concurrency))


def concurrency_needed(peak: float, requests: float, locality: float, wanted: float) -> int:
    """Return how many chains reach a bandwidth, Eq. 11 the other way round.

    Raises
    ------
    InputError
        If the wanted bandwidth is not below the peak, which no number of chains reaches.

    Examples
    --------
    >>> concurrency_needed(20, 0.02, 1000, 16)
    4
    """
    if not 0 < wanted < peak:
        raise InputError(f"bandwidth = {wanted:g} GB/s must be above 0 and below the peak of {peak:g} GB/s")
    return ceil(1 / (locality * requests * (1 / wanted - 1 / peak)) - 1e-9)


def little_bandwidth(outstanding: float, size: int, latency: float) -> float:
    """Return the bandwidth of ``outstanding`` requests of ``size`` bytes that take ``latency`` ns each (Little's law).

    Examples
    --------
    >>> little_bandwidth(4, 64, 50)
    5.12
    """
    return outstanding * size / latency


def outstanding_needed(bandwidth: float, size: int, latency: float) -> int:
    """Return how many requests must be under way for a bandwidth if none of them has to wait (Little's law).

    Random traffic, whose requests do wait for each other's banks, needs two to three times as many.

    Examples
    --------
    >>> outstanding_needed(19.2, 64, 50)
    15
    """
    return ceil(bandwidth * latency / size - 1e-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """What a DRAM system can do at most.

    Attributes
    ----------
    peak : of the data buses, without the share of refreshes.
    random : of random bursts; ``bound`` names the term that sets it.
    bounds : GB/s of each term of `random`.
    hit, closed, conflict : unloaded latency in ns of a read whose row is open, whose bank is closed, whose bank has
        another row open.
    """

    peak: float
    random: float
    bound: str
    bounds: dict[str, float]
    hit: float
    closed: float
    conflict: float


def ceilings(dram: Dram, *, banks: int = 0) -> Ceilings:
    """Return the ceilings of a memory, of which random traffic uses ``banks`` banks per channel, 0 = all (M8.1, M8.2).

    tFAW and tRRD hold in each rank by itself, so two ranks do twice as much.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> found = ceilings(preset("DDR4-2400").dram)
    >>> found.bound, round(found.random, 2), round(found.peak, 2), round(found.hit, 2)
    ('tFAW', 11.29, 18.34, 18.33)
    """
    delays, clock = dram.delays, float(dram.clock_ns)
    used = banks or dram.total_banks
    groups = min(dram.groups, used)
    # Banks are spread over groups first, then ranks.
    ranks = min(dram.ranks, -(-used // dram.groups))
    apart = delays.act_act_s if groups > 1 else delays.act_act_l
    per_clock = {
        "data bus": 1 / (delays.same_s if groups > 1 else delays.same_l),
        "tFAW": ranks * 4 / delays.four_acts if delays.four_acts else inf,
        "tRRD": ranks / apart if apart else inf,
        "banks": used / delays.act_act,
    }
    kept = 1 - delays.refresh / (delays.refresh_every * dram.ranks)
    size = dram.channels * dram.request_bytes / clock
    bounds = {name: size * rate * kept for name, rate in per_clock.items()}
    bound = min(bounds, key=lambda name: bounds[name])
    hit = delays.read_done + 1
    return Ceilings(
        peak=dram.peak_gbps * kept, random=bounds[bound], bound=bound, bounds=bounds, hit=hit * clock,
        closed=(hit + delays.act_read) * clock, conflict=(hit + delays.act_read + delays.pre_act) * clock,
    )  # fmt: skip
