"""Register elements that carry no value to another iteration: they are wires, and no store is scheduled (R6.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ppnsim.hls.schedule.context import KernelContext
from ppnsim.hls.structure.locations import distinct
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Access, LoopProgram


def readers_of(program: LoopProgram) -> Mapping[str, frozenset[str]]:
    """Return the names of the statements that read each local array; static arrays, which keep values, are left out."""
    local = {each.name for each in program.arrays if each.role == "local" and each.shape and not each.static}
    found: dict[str, set[str]] = {name: set() for name in local}
    for statement in program.statements():
        for name in {access.array for access in statement.reads} & local:
            found[name].add(statement.name)
    return {name: frozenset(each) for name, each in found.items()}


def private(kernel: KernelContext, pipeline: Pipeline) -> list[Access]:
    """Return the elements in registers that every iteration sets before it reads them, and that no other code reads."""
    steps = distinct(pipeline.steps)
    here = {step.statement.name for step in steps}
    edges = (*pipeline.before, *pipeline.after)
    left_out = {a.array for step in edges for a in (*step.statement.reads, *step.statement.writes)}
    registers = kernel.kept("registers") & kernel.readers.keys() - left_out
    own = {name for name in registers if kernel.readers[name] <= here}
    if not own:
        return []
    first: dict[str, dict[Access, bool]] = defaultdict(dict)
    for step in steps:
        for each in step.statement.reads:
            if each.array in own:
                first[each.array].setdefault(each, False)
        for each in step.statement.writes:
            if each.array in own:
                first[each.array].setdefault(each, not step.conditions)
    certain = (every for every in first.values() if all(every.values()))
    return [access for every in certain for access in every if not access.random]
