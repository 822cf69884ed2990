"""A reader for the directives that partition arrays: ``array_partition`` and ``array_reshape``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.structure.lanes import lanes_of
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.program import Array

_KINDS = ("cyclic", "block", "complete")


def read_partition(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read an ``array_partition`` or an ``array_reshape``."""
    found.check("variable", "type", "factor", "dim", "off", *_KINDS)
    names = sorted(name for name in found.arrays() if asked.arrays[name].shape)
    if not names and found.arrays() and found.where != "--pragma":
        asked.ignore(found, f"{found.name} of '{found.clauses['variable']}', which is not an array")
        return
    if not names and found.arrays():
        raise InputError(f"{found.name}: '{found.clauses['variable']}' is not an array", where=found.where)
    kind = found.one_of("type", _KINDS, "complete")
    for words in _idle(found, kind):
        asked.ignore(found, words)
    for name in names if not found.flag("off") else ():
        both, own = asked.partitions.get(name), found.of_call(name)
        for one in _along(own, kind, asked.arrays[name], asked, own.chosen(asked.arrays[name])):
            both = one if both is None else _both(both, one, name, own, asked)
        assert both is not None
        asked.partitions[name] = _as_registers(both, asked.arrays[name].shape)


def _idle(found: Pragma, kind: str) -> Iterator[str]:
    """Yield the clauses of a partition that have no effect."""
    if found.flag("off"):
        yield f"{found.name} off: no array is partitioned here without a directive"
    elif kind == "complete" and "factor" in found.clauses:
        yield f"the factor of a complete {found.name}"
    elif found.clauses.get("factor") == "1":
        yield f"{found.name} factor=1: one memory, as without it"


def _along(found: Pragma, kind: str, array: Array, asked: DirectivesSoFar, chosen: int) -> list[Partition]:
    """Return the partitions along the requested dimensions; ``dim=0`` stands for all dimensions after ``chosen``."""
    dim = found.number("dim", 0) if "dim" in found.clauses else 1
    every = len(array.shape) - lanes_of(array)
    all_ = dim == 0 and (kind != "complete" or chosen > 0)
    dims = range(chosen + 1, every + 1) if all_ else (dim + chosen if dim else dim,)
    return [_one(found, kind, array, each, asked) for each in dims]


def _one(found: Pragma, kind: str, array: Array, dim: int | None, asked: DirectivesSoFar) -> Partition:
    shape, text = array.shape, found.clauses.get("dim", "1")
    if dim is None or dim > len(shape):
        words = f"'{found.clauses['variable']}' has no dimension {text} (1 to {len(shape)}, 0 for all)"
        raise InputError(f"{found.name}: {words}", where=found.where)
    factor, extent = found.number("factor"), shape[dim - 1] if dim else 0
    reshaped = found.name == "array_reshape"
    if kind == "complete":
        return Partition("complete", dim, extent, extent, words=reshaped)
    if factor is None:
        raise InputError(f"{found.name}: {kind} needs a factor", where=found.where)
    if factor >= extent:
        words = f"factor {factor} is more than the {extent} elements of dimension {dim} of '{array.name}'"
        if factor > extent:
            asked.ignore(found, f"{words}: each is in a memory of its own")
        return Partition("complete", dim, extent, extent, words=reshaped)
    return Partition("cyclic" if kind == "cyclic" else "block", dim, factor, extent, words=reshaped)


def _both(old: Partition, new: Partition, name: str, found: Pragma, asked: DirectivesSoFar) -> Partition:
    """Return a partition along several dimensions; of two along one dimension, keep and note the finer one."""
    every = (replace(old, more=()), *old.more)
    if new in every or (old.registers and new.kind == "complete"):
        return old
    same = next((each for each in every if each.dim in (0, new.dim) or not new.dim), None)
    if same is None:
        return replace(old, more=(*old.more, new))
    most = new.dim == 0 or (not old.registers and new.banks > same.banks)
    first, *more = every if not most else (new,) if new.dim == 0 else (new if each == same else each for each in every)
    words = f"'{name}' is partitioned along dimension {new.dim} twice, by {same.factor} and by {new.factor}"
    asked.ignore(found, f"{words}: the one of more memories is taken")
    return replace(first, more=tuple(more))


def _as_registers(partition: Partition, shape: tuple[int, ...]) -> Partition:
    """Return one register for each element in place of a partition that is complete along every dimension."""
    complete = {each.dim for each in (partition, *partition.more) if each.kind == "complete"}
    whole = not partition.words and complete == set(range(1, len(shape) + 1))
    return Partition("complete", 0, prod(shape), 0) if whole else partition


def partition_in_struct(array: Array, given: Partition | None) -> Partition | None:
    """Return the partition of an array in a struct (R6.3), None for one memory; a directive may have ``given`` one.

    The lanes of a vector share one word. A directive decides which vectors share a memory; vectors in no memory are
    registers. An array of numbers in a struct is partitioned like any other array.
    """
    assert array.member is not None
    dims, lanes = len(array.shape), lanes_of(array)
    if not lanes:
        return given
    if given is not None and given.registers:
        return given
    told = () if given is None else (replace(given, more=()), *given.more)
    complete = {each.dim for each in told if each.kind == "complete" and not each.words}
    if complete >= set(range(1, dims - lanes + 1)):
        return Partition("complete", 0, prod(array.shape), 0)
    words = (
        Partition("complete", dim, array.shape[dim - 1], array.shape[dim - 1], words=True)
        for dim in range(dims - lanes + 1, dims + 1)
        if all(each.dim != dim for each in told)
    )
    first, *more = (*told, *words)
    return replace(first, more=tuple(more))
