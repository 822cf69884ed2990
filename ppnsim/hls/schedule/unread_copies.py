"""Dead code among unrolled copies: values of variables that a later copy sets again before anything reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile

from ppnsim.hls.graph.functions import MATHS, function_name
from ppnsim.hls.structure.counting import DATA_MARK
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Array, Loop, LoopProgram, Statement


def without_overwritten(trees: Sequence[Tree], program: LoopProgram) -> tuple[Tree, ...]:
    """Return trees without statements that only set variables which later statements set before a read (R5.10).

    A statement that reads a FIFO or a volatile element, or calls a function with effects, stays. So does one that sets
    a variable which is also set in a loop that data leave early, or behind it: the later statement may be skipped.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, LoopProgram, Operation
    >>> arrays = Array(name="x", role="parameter", shape=(8,)), Array(name="t")
    >>> def copy(k):
    ...     value, read = Operation("read", "int", read=0), Access("x", (Affine.of(k),))
    ...     return GuardedStatement(Statement(name=f"t{k}", reads=(read,), writes=(Access("t"),), value=value))
    >>> program = LoopProgram(name="k", arrays=arrays, body=())
    >>> [step.statement.name for step in without_overwritten([copy(0), copy(1)], program)]
    ['t1']
    """
    ending = {name for loop in _loops(trees) for name in loop.ended}
    scalars = frozenset(each.name for each in program.arrays if _is_variable(each)) - ending - _maybe_skipped(program)
    seen = frozenset(each.name for each in program.arrays if each.stream or each.volatile)
    return _kept(trees, scalars, seen) if scalars else tuple(trees)


def _is_variable(array: Array) -> bool:
    told = array.shape or array.stream or array.volatile or array.fields
    return array.role == "local" and not told and DATA_MARK not in array.name


def _loops(trees: Sequence[Tree]) -> Iterator[Loop]:
    for tree in trees:
        if not isinstance(tree, GuardedStatement):
            yield from tree.loops
            yield from _loops(tree.body) if isinstance(tree, Serial) else ()


def _maybe_skipped(program: LoopProgram) -> set[str]:
    """Return the variables that are set in the first loop that data leave early, or behind it."""
    placed = program.placed()
    after = dropwhile(lambda each: not any(isinstance(outer, Loop) and outer.left for outer in each[1]), placed)
    return {write.array for statement, _, _ in after for write in statement.writes}


def _kept(trees: Sequence[Tree], scalars: Collection[str], seen: Collection[str]) -> tuple[Tree, ...]:
    found, again = list[Tree](), set[str]()
    for tree in reversed(trees):
        if isinstance(tree, GuardedStatement):
            if _sets(tree.statement, again) and not _has_effect(tree.statement, seen):
                continue
            if not tree.conditions and tree.statement.value is not None and tree.statement.member == "":
                again |= {write.array for write in tree.statement.writes if write.array in scalars}
            again.difference_update(access.array for access in tree.statement.reads)
            again.difference_update(name for each in tree.conditions for name in condition_iterators(each))
        else:
            again.clear()  # a loop reads what was set before it
            inner = tree.body if isinstance(tree, Serial) else tree.steps
            if len(left := _kept(inner, scalars, seen)) < len(inner):
                tree = _with(tree, left)
        found.append(tree)
    return tuple(reversed(found))


def _with(tree: Pipeline | Serial, inner: tuple[Tree, ...]) -> Pipeline | Serial:
    if isinstance(tree, Serial):
        return replace(tree, body=inner)
    return replace(tree, steps=tuple(each for each in inner if isinstance(each, GuardedStatement)))


def _sets(statement: Statement, again: Collection[str]) -> bool:
    """Return whether a statement only sets variables that are set again."""
    return bool(statement.writes) and all(write.array in again for write in statement.writes)


def _has_effect(statement: Statement, seen: Collection[str]) -> bool:
    trees = statement.value.walk() if statement.value is not None else ()
    calls = statement.member is None or any(each.kind == "call" and function_name(each) not in MATHS for each in trees)
    return calls or any(access.array in seen for access in statement.reads)
