"""The FPGA roofline: peak performance from the operator mix and the device, bandwidth by bank, operational intensity.

Source: Siracusa et al., "A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model", 2021, section
4.2 (Eq. 1 to 7). Rates are per ns (1e9 per second), bandwidths GB/s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.laws import random_bandwidth
from ppnsim.roofline.accelerator import Accelerator, Argument, OperatorUse
from ppnsim.roofline.ceilings import Bank, PortCeilings, bank_of, port_ceilings


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The compute bound.

    Attributes
    ----------
    needed : resources of one unit per operation, c_r (Eq. 1).
    scale : how many times that exceeds the device, SF (Eq. 2); ``bound`` is the resource that sets it.
    units : units that fit, i_op by operator (Eq. 3).
    operations, performance : per ns, all operators (Eq. 4) and what the metric counts (Eq. 5), with the allowance.
    """

    needed: Mapping[str, float]
    scale: float
    bound: str
    units: Mapping[str, float]
    operations: float
    performance: float


def peak_performance(
    operators: Sequence[OperatorUse], available: Mapping[str, float], frequency: float, work: float,
    allowance: float = 0.8,
) -> Peak:  # fmt: skip
    """Return the peak performance of an operator mix on a device (Eq. 1 to 5).

    Examples
    --------
    >>> mix = [OperatorUse(name="add", count=10, cost={"dsp": 2}), OperatorUse(name="mul", count=20, cost={"dsp": 3})]
    >>> peak = peak_performance(mix, {"dsp": 160}, 0.25, work=10)
    >>> peak.needed["dsp"], peak.scale, peak.units, peak.operations, peak.performance
    (80, 0.5, {'add': 20.0, 'mul': 40.0}, 12.0, 4.0)
    """
    needed = {kind: sum(use.count * use.cost.get(kind, 0) for use in operators) for kind in RESOURCES}
    shares = {kind: need / available[kind] for kind, need in needed.items() if need}
    bound = max(shares, key=lambda kind: shares[kind])
    scale = shares[bound]
    units = {use.name: use.count / scale for use in operators}
    return Peak(
        needed=needed, scale=scale, bound=bound, units=units,
        operations=allowance * frequency * sum(use.count for use in operators) / scale,
        performance=allowance * frequency * work / scale,
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
    ridge : intensity from which on the compute bound is the lower one.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The roofline of an accelerator: its compute bound, its banks in use, and all of them together.

    ``attainable`` is the least over the banks: they are used side by side, each with its own traffic.
    """

    peak: Peak
    ports: tuple[PortCeilings, ...]
    banks: tuple[BankRow, ...]
    together: BankRow | None
    attainable: float
    bound: str


def roofline(accelerator: Accelerator) -> Roofline:
    """Return the roofline of an accelerator.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from ppnsim.roofline.accelerator import Argument, MemorySpec
    >>> ddr = MemorySpec(name="ddr", banks=2, peak=19.2, width=64, random=0.15, latency=50)
    >>> found = roofline(Accelerator(
    ...     name="k", clock_ns=Fraction(4), available={"dsp": 160}, memories=(ddr,), results=10,
    ...     operators=(OperatorUse(name="mul", count=20, cost={"dsp": 4}),),
    ...     arguments=(Argument(name="a", memory="ddr", bytes=80), Argument(name="b", memory="ddr", bank=1, bytes=40))))
    >>> found.peak.performance, [bank.attainable for bank in found.banks], found.attainable, found.bound
    (4.0, [2.0, 4.0], 2.0, 'ddr[0]')
    """
    accelerator.checked()
    peak = peak_performance(
        accelerator.operators, accelerator.available, accelerator.frequency, accelerator.work, accelerator.allowance
    )
    models = {memory.name: bank_of(memory) for memory in accelerator.memories}
    ports = tuple(
        port_ceilings(argument, models[argument.memory], accelerator.frequency) for argument in accelerator.arguments
    )
    paired = list(zip(ports, accelerator.arguments, strict=True))
    banks = []
    for memory, number in sorted({(each.memory, each.bank) for each in accelerator.arguments}):
        own = [(port, place) for port, place in paired if (place.memory, place.bank) == (memory, number)]
        row = _bank(
            f"{memory}[{number}]", [port for port, _ in own], [place for _, place in own], models[memory],
            accelerator.work, peak.performance,
        )  # fmt: skip
        banks.append(row)
    least = min(banks, key=lambda bank: bank.attainable, default=None)
    bound = least.name if least and least.attainable < peak.performance else "operators"
    return Roofline(
        peak=peak, ports=ports, banks=tuple(banks),
        together=grouped("all banks", banks, accelerator.work, peak.performance) if banks else None,
        attainable=min(peak.performance, least.attainable if least else inf), bound=bound,
    )  # fmt: skip


def _bank(
    name: str, ports: Sequence[PortCeilings], places: Sequence[Argument], bank: Bank, work: float, top: float
) -> BankRow:
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


def selected(found: Roofline, names: Sequence[str], work: float) -> BankRow:
    """Return the banks with these names as one; a name that is given twice counts once.

    Raises
    ------
    InputError
        If no argument is on a bank of that name.
    """
    known = {bank.name: bank for bank in found.banks}
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in known:
            raise InputError(f"no argument is on a bank '{name}'{did_you_mean(name, known)}")
    return grouped("+".join(names), (known[name] for name in names), work, found.peak.performance)


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
