"""Initialisers of arrays in memories: a loop stores the initial values element by element (R5.11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import prod

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, statements_of
from ppnsim.loops.expressions import Affine, Condition
from ppnsim.loops.program import Access, Array, Loop, LoopProgram, Operation, Statement

Around = tuple[Loop | Condition, ...]


def with_fills(program: LoopProgram, trees: Sequence[Tree], registers: Collection[str]) -> tuple[Tree, ...]:
    """Return the trees of a program, with loops that fill its initialised arrays before their first use.

    In a loop of the state machine the program has one store for each element of an initialiser; these stores become a
    loop. Constant tables and arrays in registers need no loop.
    """
    local = {array.name: array for array in program.arrays if _is_memory(array) and array.name not in registers}
    written = {access.array for statement in statements_of(trees) for access in statement.writes}
    left = [array for name, array in local.items() if array.initial and name in written]
    found: list[Tree] = []
    for tree in _rolled(trees, local, ()):
        used = {access.array for each in statements_of([tree]) for access in (*each.reads, *each.writes)}
        found += [_fill(array, ()) for array in left if array.name in used]
        left = [array for array in left if array.name not in used]
        found.append(tree)
    return tuple(found)


def by_loops(program: LoopProgram, trees: Sequence[Tree]) -> set[str]:
    """Return the initialised arrays that unrolled copies access: the loop that fills such an array keeps it a memory.

    Elements at fixed places of the source become registers before there are copies, whatever fills them (R6.3).
    """
    local = {array.name: array for array in program.arrays if _is_memory(array)}
    accesses = (each for some in program.statements() for each in (*some.reads, *some.writes))
    moved = {each.array for each in accesses if not all(subscript.is_constant for subscript in each.subscripts)}
    return {name for name in _filled(trees, local) if name in moved}


def _filled(trees: Sequence[Tree], local: dict[str, Array]) -> Iterator[str]:
    """Yield the arrays that initialisers fill: before the kernel, or in a loop of the state machine."""
    yield from (name for name, array in local.items() if array.initial)
    for at, tree in enumerate(trees):
        if isinstance(tree, Serial):
            yield from _filled(tree.body, local)
        elif (array := _stored(tree, local)) is not None:
            count = prod(array.shape)
            yield from [array.name] * (count > 1 and _is_list(trees[at : at + count], array, local, count))


def _is_memory(array: Array) -> bool:
    return array.role == "local" and bool(array.shape) and not array.static and not array.stream


def _rolled(trees: Sequence[Tree], local: dict[str, Array], around: Around) -> Iterator[Tree]:
    """Yield trees in which the stores of an initialiser inside a loop are replaced by a loop."""
    at = 0
    while at < len(trees):
        tree = trees[at]
        array = _stored(tree, local)
        count = prod(array.shape) if array is not None else 0
        if isinstance(tree, Serial):
            inside = tuple(_rolled(tree.body, local, (*tree.around, *tree.loops)))
            yield replace(tree, body=inside)
        elif array is not None and count > 1 and _is_list(trees[at : at + count], array, local, count):
            yield _fill(array, around)
            at += count - 1
        else:
            yield tree
        at += 1


def _stored(tree: Tree, local: dict[str, Array]) -> Array | None:
    """Return the array in which a statement stores a constant at a fixed place, else None."""
    if not isinstance(tree, GuardedStatement) or tree.conditions or tree.statement.reads:
        return None
    value, writes = tree.statement.value, tree.statement.writes
    fixed = value is not None and len(writes) == 1 and all(each.is_constant for each in writes[0].subscripts)
    return local.get(writes[0].array) if fixed else None


def _is_list(trees: Sequence[Tree], array: Array, local: dict[str, Array], count: int) -> bool:
    """Return whether statements store each element of an array once, starting at the line of its declaration."""
    steps = [each for each in trees if isinstance(each, GuardedStatement) and _stored(each, local) is array]
    declared = steps[0].statement.position.line == array.position.line
    return declared and len({step.statement.writes[0] for step in steps}) == count


def _fill(array: Array, around: Around) -> Pipeline:
    names = [f"{array.name}.{dim}" for dim in range(len(array.shape))]
    loops = tuple(
        Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(size - 1),), position=array.position)
        for name, size in zip(names, array.shape, strict=True)
    )
    zero = Operation("constant", array.type, text="0", position=array.position)
    writes = (Access(array.name, tuple(map(Affine.of, names))),)
    statement = Statement(name=f"{array.name}.initial", reads=(), writes=writes, value=zero, position=array.position)
    return Pipeline(loops, (GuardedStatement(statement, ()),), around=around)
