"""The FPGA roofline: the compute bound and the memory bound of each bank, together.

Source: Siracusa et al., "A Comprehensive Methodology to Optimize FPGA Designs via the Roofline Model", 2021, section
4.2 (Eq. 1 to 7). Rates are per ns (1e9 per second), bandwidths GB/s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ppnsim.errors import InputError, did_you_mean
from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.banks import BankRow, bank_row, grouped
from ppnsim.roofline.ceilings import PortCeilings, bank_of, port_ceilings
from ppnsim.roofline.checks import check_accelerator
from ppnsim.roofline.peak import Peak, peak_performance


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
        row = bank_row(
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
