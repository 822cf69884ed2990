"""What can still be gained from an OpenCL kernel: the four potentials, each from 0 to 1.

Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs, Eq. 20-24.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.laws import KernelPrediction

NAMES = ("B_comp", "B_mem", "B_balance", "B_itpp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Potentials:
    """The four potentials.

    Attributes
    ----------
    comp : share of the scarcest resource that is free (Eq. 20).
    mem : unused share of the widest transactions (Eq. 21).
    balance : how much slower the slowest block is than the next, each in all its passes (Eq. 22).
    itpp : share of the time that is lost because too few work items are active (Eq. 23).
        Eq. 23 as printed takes the larger of two differences, so that a block whose computation takes longer than its
        memory has a potential for that reason alone; the text describes the smaller one, which is taken here.
    """

    comp: Fraction
    mem: Fraction
    balance: Fraction
    itpp: Fraction

    def by_name(self) -> dict[str, Fraction]:
        """Return them by the names of the paper."""
        return dict(zip(NAMES, (self.comp, self.mem, self.balance, self.itpp), strict=True))


def potentials(prediction: KernelPrediction, board: OpenclBoard) -> Potentials:
    """Return the potentials of a predicted kernel.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.laws import predict
    >>> from ppnsim.opencl.block import Block, BlockStep
    >>> from ppnsim.opencl.kernel import Kernel
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4),))
    >>> kernel = Kernel(name="f", work_items=1000, body=(block,))
    >>> found = potentials(predict(kernel, opencl_board()), opencl_board())
    >>> found.mem, found.balance, found.itpp
    (Fraction(15, 16), Fraction(0, 1), Fraction(0, 1))
    """
    free = ((1 - used) / share for used, share in zip(prediction.utilisation, board.available, strict=True))
    blocks = list(prediction.blocks.values())
    carried = sum((each.counts.bytes * each.counts.insts * each.counts.burst for each in blocks), Fraction(0))
    issued = sum((each.counts.insts for each in blocks), Fraction(0))
    slowest = sorted((each.total for each in blocks), reverse=True)
    lost = [1 - max(each.computation_least, each.memory_least) / each.cycles for each in blocks]
    return Potentials(
        comp=max(Fraction(0), min(free)),
        mem=max(Fraction(0), 1 - carried / (board.width * issued)) if issued else Fraction(0),
        balance=(slowest[0] - slowest[1]) / slowest[0] if len(slowest) > 1 else Fraction(0),
        itpp=max(lost, default=Fraction(0)),
    )
