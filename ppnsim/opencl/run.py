"""An OpenCL kernel executed: work items stream through the pipelines of its basic blocks and through memory.

Rules. Every unit (CU) has a pipeline per basic block, which takes one work item per cycle in the order in which they
come. A work item goes through its blocks, loops and branches one after the other; within a block a step starts when the
steps before it are done. A work item waits for all its accesses, stores included. Units get work groups of 64 in turn,
and start one work item per cycle.

An access joins the wide transaction of neighbouring work items as long as that is under way and has room; else it
issues one, as soon as fewer than ``outstanding`` of each of its copies are under way in its unit. Streams of
neighbouring addresses take the banks in turn; others take them by a fixed pseudo-random sequence. A bank starts one
transaction per cycle, which takes the latency of the memory.

Iterations that only repeat are left out, exactly (`ppnsim.opencl.repeats`), so that loops may be as long as they like.
Kernels with branches, with work items instead of loops, or with accesses all over several banks have no such part.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from math import ceil

import simpy
from simpy.events import Event

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.opencl.kernel import (
    GLOBAL,
    Block,
    BlockStep,
    Count,
    Kernel,
    KernelBranch,
    KernelLoop,
    KernelNode,
    executions,
)
from ppnsim.opencl.repeats import ItemPlace, Repeats, can_repeat
from ppnsim.opencl.transactions import Transactions

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
    repeats = count > _QUICK and can_repeat(kernel, board.banks)
    if count > LARGEST and (not repeats or _of_one_iteration(kernel) > LARGEST):
        raise _too_large(kernel)
    execution = KernelExecution(kernel, board, Repeats() if repeats else None)
    env = execution.env
    for unit in range(kernel.units):
        env.process(execution.dispatch(unit, progress))
    env.run()
    served = execution.transactions.served
    return OpenclRun(cycles=execution.end, executions=execution.executed, transactions=sum(served), busy=served)


def _of_one_iteration(kernel: Kernel) -> Count:
    """Return how many blocks are executed at least, whatever is left out: an iteration of each loop in no other one."""
    once = (node if isinstance(node, KernelBranch) else replace(node, trip=1) for node in kernel.body)
    return executions(replace(kernel, body=tuple(once)))


def _too_large(kernel: Kernel) -> InputError:
    count = executions(kernel)
    words = f"kernel '{kernel.name}' executes {int(count):,} blocks (up to {LARGEST:,} are simulated)"
    smaller = f"make it {ceil(count / LARGEST)} times smaller (minutes) or {ceil(count / _QUICK)} (seconds)"
    smaller += " by its parameters (--set or --vary NAME=N) or its work items (of a source: --global)"
    return InputError(
        f"{words}: {smaller}; then the stalls are told that the model leaves out. Or have it only predicted "
        "(--no-simulate, simulate=False)"
    )


class KernelExecution:
    """The state of a run: when pipelines take the next work item, and what was counted."""

    def __init__(self, kernel: Kernel, board: OpenclBoard, repeats: Repeats | None = None) -> None:
        self.env = simpy.Environment()
        self.repeats = repeats
        self.places: list[ItemPlace] = []  # of the items that were started and are not done
        self.started = self.serial = self.walked = 0
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
                self.started += 1
                self.env.process(self.item(unit, item))
                yield self.env.timeout(1)
                if progress is not None and item % 1024 == 0:
                    progress(self.done, items)

    def item(self, unit: int, number: int) -> Generator[Event]:
        """Execute one work item."""
        place = ItemPlace(unit=unit)
        self.places.append(place)
        for top, node in enumerate(self.kernel.body):
            place.top, place.passed = top, 0
            if isinstance(node, KernelBranch):
                yield from self.visit(place, number, node)
            else:
                yield from self.loop(place, number, node)
        self.places.remove(place)
        skipped = 0 if self.repeats is None else self.repeats.skipped
        self.end = max(self.end, int(self.env.now) + skipped)
        self.done += 1

    def loop(self, place: ItemPlace, item: int, node: KernelLoop | Block) -> Generator[Event]:
        """Execute a loop that is in no other one, or a block as often as it is."""
        place.left = self.times(node)
        while place.left:
            place.passed = 0
            if self.repeats is not None and place is self.places[0] and self.started == self.kernel.items:
                self.repeats.look(self, place)
            if isinstance(node, Block):
                yield from self.execute(place, node)
            else:
                for each in node.body:
                    yield from self.visit(place, item, each)
            place.left -= 1

    def visit(self, place: ItemPlace, item: int, node: KernelNode) -> Generator[Event]:
        """Execute a part of an iteration."""
        if isinstance(node, KernelLoop):
            for _ in range(self.times(node)):
                for each in node.body:
                    yield from self.visit(place, item, each)
        elif isinstance(node, KernelBranch):
            first = int((item + 1) * node.share) > int(item * node.share)
            for each in node.then if first else node.otherwise:
                yield from self.visit(place, item, each)
        else:
            for _ in range(self.times(node)):
                yield from self.execute(place, node)

    def times(self, node: KernelLoop | Block) -> int:
        """Return how often a visit executes a node; over all visits that averages to its trip count."""
        visit = self.visits[node.name] = self.visits.get(node.name, 0) + 1
        return int(visit * node.trip) - int((visit - 1) * node.trip)

    def execute(self, place: ItemPlace, block: Block) -> Generator[Event]:
        """Wait for a slot of the pipeline, then for each level of accesses and the computation before it."""
        pipeline = (place.unit, block.name)
        now = int(self.env.now)
        slot = max(now, self.pipelines.get(pipeline, 0))
        self.pipelines[pipeline] = slot + 1
        self.executed[block.name] += 1
        self.walked += 1
        if self.walked > LARGEST:
            raise _too_large(self.kernel)
        place.passed += 1
        if slot > now:
            yield self.wait(place, slot - now)
        for before, accesses in self.levels[block.name]:
            place.passed += 1
            if before:
                yield self.wait(place, before)
            place.passed += 1
            now = int(self.env.now)
            done = max((self.transactions.access(pipeline, step, now) for step in accesses), default=now)
            if done > now:
                yield self.wait(place, done - now)

    def wait(self, place: ItemPlace, cycles: int) -> Event:
        """Return the event with which an item goes on, and note when that is."""
        self.serial += 1
        place.wake, place.serial = int(self.env.now) + cycles, self.serial
        return self.env.timeout(cycles)

    @property
    def now(self) -> int:
        """The cycle."""
        return int(self.env.now)

    def counts(self) -> list[int]:
        """Return what was counted so far: executions of each block, transactions of each bank."""
        return [*self.executed.values(), *self.transactions.served]

    def add(self, more: list[int]) -> None:
        """Add to what was counted, in the order of `counts`."""
        blocks = len(self.executed)
        self.executed = {name: count + more[at] for at, (name, count) in enumerate(self.executed.items())}
        self.transactions.served = [
            count + each for count, each in zip(self.transactions.served, more[blocks:], strict=True)
        ]


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
