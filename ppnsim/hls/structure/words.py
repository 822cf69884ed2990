"""Words: which elements of an array share a word of its memory or of its bus (R6.2, R6.3)."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from types import MappingProxyType

from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.partitions import Partition, along_dims
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Loop


def words_of(
    partitions: Mapping[str, Partition], loops: Sequence[Loop], buses: Mapping[str, Array] = MappingProxyType({}),
    aggregates: Mapping[str, Aggregate] = MappingProxyType({}),
    beats: Mapping[Access, tuple[str, Affine]] = MappingProxyType({}), astride: Container[Access] = (),
) -> Callable[[Access], tuple[Hashable, ...] | None]:  # fmt: skip
    """Return a function from an access to its word; None if each word of the array holds one element.

    R6.2: two accesses are in one word (``array_reshape``) if they are in one word in all iterations of the loops. The
    numbers of a struct on one of the ``buses``, or of an element of ``aggregates``, are one word (R6.3, R6.22). The
    elements of a beat in ``beats`` are one word, too (R6.24). Lanes on a bus that are ``astride`` are two words, the
    last of which has the last lane (R6.9).
    """
    steps = {loop.iterator: loop for loop in loops}
    wide = {name for name, part in partitions.items() if any(each.words for each in along_dims(part))}
    structs = {name: array for name, array in buses.items() if array.member or "." in array.name}

    def word(access: Access) -> tuple[Hashable, ...] | None:
        if (beat := beats.get(access)) is not None:
            return beat
        if access.subscripts and (found := aggregates.get(access.array)) is not None:
            return (found.memory, *access.subscripts[: found.dims])
        if not access.subscripts or (access.array not in wide and access.array not in structs):
            return None  # the usual case
        along = [each for each in along_dims(partitions.get(access.array)) if each.words]
        if not along:
            array = structs[access.array]
            owner, dims = array.name.partition(".")[0], len(access.subscripts)
            if array.member is not None:  # an array in a struct: its first subscripts are those of the struct
                owner, dims = array.member[0], 1
            return (owner, *access.subscripts[:dims])
        key: list[Hashable] = list(access.subscripts)
        for each in along:
            subscript, size = access.subscripts[each.dim - 1], each.factor
            if each.kind == "block":
                size = -(-each.extent // each.factor)
            elif each.kind == "complete":
                key[each.dim - 1] = None
                continue
            base = _aligned(subscript, size, steps)
            if each.kind == "block" and subscript.terms:
                key[each.dim - 1] = (subscript.terms, subscript.constant % size)
            elif base is not None:
                key[each.dim - 1] = (subscript.terms, base % size if each.kind == "block" else base // size)
        half = (access.subscripts[-1].constant == buses[access.array].shape[-1] - 1,) if access in astride else ()
        return (access.array, *key, *half)

    return word


def _aligned(subscript: Affine, size: int, loops: Mapping[str, Loop]) -> int | None:
    """Return the constant part of a subscript; None if iterators move the subscript within a word."""
    base = subscript.constant
    for atom, factor in subscript.terms:
        loop = loops.get(atom) if isinstance(atom, str) else None
        if factor % size == 0:
            continue
        if loop is None or factor * loop.step % size or not all(first.is_constant for first in loop.first):
            return None
        base += factor * max(first.constant for first in loop.first)
    return base
