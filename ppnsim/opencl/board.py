"""A board that runs OpenCL kernels: its memory, its resources, what instructions take of them, and clocks.

Source of the board: Wang et al., sections 3.1 and 6.1 (Terasic DE5-Net, Stratix V GX 5SGXEA7, OpenCL SDK 14.0). What is
not printed there is an assumption and marked as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.errors import InputError
from ppnsim.opencl.block import GLOBAL
from ppnsim.opencl.kernel import Kernel

RESOURCES = ("logic", "memory", "dsp")
Amounts = tuple[int, int, int]  # adaptive logic modules, M20K blocks, DSP blocks


_COSTS: Mapping[str, Amounts] = {
    "fp_sqrt": (900, 4, 0), "fp_mul": (90, 0, 1), "fp_add": (400, 0, 0), "fp_div": (1400, 4, 0),
    "local_memory": (60, 1, 0), "int_mul": (40, 0, 1), "int_div": (1200, 0, 0), "branch": (20, 0, 0),
    "int_add": (32, 0, 0), "bitwise": (32, 0, 0), "register": (64, 0, 0),
    "fp_exp": (600, 2, 4), "fp_log": (900, 2, 4), "fp_trig": (1600, 4, 8), "fp_convert": (150, 0, 0),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Parameters of a board.

    Attributes
    ----------
    banks, width : memory banks, and bytes of the widest transaction.
    latency : cycles of the kernel clock that a transaction takes; assumption: 128 work items / 2 banks, from Fig. 6.
    outstanding : transactions that an access of a pipeline may have under way; assumption.
    available : share of each resource that the shell leaves to kernels (I_L, I_M, I_D).
    amounts : resources of the device.
    unit, access : what a pipeline takes by itself, and what an access to global memory takes; assumptions.
    costs : what an instruction takes; assumptions, but for a DSP block per fp_mul, which makes 256 of them full.
    fastest, slowdown, per_unit : clock of an empty device in MHz, the share of it that is lost when the device is full,
        and how much more its period grows with every further unit; assumptions, the last one from the -O3 row of
        Table 4: four units of the matrix product run 0.7 times as fast as one.
    """

    banks: int = 2
    width: int = 64
    latency: int = 64
    outstanding: int = 64
    available: tuple[Fraction, Fraction, Fraction] = (Fraction(83, 100), Fraction(89, 100), Fraction(1))
    amounts: Amounts = (234_720, 2560, 256)
    unit: Amounts = (6000, 40, 0)
    access: Amounts = (1500, 12, 0)
    costs: Mapping[str, Amounts] = field(default_factory=lambda: dict(_COSTS))
    fastest: Fraction = Fraction(300)
    slowdown: Fraction = Fraction(1, 10)
    per_unit: Fraction = Fraction(1, 7)

    def checked(self) -> Board:
        """Return the board; raise `InputError` if nothing could run on it."""
        for name in ("banks", "width", "latency", "outstanding"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} (at least 1 is needed)", where="board")
        if not all(0 < share <= 1 for share in self.available):
            raise InputError("available must be three shares above 0, up to 1", where="board")
        if self.fastest <= 0 or not 0 <= self.slowdown < 1 or self.per_unit < 0:
            raise InputError("clock and slowdown leave no clock above 0 MHz", where="board")
        return self

    def utilisation(self, kernel: Kernel) -> tuple[Fraction, Fraction, Fraction]:
        """Return U_logic, U_mem and U_dsp of a kernel with the shell; above 1 it does not fit.

        Copies of an access with neighbouring addresses are one wider access, which takes no more.

        Examples
        --------
        >>> from ppnsim.opencl.block import Block, BlockStep
        >>> block = Block(name="b", steps=(BlockStep(name="m", op="fp_mul"),))
        >>> Board().utilisation(Kernel(name="f", work_items=1, body=(block,), simd=4, units=64))[2]
        Fraction(1, 1)
        """
        used = list(self.unit)
        for block, _ in kernel.blocks():
            for step in block.steps:
                is_access = step.op in GLOBAL
                cost = self.access if is_access else self.costs.get(step.op, (0, 0, 0))
                copies = step.copies * (1 if is_access else step.contiguous * kernel.simd)
                used = [had + copies * more for had, more in zip(used, cost, strict=True)]
        shares = [
            1 - free + Fraction(kernel.units * amount, whole)
            for amount, whole, free in zip(used, self.amounts, self.available, strict=True)
        ]
        return shares[0], shares[1], shares[2]

    def frequency(self, kernel: Kernel) -> Fraction:
        """Return the clock of a kernel in MHz: it falls with the fullest resource, and with the number of units."""
        return (
            self.fastest
            * (1 - self.slowdown * max(self.utilisation(kernel)))
            / (1 + self.per_unit * (kernel.units - 1))
        )
