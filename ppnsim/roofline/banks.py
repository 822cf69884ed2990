"""The memory bound: operational intensity, bandwidth and attainable performance of a bank, or of several as one.

Source: Siracusa et al., "A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model", 2021, section
4.2 (Eq. 6, 7). Rates are per ns (1e9 per second), bandwidths GB/s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from ppnsim.memory.laws import random_bandwidth
from ppnsim.roofline.accelerator import Argument
from ppnsim.roofline.ceilings import Bank, PortCeilings


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRow:
    """A bank with the arguments on it, or a group of banks as one (their bandwidths added up).

    Attributes
    ----------
    bytes : moved, tb; ``intensity`` is the work per byte (Eq. 6, 7), infinite without traffic.
    peak, configured, random, dependent : GB/s; see `PortCeilings`. Ports of a bank share its peak.
    reached : GB/s at which the bank's traffic moves: its ports work side by side, each at what its pattern reaches,
        until the last of them is done.
    attainable : per ns: the least of the compute bound and of ``reached`` times ``intensity``.
    ridge : intensity from which the compute bound is the lower one.
    """

    name: str
    arguments: tuple[str, ...]
    bytes: float
    intensity: float
    peak: float
    configured: float
    random: float
    dependent: float
    reached: float
    attainable: float
    ridge: float

    @property
    def memory_bound(self) -> bool:
        """Whether the bank, not the operators, limits the performance."""
        return self.intensity < self.ridge


def bank_row(
    name: str, ports: Sequence[PortCeilings], places: Sequence[Argument], bank: Bank, work: float, top: float
) -> BankRow:
    """Return a bank with the ports and arguments on it; ``work`` and ``top`` are those of the whole kernel."""
    shared = {
        kind: min(bank.peak, sum(getattr(port, kind) for port in ports))
        for kind in ("configured", "random", "dependent", "reached")
    }
    # However many ports ask, the bank serves only so many random requests (Eq. 9).
    most = random_bandwidth(bank.peak, bank.random, max(place.segment for place in places))
    shared["random"] = min(shared["random"], most)
    moved = sum(place.bytes for place in places)
    if moved:
        slowest = max(place.bytes / port.reached for port, place in zip(ports, places, strict=True))
        shared["reached"] = min(bank.peak, moved / slowest)
    if all(place.pattern == "random" for place in places):
        shared["reached"] = min(shared["reached"], most)
    return _row(name, tuple(port.argument for port in ports), moved, bank.peak, shared, work, top)


def grouped(name: str, banks: Iterable[BankRow], work: float, top: float) -> BankRow:
    """Return several banks as one (Eq. 7): traffic and bandwidths are added up.

    ``work`` and ``top`` are those of the whole kernel.
    """
    members = list(banks)
    shared = {
        kind: sum(getattr(bank, kind) for bank in members) for kind in ("configured", "random", "dependent", "reached")
    }
    arguments = tuple(argument for bank in members for argument in bank.arguments)
    peak, moved = sum(bank.peak for bank in members), sum(bank.bytes for bank in members)
    return _row(name, arguments, moved, peak, shared, work, top)


def _row(
    name: str, arguments: tuple[str, ...], moved: float, peak: float, shared: Mapping[str, float], work: float,
    top: float,
) -> BankRow:  # fmt: skip
    intensity = work / moved if moved else inf
    reached = shared["reached"]
    attainable = min(top, reached * intensity)
    return BankRow(
        name=name, arguments=arguments, bytes=moved, intensity=intensity, peak=peak, attainable=attainable,
        ridge=top / reached, **shared,
    )  # fmt: skip
