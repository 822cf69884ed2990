"""The memory bound: what a port can get of its bank, and what one or several banks attain (Eq. 6 to 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from ppnsim.errors import InputError
from ppnsim.memory.laws import (
    ceilings,
    concurrency_needed,
    dependent_bandwidth,
    interface_bandwidth,
    little_bandwidth,
    outstanding_needed,
    random_bandwidth,
)
from ppnsim.roofline.accelerator import Argument, MemorySpec

CEILINGS = ("peak", "configured", "random", "dependent", "reached")
NEAR = 0.9
"""Share of the configured bandwidth that the advised chains reach; no number of chains reaches all of it (Eq. 11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """The figures of a bank for Eq. 8 to 11; see `MemorySpec`."""

    peak: float
    width: int
    random: float
    dependent: float
    latency: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PortCeilings:
    """Bandwidths of an argument's port.

    Attributes
    ----------
    asked : f Q.
    configured : Eq. 8, the peak configuration bandwidth.
    random : Eq. 9.
    dependent : Eq. 10, or Eq. 11 with the argument's chains.
    reached : the ceiling of the argument's own pattern, bounded by its queue too.
    queue : outstanding requests that the configured bandwidth takes (Little's law).
    chains : concurrent streams that take dependent accesses to `NEAR` of the configured bandwidth (Eq. 11 reversed).
    """

    argument: str
    asked: float
    configured: float
    random: float
    dependent: float
    reached: float
    queue: int
    chains: int


def bank_of(memory: MemorySpec) -> Bank:
    """Return a bank of a memory; figures that are not given follow from its DRAM.

    Raises
    ------
    InputError
        If a figure is missing and does not follow.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> found = bank_of(MemorySpec(name="hbm", banks=32, dram=preset("U280-HBM").dram))
    >>> found.width, round(found.peak, 2)
    (32, 13.44)
    """
    values = {name: getattr(memory, name) for name in ("peak", "width", "random", "dependent", "latency")}
    if memory.dram is not None:
        dram = replace(memory.dram, channels=1)
        top, size, clock = ceilings(dram), dram.request_bytes, float(memory.dram.clock_ns)
        burst = dram.burst * clock
        latency = (top.closed if dram.closed_page else top.conflict) + clock
        # A chain pays the latency without the burst itself, which Eq. 10 counts as payload.
        known = {
            "peak": top.peak, "width": size, "random": top.random / size, "dependent": 1 / (latency - burst),
            "latency": latency,
        }  # fmt: skip
        values = {name: known[name] if value is None else value for name, value in values.items()}
    elif values["latency"] is not None and values["dependent"] is None:
        values["dependent"] = 1 / values["latency"]
    keys = {"peak": "peak_GBps", "width": "width", "random": "random_per_us", "latency": "latency_ns",
            "dependent": "dependent_per_us"}  # fmt: skip
    for name, key in keys.items():
        if values[name] is None:
            raise InputError(f"needs {key}, or a preset that it follows from", where=f"memory '{memory.name}'")
    return Bank(**values)


def port_ceilings(argument: Argument, bank: Bank, frequency: float) -> PortCeilings:
    """Return what the port of an argument can get at a clock of ``frequency`` cycles per ns.

    Examples
    --------
    >>> bank = Bank(peak=19.2, width=64, random=0.15, dependent=0.02, latency=50)
    >>> port = port_ceilings(Argument(name="x", memory="ddr", quanta=64, pattern="random"), bank, 0.225)
    >>> port.configured, port.random, round(port.dependent, 3), port.reached, port.queue
    (14.4, 9.6, 1.176, 9.6, 12)
    """
    configured = interface_bandwidth(frequency, argument.quanta, bank.peak, bank.width)
    segment = argument.segment
    random = random_bandwidth(configured, bank.random, segment)
    dependent = dependent_bandwidth(configured, bank.dependent, segment, argument.chains)
    reached = {"stream": configured, "random": random, "dependent": dependent}[argument.pattern]
    if argument.outstanding:
        # The queue holds requests of the port's width; a wider segment is several of them.
        reached = min(reached, little_bandwidth(argument.outstanding, argument.quanta, bank.latency))
    return PortCeilings(
        argument=argument.name, asked=frequency * argument.quanta, configured=configured, random=random,
        dependent=dependent, reached=reached,
        queue=max(1, outstanding_needed(configured, argument.quanta, bank.latency)),
        chains=max(1, concurrency_needed(configured, bank.dependent, segment, NEAR * configured)),
    )  # fmt: skip


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
    ports: Sequence[PortCeilings], arguments: Sequence[Argument], bank: Bank, work: float, top: float
) -> BankRow:
    """Return a bank with the ports and arguments on it; ``work`` and ``top`` are those of the whole kernel."""
    shared = {kind: min(bank.peak, sum(getattr(port, kind) for port in ports)) for kind in CEILINGS[1:]}
    # However many ports ask, the bank serves only so many random requests (Eq. 9).
    most = random_bandwidth(bank.peak, bank.random, max(place.segment for place in arguments))
    shared["random"] = min(shared["random"], most)
    moved = sum(place.bytes for place in arguments)
    if moved:
        slowest = max(place.bytes / port.reached for port, place in zip(ports, arguments, strict=True))
        shared["reached"] = min(bank.peak, moved / slowest)
    if all(place.pattern == "random" for place in arguments):
        shared["reached"] = min(shared["reached"], most)
    names = tuple(port.argument for port in ports)
    return _row(arguments[0].place, names, moved, bank.peak, shared, work, top)


def grouped(name: str, banks: Iterable[BankRow], work: float, top: float) -> BankRow:
    """Return several banks as one (Eq. 7): traffic and bandwidths are added up.

    ``work`` and ``top`` are those of the whole kernel.
    """
    members = list(banks)
    shared = {kind: sum(getattr(bank, kind) for bank in members) for kind in CEILINGS[1:]}
    arguments = tuple(argument for bank in members for argument in bank.arguments)
    peak, moved = sum(bank.peak for bank in members), sum(bank.bytes for bank in members)
    return _row(name, arguments, moved, peak, shared, work, top)


def _row(
    name: str, arguments: tuple[str, ...], moved: float, peak: float, shared: Mapping[str, float], work: float,
    top: float,
) -> BankRow:  # fmt: skip
    intensity, reached = work / moved if moved else inf, shared["reached"]
    return BankRow(
        name=name, arguments=arguments, bytes=moved, intensity=intensity, peak=peak, ridge=top / reached,
        attainable=min(top, reached * intensity), **shared,
    )  # fmt: skip
