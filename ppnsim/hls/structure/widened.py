"""Widened bus beats: the elements of a bus that are transferred together in one beat (R6.24)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import gcd

from ppnsim.hls.structure.locations import GuardedStatement, distinct
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Loop

_STANDARD = frozenset((8, 16, 32, 64))


def beats_of(
    steps: Iterable[GuardedStatement], arrays: Mapping[str, Array], storage: Mapping[str, Storage],
    partitions: Mapping[str, Partition], loops: Sequence[Loop],
) -> dict[Access, tuple[str, Affine]]:  # fmt: skip
    """Return the beat of each access that shares a beat with other accesses of its iteration.

    R6.24: the accesses are all reads, or all writes, under no condition, to consecutive elements that are in one
    aligned beat in all iterations of ``loops``, which are all enclosing loops. Unrolled copies and accesses that are
    written out one by one are the same to the tool.

    Examples
    --------
    >>> from ppnsim.loops.program import Statement
    >>> read = [Access("a", (Affine.of(at),)) for at in range(4)]
    >>> steps = [GuardedStatement(Statement(name="s", reads=(each,), writes=())) for each in read]
    >>> bus = {"a": Storage("bus", 72, 1, beat=64)}
    >>> found = beats_of(steps, {"a": Array(name="a", shape=(64,))}, bus, {}, ())
    >>> [str(beat) for _, beat in found.values()]
    ['0', '0', '1', '1']
    """
    wide = {
        name: each.beat for name, each in storage.items()
        if each.kind == "bus" and each.beat and name not in partitions and _is_plain(arrays[name])
    }  # fmt: skip
    if not wide:
        return {}
    beats = dict[Access, tuple[str, Affine]]()
    for name, accesses in _accesses(steps, set(wide)).items():
        elements = [_element(each, arrays[name]) for each in accesses]
        if _in_a_row(elements, loops):
            most = wide[name] // arrays[name].bits
            found = {each: (name, _beat(at, most, loops)) for each, at in zip(accesses, elements, strict=True)}
            beats |= found if len(set(found.values())) < len(found) else {}
    return beats


def _in_a_row(elements: Sequence[Affine], loops: Sequence[Loop]) -> bool:
    """Return whether accesses go to consecutive elements upwards, and iterations neither down nor past any."""
    steps = {loop.iterator: loop.step for loop in loops}
    places = [each.constant for each in elements]
    upwards = all(isinstance(atom, str) and by * steps.get(atom, 1) > 0 for atom, by in elements[0].terms)
    inner = loops[-1].iterator if loops else ""
    past = dict(elements[0].terms).get(inner, 0) * steps.get(inner, 1)
    return (
        upwards
        and past in (0, len(places))
        and all(each.terms == elements[0].terms for each in elements)
        and places == list(range(places[0], places[0] + len(places)))
    )


def _accesses(steps: Iterable[GuardedStatement], wide: set[str]) -> dict[str, list[Access]]:
    """Return the accesses of an iteration to some buses that it only reads, or only writes, under no condition."""
    found = dict[str, dict[Access, None]]()
    ways = dict[str, set[bool]]()
    for step in distinct(steps):
        for write, accesses in ((False, step.statement.reads), (True, step.statement.writes)):
            for access in (each for each in accesses if each.array in wide):
                if step.conditions or access.random:
                    wide.remove(access.array)
                    continue
                found.setdefault(access.array, {})[access] = None
                ways.setdefault(access.array, set()).add(write)
    return {name: [*each] for name, each in found.items() if name in wide and len(each) > 1 and len(ways[name]) == 1}


def _is_plain(array: Array) -> bool:
    """Return whether elements are C numbers with a power of two as size; the tool does not widen others."""
    standard = array.bits in _STANDARD and not array.type.startswith(("ap_", "half"))
    volatile = array.static and array.role == "parameter"
    return standard and not volatile and not array.stream and array.member is None and "." not in array.name


def _element(access: Access, array: Array) -> Affine:
    """Return the index of an element in its flattened array."""
    element = Affine.of(0)
    for subscript, size in zip(access.subscripts, array.shape, strict=True):
        element = element * size + subscript
    return element


def _beat(element: Affine, most: int, loops: Sequence[Loop]) -> Affine:
    """Return the index of an element's beat: the beat has as many elements as stay aligned in all iterations."""
    steps = {loop.iterator: loop for loop in loops}
    size, first = most, element.constant
    for atom, factor in element.terms:
        loop = steps.get(atom) if isinstance(atom, str) else None
        if loop is None or not all(each.is_constant for each in loop.first):
            size = gcd(size, factor)
            continue
        size = gcd(size, factor * loop.step)
        first += factor * max(each.constant for each in loop.first)
    return Affine(element.terms, first // size)
