"""Locality walls: what a kernel moves if a scratchpad holds what a loop touches, and how large the scratchpad is.

A scratchpad in front of a loop is filled at each visit of the loop: an element that is read comes in once, and an
element that is written goes out once (Siracusa et al. 2021, section 4.2.3). Elements are counted, not estimated.
Accesses to one array that depend on different outer iterators count one by one: an element of both counts twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ppnsim.arrays import BoolArray, Int64Array
from ppnsim.errors import InputError
from ppnsim.hls.resources import BRAM_BITS
from ppnsim.hls.structure.counting import used, visits
from ppnsim.loops.expressions import Condition
from ppnsim.loops.points import holding, iterations_at, sort_keys, trips_at, values
from ppnsim.loops.program import Access, Array, Loop, LoopProgram
from ppnsim.roofline.mix import element_bytes, off_chip, placed

_MOST_POINTS = 20_000_000
Around = tuple[Loop | Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """A scratchpad in front of a loop ("" and line 0: in front of the whole kernel).

    ``bytes`` are what each argument moves then, ``cache`` the bytes of its scratchpad (0: not cached).
    """

    loop: str
    line: int
    bytes: Mapping[str, int]
    cache: Mapping[str, int]

    @property
    def moved(self) -> int:
        """Bytes of all arguments."""
        return sum(self.bytes.values())

    @property
    def size(self) -> int:
        """Bytes of all scratchpads."""
        return sum(self.cache.values())

    @property
    def blocks(self) -> int:
        """Block RAMs of all scratchpads."""
        return sum(-(-8 * size // BRAM_BITS) for size in self.cache.values())

    @property
    def place(self) -> str:
        """What the scratchpad stands in front of, in words."""
        return f"loop {self.loop} (line {self.line})" if self.loop else "the kernel"


@dataclass(frozen=True, slots=True)
class _Use:
    """An access to an array with the loops and conditions around it, and its place in the program."""

    access: Access
    write: bool
    around: Around
    place: tuple[int, ...]


def locality_walls(program: LoopProgram) -> tuple[Wall, ...]:
    """Return the wall of the whole kernel and those of its loops, in program order.

    Raises
    ------
    InputError
        If a loop touches too many elements to count.
    """
    arrays = {array.name: array for array in program.arrays}
    uses = [
        _Use(access, write, around, place)
        for statement, around, place in placed(program)
        for accesses, write in ((statement.reads, False), (statement.writes, True))
        for access in dict.fromkeys(accesses) if access in off_chip(statement, arrays)
    ]  # fmt: skip
    walls = [_wall("", 0, (), (), uses, arrays)]
    seen: set[tuple[int, ...]] = set()
    for _, around, place in placed(program):
        loops = [part for part in around if isinstance(part, Loop)]
        for depth, loop in enumerate(loops, start=1):
            if place[:depth] not in seen:
                seen.add(place[:depth])
                outside = around[: around.index(loop)]
                walls.append(_wall(loop.iterator, loop.position.line, place[:depth], outside, uses, arrays))
    return tuple(walls)


def _wall(
    loop: str, line: int, place: tuple[int, ...], outside: Around, uses: Sequence[_Use], arrays: Mapping[str, Array]
) -> Wall:
    moved: dict[str, int] = {}
    cache: dict[str, int] = {}
    for name in sorted({use.access.array for use in uses}):
        size = element_bytes(arrays[name])
        own = [use for use in uses if use.access.array == name]
        inside = [use for use in own if use.place[: len(place)] == place]
        cached = [_elements(inside, outside, arrays[name], write) for write in (False, True)]
        other = sum(visits(use.around) for use in own if use not in inside)
        moved[name] = size * (other + sum(all_ for all_, _ in cached))
        # An array that is read and written has one scratchpad, which holds the elements of both.
        cache[name] = size * _elements(inside, outside, arrays[name], None)[1] if inside else 0
    return Wall(loop=loop, line=line, bytes=moved, cache=cache)


def _elements(uses: Sequence[_Use], outside: Around, array: Array, write: bool | None) -> tuple[int, int]:
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
    use: _Use, outer: Sequence[str], array: Array
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
