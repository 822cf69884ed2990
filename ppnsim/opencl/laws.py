"""Predicted of an OpenCL kernel: resources and clock, cycles, and what can still be gained (Wang et al., Eq. 6-24).

The figures of a board stand in its table `[opencl]` (`ppnsim.boards`), each with its source or as an assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.boards.board import OpenclBoard
from ppnsim.opencl.counts import Counts, counts
from ppnsim.opencl.kernel import GLOBAL, Block, Count, Kernel, KernelBranch, KernelNode

RESOURCES = ("logic", "memory", "dsp")
NAMES = ("B_comp", "B_mem", "B_balance", "B_itpp")


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
    >>> from ppnsim.opencl.kernel import BlockStep
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",)),), trip=2)
    >>> told = predict(Kernel(name="f", work_items=1000, body=(block,)), opencl_board())
    >>> int(told.cycles), told.blocks["b"].bound_by, told.blocks["b"].transactions
    (2000, 'computation', Fraction(125, 1))
    """
    utilisation = utilisation_of(board, kernel)
    # The clock falls with the fullest resource, and with the number of units.
    slower = (1 - board.slowdown * max(utilisation)) / (1 + board.per_unit * (kernel.units - 1))
    shares = _WorkItemShares(kernel, board)
    blocks = {block.name: _timed(block, around, shares, kernel, board) for block, around in kernel.blocks()}
    return KernelPrediction(
        cycles=max((_cycles(node, blocks) for node in kernel.body), default=Fraction(0)),
        frequency=board.fastest * slower, utilisation=utilisation, blocks=blocks,
        items=shares.items, served=shares.served,
    )  # fmt: skip


class _WorkItemShares:
    """How work items are distributed over the computation and memory of all blocks (Eq. 16, 18, 19)."""

    def __init__(self, kernel: Kernel, board: OpenclBoard) -> None:
        times = [(block, block.trip * around) for block, around in kernel.blocks()]
        self.computation = {block.name: block.cycle * each for block, each in times}
        self.memory = {block.name: board.latency * block.memory_depth * each for block, each in times}
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


def utilisation_of(board: OpenclBoard, kernel: Kernel) -> tuple[Fraction, Fraction, Fraction]:
    """Return U_logic, U_mem and U_dsp of a kernel with the shell; above 1 it does not fit.

    Copies of an access with neighbouring addresses are one wider access, which takes no more.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.kernel import Block, BlockStep
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
    limits = zip(used, board.amounts, board.available, strict=True)
    logic, memory, dsp = (1 - free + Fraction(kernel.units * amount, whole) for amount, whole, free in limits)
    return logic, memory, dsp


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
    >>> from ppnsim.opencl.kernel import Block, BlockStep, Kernel
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
