"""The hierarchy of an OpenCL kernel: basic blocks, and the loops and branches around them.

Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs (sections 2.2, 3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ppnsim.errors import InputError
from ppnsim.opencl.block import Block, Count


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
        yield from _blocks(self.body, 1)

    def loops(self) -> dict[str, Count]:
        """Return the trip counts of all loops by name, outer loops first."""
        return dict(_loops(self.body))

    def checked(self) -> Kernel:
        """Return the kernel; raise `InputError` at the first rule that it breaks."""
        for name, value in (("work_items", self.work_items), ("simd", self.simd), ("units", self.units)):
            if value < 1:
                raise InputError(f"kernel '{self.name}': {name} = {value} (at least 1 is needed)")
        names = [block.name for block, _ in self.blocks()] + [name for name, _ in _loops(self.body)]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two blocks or loops are called '{name}' (names are unique)")
        if not any(True for _ in self.blocks()):
            raise InputError(f"kernel '{self.name}' has no block")
        for block, _ in self.blocks():
            block.check(set(self.loops()))
        for name, trip in self.loops().items():
            if trip <= 0:
                raise InputError(f"loop '{name}': trip = {trip} executes nothing (trip counts start at 1)")
        return self


def _blocks(nodes: tuple[KernelNode, ...], around: Count) -> Iterator[tuple[Block, Count]]:
    for node in nodes:
        if isinstance(node, Block):
            yield node, around
        elif isinstance(node, KernelLoop):
            yield from _blocks(node.body, around * node.trip)
        else:
            yield from _blocks((*node.then, *node.otherwise), around)


def _loops(nodes: tuple[KernelNode, ...]) -> Iterator[tuple[str, Count]]:
    for node in nodes:
        if isinstance(node, KernelLoop):
            yield node.name, node.trip
            yield from _loops(node.body)
        elif isinstance(node, KernelBranch):
            yield from _loops((*node.then, *node.otherwise))


def executions(kernel: Kernel) -> Count:
    """Return how many blocks all work items execute together, both sides of branches counted."""
    return kernel.items * sum(around * block.trip for block, around in kernel.blocks())
