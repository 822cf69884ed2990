"""Alias analysis: two accesses are the same element in one iteration, in the next one, or never (R4.4, R4.5, R5.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import gcd, inf

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Affine, Remainder
from ppnsim.loops.program import DATA, Access, Loop

_DATA = DATA.terms[0][0]


def is_fixed(access: Access) -> bool:
    """Return whether an access goes to the same element in all iterations."""
    return not access.random and all(subscript.is_constant for subscript in access.subscripts)


def beside(store: Access, load: Access, inner: Loop) -> int | None:
    """Return the iterations of the inner loop between a store and a load of the same element.

    Only subscripts with the inner iterator count. None if the distance is not a constant number of iterations.
    """
    distance: int | None = None
    if store.random or load.random or len(store.subscripts) != len(load.subscripts):
        return None
    for left, right in zip(store.subscripts, load.subscripts, strict=True):
        step = dict(left.terms).get(inner.iterator, 0) * inner.step
        if inner.iterator not in left.iterators() | right.iterators():
            continue
        apart = left.minus(right)
        if apart is None or not step or apart % step or distance not in (None, apart // step):
            return None
        distance = apart // step
    return distance


def surely_apart(left: Access, right: Access) -> bool:
    """Return whether two accesses of one iteration never alias, because a subscript differs by a constant.

    Remainders that keep a subscript in different ranges prove the same (R5.7).
    """
    if left.array != right.array:
        return True
    if not left.random and not right.random:  # the most frequent case
        if any(map(Affine.minus, left.subscripts, right.subscripts)):
            return True
        return any(map(_beyond, left.subscripts, right.subscripts))
    return any(a.minus(b) or _beyond(a, b) for a, b in _known(left, right))


def never_meet(left: Access, right: Access, loops: Sequence[Loop]) -> bool:
    """Return whether two accesses never alias, whichever iterations of these loops they are in.

    A subscript differs by a constant that no steps of the loops make up for: it is no multiple of the steps, or too
    large.

    Examples
    --------
    >>> i = Affine.of("i")
    >>> loop = Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(9),))
    >>> never_meet(Access("a", (i,)), Access("a", (i - 1,)), [loop])
    False
    >>> never_meet(Access("a", (i * 2,)), Access("a", (i * 2 - 1,)), [loop])
    True
    >>> never_meet(Access("a", (Affine.of(Remainder(i, 3)) + 9,)), Access("a", (Affine.of(6),)), [loop])
    True
    """
    if left.array != right.array:
        return True
    return any(_out_of_step(a, b, loops) or _beyond(a, b) for a, b in _known(left, right))


def _beyond(left: Affine, right: Affine) -> bool:
    """Return whether remainders keep two subscripts in ranges without a common number: ``i % 3 + 9`` is never 6."""
    if not left.terms and not right.terms:
        return False
    one, other = _span(left), _span(right)
    return one is not None and other is not None and (one[1] < other[0] or other[1] < one[0])


@lru_cache(maxsize=4096)
def _span(subscript: Affine) -> tuple[int, int] | None:
    """Return the least and the largest value of a sum of remainders, None for other subscripts."""
    least = most = subscript.constant
    for atom, factor in subscript.terms:
        if not isinstance(atom, Remainder):
            return None
        end = factor * (atom.by - 1)
        least, most = least + min(0, end), most + max(0, end)
    return least, most


def _known(left: Access, right: Access) -> Iterable[tuple[Affine, Affine]]:
    """Return the pairs of subscripts of two accesses, by dimension, in which neither depends on data."""
    pairs = zip(left.subscripts, right.subscripts, strict=False)
    if not left.random and not right.random:
        return pairs
    return ((a, b) for a, b in pairs if not (_is_of_data(a) or _is_of_data(b)))


def _is_of_data(subscript: Affine) -> bool:
    """Return whether a subscript contains data; nearly all that do are `DATA` itself."""
    return any(
        atom == _DATA if isinstance(atom, str) else _is_of_data(atom.of) for atom, _ in subscript.terms
    )  # each pair of accesses asks, so that no set is made


def _out_of_step(left: Affine, right: Affine, loops: Sequence[Loop]) -> bool:
    apart = left.minus(right)
    if not apart or not left.terms:  # most subscripts are constants
        return bool(apart)
    factors = dict(left.terms)
    if not all(isinstance(atom, str) for atom in factors):  # a quotient has no constant step
        return False
    moved = [loop for loop in loops if loop.iterator in factors]
    steps, reach = [], 0.0
    for loop in moved:
        fixed = all(bound.is_constant for bound in loop.first)  # else the values may not be whole steps apart
        steps.append(abs(factors[loop.iterator]) * (abs(loop.step) if fixed else 1))
        reach += steps[-1] * ((constant_trips(loop) or inf) - 1) if fixed else inf
    return not moved or apart % gcd(*steps) != 0 or abs(apart) > reach


def flattened_distance(store: Access, load: Access, loops: Sequence[Loop]) -> int | None:
    """Return the iterations of a flattened nest from a store to the load of the same element, if each loop gives them.

    Each subscript must use one loop, the same in both accesses. None otherwise, or if the load never takes the value.

    Examples
    --------
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> nest = [Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(3),)) for name in "ij"]
    >>> flattened_distance(Access("a", (i + 1, j)), Access("a", (i, j)), nest)
    4
    >>> flattened_distance(Access("a", (i, j)), Access("a", (i + 1, j)), nest) is None
    True
    """
    apart: dict[str, int] = {}
    for left, right in zip(store.subscripts, load.subscripts, strict=False):
        between, moved = left.minus(right), [loop for loop in loops if loop.iterator in left.iterators()]
        if between is None or len(moved) > 1 or (not moved and between):
            return None
        for loop in moved:
            step = dict(left.terms).get(loop.iterator, 0) * loop.step
            if not step or between % step or apart.setdefault(loop.iterator, between // step) != between // step:
                return None
    found, inner = 0, 1
    for loop in reversed(loops):
        trips = constant_trips(loop)
        if trips is None or (trips != 1 and loop.iterator not in apart) or abs(apart.get(loop.iterator, 0)) >= trips:
            return None
        found, inner = found + inner * apart.get(loop.iterator, 0), inner * trips
    return found if found > 0 else None
