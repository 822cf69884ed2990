"""Plane cutting: the iterations of a statement are cut into blocks, one process each."""

from __future__ import annotations

from itertools import pairwise

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.rewrite.elimination import value_range
from ppnsim.loops.rewrite.partition import MOST_PARTS, loop_of, partitioned


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
        raise InputError(
            f"loop '{loop.iterator}' has bounds that vary, so it has no middle to cut at", where=program.name
        )
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
