"""The hierarchy of an OpenCL kernel after compilation: basic blocks as large as possible."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.kernel import KernelBranch, KernelNode


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
