"""The memories that code touches, with those of a divided array apart: code that shares none runs at once (R5.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product

from ppnsim.hls.structure.bank_ports import MOST, banks_along, spans_of
from ppnsim.hls.structure.partitions import Partition, along_dims
from ppnsim.hls.structure.trees import Pipeline, accesses_of
from ppnsim.loops.program import DATA, Access, Loop


def banks_touched(
    partitions: Mapping[str, Partition], loops: Sequence[Loop] = ()
) -> Callable[[Access], frozenset[str]]:
    """Return a function from an access to the names of the memories that it may touch.

    An array that is not divided, or into more than 64 memories, is one memory. ``loops`` are those around the access;
    where their bounds are assumed, their iterators reach all memories.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> rows = {"a": Partition("complete", 1, 3, 3)}
    >>> of = banks_touched(rows)
    >>> [sorted(of(Access("a", (Affine.of(row), Affine.of("j"))))) for row in (1, "i")]
    [['a.1'], ['a.0', 'a.1', 'a.2']]
    """
    spans = spans_of(loop for loop in loops if not loop.assumed)

    def touched(access: Access) -> frozenset[str]:
        part = partitions.get(access.array)
        dims = along_dims(part)
        if part is None or not dims or part.banks > MOST or any(each.words for each in dims):
            return frozenset({access.array})
        along = [_reached(access, each, spans) for each in dims]
        return frozenset(".".join((access.array, *map(str, each))) for each in product(*along))

    return touched


def memories_of(
    pipeline: Pipeline, partitions: Mapping[str, Partition], outer: Sequence[Loop], arrays: Collection[str]
) -> frozenset[str]:
    """Return the memories of some arrays that a pipelined loop touches, inside of the loops ``outer``."""
    of = banks_touched(partitions, (*outer, *pipeline.loops))
    accesses = [each for each in accesses_of(pipeline) if each.array in arrays]
    return frozenset[str]().union(*map(of, accesses))


def _reached(access: Access, division: Partition, spans: Mapping[str, range]) -> frozenset[int]:
    """Return the memories along a dimension that an access may reach: all, if they are not known."""
    subscript = access.subscripts[division.dim - 1] if access.subscripts else DATA
    found = banks_along(subscript, division, spans) if subscript != DATA else frozenset[int]()
    every = frozenset(range(division.factor))
    return found if found and found <= every else every
