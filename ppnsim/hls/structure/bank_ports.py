"""The memories whose ports an access takes if an iterator chooses one of several memories (R6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod

from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.locations import GuardedStatement, distinct
from ppnsim.hls.structure.partitions import Partition, along_dims, banks_of
from ppnsim.loops.expressions import Affine, Condition
from ppnsim.loops.program import DATA, Access, Loop

MOST = 64
"""Most memories that are looked at separately when an iterator chooses one of them."""


def ports_of(
    accesses: Iterable[Access], partitions: Mapping[str, Partition], loops: Iterable[Loop] = ()
) -> Callable[[Access], tuple[str, ...]]:
    """Return a function from an access to the memories whose ports it takes.

    Along a dimension some accesses may stay in one memory, for instance those with constant subscripts: they take a
    port of that memory only, and each other access takes a port of every such memory (R6.1). Along dimensions that are
    divided completely, accesses with moving subscripts take ports of all memories that they reach.
    """
    every, around = tuple(accesses), tuple(loops)
    reached, spans = _reached(every, partitions, around), spans_of(around)
    bank = banks_of(every, partitions, around)
    fixed: dict[str, dict[int, list[int]]] = {}
    for access in every:
        for dim, each in enumerate(along_dims(partitions.get(access.array)) if access.subscripts else ()):
            own = _one_bank(access.subscripts[each.dim - 1], each, spans) if bank(access) == access.array else None
            if own is not None:
                numbers = fixed.setdefault(access.array, {}).setdefault(dim, [])
                numbers += [own] if own not in numbers else []

    def ports(access: Access) -> tuple[str, ...]:
        if access in reached:
            return reached[access]
        dims = fixed.get(access.array, {})
        if bank(access) != access.array or not dims or prod(map(len, dims.values())) > MOST:
            return (bank(access),)
        names: tuple[str, ...] = (access.array,)
        for dim, each in enumerate(along_dims(partitions.get(access.array))):
            if dim in dims:
                own = _one_bank(access.subscripts[each.dim - 1] if access.subscripts else DATA, each, spans)
                names = tuple(f"{name}.{number}" for name in names for number in (dims[dim] if own is None else (own,)))
        return names

    return ports


def _one_bank(subscript: Affine, division: Partition, spans: Mapping[str, range]) -> int | None:
    """Return the memory along a dimension in which a subscript stays; None if it reaches several, or depends on data.

    Examples
    --------
    >>> four = Partition("cyclic", 1, 4, 64)
    >>> i = Affine.of("i")
    >>> [_one_bank(each, four, {"i": range(0, 64, 2)}) for each in (4 * i + 1, 2 * i + 1, DATA)]
    [1, 1, None]
    >>> _one_bank(Affine.of("i"), four, {"i": range(0, 64, 2)})
    """
    if division.words or subscript == DATA:
        return None
    place = subscript.constant
    for atom, factor in subscript.terms:
        span = spans.get(atom) if isinstance(atom, str) else None
        if division.kind != "cyclic":
            return None
        if factor % division.factor:
            if not span or factor * span.step % division.factor:
                return None
            place += factor * span.start
    return division.bank(place)


def _reached(
    accesses: Iterable[Access], partitions: Mapping[str, Partition], loops: Iterable[Loop]
) -> dict[Access, tuple[str, ...]]:  # fmt: skip
    """Return the memories that accesses reach, for arrays that are divided completely or into blocks.

    An array counts only if its accesses reach different memories, and few of them.
    """
    of = _along_dims(accesses, partitions, tuple(loops))
    found: dict[Access, tuple[str, ...]] = {}
    for array, places in of.items():
        dims = along_dims(partitions.get(array))
        _by_constants(places, {at: each.dim - 1 for at, each in enumerate(dims) if each.kind == "complete"})
        counts = [prod(map(len, each)) for each in places.values()]
        several = max(counts) > 1 or any(each.kind == "block" for each in dims)
        if min(counts) > 0 and several and max(counts) <= MOST and len(set(map(tuple, places.values()))) > 1:
            for access, each in places.items():
                names = (".".join(map(str, numbers)) for numbers in product(*map(sorted, each)))
                found[access] = tuple(f"{array}.{name}" for name in names)
    return found


def _along_dims(
    accesses: Iterable[Access], partitions: Mapping[str, Partition], loops: Iterable[Loop]
) -> dict[str, dict[Access, list[frozenset[int]]]]:
    """Return the memories along each dimension that accesses reach, by array; nothing for words or cyclic ones."""
    spans, sure = spans_of(loops), spans_of(loop for loop in loops if not loop.assumed)
    of: dict[str, dict[Access, list[frozenset[int]]]] = {}
    for access in accesses:
        dims = along_dims(partitions.get(access.array)) if access.subscripts else ()
        if dims and not any(each.words or each.kind == "cyclic" for each in dims):
            along = ((access.subscripts[each.dim - 1], each, sure if each.kind == "block" else spans) for each in dims)
            of.setdefault(access.array, {})[access] = [banks_along(*each) for each in along]
    return of


def banks_along(subscript: Affine, division: Partition, spans: Mapping[str, range]) -> frozenset[int]:
    """Return the memories along a dimension that a subscript reaches; nothing if they are unknown or too many.

    Examples
    --------
    >>> half = Partition("block", 1, 2, 64)
    >>> [sorted(banks_along(Affine.of("i") + k, half, {"i": range(32)})) for k in (0, 16, 32)]
    [[0], [0, 1], [1]]
    """
    if division.kind != "block":
        return frozenset(map(division.bank, places_of(subscript, spans)))
    ends = {name: (min(span[0], span[-1]), max(span[0], span[-1])) for name, span in spans.items() if span}
    if not all(isinstance(atom, str) and atom in ends for atom, _ in subscript.terms):
        return frozenset()
    least, most = map(division.bank, subscript.extent(ends))
    return frozenset(range(max(0, least), min(division.factor - 1, most) + 1))


def _by_constants(places: Mapping[Access, list[frozenset[int]]], dims: Mapping[int, int]) -> None:
    """Use constants as places of accesses that move alike along a dimension: different constants never alias."""
    for at, dim in dims.items():
        if len({access.subscripts[dim].terms for access in places}) == 1:
            for access, own in places.items():
                own[at] = frozenset({access.subscripts[dim].constant})


def _span(loop: Loop) -> range:
    """Return the values of an iterator; an empty range if its bounds are not constants."""
    if not all(bound.is_constant for bound in (*loop.first, *loop.last)):
        return range(0)
    first, last = (max if loop.step > 0 else min), (min if loop.step > 0 else max)
    ends = first(each.constant for each in loop.first), last(each.constant for each in loop.last)
    return range(ends[0], ends[1] + (1 if loop.step > 0 else -1), loop.step)


def spans_of(loops: Iterable[Loop]) -> dict[str, range]:
    """Return the values of the iterators of loops; an empty range for an iterator whose bounds are not constants."""
    return {loop.iterator: _span(loop) for loop in loops}


def places_of(subscript: Affine, spans: Mapping[str, range]) -> frozenset[int]:
    """Return the values of a subscript; nothing if they are unknown or too many."""
    found = {subscript.constant}
    for atom, factor in subscript.terms:
        span = spans.get(atom, range(0)) if isinstance(atom, str) else range(0)
        found = {value + factor * at for value in found for at in span} if len(found) * len(span) <= MOST else set()
    return frozenset(found)


def choices_of(partitions: Mapping[str, Partition]) -> Callable[[Access], tuple[Access, ...]]:
    """Return a function from an access that chooses one of several memories to its possible accesses (R6.1).

    Only dimensions that are divided completely count: each index is a memory there.
    """
    complete = {name: [each for each in along_dims(part) if each.kind == "complete" and not each.words]
                for name, part in partitions.items()}  # fmt: skip
    divided = {name for name, along in complete.items() if along}

    @cache
    def chosen(access: Access) -> tuple[Access, ...]:
        along = (each for each in complete[access.array] if not access.subscripts[each.dim - 1].is_constant)
        dims = {each.dim - 1: each.extent for each in along}
        if not dims or prod(dims.values()) > MOST:
            return ()
        found = []
        for numbers in product(*(range(extent) for extent in dims.values())):
            subscripts = list(access.subscripts)
            for dim, number in zip(dims, numbers, strict=True):
                subscripts[dim] = Affine.of(number)
            found.append(replace(access, subscripts=tuple(subscripts), random=DATA in subscripts))
        return tuple(found)

    return lambda access: chosen(access) if access.array in divided and access.subscripts else ()


def across_of(partitions: Mapping[str, Partition]) -> Callable[[Access], frozenset[int]]:
    """Return a function from an access to the dimensions, from 0 on, in which data chooses the memory (R6.1).

    Only dimensions that are divided completely count: their memories have the same address for one place.
    """

    def across(access: Access) -> frozenset[int]:
        dims = along_dims(partitions.get(access.array)) if access.random and access.subscripts else ()
        if any(each.words or each.kind != "complete" for each in dims):
            return frozenset()
        return frozenset(each.dim - 1 for each in dims if access.subscripts[each.dim - 1] == DATA)

    return cache(across)


def handed_on(steps: Iterable[GuardedStatement], choices: Callable[[Access], tuple[Access, ...]]) -> frozenset[Access]:
    """Return the accesses that load nothing: the iteration has just stored all elements that they may choose (R6.1)."""
    every = tuple(steps)
    loads = dict.fromkeys(access for step in distinct(every) for access in step.statement.reads)
    chosen = {access: memories for access in loads if (memories := choices(access))}
    if not chosen:
        return frozenset()
    stored: dict[str, dict[Access, tuple[Condition, ...]]] = {access.array: {} for access in chosen}
    found: dict[Access, bool] = {}
    for step in every:
        for access in step.statement.reads:
            if access in chosen:
                tests = [stored[access.array].get(each) for each in chosen[access]]
                found[access] = _is_sure(step, tests) and found.get(access, True)
        for access in step.statement.writes:
            if access.array in stored:
                own = stored[access.array].items()
                stored[access.array] = {a: tests for a, tests in own if a == access or surely_apart(a, access)}
                stored[access.array][access] = step.conditions
    return frozenset(access for access, sure in found.items() if sure)


def _is_sure(step: GuardedStatement, tests: Iterable[tuple[Condition, ...] | None]) -> bool:
    """Return whether all these elements have been stored where a statement is executed; None stands for no store."""
    return all(each is not None and step.conditions[: len(each)] == each for each in tests)
