"""Loops without a known maximum trip count, and the values that end them (R5.9)."""

from __future__ import annotations

from collections.abc import Iterable

from ppnsim.hls.known_ends import NEGATIVE, UNKNOWN
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.summed import ITERATOR

_NOT_KNOWN = (UNKNOWN, NEGATIVE)


def limitless(program: LoopProgram) -> str:
    """Return a sentence about loops without a known limit, "" if there are none; ends are known (`with_known_ends`).

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.polynomials import Polynomial
    >>> ends = {"first": (Affine.of(0),), "last": (Affine.of(63),), "assumed": True, "unlimited": True}
    >>> one = Loop(iterator="i", **ends, runs=Polynomial.of("n"))
    >>> limitless(LoopProgram(name="k", arrays=(), body=(one,)))
    "no limit is known for 'n', which ends a loop"
    """
    open_ = [loop for loop in all_loops(program.body) if loop.unlimited]
    if not open_:
        return ""
    if never := [loop for loop in open_ if loop.endless]:
        return f"nothing ends the loop in line {never[0].position.line}"
    names = [_arguments(loop) for loop in open_]
    if not all(names):
        return "no limit is known for a loop that data ends"
    known = sorted(set[str]().union(*names))
    return f"no limit is known for {_listed(known)}, which end{'s' * (len(known) == 1)} a loop"


def _arguments(loop: Loop) -> set[str]:
    """Return the arguments that end a loop; an empty set if another value may also end it."""
    names = frozenset[str]() if loop.runs is None else loop.runs.names
    found = {name for name in names if not name.startswith(ITERATOR)}
    return set() if any(name.startswith(_NOT_KNOWN) for name in found) else found


def _listed(names: Iterable[str]) -> str:
    *most, last = (f"'{name}'" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
