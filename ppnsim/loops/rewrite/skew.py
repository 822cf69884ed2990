"""Loop skewing: an outer iterator is added to an inner one, so that a diagonal becomes a straight line."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.rewrite.partition import loops_around
from ppnsim.loops.rewrite.substitution import substituted, with_loop

_LARGEST = 2**31


def skew(program: LoopProgram, statement: str, iterator: str, by: str, factor: int = 1) -> LoopProgram:
    """Return the program with the loop over ``iterator`` skewed by ``factor`` times an iterator further out.

    The loop around ``statement`` counts j' = j + factor * i, and j' takes the name of j. Both bounds grow by
    factor * i, and every j in the body becomes j' - factor * i. Iterations and their order do not change, so skewing is
    legal for every program and does not change any time. It enables `rewrite.interchange`, which dependences on the
    diagonal neighbour would forbid otherwise.

    Raises
    ------
    InputError
        If the statement or a loop does not exist, ``by`` is not further out, the factor is 0 or beyond 2**31, or the
        loop's bounds are data.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array, Execution, Statement
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> work = Execution(Statement(name="work", writes=(Access("a", (i, j)),)))
    >>> inner = Loop(iterator="j", first=(Affine.of(1),), last=(Affine.of(4),), body=(work,))
    >>> outer = Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(4),), body=(inner,))
    >>> program = LoopProgram(name="k", arrays=(Array(name="a", shape=(5, 5)),), body=(outer,))
    >>> [(statement, (_, loop), _)] = skew(program, "work", "j", "i").placed()
    >>> str(loop.first[0]), str(loop.last[0]), str(statement.writes[0])
    ('i + 1', 'i + 4', 'a[i][j - i]')

    Source: van Teijlingen 2014, sections 2.3.4 and 5.6.1; Wolfe, Loop skewing: the wavefront method revisited, 1986.
    """
    where = program.name
    if not 0 < abs(factor) < _LARGEST:
        limit = "leaves it as it is" if factor == 0 else "makes numbers too large (2**31)"
        raise InputError(f"skewing '{iterator}' by {factor} times '{by}' {limit}", where=where)
    iterators = [loop.iterator for loop in loops_around(program, statement)]
    distance = Affine.of(by) * factor

    def change(loop: Loop) -> Loop:
        if loop.assumed:
            raise InputError(f"the bounds of loop '{iterator}' are data, so it cannot be skewed", where=where)
        if by not in iterators[: iterators.index(iterator)]:
            around = ", ".join(iterators[: iterators.index(iterator)]) or "none"
            reason = f"loop '{iterator}' can only be skewed by a loop around it ({around}), not by '{by}'"
            raise InputError(reason, where=where)
        first, last = (tuple(bound + distance for bound in bounds) for bounds in (loop.first, loop.last))
        body = tuple(substituted(node, {iterator: Affine.of(iterator) - distance}) for node in loop.body)
        return replace(loop, first=first, last=last, body=body)

    return with_loop(program, statement, iterator, change)
