"""Memories with one port for each read: the tool makes them of arrays with few stores (R9.23, R9.30)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Partition, Storage, banks_of
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.program import Access, Array

MOST = 17
"""Most accesses in a cycle: 64 reads have II 4, 32 have II 2, 100 have II 6."""

PORTS = 2


def with_many_ports(
    trees: Sequence[Tree], arrays: Sequence[Array], partitions: Mapping[str, Partition], storage: Mapping[str, Storage]
) -> dict[str, Storage]:
    """Return the local arrays with more than two ports: an iteration has more accesses, and none has two stores.

    The code around the loops has no two stores, either. An array that no loop here fills is filled by another task, of
    which nothing is known.
    """
    able = {array.name for array in arrays if _able(array, partitions, storage)}
    for code in _straight(trees):
        stores = _different(access for each in code for access in each.statement.writes if access.array in able)
        able -= _above(map(banks_of(stores, partitions), stores), 1, stores)
    filled: set[str] = set()
    crowded: set[str] = set()
    for pipeline in _pipelines(trees):
        steps = [step.statement for step in (*pipeline.before, *pipeline.steps, *pipeline.after)]
        loads = _different(access for each in steps for access in each.reads if access.array in able)
        stores = _different(access for each in steps for access in each.writes if access.array in able)
        if not loads and not stores:
            continue
        bank, loaded = (banks_of(each, partitions, pipeline.loops) for each in ((*loads, *stores), loads))
        filled |= {access.array for access in stores}
        able -= _above(map(bank, stores), 1, stores)
        crowded |= _above(map(loaded, loads), PORTS, loads)  # a store to an unknown memory does not count
    return dict.fromkeys(sorted(able & crowded & filled), Storage(ports=MOST))


def with_copied_tables(
    arrays: Sequence[Array],
    written: frozenset[str],
    partitions: Mapping[str, Partition],
    storage: Mapping[str, Storage],
) -> dict[str, Storage]:
    """Return the constant tables: the tool copies them until each read has a port (R9.30)."""
    tables = (each for each in arrays if each.initial and each.name not in written)
    return {each.name: Storage(ports=math.inf) for each in tables if _able(each, partitions, storage)}


def _straight(trees: Sequence[Tree]) -> Iterator[list[GuardedStatement]]:
    """Yield the straight-line statements around the loops, and those of each loop of the state machine."""
    yield [tree for tree in trees if isinstance(tree, GuardedStatement)]
    for tree in trees:
        if isinstance(tree, Serial):
            yield from _straight(tree.body)


def _able(array: Array, partitions: Mapping[str, Partition], storage: Mapping[str, Storage]) -> bool:
    """Return whether the tool may choose the memory of an array."""
    if array.name in partitions and partitions[array.name].registers:
        return False
    return bool(array.shape) and not array.stream and array.role == "local" and array.name not in storage


def _above(memories: Iterable[str], most: int, accesses: Sequence[Access]) -> set[str]:
    """Return the arrays of which more than ``most`` accesses go to one memory."""
    memories = list(memories)
    counts = Counter(memories)
    return {each.array for name, each in zip(memories, accesses, strict=True) if counts[name] > most}


def _different(accesses: Iterable[Access]) -> list[Access]:
    """Return the accesses of an iteration, one for each element; accesses whose address is data may all differ."""
    every = list(accesses)
    return [*dict.fromkeys(each for each in every if not each.random), *(each for each in every if each.random)]


def _pipelines(trees: Sequence[Tree]) -> Iterator[Pipeline]:
    for tree in trees:
        if isinstance(tree, Serial):
            yield from _pipelines(tree.body)
        elif isinstance(tree, Pipeline):
            yield tree
