"""Alias proofs from loop bounds such as j >= i + 1 and k < i (R4.5, R5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Loop


def strictly_apart(left: Access, right: Access, loops: Sequence[Loop]) -> bool:
    """Return whether a strict loop bound such as j >= i + 1 proves that accesses of one iteration never alias (R5.7).

    Examples
    --------
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> above = [Loop(iterator="j", first=(i + least,), last=(Affine.of(9),)) for least in (0, 1)]
    >>> below = [Loop(iterator="j", first=(Affine.of(0),), last=(i - least,)) for least in (0, 1)]
    >>> [strictly_apart(Access("a", (i, j)), Access("a", (j, i)), [loop]) for loop in (*above, *below)]
    [False, True, False, True]
    """
    for a, b in zip(left.subscripts, right.subscripts, strict=False):
        apart = a - b
        for loop in loops:
            factor = dict(apart.terms).get(loop.iterator, 0) * loop.step
            for bounds, side in ((loop.first, factor), (loop.last, -factor)):
                ends = (apart.replaced({loop.iterator: bound}) for bound in bounds)
                if any(end.is_constant and end.constant * side > 0 for end in ends):
                    return True
    return False


def proven_apart(
    store: Access, load: Access, loops: Sequence[Loop], outer: Sequence[Loop], *, exact: bool = False
) -> bool:
    """Return whether a load is proven to differ from the element that an earlier iteration stored (R4.5).

    The tool accepts one proof: a subscript is an iterator k of the loop with k < X, where X is the iterator of the
    outermost loop, and the store's subscript in that dimension is X or at least X. With ``exact`` X may be any
    iterator, which is also correct.
    """
    if store.random or load.random or not outer:
        return False
    tops = [loop.iterator for loop in (*outer, *loops)] if exact else [outer[0].iterator]
    return any(_below(store, load, (*outer, *loops), loops, top) for top in tops)


def _below(store: Access, load: Access, every: Sequence[Loop], loops: Sequence[Loop], top: str) -> bool:
    for stored, loaded in zip(store.subscripts, load.subscripts, strict=False):
        loop = next((each for each in loops if each.iterator == _plain(loaded)), None)
        below = loop is not None and loop.step > 0 and any((last.minus(Affine.of(top)) or 0) < 0 for last in loop.last)
        if below and _at_least(stored, top, every):
            return True
    return False


def _plain(subscript: Affine) -> str | None:
    (only,) = subscript.terms if len(subscript.terms) == 1 else ((None, 0),)
    return only[0] if only[1] == 1 and not subscript.constant and isinstance(only[0], str) else None


def _at_least(subscript: Affine, top: str, loops: Sequence[Loop]) -> bool:
    """Return whether a subscript is the top iterator, or an iterator that starts at or after it."""
    name = _plain(subscript)
    if name is None or name == top:
        return name == top
    loop = next((each for each in loops if each.iterator == name), None)
    return loop is not None and loop.step > 0 and any(_at_least(first, top, loops) for first in loop.first)
