"""How many different elements of an array some accesses touch, in all visits of a loop and in one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ppnsim.arrays import BoolArray, Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.structure.counting import used, visits
from ppnsim.loops.expressions import Condition
from ppnsim.loops.points import holding, iterations_at, sort_keys, trips_at, values
from ppnsim.loops.program import Access, Array, Loop

_MOST_POINTS = 20_000_000
Around = tuple[Loop | Condition, ...]


@dataclass(frozen=True, slots=True)
class ArrayUse:
    """An access to an array with the loops and conditions around it, and its place in the program."""

    access: Access
    write: bool
    around: Around
    place: tuple[int, ...]


def elements(uses: Sequence[ArrayUse], outside: Around, array: Array, write: bool | None) -> tuple[int, int]:
    """Return the elements that all visits move, and the most that one visit moves; ``write`` None takes both kinds."""
    groups: dict[frozenset[str], list[tuple[list[Int64Array], Int64Array, Int64Array]]] = defaultdict(list)
    outer = [part.iterator for part in outside if isinstance(part, Loop)]
    uses = [use for use in uses if write is None or use.write == write]
    if any(use.access.random for use in uses):
        # Any element may be used: the scratchpad holds the array, but no more elements come in than are accessed.
        accessed = sum(visits(use.around) for use in uses)
        return min(prod(array.shape) * visits(outside), accessed), prod(array.shape)
    for use in uses:
        names, columns, weight, index = _points(use, outer, array)
        groups[names].append((columns, weight, index))
    moved = most = 0
    for parts in groups.values():
        columns = [np.concatenate(each) for each in zip(*(part[0] for part in parts), strict=True)]
        weight, index = np.concatenate([part[1] for part in parts]), np.concatenate([part[2] for part in parts])
        if not len(index):
            continue
        visit = sort_keys(columns, len(index))
        _, first = np.unique(sort_keys([visit, index], len(index)), return_index=True)
        moved += int(weight[first].sum())
        most += int(np.unique(visit[first], return_counts=True)[1].max())
    return moved, most


def _points(
    use: ArrayUse, outer: Sequence[str], array: Array
) -> tuple[frozenset[str], list[Int64Array], Int64Array, Int64Array]:
    """Return which outer iterators the elements of an access depend on, their values, weights and the elements."""
    wanted = {name for subscript in use.access.subscripts for name in subscript.iterators()}
    columns: dict[str, Int64Array] = {}
    weight = np.ones(1, dtype=np.int64)
    for number, part in enumerate(use.around):
        entered: dict[str, Int64Array] = {}
        if not isinstance(part, Loop):
            rows: Int64Array | BoolArray = holding(part, columns, len(weight))
        else:
            start, runs = trips_at(part, columns, len(weight))
            if part.iterator in wanted or any(used(each, part.iterator) for each in use.around[number + 1 :]):
                if int(runs.sum()) > _MOST_POINTS:
                    words = f"'{use.access}' touches more than {_MOST_POINTS} elements to count for the locality walls"
                    raise InputError(f"{words} (choose smaller sizes, as -D N=1024)", where=str(part.position))
                rows, entered[part.iterator] = iterations_at(part, start, runs)
            else:
                # Visits of an outer loop that look alike multiply; an inner loop only has to run at all.
                weight = weight * (runs if part.iterator in outer else np.minimum(runs, 1))
                rows = weight > 0
        columns = {name: column[rows] for name, column in columns.items()} | entered
        weight = weight[rows]
    index = np.zeros(len(weight), dtype=np.int64)
    for subscript, extent in zip(use.access.subscripts, array.shape, strict=True):
        index = index * extent + values(subscript, columns, len(weight))
    names = [name for name in outer if name in columns]
    return frozenset(names), [columns[name] for name in names], weight, index
