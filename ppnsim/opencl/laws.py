"""Predicted cycles of an OpenCL kernel, from its hierarchy and the memory of its board.

Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs, Eq. 6-19 and 24.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.block import Block, Count
from ppnsim.opencl.board import clock_of, utilisation_of
from ppnsim.opencl.counts import Counts, counts
from ppnsim.opencl.kernel import Kernel, KernelBranch, KernelNode


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockTime:
    """What is predicted of a basic block for one pass of all work items (its own trip count included).

    Attributes
    ----------
    name, counts : of the block.
    cycle, trip, around : its critical path (#Cycle), its own trip count, and that of all loops around it.
    computation, computation_least : Comp_k and Comp_k^min, cycles (Eq. 11, 12).
    transactions, memory, memory_least : Mem_trans_k, Mem_k and Mem_k^min, cycles (Eq. 14, 13, 24).
    items : active work items on its computation (#WI_k, Eq. 18).
    served : its transactions that are served per cycle (MTP_lsu_k, Eq. 17).
    """

    name: str
    counts: Counts
    cycle: int
    trip: Count
    around: Count
    computation: Fraction
    computation_least: Fraction
    transactions: Fraction
    memory: Fraction
    memory_least: Fraction
    items: Fraction
    served: Fraction

    @property
    def cycles(self) -> Fraction:
        """The larger one of computation and memory, which overlap (Eq. 10)."""
        return max(self.computation, self.memory)

    @property
    def total(self) -> Fraction:
        """Its cycles in all passes, so that blocks inside and outside of loops can be compared."""
        return self.cycles * self.around

    @property
    def bound_by(self) -> str:
        """``memory`` or ``computation``: the larger one."""
        return "memory" if self.memory > self.computation else "computation"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelPrediction:
    """What is predicted of a kernel.

    Attributes
    ----------
    cycles : C_S of its root (Eq. 7-9).
    frequency, utilisation : clock in MHz; U_logic, U_mem and U_dsp.
    blocks : by name, in the order of the kernel.
    items : active work items on the memory (#WI^mem, Eq. 19).
    served : transactions that are served per cycle (MTP_lsu, Eq. 16).
    """

    cycles: Fraction
    frequency: Fraction
    utilisation: tuple[Fraction, Fraction, Fraction]
    blocks: dict[str, BlockTime]
    items: Fraction
    served: Fraction

    @property
    def seconds(self) -> Fraction:
        """T_S (Eq. 6)."""
        return self.cycles / (self.frequency * 10**6)

    @property
    def fits(self) -> bool:
        """Whether the device has room for it."""
        return max(self.utilisation) <= 1


def predict(kernel: Kernel, board: OpenclBoard) -> KernelPrediction:
    """Return the prediction for a kernel on a board.

    The source does not say what the memory cycles of a work item begin with; here they are the latency of the memory
    times the accesses that wait for one another. Each instruction is divided by its own burst, not by the mean (Eq. 5).

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.block import BlockStep
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",)),), trip=2)
    >>> told = predict(Kernel(name="f", work_items=1000, body=(block,)), opencl_board())
    >>> int(told.cycles), told.blocks["b"].bound_by, told.blocks["b"].transactions
    (2000, 'computation', Fraction(125, 1))
    """
    shares = _WorkItemShares(kernel, board)
    blocks = {block.name: _timed(block, around, shares, kernel, board) for block, around in kernel.blocks()}
    return KernelPrediction(
        cycles=max((_cycles(node, blocks) for node in kernel.body), default=Fraction(0)),
        frequency=clock_of(board, kernel), utilisation=utilisation_of(board, kernel), blocks=blocks,
        items=shares.items, served=shares.served,
    )  # fmt: skip


class _WorkItemShares:
    """How work items are distributed over the computation and memory of all blocks (Eq. 16, 18, 19)."""

    def __init__(self, kernel: Kernel, board: OpenclBoard) -> None:
        self.computation = {block.name: block.cycle * block.trip * around for block, around in kernel.blocks()}
        self.memory = {
            block.name: board.latency * block.memory_depth * block.trip * around for block, around in kernel.blocks()
        }
        self.memory_total = sum(self.memory.values())
        self.total = sum(self.computation.values()) + self.memory_total
        self.items = Fraction(self.memory_total * kernel.items, self.total)
        self.served = min(Fraction(board.banks), self.items / board.latency)


def _timed(block: Block, around: Count, shares: _WorkItemShares, kernel: Kernel, board: OpenclBoard) -> BlockTime:
    found = counts(block, simd=kernel.simd, width=board.width)
    items = Fraction(shares.computation[block.name] * kernel.items, shares.total)
    least = Fraction(kernel.items * block.trip, kernel.units) + block.cycle - 1
    executed = kernel.items * block.trip
    transactions = found.transactions * executed
    memory, memory_least, served = Fraction(0), Fraction(0), Fraction(0)
    if transactions:
        share = Fraction(shares.memory[block.name], shares.memory_total)
        served = shares.served * share
        memory, memory_least = transactions / served, transactions / (board.banks * share)
    return BlockTime(
        name=block.name, counts=found, cycle=block.cycle, trip=block.trip, around=around, computation_least=least,
        computation=max(least, least * kernel.units * block.cycle / items), transactions=transactions, memory=memory,
        memory_least=memory_least, items=items, served=served,
    )  # fmt: skip


def _cycles(node: KernelNode, blocks: dict[str, BlockTime]) -> Fraction:
    """Return the cycles of a node: the slowest of a sequence or branch (Eq. 7, 8), a loop as a pipeline (Eq. 9)."""
    if isinstance(node, Block):
        return blocks[node.name].cycles
    if isinstance(node, KernelBranch):
        return max((_cycles(each, blocks) for each in (*node.then, *node.otherwise)), default=Fraction(0))
    inner = [_cycles(each, blocks) for each in node.body]
    return sum(inner, Fraction(0)) + (node.trip - 1) * max(inner, default=Fraction(0))
