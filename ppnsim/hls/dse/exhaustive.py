"""Exhaustive search: all designs of a small space, and the front between cycles and area."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ppnsim.errors import InputError
from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.loops import MOST_STATEMENTS, Evaluated
from ppnsim.hls.dse.partitions import partitions_of
from ppnsim.hls.pragmas.directives import Scope


@dataclass(frozen=True, slots=True)
class AllDesigns:
    """The designs that fit: of all designs, or of those that were tried before an interruption."""

    designs: list[Evaluated]
    complete: bool

    @property
    def optimum(self) -> Evaluated | None:
        """The smallest design of fewest cycles; None if not all designs were tried or none fits."""
        return min(self.designs, key=lambda each: (each.cycles, each.share), default=None) if self.complete else None


def all_designs(
    designs: Designs, *, most: int = 5000, progress: Callable[[int, int], None] | None = None
) -> AllDesigns:
    """Return every design that fits, each with the partitions for its accesses; after Ctrl-C, those found so far.

    A loop gets directives only if all its inner loops are completely unrolled; otherwise they would unroll them.

    Raises
    ------
    InputError
        If there are more than ``most`` designs, or one has too many statements.
    """
    count = designs_in(designs, most=most)
    found: list[Evaluated] = []
    try:
        for number, levels in enumerate(_within(designs, designs.loops.roots({})), start=1):
            design = designs.at(levels, partitions_of(designs, levels))
            if design.fits:
                found.append(design)
            if progress is not None:
                progress(number, count)
    except KeyboardInterrupt:
        return AllDesigns(found, False)
    return AllDesigns(found, True)


def designs_in(designs: Designs, *, most: int) -> int:
    """Return the number of designs that `all_designs` tries; raise InputError above ``most`` or for a too large one."""
    count = prod(_count(designs, key) for key in designs.loops.roots({}))
    if count > most:
        raise InputError(f"the space has {count} designs, too many to try all (at most {most})")
    largest = {key: designs.loops.trips(key) or 1 for key in designs.loops}
    if (statements := designs.loops.statements(largest)) > MOST_STATEMENTS:
        raise InputError(f"the space has designs of {statements} statements, too large to try (over {MOST_STATEMENTS})")
    return count


def _count(designs: Designs, key: Scope) -> int:
    """Return the number of ways in which a loop and its inner loops get directives; see `all_designs`."""
    inside = designs.loops.children(key, {})
    own = len(designs.loops.steps(key)) if all(_unrolls(designs, child) for child in inside) else 0
    return prod(_count(designs, child) for child in inside) + own


def _unrolls(designs: Designs, key: Scope) -> bool:
    """Return whether a loop can be unrolled completely, with all its contents."""
    inside = designs.loops.children(key, {})
    return bool(designs.loops.trips(key)) and all(_unrolls(designs, child) for child in inside)


def _within(designs: Designs, keys: Sequence[Scope]) -> Iterator[dict[Scope, int]]:
    """Yield the levels of some loops in a row and of all loops inside them."""
    for parts in product(*(list(_ways(designs, key)) for key in keys)):
        yield {key: level for part in parts for key, level in part.items()}


def _ways(designs: Designs, key: Scope) -> Iterator[dict[Scope, int]]:
    for inside in _within(designs, designs.loops.children(key, {})):
        yield inside
        if not designs.loops.children(key, inside):
            yield from (inside | {key: level} for level in designs.loops.steps(key))


def front(points: Sequence[Evaluated]) -> list[Evaluated]:
    """Return the designs that no other design beats in cycles with at most its area, fewest cycles first."""
    kept: list[Evaluated] = []
    for point in sorted(points, key=lambda each: (each.cycles, each.share)):
        if not kept or point.share < kept[-1].share:
            kept.append(point)
    return kept
