"""The iterations of flattened loops as columns: values of iterators, and truth values of conditions (R5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.region.fifo_arrays import Chosen
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Condition, condition_iterators
from ppnsim.loops.points import holding, iteration_points
from ppnsim.loops.program import Loop


def iterations(loops: Sequence[Loop]) -> int:
    """Return the number of iterations of flattened loops."""
    numbers = [constant_trips(loop) for loop in loops]
    known = [each for each in numbers if each is not None]
    return prod(known) if len(known) == len(numbers) else len(iteration_points(loops))


def columns_of(
    loops: Sequence[Loop], at: Mapping[str, int], names: Collection[str], count: int
) -> dict[str, Int64Array]:
    """Return the values of some iterators in all iterations of flattened loops."""
    columns = {name: np.full(count, at[name], dtype=np.int64) for name in names if name in at}
    if any(constant_trips(loop) is None for loop in loops):
        points = iteration_points(loops)
        return columns | {loop.iterator: points[:, k] for k, loop in enumerate(loops) if loop.iterator in names}
    inner = 1
    for loop in reversed(loops):
        runs = constant_trips(loop) or 0
        if loop.iterator in names:
            first = (max if loop.step > 0 else min)(bound.constant for bound in loop.first)
            values = first + loop.step * np.arange(runs, dtype=np.int64)
            columns[loop.iterator] = np.tile(np.repeat(values, inner), count // (runs * inner))
        inner *= runs
    return columns


def named(loops: Sequence[Loop], names: Collection[str]) -> list[Loop]:
    """Return the flattened loops with these iterators; all of them if the trip count of one depends on another."""
    free = all(constant_trips(loop) is not None for loop in loops)
    return [loop for loop in loops if not free or loop.iterator in names]


def spread(there: Chosen, own: Sequence[Loop], loops: Sequence[Loop]) -> Chosen:
    """Return a column for all iterations of flattened loops from a column for some of the loops."""
    names = {loop.iterator for loop in own}
    trips = [(constant_trips(loop) or 0, loop.iterator in names) for loop in loops]
    if all(named for _, named in trips):
        return there
    apart = there.reshape([count if named else 1 for count, named in trips])
    return np.broadcast_to(apart, [count for count, _ in trips]).ravel()


def where(condition: Condition, loops: Sequence[Loop], at: Mapping[str, int]) -> Chosen:
    """Return the iterations of flattened loops in which a condition holds; loops that it does not use cost nothing.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine, Compare
    >>> i, j = (Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(2),)) for name in "ij")
    >>> where(Compare(Affine.of("j") - 2, "="), [i, j], {}).nonzero()[0].tolist()
    [2, 5, 8]
    """
    names = condition_iterators(condition)
    own = named(loops, names)
    return spread(holding(condition, columns_of(own, at, names, iterations(own)), iterations(own)), own, loops)
