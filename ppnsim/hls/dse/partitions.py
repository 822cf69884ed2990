"""Array partitions for the accesses of a design (Siracusa et al. 2021, section 4.3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.loops import Levels
from ppnsim.hls.structure.decisions import trees_of
from ppnsim.hls.structure.partitions import Partition
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.program import Access


def partitions_of(designs: Designs, levels: Levels) -> dict[str, Partition]:
    """Return the partitions that the accesses of a design need (section 4.3).

    Each dimension is cut into as many parts as it has distinct offsets: cyclic or block, whichever has fewer accesses
    to its busiest part, cyclic if they are equal; complete if the dimension has that many elements.
    """
    wanted: dict[str, dict[int, tuple[int, Sequence[int]]]] = defaultdict(dict)
    shapes = {array.name: array.shape for array in designs.program.arrays}
    tree = trees_of(designs.program, designs.directives(levels, {}), designs.rules, designs.known.trees)
    for body in _bodies(tree):
        alike: dict[tuple[str, int, object], list[int]] = defaultdict(list)  # without constants of the subscripts
        for access in dict.fromkeys(body):
            for dimension, subscript in enumerate(access.subscripts, start=1):
                alike[access.array, dimension, subscript.terms].append(subscript.constant)
        for (array, dimension, _), offsets in alike.items():
            most = len(set(offsets))
            if most > wanted[array].get(dimension, (1, ()))[0]:
                wanted[array][dimension] = (most, offsets)
    found = {}
    for array, dimensions in sorted(each for each in wanted.items() if each[0] not in designs.buses):
        parts = [
            _chosen(dimension, count, offsets, shapes[array][dimension - 1])
            for dimension, (count, offsets) in sorted(dimensions.items())
        ]
        if len(parts) == len(shapes[array]) and all(part.kind == "complete" for part in parts):
            parts = [Partition("complete", 0, prod(shapes[array]), 0)]
        if parts:
            found[array] = replace(parts[0], more=tuple(parts[1:]))
    return found


def _bodies(tree: Sequence[Tree]) -> Iterator[list[Access]]:
    """Yield the array accesses of each body without inner loops, after unrolling."""
    straight: list[Access] = []
    for node in tree:
        if isinstance(node, Serial):
            yield from _bodies(node.body)
            continue
        steps = (*node.before, *node.steps, *node.after) if isinstance(node, Pipeline) else (node,)
        own = [a for step in steps for a in (*step.statement.reads, *step.statement.writes) if a.subscripts]
        if isinstance(node, Pipeline):
            yield own
        else:
            straight += own
    yield straight


def _chosen(dimension: int, count: int, offsets: Sequence[int], extent: int) -> Partition:
    if count >= extent:
        return Partition("complete", dimension, extent, extent)
    cyclic, block = Partition("cyclic", dimension, count, extent), Partition("block", dimension, count, extent)
    return min(cyclic, block, key=lambda each: max(Counter(map(each.bank, offsets)).values()))
