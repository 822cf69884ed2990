"""Partitions, ports and registers that the tool gives arrays beyond the directives (R6.3, R9.3, R9.23)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.blocks import is_block
from ppnsim.hls.structure.inferred import inferred, numbered, small
from ppnsim.hls.structure.initial import by_loops
from ppnsim.hls.structure.many_ports import with_many_ports
from ppnsim.hls.structure.partitions import REGISTERS, Storage
from ppnsim.hls.structure.trees import Tree, scattered
from ppnsim.loops.program import Array, LoopProgram


def with_inferred(
    program: LoopProgram, directives: Directives, trees: Sequence[Tree], rules: Rules,
    handed: Collection[str] = frozenset(),
) -> Directives:  # fmt: skip
    """Return the directives with the partitions (R9.3) and ports (R9.23) that the tool adds without a directive.

    Blocks between locks stay memories (R7.7), and so do arrays that an argument may alias (R1.2). ``handed`` are the
    arrays between tasks; they get no additional ports.
    """
    free = tuple(each for each in program.arrays if not (is_block(each) or _is_aliased(each, rules)))
    program = replace(program, arrays=free)
    if not (rules.recent or rules.joins):
        return _ported(program.arrays, _with_numbered(program.arrays, directives, trees), trees, rules)
    few = small(program.arrays, directives.partitions, directives.storage)
    directives = replace(directives, partitions={**directives.partitions, **few})
    if not rules.joins:
        directives = _ported(program.arrays, _with_numbered(program.arrays, directives, trees), trees, rules)
    found = inferred(trees, program.arrays, directives.partitions, directives.storage, asked=not rules.joins)
    directives = replace(directives, partitions={**directives.partitions, **found})
    if not rules.joins:
        return directives
    left = [each for each in program.arrays if each.name not in found and each.name not in handed]
    return _ported(left, directives, trees, rules)


def _with_numbered(arrays: Sequence[Array], directives: Directives, trees: Sequence[Tree]) -> Directives:
    """Return the directives with complete partitions along dimensions of constant subscripts only (R9.28)."""
    divided = numbered(trees, arrays, directives.partitions, directives.storage)
    return replace(directives, partitions={**directives.partitions, **divided})


def _ported(arrays: Sequence[Array], directives: Directives, trees: Sequence[Tree], rules: Rules) -> Directives:
    """Return the directives with memories of many ports, which Vivado HLS does not make (R9.23)."""
    if not rules.vitis:
        return directives
    ported = with_many_ports(trees, arrays, directives.partitions, directives.storage)
    return replace(directives, storage={**directives.storage, **ported})


def registers_of(
    program: LoopProgram, directives: Directives, tree: Sequence[Tree], rules: Rules
) -> dict[str, Storage]:  # fmt: skip
    """Return the arrays of which each element is a register, whatever partition a directive asks for (R6.3)."""
    kept: Collection[str] = () if rules.recent else {*directives.partitions, *by_loops(program, tree)}
    free = [array.name for array in scattered(program, tree) if not _is_aliased(array, rules)]
    others = [name for name in free if name not in kept]
    return dict.fromkeys([*(n for n, each in directives.partitions.items() if each.registers), *others], REGISTERS)


def _is_aliased(array: Array, rules: Rules) -> bool:
    """Return whether a release takes an array for one that an argument may point to (R1.2)."""
    return array.outside and rules.release.startswith("2020.")
