"""The ways to split a statement (loop, method, factor), and the copy that each execution goes to.

The copies equal those of `rewrite.unfold` and `rewrite.cut`, but the program is not rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.derive.designs.execution_graph import Executed
from ppnsim.loops.points import values
from ppnsim.loops.program import Loop
from ppnsim.loops.rewrite.elimination import value_range
from ppnsim.loops.rewrite.partition import MOST_PARTS, edges_of

_REMEMBERED = 20_000_000  # copy numbers of one statement, 8 bytes each
Method = Literal["unfold", "cut"]
METHODS: tuple[Method, ...] = ("unfold", "cut")


@dataclass(frozen=True, slots=True, order=True)
class LoopSplit:
    """A split of a statement over one loop; ``innermost`` tells whether the option may leave the loop out."""

    method: Method
    iterator: str
    factor: int
    innermost: bool = True

    def __str__(self) -> str:
        return f"{self.method} by {self.factor} over {self.iterator}"


Choice = tuple[LoopSplit, ...]  # what is done to one statement: at most one split per loop, unfolding before cutting


def options_of(statement: str, choice: Choice) -> list[tuple[str, str]]:
    """Return the command-line options that split a statement; a second split applies to every copy.

    Examples
    --------
    >>> options_of("y", (LoopSplit("unfold", "j", 2), LoopSplit("cut", "i", 3, innermost=False)))
    [('--unfold', 'y=2'), ('--cut', 'y.0=3@i'), ('--cut', 'y.1=3@i')]
    """
    found, names = [], [statement]
    for split in choice:
        loop = "" if split.innermost else f"@{split.iterator}"
        found += [(f"--{split.method}", f"{name}={split.factor}{loop}") for name in names]
        names = [f"{name}.{copy}" for name in names for copy in range(split.factor)]
    return found


class Splitter:
    """Finds the splits of one statement and the copy that gets each execution.

    Attributes
    ----------
    copies : the copy of each execution under a choice, and the number of copies with an execution.
    trips : for each possible method and loop, the largest number of copies that have an execution.
    """

    def __init__(self, executed: Executed) -> None:
        self.executed = executed
        self.copies = lru_cache(maxsize=max(4, _REMEMBERED // len(executed.points)))(self._copies)
        self._columns: Mapping[str, Int64Array] = {
            loop.iterator: executed.points[:, k] for k, loop in enumerate(executed.loops)
        }
        self._loops = {loop.iterator: loop for loop in executed.loops}
        self.trips: dict[tuple[Method, str], int] = {}
        for loop in executed.loops:
            if len(loop.first) == 1:
                self.trips["unfold", loop.iterator] = int(self._trip(loop).max()) + 1
            if all(bound.is_constant for bound in (*loop.first, *loop.last)):
                low, high = value_range(loop, {})
                self.trips["cut", loop.iterator] = high - low + 1

    def __reduce__(self) -> tuple[type[Splitter], tuple[Executed]]:
        """Pickle without what is remembered, which can be found again."""
        return Splitter, (self.executed,)

    def split(self, method: Method, iterator: str, factor: int) -> LoopSplit:
        """Return a split over a loop around the statement."""
        return LoopSplit(method, iterator, factor, iterator == self.executed.loops[-1].iterator)

    def _copies(self, choice: Choice) -> tuple[Int64Array, int]:
        copy = np.zeros(len(self.executed.points), dtype=np.int64)
        for split in choice:
            copy = copy * split.factor + self._copy(split)
        used, numbers = np.unique(copy, return_inverse=True)
        return numbers.astype(np.int64), len(used)

    def factors(self, method: Method, iterator: str) -> list[int]:
        """Return the factors to try: the divisors of the trip count, and powers of two."""
        trips = min(self.trips[method, iterator], MOST_PARTS)
        dividing = {factor for factor in range(2, trips + 1) if trips % factor == 0}
        powers = {1 << k for k in range(1, trips.bit_length())}
        return sorted(dividing | powers)

    def with_split(self, choice: Choice, split: LoopSplit) -> Choice:
        """Return a choice with the split over one of its loops replaced, or added."""
        others = [each for each in choice if each.iterator != split.iterator]
        return self.sorted((*others, split))

    def sorted(self, splits: Sequence[LoopSplit]) -> Choice:
        """Return splits in the order of the command line: unfoldings first, outer loops before inner ones."""
        depth = list(self._loops)
        return tuple(sorted(splits, key=lambda each: (METHODS.index(each.method), depth.index(each.iterator))))

    def finest(self) -> Iterator[Int64Array]:
        """Yield the copy of each execution under the largest split, for each loop and method."""
        for (method, iterator), trips in self.trips.items():
            yield self._copies((self.split(method, iterator, trips),))[0]

    def all_choices(self) -> list[Choice]:
        """Return every choice; of choices with equal copies only the first."""
        per_loop: list[list[LoopSplit | None]] = []
        for iterator in self._loops:
            ways = [method for method in METHODS if (method, iterator) in self.trips]
            every = [self.split(m, iterator, f) for m in ways for f in self.factors(m, iterator)]
            per_loop.append([None, *every])
        found: dict[bytes, Choice] = {}
        for splits in product(*per_loop):
            choice = self.sorted([each for each in splits if each is not None])
            found.setdefault(_canonical(self.copies(choice)[0]), choice)
        return list(found.values())

    def neighbours(self, choice: Choice) -> Iterator[Choice]:
        """Yield the choices that differ in the split of one loop."""
        for method, iterator in self.trips:
            for factor in self.factors(method, iterator):
                changed = self.with_split(choice, self.split(method, iterator, factor))
                if changed != choice:
                    yield changed
        for split in choice:
            yield tuple(each for each in choice if each is not split)

    def _copy(self, split: LoopSplit) -> Int64Array:
        loop = self._loops[split.iterator]
        if split.method == "unfold":
            return self._trip(loop) % split.factor
        edges = edges_of(loop, split.factor)
        return np.searchsorted(edges, self._columns[split.iterator], side="right").astype(np.int64)

    def _trip(self, loop: Loop) -> Int64Array:
        """Return the number of earlier iterations of a loop in the same visit."""
        column = self._columns[loop.iterator]
        return (column - values(loop.first[0], self._columns, len(column))) // loop.step


def _canonical(copy: Int64Array) -> bytes:
    """Return bytes that depend on the parts, not on their numbers."""
    _, first, inverse = np.unique(copy, return_index=True, return_inverse=True)
    return first[inverse].tobytes()
