"""Elements in registers that no iteration hands on: they are wires, and nothing stores them (R6.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ppnsim.hls.schedule.context import KernelContext
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Access, LoopProgram


def readers_of(program: LoopProgram) -> Mapping[str, frozenset[str]]:
    """Return the names of the statements that read each local array that is gone when the kernel ends."""
    local = {each.name for each in program.arrays if each.role == "local" and each.shape and not each.static}
    found: dict[str, set[str]] = {name: set() for name in local}
    for statement in program.statements():
        for name in {access.array for access in statement.reads} & local:
            found[name].add(statement.name)
    return {name: frozenset(each) for name, each in found.items()}


def private(kernel: KernelContext, pipeline: Pipeline) -> list[Access]:
    """Return the elements in registers that every iteration sets before it reads them, and that only it reads."""
    registers = kernel.kept("registers")
    edges = (*pipeline.before, *pipeline.after)
    left_out = {a.array for step in edges for a in (*step.statement.reads, *step.statement.writes)}
    here = {step.statement.name for step in pipeline.steps}
    first: dict[str, dict[Access, bool]] = defaultdict(dict)
    for step in pipeline.steps:
        for each in step.statement.reads:
            first[each.array].setdefault(each, False)
        for each in step.statement.writes:
            first[each.array].setdefault(each, not step.conditions)
    own = (name for name in first if name in registers and name not in left_out and name in kernel.readers)
    return [
        access for name in own if kernel.readers[name] <= here and all(first[name].values())
        for access in first[name] if not access.random
    ]  # fmt: skip
