"""The state machine around pipelined loops, and the cycles of all (R5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ppnsim.affine.expressions import Condition
from ppnsim.affine.program import Loop, LoopProgram
from ppnsim.hls.dataflow import Flow
from ppnsim.hls.directives import Directives
from ppnsim.hls.library import Library
from ppnsim.hls.regions import Kernel, Nest, Region, RegionBuilder, nest_of
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.structure import Pipeline, Serial, Tree, structured
from ppnsim.hls.types import Format


@dataclass(frozen=True, slots=True)
class Machine:
    """A scheduled kernel: cycles from its start to its end, its pipelined loops and what is around them."""

    cycles: int
    nests: tuple[Nest, ...]
    regions: tuple[Region, ...]


def scheduled(
    program: LoopProgram, library: Library, directives: Directives | None = None, rules: Rules = TOOL
) -> Machine:
    """Return the schedule of a kernel.

    The cycles are those between start and done (R5.9). A kernel that is one pipelined loop and nothing else is that
    pipeline itself; else a state machine goes through regions, in each loop's header once more than it runs (R5.1):
    the last visit of a header is the first state of what comes after the loop.

    Raises
    ------
    InputError
        If an operator or type is not in the library, a directive cannot be followed, or a bound cannot be counted.
    """
    directives = directives or Directives()
    registers = {name: math.inf for name, each in directives.partitions.items() if each.registers}
    arrays = {array.name: array for array in program.arrays}
    written = frozenset(access.array for statement in program.statements() for access in statement.writes)
    every = replace(rules, ports={**rules.ports, **registers})
    kernel = Kernel(library, arrays, directives.partitions, written, every)
    formats = {array.name: Format.of(array.type, f"'{array.name}' of {program.name}") for array in program.arrays}
    real = {name for name, each in formats.items() if each.real}
    tree = structured(program.body, real, directives, rules)
    if len(tree) == 1 and isinstance(tree[0], Pipeline):
        nest = nest_of(kernel, tree[0], (), (), Flow(library, arrays), alone=True)
        return Machine(nest.cycles - 1, (nest,), ())
    regions = _walked(kernel, tree, (), (), ())
    nests = tuple(nest for region in regions for nest in region.nests)
    return Machine(sum(region.cycles for region in regions) - 1, nests, tuple(regions))


def _walked(
    kernel: Kernel, nodes: Sequence[Tree], around: tuple[Loop | Condition, ...], outer: tuple[Loop, ...],
    header: tuple[Loop, ...],
) -> list[Region]:  # fmt: skip
    """Return the regions of a sequence, in program order; a loop of the state machine ends one."""
    found: list[Region] = []
    region = RegionBuilder(kernel, around, outer, header)
    for tree in nodes:
        if isinstance(tree, Serial):
            found.append(region.close())
            inside = (*tree.around, *tree.loops)
            found += _walked(kernel, tree.body, inside, (*outer, *tree.loops), tree.loops)
            region = RegionBuilder(kernel, around, outer, header)
        elif isinstance(tree, Pipeline):
            region.call(tree)
        else:
            region.step(tree)
    return [*found, region.close()]
