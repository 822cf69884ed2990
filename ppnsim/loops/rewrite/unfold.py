"""Modulo unfolding: the iterations of a statement are dealt out to several processes in turn."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.rewrite.partition import MOST_PARTS, loop_of, partitioned


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
