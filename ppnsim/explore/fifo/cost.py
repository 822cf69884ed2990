"""What a FIFO costs: tokens, bits, or the memory of an FPGA that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppnsim.errors import InputError, did_you_mean

Cost = Callable[[int, int], int]  # (depth in tokens, width in bits) -> cost
COSTS = ("tokens", "bits", "fpga")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBlocks:
    """A kind of memory blocks of which FIFOs are made.

    Attributes
    ----------
    name : for reports.
    shapes : (depth, width) pairs in which a block can be used.
    bits : what one block costs.
    max_depth, max_bits : it takes FIFOs of at most this depth *or* at most so many bits; both None = any FIFO.
    """

    name: str
    shapes: tuple[tuple[int, int], ...]
    bits: int
    max_depth: int | None = None
    max_bits: int | None = None

    def takes(self, depth: int, width: int) -> bool:
        """Return whether a FIFO of this size is made of these blocks."""
        if self.max_depth is None and self.max_bits is None:
            return True
        return depth <= self.largest(width)

    def largest(self, width: int) -> int:
        """Return the largest depth that it takes at this width; for one that does not take every depth."""
        return max(self.max_depth or 0, (self.max_bits or 0) // width)

    def cost(self, depth: int, width: int) -> int:
        """Return the bits of the blocks in the shape that needs fewest."""
        return self.bits * min(-(-depth // deep) * -(-width // wide) for deep, wide in self.shapes)


@dataclass(frozen=True, slots=True)
class MemoryTable:
    """Kinds of memory in order of preference: a FIFO is made of the first that takes it.

    Examples
    --------
    >>> XILINX(2, 32), XILINX(32, 32), XILINX(33, 32), XILINX(1025, 32)
    (1024, 1024, 18432, 55296)
    """

    memories: tuple[MemoryBlocks, ...]

    def __call__(self, depth: int, width: int) -> int:
        """Return the bits of memory that a FIFO takes."""
        return next(memory for memory in self.memories if memory.takes(depth, width)).cost(depth, width)

    def check(self, width: int) -> None:
        """Raise `InputError` if, at this width, a deeper FIFO is cheaper somewhere: no search could end then."""
        for memory in self.memories[:-1]:
            edge = memory.largest(width)
            if edge >= 1 and self(edge + 1, width) < self(edge, width):
                raise InputError(
                    f"a FIFO of {width} bits costs {self(edge, width)} at depth {edge} in '{memory.name}', but only "
                    f"{self(edge + 1, width)} one token deeper (cheaper memories come first, with their limits)",
                    where="memory table",
                )


@dataclass(frozen=True, slots=True)
class LinearCost:
    """The same for every token: one, or as many as it has bits."""

    in_bits: bool

    def __call__(self, depth: int, width: int) -> int:
        """Return the tokens or the bits of a FIFO."""
        return depth * width if self.in_bits else depth


# Shift registers of 32 x 1 bits in a LUT up to 1024 bits or depth 2, beyond that block RAMs of 18 Kbit.
XILINX = MemoryTable(
    (
        MemoryBlocks(name="shift register", shapes=((32, 1),), bits=32, max_depth=2, max_bits=1024),
        MemoryBlocks(
            name="BRAM18", shapes=((16384, 1), (8192, 2), (4096, 4), (2048, 9), (1024, 18), (512, 36)), bits=18432
        ),
    )
)


def cost_of(name: str, table: MemoryTable = XILINX) -> Cost:
    """Return the cost called ``tokens``, ``bits`` or ``fpga``; the last one takes ``table``.

    ``fpga`` counts the bits of all memory blocks that a FIFO occupies, used or not, so that shift registers and block
    RAMs add up.

    Examples
    --------
    >>> cost_of("tokens")(5, 32), cost_of("bits")(5, 32), cost_of("fpga")(5, 32)
    (5, 160, 1024)

    Source: AMD UG474 (SRL32 in a LUT), UG473 table 1-7 (aspect ratios of an 18 Kb block RAM).
    """
    costs: dict[str, Cost] = {"tokens": LinearCost(in_bits=False), "bits": LinearCost(in_bits=True), "fpga": table}
    if name not in costs:
        raise InputError(f"cost = '{name}' is none of {', '.join(COSTS)}{did_you_mean(name, COSTS)}")
    return costs[name]
