"""Static counts of a basic block: global memory instructions, bytes, bursts (Wang et al., Eq. 1-5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.opencl.kernel import ITEMS, Block, BlockStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of a block for one work item.

    Attributes
    ----------
    insts, bytes : #Mem_insts and #Mem_bytes (Eq. 1, 3).
    burst : #Mem_burst, the mean over its instructions. Eq. 5 as printed divides a sum over accesses by the number of
        instructions, so that copies of an access that is not coalesced lower the mean below 1.
    transactions : wide transactions, each instruction by its own burst.
    """

    insts: Fraction
    bytes: Fraction
    burst: Fraction
    transactions: Fraction


def instructions(step: BlockStep, *, simd: int, width: int) -> Fraction:
    """Return how many instructions an access issues in one execution of its block (ls_num, Eq. 2).

    Copies are coalesced as far as their addresses are neighbours: those of a loop along which the access advances, and
    the lanes of a vector if it advances from work item to work item. The equation has only the cases all and none.

    Examples
    --------
    >>> instructions(BlockStep(name="a", op="load", bytes=4, contiguous=16), simd=1, width=64)
    Fraction(31, 16)
    >>> instructions(BlockStep(name="b", op="load", bytes=4, copies=16), simd=1, width=64)
    Fraction(16, 1)
    """
    near, far = _directions(step, simd)
    wide = Fraction(near, step.every)
    merged = wide if wide < 1 else 1 + step.bytes * step.every * (wide - 1) / Fraction(width)
    return merged * far


def burst(step: BlockStep, *, simd: int, width: int) -> Fraction:
    """Return how many instructions of consecutive work items become one transaction (Eq. 4).

    Examples
    --------
    >>> burst(BlockStep(name="a", op="load", bytes=4, along=("items",)), simd=2, width=64)
    Fraction(8, 1)
    """
    near, _ = _directions(step, simd)
    if ITEMS not in step.along:
        return Fraction(1)
    return max(Fraction(1), Fraction(width, step.bytes * max(near, step.every)))


def counts(block: Block, *, simd: int, width: int) -> Counts:
    """Return the counts of a block (Eq. 1, 3, 5).

    Examples
    --------
    >>> steps = tuple(BlockStep(name=name, op="load", bytes=4, along=("items",)) for name in "ab")
    >>> found = counts(Block(name="add", steps=steps), simd=1, width=64)
    >>> [int(each) for each in (found.insts, found.bytes, found.burst)], found.transactions
    ([2, 4, 16], Fraction(1, 8))
    """
    numbers = [instructions(step, simd=simd, width=width) for step in block.accesses]
    bursts = [burst(step, simd=simd, width=width) for step in block.accesses]
    insts = sum(numbers, Fraction(0))
    if not insts:
        return Counts(insts=insts, bytes=Fraction(0), burst=Fraction(1), transactions=Fraction(0))
    moved = sum(step.bytes * step.contiguous * step.copies * simd for step in block.accesses)
    return Counts(
        insts=insts, bytes=moved / insts,
        burst=sum((each * number for each, number in zip(bursts, numbers, strict=True)), Fraction(0)) / insts,
        transactions=sum((number / each for each, number in zip(bursts, numbers, strict=True)), Fraction(0)),
    )  # fmt: skip


def _directions(step: BlockStep, simd: int) -> tuple[int, int]:
    """Return the copies with neighbouring addresses, and the others."""
    lanes = simd if ITEMS in step.along else 1
    return step.contiguous * lanes, step.copies * simd // lanes
