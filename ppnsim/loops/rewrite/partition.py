"""Modulo unfolding and plane cutting: a statement becomes several copies, each with a part of its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node
from ppnsim.loops.rewrite.elimination import value_range

MOST_PARTS = 4096  # each becomes a process


def loops_around(program: LoopProgram, statement: str) -> list[Loop]:
    """Return the loops around a statement, outermost first.

    Raises
    ------
    InputError
        If the program has no such statement.
    """
    names = []
    for candidate, around, _ in program.placed():
        names.append(candidate.name)
        if candidate.name == statement:
            return [each for each in around if isinstance(each, Loop)]
    raise InputError(f"no statement is called '{statement}'{did_you_mean(statement, names)}", where=program.name)


def loop_of(program: LoopProgram, statement: str, iterator: str | None) -> Loop:
    """Return the loop over ``iterator`` around a statement, the innermost one for None.

    Raises
    ------
    InputError
        If there is none.
    """
    loops = loops_around(program, statement)
    if not loops:
        raise InputError(f"statement '{statement}' is in no loop", where=program.name)
    if iterator is None:
        return loops[-1]
    named = {loop.iterator: loop for loop in loops}
    if iterator in named:
        return named[iterator]
    hint = did_you_mean(iterator, named)
    raise InputError(f"statement '{statement}' is in no loop over '{iterator}'{hint}", where=program.name)


def partitioned(program: LoopProgram, statement: str, parts: Sequence[Condition]) -> LoopProgram:
    """Return the program with a statement replaced by copies ``statement.0``, ``statement.1``, ..., one per condition.

    Exactly one condition must hold in each iteration. The order of execution does not change, so this is legal for
    every program.
    """
    taken = {each.name for each in program.statements()}
    for each in program.statements():
        if each.name == statement and each.process:
            reason = f"statement '{statement}' shares process '{each.process}', where its copies would stay"
            raise InputError(f"{reason}: split it before it is merged", where=program.name)
    copies = [f"{statement}.{number}" for number in range(len(parts))]
    for name in copies:
        if name in taken:
            raise InputError(f"statement '{statement}' cannot be split: '{name}' exists already", where=program.name)

    def change(node: Node) -> tuple[Node, ...] | None:
        if not isinstance(node, Execution) or node.statement.name != statement:
            return None
        named = (Execution(replace(node.statement, name=name)) for name in copies)
        return tuple(Guard(condition, (copy,)) for condition, copy in zip(parts, named, strict=True))

    return program.rewritten(change)


def cut(program: LoopProgram, statement: str, planes: int = 2, *, iterator: str | None = None) -> LoopProgram:
    """Return the program with a statement cut into ``planes`` blocks of iterations over a loop (the innermost).

    The cuts lie at equal distances between the smallest and the largest value of the iterator.

    Raises
    ------
    InputError
        If the statement or the loop does not exist, fewer than 2 planes are asked for, or the loop has bounds that
        depend on other iterators (then there is no equal distance).

    Source: van Teijlingen 2014, section 5.6.1.2.
    """
    if planes > MOST_PARTS:
        raise InputError(f"cutting into {planes} makes too many processes (at most {MOST_PARTS})", where=program.name)
    if planes < 2:
        raise InputError(f"cutting into {planes} leaves it as it is (planes start at 2)", where=program.name)
    loop = loop_of(program, statement, iterator)
    bounds = [*loop.first, *loop.last]
    if not all(bound.is_constant for bound in bounds):
        reason = f"loop '{loop.iterator}' has bounds that vary, so it has no middle to cut at"
        raise InputError(reason, where=program.name)
    below: list[Condition] = [Compare(edge - 1 - Affine.of(loop.iterator)) for edge in edges_of(loop, planes)]
    parts = [below[0], *(All((Not(a), b)) for a, b in pairwise(below)), Not(below[-1])]
    return partitioned(program, statement, parts)


def edges_of(loop: Loop, planes: int) -> list[int]:
    """Return the smallest value of the iterator in each plane but the first, for a loop with constant bounds.

    Examples
    --------
    >>> edges_of(Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(9),)), 3)
    [4, 7]
    """
    low, high = value_range(loop, {})
    return [low + -(-(high - low + 1) * k // planes) for k in range(1, planes)]


def unfold(program: LoopProgram, statement: str, factor: int, *, iterator: str | None = None) -> LoopProgram:
    """Return the program with a statement unfolded by ``factor`` over a loop, the innermost one unless named.

    Copy k executes every iteration whose number within the loop is k modulo the factor. If there are more copies than
    iterations, some copies execute nothing and become no process.

    Raises
    ------
    InputError
        If the statement or the loop does not exist, the factor is out of range, or the loop starts at a
        varying value that is not a single expression.

    Source: van Teijlingen 2014, section 5.6.1.1.
    """
    if factor < 2:
        raise InputError(f"unfolding by {factor} leaves it as it is (factors start at 2)", where=program.name)
    if factor > MOST_PARTS:
        raise InputError(f"unfolding by {factor} makes too many processes (at most {MOST_PARTS})", where=program.name)
    loop = loop_of(program, statement, iterator)
    if len(loop.first) != 1:
        reason = f"loop '{loop.iterator}' starts at one of {len(loop.first)} expressions, so trips cannot be counted"
        raise InputError(reason, where=program.name)
    distance = (Affine.of(loop.iterator) - loop.first[0]) * (1 if loop.step > 0 else -1)
    trip = distance // abs(loop.step) if abs(loop.step) > 1 else distance
    return partitioned(program, statement, [Compare(trip % factor - k, "=") for k in range(factor)])
