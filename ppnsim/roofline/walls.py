"""Locality walls: what a kernel moves if a scratchpad holds what a loop touches, and how large the scratchpad is.

A scratchpad in front of a loop is filled at each visit of the loop: an element that is read comes in once, and an
element that is written goes out once (Siracusa et al. 2021, section 4.2.3). Elements are counted, not estimated.
Accesses to one array that depend on different outer iterators count one by one: an element of both counts twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.resources import BRAM_BITS
from ppnsim.hls.structure.counting import visits
from ppnsim.loops.program import Array, Loop, LoopProgram
from ppnsim.roofline.elements import Around, ArrayUse, elements
from ppnsim.roofline.mix import element_bytes, off_chip, placed


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


def locality_walls(program: LoopProgram) -> tuple[Wall, ...]:
    """Return the wall of the whole kernel and those of its loops, in program order.

    Raises
    ------
    InputError
        If a loop touches too many elements to count.
    """
    arrays = {array.name: array for array in program.arrays}
    uses = list(_uses(program, arrays))
    walls = [_wall("", 0, (), (), uses, arrays)]
    seen: set[tuple[int, ...]] = set()
    for statement, around, place in placed(program):
        del statement
        loops = [part for part in around if isinstance(part, Loop)]
        for depth, loop in enumerate(loops, start=1):
            if place[:depth] not in seen:
                seen.add(place[:depth])
                outside = around[: around.index(loop)]
                walls.append(_wall(loop.iterator, loop.position.line, place[:depth], outside, uses, arrays))
    return tuple(walls)


def _uses(program: LoopProgram, arrays: Mapping[str, Array]) -> Iterable[ArrayUse]:
    for statement, around, place in placed(program):
        touched = set(off_chip(statement, arrays))
        for accesses, write in ((statement.reads, False), (statement.writes, True)):
            for access in dict.fromkeys(accesses):
                if access in touched:
                    yield ArrayUse(access, write, around, place)


def _wall(
    loop: str, line: int, place: tuple[int, ...], outside: Around, uses: Sequence[ArrayUse], arrays: Mapping[str, Array]
) -> Wall:
    moved: dict[str, int] = {}
    cache: dict[str, int] = {}
    for name in sorted({use.access.array for use in uses}):
        size = element_bytes(arrays[name])
        own = [use for use in uses if use.access.array == name]
        inside = [use for use in own if use.place[: len(place)] == place]
        cached = [elements(inside, outside, arrays[name], write) for write in (False, True)]
        other = sum(visits(use.around) for use in own if use not in inside)
        moved[name] = size * (other + sum(all_ for all_, _ in cached))
        # An array that is read and written has one scratchpad, which holds the elements of both.
        both = elements(inside, outside, arrays[name], None)[1] if inside else 0
        cache[name] = size * both
    return Wall(loop=loop, line=line, bytes=moved, cache=cache)
