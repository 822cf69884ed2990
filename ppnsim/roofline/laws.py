"""The FPGA roofline: the compute bound of operators on a device, and the memory bounds (section 4.2, Eq. 1 to 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError, did_you_mean
from ppnsim.roofline.accelerator import Accelerator, OperatorUse
from ppnsim.roofline.ceilings import BankRow, PortCeilings, bank_of, bank_row, grouped, port_ceilings
from ppnsim.roofline.checks import check_accelerator


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


def roofline(accelerator: Accelerator) -> Roofline:
    """Return the roofline of an accelerator.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from ppnsim.roofline.accelerator import Argument, MemorySpec, OperatorUse
    >>> ddr = MemorySpec(name="ddr", banks=2, peak=19.2, width=64, random=0.15, latency=50)
    >>> found = roofline(Accelerator(
    ...     name="k", clock_ns=Fraction(4), available={"dsp": 160}, memories=(ddr,), results=10,
    ...     operators=(OperatorUse(name="mul", count=20, cost={"dsp": 4}),),
    ...     arguments=(Argument(name="a", memory="ddr", bytes=80), Argument(name="b", memory="ddr", bank=1, bytes=40))))
    >>> found.peak.performance, [bank.attainable for bank in found.banks], found.attainable, found.bound
    (4.0, [2.0, 4.0], 2.0, 'ddr[0]')
    """
    check_accelerator(accelerator)
    clock, work = accelerator.frequency, accelerator.work
    peak = peak_performance(accelerator.operators, accelerator.available, clock, work, accelerator.allowance)
    models = {memory.name: bank_of(memory) for memory in accelerator.memories}
    ports = tuple(port_ceilings(each, models[each.memory], clock) for each in accelerator.arguments)
    paired = list(zip(ports, accelerator.arguments, strict=True))
    banks = []
    for bank in sorted({(each.memory, each.bank) for each in accelerator.arguments}):
        own, on = zip(*(pair for pair in paired if (pair[1].memory, pair[1].bank) == bank), strict=True)
        banks.append(bank_row(own, on, models[bank[0]], work, peak.performance))
    least = min(banks, key=lambda bank: bank.attainable, default=None)
    bound = least.name if least and least.attainable < peak.performance else "operators"
    return Roofline(
        peak=peak, ports=ports, banks=tuple(banks),
        together=grouped("all banks", banks, work, peak.performance) if banks else None,
        attainable=min(peak.performance, least.attainable if least else inf), bound=bound,
    )  # fmt: skip


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
