"""A design of an OpenCL kernel: which optimisations (SM, MC, PM, VT, UL, SIMD, CU) are applied, and the kernel then."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.opencl.kernel import GLOBAL, ITEMS, Block, BlockStep, Count, Kernel, KernelBranch, KernelNode

FLAGS = ("SM", "MC", "PM", "VT")
BASELINE = "baseline"
LANES = (2, 4, 8, 16)  # what the vendor's attributes accept
UNITS = (2, 3, 4, 6, 8)
MOST_COPIES = 256  # by unrolling, of all loops together
_NUMBERED = re.compile(r"(UL|SIMD|CU)([0-9]{1,9})(?::(.+))?")
_USES: dict[str, Callable[[BlockStep], bool]] = {
    "SM": lambda step: step.reuse > 1,
    "MC": lambda step: not set(step.mended) <= set(step.along),
    "PM": lambda step: step.private,
    "VT": lambda step: step.vector > 1,
}
_CHANGES: dict[str, Callable[[BlockStep], BlockStep]] = {
    "PM": lambda step: replace(step, op="register") if step.private and step.op in GLOBAL else step,
    "MC": lambda step: replace(step, along=tuple(dict.fromkeys((*step.along, *step.mended)))),
    # One access takes ``vector`` elements, once in as many iterations.
    "VT": lambda step: replace(step, every=step.vector) if step.op in GLOBAL else step,
    "SM": lambda step: replace(step, op="local_memory") if step.reuse > 1 and step.op in GLOBAL else step,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A combination of optimisations.

    Attributes
    ----------
    flags : those of SM (local memory), MC (coalescing), PM (private memory), VT (vector types) that are applied.
    unroll : factors of partially or completely unrolled loops by name (UL).
    simd, units : lanes of a pipeline, and pipelines (CU).
    """

    flags: frozenset[str] = frozenset()
    unroll: Mapping[str, int] = field(default_factory=dict)
    simd: int = 1
    units: int = 1

    def __str__(self) -> str:
        parts = [flag for flag in FLAGS if flag in self.flags]
        parts += [f"UL{factor}:{loop}" for loop, factor in self.unroll.items() if factor > 1]
        parts += [f"SIMD{self.simd}"] * (self.simd > 1) + [f"CU{self.units}"] * (self.units > 1)
        return "+".join(parts) or BASELINE


def parse_design(text: str) -> Design:
    """Return the design that a text names: optimisations joined by ``+``, unrolled loops by name.

    Raises
    ------
    InputError
        If a part is not an optimisation.

    Examples
    --------
    >>> str(parse_design("SM+UL64:k+SIMD4"))
    'SM+UL64:k+SIMD4'
    """
    flags, unroll, numbers = set(), {}, {"SIMD": 1, "CU": 1}
    for part in text.split("+") if text != BASELINE else ():
        numbered = _NUMBERED.fullmatch(part)
        if part in FLAGS:
            flags.add(part)
        elif numbered and (numbered[1] == "UL") == (numbered[3] is not None):
            if numbered[1] == "UL":
                unroll[numbered[3]] = int(numbered[2])
            else:
                numbers[numbered[1]] = int(numbered[2])
        else:
            forms = f"{', '.join(FLAGS)}, UL<factor>:<loop>, SIMD<lanes>, CU<units>"
            raise InputError(f"'{part}' is not an optimisation (known: {forms})", where=f"design '{text}'")
    return Design(flags=frozenset(flags), unroll=unroll, simd=numbers["SIMD"], units=numbers["CU"])


def factors(trip: Count, most: int) -> list[int]:
    """Return the factors that divide a trip count, 1 first.

    Examples
    --------
    >>> from fractions import Fraction
    >>> factors(12, 8), factors(Fraction(9, 2), 8)
    ([1, 2, 3, 4, 6], [1])
    """
    return [factor for factor in range(1, min(int(trip), most) + 1) if trip % factor == 0] or [1]


def useful_flags(kernel: Kernel) -> list[str]:
    """Return the flags that change an access of a kernel."""
    accesses = [step for block, _ in kernel.blocks() for step in block.accesses]
    return [flag for flag in FLAGS if any(_USES[flag](step) for step in accesses)]


def applied(kernel: Kernel, design: Design) -> Kernel:
    """Return the kernel after the optimisations of a design, its blocks merged as a compiler merges them.

    Raises
    ------
    InputError
        If a flag or loop does not exist, or a factor does not divide a trip count.

    Examples
    --------
    >>> from ppnsim.opencl.kernel import KernelLoop
    >>> add = Block(name="sum", steps=(BlockStep(name="a", op="load", bytes=4, along=("k",)),))
    >>> kernel = Kernel(name="f", work_items=64, body=(KernelLoop(name="k", trip=32, body=(add,)),))
    >>> block, _ = next(applied(kernel, Design(unroll={"k": 8})).blocks())
    >>> block.trip, block.steps[0].contiguous
    (4, 8)
    """
    loops = kernel.loops()
    for flag in sorted(design.flags):
        if flag not in FLAGS:
            raise InputError(f"'{flag}' is not an optimisation{did_you_mean(flag, FLAGS)}")
    for loop, factor in design.unroll.items():
        if loop not in loops:
            raise InputError(f"no loop is called '{loop}' to unroll{did_you_mean(loop, loops)}")
        if factor < 1 or loops[loop] % factor:
            raise InputError(f"loop '{loop}': unrolling {loops[loop]} iterations by {factor} leaves a rest")
    for name, value in (("simd", design.simd), ("units", design.units)):
        if value < 1:
            raise InputError(f"{name} = {value} (at least 1 is needed)")
    if design.simd > 1 and not kernel.vectorise:
        raise InputError(f"kernel '{kernel.name}' branches by work item: no SIMD{design.simd} (vectorise = false)")
    body = kernel.body
    for flag, change in _CHANGES.items():
        if flag in design.flags:
            fills = _fills(kernel, body) if flag == "SM" else ()
            body = (*fills, *_changed(body, change))
    body = normal(_all_unrolled(body, design.unroll))
    return replace(kernel, body=body, simd=design.simd, units=design.units)


def _changed(nodes: tuple[KernelNode, ...], change: Callable[[BlockStep], BlockStep]) -> tuple[KernelNode, ...]:
    """Return the nodes with every step changed."""
    return tuple(
        replace(node, steps=tuple(change(step) for step in node.steps))
        if isinstance(node, Block)
        else node.inside(lambda nodes: _changed(nodes, change))
        for node in nodes
    )


def _fills(kernel: Kernel, body: tuple[KernelNode, ...]) -> tuple[Block, ...]:
    """Return the blocks that copy reused data to local memory, work item beside work item."""
    fills = []
    for block, around in replace(kernel, body=body).blocks():
        for step in block.accesses:
            if step.reuse > 1:
                load = replace(step, name="load", op="load", along=(ITEMS,), after=(), reuse=1, carried=False)
                keep = BlockStep(name="keep", op="local_memory", after=("load",))
                trip = max(1, -(-around * block.trip // step.reuse))
                fills.append(Block(name=f"fill {block.name} {step.name}", steps=(load, keep), trip=trip))
    return tuple(fills)


def _all_unrolled(nodes: tuple[KernelNode, ...], factors: Mapping[str, int]) -> tuple[KernelNode, ...]:
    return tuple(piece for node in nodes for piece in _unrolled(node, factors))


def _unrolled(node: KernelNode, factors: Mapping[str, int]) -> tuple[KernelNode, ...]:
    """Return the nodes after unrolling: a loop without inner loops widens its blocks, the body of others is copied."""
    if isinstance(node, Block):
        return (node,)
    if isinstance(node, KernelBranch):
        return (node.inside(lambda nodes: _all_unrolled(nodes, factors)),)
    factor = factors.get(node.name, 1)
    body = normal(_all_unrolled(node.body, factors))
    if all(isinstance(each, Block) and each.trip == 1 for each in body):
        copies = _changed(body, lambda step: _copied(step, node.name, factor))
    else:
        copies = tuple(_numbered(each, number) for number in range(factor) for each in body)
    if node.trip == factor:
        return copies
    trip = node.trip if factor == 1 else node.trip // factor  # a fraction is unrolled by 1 only
    return (replace(node, trip=trip, body=copies),)


def _copied(step: BlockStep, loop: str, factor: int) -> BlockStep:
    if loop in step.same:
        return step
    if loop in step.along or step.op not in GLOBAL:
        return replace(step, contiguous=step.contiguous * factor)
    return replace(step, copies=step.copies * factor)


def _numbered(node: KernelNode, number: int) -> KernelNode:
    """Return a copy of a node with names of its own."""
    if not number:
        return node
    named = replace(node, name=f"{node.name} #{number}")
    if isinstance(named, Block):
        return named
    return named.inside(lambda nodes: tuple(_numbered(each, number) for each in nodes))


def normal(nodes: tuple[KernelNode, ...]) -> tuple[KernelNode, ...]:
    """Return nodes as after compilation: neighbouring blocks become one, a loop of one block becomes that block.

    A merged block has the name of the larger one.

    Examples
    --------
    >>> from ppnsim.opencl.kernel import KernelLoop
    >>> inner = KernelLoop(name="k", trip=8, body=(Block(name="b", steps=(BlockStep(name="s", op="fp_add"),)),))
    >>> normal((inner,))[0].trip
    8
    """
    done: list[KernelNode] = []
    for node in nodes:
        new = _normal(node)
        last = done[-1] if done else None
        if isinstance(new, Block) and isinstance(last, Block) and new.trip == last.trip == 1:
            larger = max(last, new, key=lambda block: len(block.steps))
            done[-1] = Block(name=larger.name, steps=(*last.steps, *_apart(new, last)))
        else:
            done.append(new)
    return tuple(done)


def _normal(node: KernelNode) -> KernelNode:
    if isinstance(node, KernelBranch):
        return node.inside(normal)
    if isinstance(node, Block):
        return node
    body = normal(node.body)
    if len(body) == 1 and isinstance(body[0], Block):
        return replace(body[0], trip=node.trip * body[0].trip)
    return replace(node, body=body)


def _apart(block: Block, other: Block) -> tuple[BlockStep, ...]:
    """Return the steps of a block; its name is put before theirs if another block has steps of the same name."""
    if {step.name for step in block.steps}.isdisjoint(step.name for step in other.steps):
        return block.steps
    return tuple(
        replace(step, name=f"{block.name}: {step.name}", after=tuple(f"{block.name}: {name}" for name in step.after))
        for step in block.steps
    )
