"""An OpenCL kernel executed: work items stream through the pipelines of its basic blocks and through memory.

Rules. Every unit (CU) has a pipeline per basic block, which takes one work item per cycle in the order in which they
come. A work item goes through its blocks, loops and branches one after the other; within a block a step starts when the
steps before it are done. A work item waits for all its accesses, stores included. Units get work groups of 64 in turn,
and start one work item per cycle.

An access joins the wide transaction of neighbouring work items as long as that is under way and has room; else it
issues one, as soon as fewer than ``outstanding`` of each of its copies are under way in its unit. Streams of
neighbouring addresses take the banks in turn; others take them by a fixed pseudo-random sequence. A bank starts one
transaction per cycle, which takes the latency of the memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

import simpy
from simpy.events import Event

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.opencl.counts import burst, instructions
from ppnsim.opencl.kernel import (
    GLOBAL,
    ITEMS,
    Block,
    BlockStep,
    Kernel,
    KernelBranch,
    KernelLoop,
    KernelNode,
    executions,
)

LARGEST = 2_000_000  # executions of blocks in one run
_QUICK = 50_000  # of them take some seconds
_GROUP = 64


@dataclass(slots=True, kw_only=True)
class OpenclRun:
    """What a run counted.

    Attributes
    ----------
    cycles : from the start of the first work item to the end of the last one.
    executions : of each block, by all units.
    transactions, busy : all transactions, and those of each bank.
    """

    cycles: int
    executions: dict[str, int]
    transactions: int
    busy: list[int]


def simulate(kernel: Kernel, board: OpenclBoard, *, progress: Callable[[int, int], None] | None = None) -> OpenclRun:
    """Execute a kernel on a board.

    Raises
    ------
    InputError
        If that takes more than `LARGEST` executions of blocks.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> load = BlockStep(name="l", op="load", bytes=4, along=("items",))
    >>> block = Block(name="b", steps=(load, BlockStep(name="s", op="int_add", after=("l",))))
    >>> run = simulate(Kernel(name="f", work_items=32, body=(block,)), opencl_board())
    >>> run.cycles, run.transactions  # the last item enters in cycle 31, its data are there since 80, it adds
    (81, 2)
    """
    count = executions(kernel)
    if count > LARGEST:
        words = f"kernel '{kernel.name}' executes {int(count):,} blocks (up to {LARGEST:,} are simulated)"
        smaller = f"make it {ceil(count / LARGEST)} times smaller (minutes) or {ceil(count / _QUICK)} (seconds)"
        smaller += " by its parameters (--set or --vary NAME=N) or its work items (of a source: --global)"
        raise InputError(
            f"{words}: {smaller}; then the stalls are told that the model leaves out. Or have it only predicted "
            "(--no-simulate, simulate=False)"
        )
    execution = _Execution(kernel, board)
    env = execution.env
    for unit in range(kernel.units):
        env.process(execution.dispatch(unit, progress))
    env.run()
    served = execution.transactions.served
    return OpenclRun(cycles=execution.end, executions=execution.executed, transactions=sum(served), busy=served)


class _Execution:
    """The state of a run: when pipelines take the next work item, and what was counted."""

    def __init__(self, kernel: Kernel, board: OpenclBoard) -> None:
        self.env = simpy.Environment()
        self.kernel = kernel
        self.transactions = Transactions(board, kernel.simd)
        self.executed = {block.name: 0 for block, _ in kernel.blocks()}
        self.pipelines: dict[tuple[int, str], int] = {}
        self.visits: dict[str, int] = {}
        self.levels = {block.name: _levels(block) for block, _ in kernel.blocks()}
        self.end = 0
        self.done = 0

    def dispatch(self, unit: int, progress: Callable[[int, int], None] | None) -> Generator[Event]:
        """Start the work items of a unit, one per cycle."""
        items = self.kernel.items
        for item in range(items):
            if item // _GROUP % self.kernel.units == unit:
                self.env.process(self.item(unit, item))
                yield self.env.timeout(1)
                if progress is not None and item % 1024 == 0:
                    progress(self.done, items)

    def item(self, unit: int, number: int) -> Generator[Event]:
        """Execute one work item."""
        for node in self.kernel.body:
            yield from self.visit(unit, number, node)
        self.end = max(self.end, int(self.env.now))
        self.done += 1

    def visit(self, unit: int, item: int, node: KernelNode) -> Generator[Event]:
        if isinstance(node, KernelLoop):
            for _ in range(self.times(node)):
                for each in node.body:
                    yield from self.visit(unit, item, each)
        elif isinstance(node, KernelBranch):
            first = int((item + 1) * node.share) > int(item * node.share)
            for each in node.then if first else node.otherwise:
                yield from self.visit(unit, item, each)
        else:
            for _ in range(self.times(node)):
                yield from self.execute(unit, node)

    def times(self, node: KernelLoop | Block) -> int:
        """Return how often a visit executes a node; over all visits that averages to its trip count."""
        visit = self.visits[node.name] = self.visits.get(node.name, 0) + 1
        return int(visit * node.trip) - int((visit - 1) * node.trip)

    def execute(self, unit: int, block: Block) -> Generator[Event]:
        """Wait for a slot of the pipeline, then for each level of accesses and the computation before it."""
        now = int(self.env.now)
        slot = max(now, self.pipelines.get((unit, block.name), 0))
        self.pipelines[unit, block.name] = slot + 1
        self.executed[block.name] += 1
        if slot > now:
            yield self.env.timeout(slot - now)
        for before, accesses in self.levels[block.name]:
            if before:
                yield self.env.timeout(before)
            now = int(self.env.now)
            done = max((self.transactions.access((unit, block.name), step, now) for step in accesses), default=now)
            if done > now:
                yield self.env.timeout(done - now)


def _levels(block: Block) -> list[tuple[int, list[BlockStep]]]:
    """Return the accesses by how many others they wait for, each level with the computation before it in cycles."""
    is_access = {step.name: step.op in GLOBAL for step in block.steps}
    depth: dict[str, int] = {}
    ready: dict[str, int] = {}  # computation since the level before it was done
    for step in block.steps:
        depth[step.name] = max((depth[name] + is_access[name] for name in step.after), default=0)
        own = [ready[name] for name in step.after if depth[name] == depth[step.name]]
        ready[step.name] = step.latency + max(own, default=0)  # an access has no latency of its own
    levels = []
    for level in range(max(depth.values(), default=0) + 1):
        accesses = [step for step in block.accesses if depth[step.name] == level]
        before = max((ready[name] for name in ready if depth[name] == level), default=0)
        levels.append((before, accesses))
    return levels


@dataclass(slots=True)
class _Stream:
    """The transactions of one access in one unit; ``share`` is that of a transaction, per execution."""

    share: Fraction
    near: bool
    seed: int
    limit: int
    made: Fraction = Fraction(0)
    issued: int = 0
    last: int = 0
    under_way: deque[int] = field(default_factory=deque)


class Transactions:
    """The banks of a board and the streams that use them; ``served`` counts the transactions of each bank.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> memory = Transactions(opencl_board(), simd=1)
    >>> load = BlockStep(name="l", op="load", bytes=4, along=("items",))
    >>> [memory.access((0, "b"), load, now) for now in (0, 1, 70)], memory.served
    ([64, 64, 134], [1, 1])
    """

    def __init__(self, board: OpenclBoard, simd: int) -> None:
        self.board, self.simd = board, simd
        self.served = [0] * board.banks
        self._free = [0] * board.banks
        self._streams: dict[tuple[tuple[int, str], str], _Stream] = {}

    def access(self, pipeline: tuple[int, str], step: BlockStep, now: int) -> int:
        """Issue the transactions that begin with an access in cycle ``now``; return when all its data are there.

        ``pipeline`` is the unit and the block of the access.
        """
        stream = self._streams.get((pipeline, step.name))
        if stream is None:
            share = instructions(step, simd=self.simd, width=self.board.width)
            share /= burst(step, simd=self.simd, width=self.board.width)
            limit = self.board.outstanding * step.copies
            stream = _Stream(share=share, near=ITEMS in step.along, seed=len(self._streams), limit=limit)
            self._streams[pipeline, step.name] = stream
        if stream.last <= now:
            stream.made = Fraction(stream.issued)  # whatever room was left is gone: there is no cache
        stream.made += stream.share
        while stream.issued < ceil(stream.made):
            self._issue(stream, now)
        return max(stream.last, now)

    def _issue(self, stream: _Stream, now: int) -> None:
        if len(stream.under_way) == stream.limit:
            now = max(now, stream.under_way.popleft())
        place = stream.issued + stream.seed
        # A multiplicative hash spreads the transactions of accesses without neighbours over the banks.
        bank = (place if stream.near else (place * 2654435761 % 2**32) >> 16) % len(self._free)
        start = max(now, self._free[bank])
        self._free[bank] = start + 1
        self.served[bank] += 1
        stream.last = max(stream.last, start + self.board.latency)
        stream.under_way.append(start + self.board.latency)
        stream.issued += 1
