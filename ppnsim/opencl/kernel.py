"""The hierarchy of an OpenCL kernel: basic blocks of steps, loops and branches (Wang et al., 2.2, 3.2, Table 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ppnsim.errors import InputError, did_you_mean

ITEMS = "items"  # the direction from one work item to the next, beside the names of loops
LATENCIES = {
    "fp_sqrt": 28, "fp_mul": 5, "fp_add": 7, "local_memory": 7, "fp_div": 14, "int_mul": 3, "int_div": 32, "branch": 1,
    "int_add": 1, "bitwise": 1,
    # Table 2 ends above. Assumption for other operations of OpenCL C: the latencies of the vendor's operators.
    "fp_exp": 17, "fp_log": 21, "fp_trig": 36, "fp_convert": 6,
}  # fmt: skip
GLOBAL = ("load", "store")
NO_LATENCY = (*GLOBAL, "register")  # global memory is timed apart; private memory is registers
Count = int | Fraction  # a trip count is the average over work items and visits, which may be a fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStep:
    """An instruction of a basic block.

    Attributes
    ----------
    op : ``load`` or ``store`` (global memory), ``register``, or an instruction of Table 2.
    after : names of the steps whose results it takes.
    bytes : of one access to global memory.
    along : loops along which its address advances by ``bytes``, and `ITEMS` if it does from work item to work item.
    carried : it takes its own result of the iteration before, as a sum does.
    reuse : how many work items that share local memory load the same data; SM keeps a copy there.
    mended : directions along which its address also advances when MC has changed the order of the data.
    private : PM can keep its data in registers.
    same : loops in whose iterations it accesses the same data, so that unrolling adds no copies.
    vector, every : elements that VT can take at once; elements that one access takes (once in as many iterations).
    contiguous, copies : copies by unrolling with neighbouring addresses, and others.
    """

    name: str
    op: str
    after: tuple[str, ...] = ()
    bytes: int = 0
    along: tuple[str, ...] = ()
    carried: bool = False
    reuse: int = 1
    mended: tuple[str, ...] = ()
    private: bool = False
    same: tuple[str, ...] = ()
    vector: int = 1
    every: int = 1
    contiguous: int = 1
    copies: int = 1

    @property
    def latency(self) -> int:
        """Cycles of the instruction; copies of one that takes its own result follow each other."""
        cycles = 0 if self.op in NO_LATENCY else LATENCIES[self.op]
        return cycles * (self.contiguous * self.copies if self.carried else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A basic block, executed ``trip`` times by every work item when it is a loop by itself."""

    name: str
    steps: tuple[BlockStep, ...]
    trip: Count = 1

    def longest(self, weight: dict[str, int]) -> int:
        """Return the largest sum of weights along a chain of steps (dynamic programming, the steps in order)."""
        ends: dict[str, int] = {}
        for step in self.steps:
            ends[step.name] = weight[step.name] + max((ends[name] for name in step.after), default=0)
        return max(ends.values(), default=0)

    @property
    def cycle(self) -> int:
        """Cycles of the critical path without global memory (#Cycle), at least 1."""
        return max(1, self.longest({step.name: step.latency for step in self.steps}))

    @property
    def memory_depth(self) -> int:
        """Accesses to global memory that wait for one another."""
        return self.longest({step.name: int(step.op in GLOBAL) for step in self.steps})

    @property
    def accesses(self) -> tuple[BlockStep, ...]:
        """The steps that go to global memory."""
        return tuple(step for step in self.steps if step.op in GLOBAL)

    def check(self, loops: set[str]) -> None:
        """Raise `InputError` unless its steps are known instructions in order, along ``loops`` that exist."""
        known = {*LATENCIES, *NO_LATENCY}
        seen: set[str] = set()
        for step in self.steps:
            where = f"block '{self.name}': step '{step.name}'"
            if step.op not in known:
                raise InputError(f"'{step.op}' is not an instruction{did_you_mean(step.op, known)}", where=where)
            if step.op in GLOBAL and step.bytes < 1:
                raise InputError(f"bytes = {step.bytes} accesses nothing (at least 1 is needed)", where=where)
            for name in step.after:
                if name not in seen:
                    near = did_you_mean(name, seen)
                    raise InputError(f"after '{name}', which is not a step before it{near}", where=where)
            for name in (*step.along, *step.mended, *step.same):
                if name != ITEMS and name not in loops:
                    raise InputError(f"'{name}' is not a loop{did_you_mean(name, {*loops, ITEMS})}", where=where)
            if step.name in seen:
                raise InputError("is there twice (names are unique within a block)", where=where)
            if min(step.reuse, step.vector) < 1:
                raise InputError("reuse and vector start at 1", where=where)
            seen.add(step.name)
        if self.trip <= 0:
            raise InputError(f"block '{self.name}': trip = {self.trip} executes nothing (trip counts start at 1)")


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelLoop:
    """A loop around nodes; every work item executes them ``trip`` times, on average."""

    name: str
    trip: Count
    body: tuple[KernelNode, ...]

    def inside(self, change: Change) -> KernelLoop:
        """Return it with its body changed."""
        return replace(self, body=change(self.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelBranch:
    """A branch: a work item executes one side. ``share`` of them take the first, which only a run needs."""

    name: str
    then: tuple[KernelNode, ...]
    otherwise: tuple[KernelNode, ...] = ()
    share: Fraction = Fraction(1, 2)

    def inside(self, change: Change) -> KernelBranch:
        """Return it with both sides changed."""
        return replace(self, then=change(self.then), otherwise=change(self.otherwise))


KernelNode = Block | KernelLoop | KernelBranch
Change = Callable[[tuple[KernelNode, ...]], tuple[KernelNode, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel and how it is replicated: ``simd`` lanes per pipeline, ``units`` pipelines (CU).

    ``vectorise`` is false where work items branch by their number; the lanes of a vector cannot.
    """

    name: str
    work_items: int
    body: tuple[KernelNode, ...]
    simd: int = 1
    units: int = 1
    vectorise: bool = True

    @property
    def items(self) -> int:
        """Work items after vectorisation: each then does the work of ``simd`` of them."""
        return -(-self.work_items // self.simd)

    def blocks(self) -> Iterator[tuple[Block, Count]]:
        """Yield the basic blocks, each with the trip count of all loops around it (its own not included)."""
        return ((node, around) for node, around in _walk(self.body, 1) if isinstance(node, Block))

    def loops(self) -> dict[str, Count]:
        """Return the trip counts of all loops by name, outer loops first."""
        return {node.name: node.trip for node, _ in _walk(self.body, 1) if isinstance(node, KernelLoop)}

    def checked(self) -> Kernel:
        """Return the kernel; raise `InputError` at the first rule that it breaks."""
        for name, value in (("work_items", self.work_items), ("simd", self.simd), ("units", self.units)):
            if value < 1:
                raise InputError(f"kernel '{self.name}': {name} = {value} (at least 1 is needed)")
        nodes = [node for node, _ in _walk(self.body, 1) if not isinstance(node, KernelBranch)]
        names = [node.name for node in sorted(nodes, key=lambda node: isinstance(node, KernelLoop))]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two blocks or loops are called '{name}' (names are unique)")
        if not any(isinstance(node, Block) for node in nodes):
            raise InputError(f"kernel '{self.name}' has no block")
        for block, _ in self.blocks():
            block.check(set(self.loops()))
        for name, trip in self.loops().items():
            if trip <= 0:
                raise InputError(f"loop '{name}': trip = {trip} executes nothing (trip counts start at 1)")
        return self


def _walk(nodes: tuple[KernelNode, ...], around: Count) -> Iterator[tuple[KernelNode, Count]]:
    """Yield all nodes, outer ones first, each with the trip count of all loops around it."""
    for node in nodes:
        yield node, around
        if isinstance(node, KernelLoop):
            yield from _walk(node.body, around * node.trip)
        elif isinstance(node, KernelBranch):
            yield from _walk((*node.then, *node.otherwise), around)


def executions(kernel: Kernel) -> Count:
    """Return how many blocks all work items execute together, both sides of branches counted."""
    return kernel.items * sum(around * block.trip for block, around in kernel.blocks())
