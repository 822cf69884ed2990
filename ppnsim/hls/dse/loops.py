"""Loops and designs of a kernel for an exploration of directives, with the possible unrolling of each loop.

Levels of a loop: 0 plain, 1 pipelined, f >= 2 also unrolled by f. A loop unrolled by its trip count no longer exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from ppnsim.errors import InputError
from ppnsim.hls.loop_names import labels_of
from ppnsim.hls.pragmas.directives import Scope, all_loops, direct_loops, scope_of
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node

Levels = Mapping[Scope, int]
MOST_STATEMENTS = 20_000
"""Most statements after unrolling that a design may have; devices have no room for so many operators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A design: ``levels`` of loops and ``partitions`` of arrays, and the result.

    ``area`` is by resource, as a share of the device; ``loops`` are the cycles of each loop, with all its contents.
    """

    levels: Levels
    partitions: Mapping[str, Partition]
    cycles: int
    loops: Levels
    area: Mapping[str, float]

    @property
    def share(self) -> float:
        """The largest share of a resource."""
        return max(self.area.values())

    @property
    def fits(self) -> bool:
        """Whether the device has all resources that the design needs."""
        return self.share <= 1


class KernelLoops:
    """The loops of a kernel, outermost first.

    Raises
    ------
    InputError
        If there is no loop, or two begin in one line.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Position
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(7),), position=Position("k.c", 3, 1))
    >>> loops = KernelLoops(LoopProgram(name="k", arrays=(), body=(loop,)))
    >>> key = ("k.c", 3, 1)
    >>> list(loops), loops.steps(key), loops.next_step(key, {key: 2})
    ([('k.c', 3, 1)], (1, 2, 4, 8), 4)
    """

    def __init__(self, program: LoopProgram) -> None:
        self._body = program.body
        self._labels = labels_of(program)
        self._loops: dict[Scope, Loop] = {}
        for loop in all_loops(program.body):
            key = scope_of(loop)
            if any(other[:2] == key[:2] for other in self._loops):
                words = f"two loops begin in line {key[1]}, and directives tell loops apart by their line"
                raise InputError(words, where=str(loop.position))
            self._loops[key] = loop
        if not self._loops:
            raise InputError(f"kernel '{program.name}' has no loop to explore")

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._loops)

    def name(self, key: Scope) -> str:
        """Return a loop's label, or its iterator, and its line."""
        iterator = self._loops[key].iterator
        return f"{self._labels.get((iterator, key[1]), iterator)} (line {key[1]})"

    def trips(self, key: Scope) -> int | None:
        """Return the trip count of a loop, None if it is not constant."""
        return constant_trips(self._loops[key])

    def steps(self, key: Scope) -> tuple[int, ...]:
        """Return the levels of a loop above 0: pipelined, then unrolled by each divisor of its trip count."""
        return divisors(self.trips(key) or 1)

    def next_step(self, key: Scope, levels: Levels) -> int | None:
        """Return the next level of a loop, None without one that has at most `MOST_STATEMENTS`."""
        found = next((level for level in self.steps(key) if level > levels.get(key, 0)), None)
        return found if found and self.statements({**levels, key: found}) <= MOST_STATEMENTS else None

    def statements(self, levels: Levels) -> int:
        """Return how many statements there are after unrolling."""
        return _statements(self._body, levels)

    def complete(self, key: Scope, levels: Levels) -> bool:
        """Return whether a loop is unrolled completely."""
        return bool(levels.get(key)) and levels[key] == self.trips(key)

    def children(self, key: Scope, levels: Levels) -> list[Scope]:
        """Return the loops directly inside a loop; a completely unrolled loop counts as its inner loops."""
        return self._inside(self._loops[key].body, levels)

    def roots(self, levels: Levels) -> list[Scope]:
        """Return the outermost loops."""
        return self._inside(self._body, levels)

    def _inside(self, body: Sequence[Node], levels: Levels) -> list[Scope]:
        found: list[Scope] = []
        for loop in direct_loops(body):
            key = scope_of(loop)
            found += self._inside(loop.body, levels) if self.complete(key, levels) else [key]
        return found


def divisors(number: int) -> tuple[int, ...]:
    """Return all divisors of a number above 0, in order.

    Examples
    --------
    >>> divisors(12)
    (1, 2, 3, 4, 6, 12)
    """
    low = [each for each in range(1, isqrt(number) + 1) if number % each == 0]
    return tuple(sorted({*low, *(number // each for each in low)}))


def _statements(body: Sequence[Node], levels: Levels) -> int:
    total = 0
    for node in body:
        if isinstance(node, Execution):
            total += 1
        elif isinstance(node, Guard):
            total += _statements((*node.body, *node.otherwise), levels)
        else:
            total += max(1, levels.get(scope_of(node), 0)) * _statements(node.body, levels)
    return total
