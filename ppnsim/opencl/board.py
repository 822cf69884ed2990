"""What an OpenCL kernel takes of a board, and its clock there.

The figures stand in the table `[opencl]` of a board (`ppnsim.boards`), each with its source or as an assumption.
"""

from __future__ import annotations

from fractions import Fraction

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.block import GLOBAL
from ppnsim.opencl.kernel import Kernel

RESOURCES = ("logic", "memory", "dsp")


def utilisation_of(board: OpenclBoard, kernel: Kernel) -> tuple[Fraction, Fraction, Fraction]:
    """Return U_logic, U_mem and U_dsp of a kernel with the shell; above 1 it does not fit.

    Copies of an access with neighbouring addresses are one wider access, which takes no more.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.block import Block, BlockStep
    >>> block = Block(name="b", steps=(BlockStep(name="m", op="fp_mul"),))
    >>> utilisation_of(opencl_board(), Kernel(name="f", work_items=1, body=(block,), simd=4, units=64))[2]
    Fraction(1, 1)
    """
    used = list(board.unit)
    for block, _ in kernel.blocks():
        for step in block.steps:
            is_access = step.op in GLOBAL
            cost = board.access if is_access else board.costs.get(step.op, (0, 0, 0))
            copies = step.copies * (1 if is_access else step.contiguous * kernel.simd)
            used = [had + copies * more for had, more in zip(used, cost, strict=True)]
    shares = [
        1 - free + Fraction(kernel.units * amount, whole)
        for amount, whole, free in zip(used, board.amounts, board.available, strict=True)
    ]
    return shares[0], shares[1], shares[2]


def clock_of(board: OpenclBoard, kernel: Kernel) -> Fraction:
    """Return the clock of a kernel in MHz: it falls with the fullest resource, and with the number of units."""
    slower = 1 - board.slowdown * max(utilisation_of(board, kernel))
    return board.fastest * slower / (1 + board.per_unit * (kernel.units - 1))
