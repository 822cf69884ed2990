"""Memories by size: those of few bits, of lookup tables, answer sooner (R3.9), those of many words later (R3.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from math import prod

from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.partitions import RAM, Partition, Storage
from ppnsim.loops.program import ADDRESSES, Array

_BLOCK = 1024
"""Number of bits from which on a memory is a block RAM."""
_MANY, _LATER = 1 << 20, 2
"""Number of words above which data arrive later, and the states by which they do (R3.13)."""


def in_tables(
    arrays: Iterable[Array], partitions: Mapping[str, Partition], storage: Mapping[str, Storage],
    aggregates: Mapping[str, Aggregate] | None = None, written: Collection[str] = (), rules: Rules = TOOL,
) -> frozenset[str]:  # fmt: skip
    """Return the arrays whose memories have so few bits each that they are made of lookup tables.

    Arrays that are members of words share a memory. A directive may choose the kind of memory. Vivado HLS keeps
    constant tables, those of the kernel that are not among the ``written`` arrays, and memories of one port out of it.

    Examples
    --------
    >>> few, many = (Array(name=f"a{n}", shape=(n,), role="local", type="int", bits=32) for n in (31, 32))
    >>> sorted(in_tables([few, many], {}, {}))
    ['a31']
    >>> sorted(in_tables([many], {"a32": Partition("cyclic", 1, 2, 32)}, {}))
    ['a32']
    """
    if not rules.tables:
        return frozenset()
    together = aggregates or {}
    memory = {each.name: together[each.name].memory if each.name in together else each.name for each in arrays}
    bits: Counter[str] = Counter()
    found = []
    for array in arrays:
        kept = storage.get(array.name, RAM)
        other = not rules.vitis and (kept.ports or (array.role == "local" and array.name not in written))
        if array.shape and not array.stream and array.shape[0] != ADDRESSES and kept.kind == "ram" and not other:
            bits[memory[array.name]] += _bits(array, partitions.get(array.name))
            found.append((array.name, kept.made))
    return frozenset(name for name, made in found if made == "lutram" or (not made and bits[memory[name]] < _BLOCK))


def of_many_words(
    arrays: Iterable[Array], partitions: Mapping[str, Partition], storage: Mapping[str, Storage]
) -> dict[str, Storage]:
    """Return the memories of very many words, whose data arrive later in Vivado HLS (R3.13).

    Examples
    --------
    >>> few, many = (Array(name=f"a{n}", shape=(1000, n), type="short", bits=16) for n in (1000, 4000))
    >>> {name: each.latency for name, each in of_many_words([few, many], {}, {}).items()}
    {'a4000': 3}
    """
    found: dict[str, Storage] = {}
    for array in arrays:
        kept = storage.get(array.name, RAM)
        plain = array.shape and not array.stream and array.shape[0] != ADDRESSES
        usual = plain and (kept.kind, kept.latency) == ("ram", RAM.latency)
        if usual and _bits(array, partitions.get(array.name)) > _MANY * array.bits:
            found[array.name] = replace(kept, latency=kept.latency + _LATER)
    return found


def _bits(array: Array, partition: Partition | None) -> int:
    """Return the bits of an array's largest memory; a word with several elements is in one (``array_reshape``)."""
    shape = list(array.shape)
    for each in (partition, *partition.more) if partition is not None else ():
        if each.dim and not each.words:
            shape[each.dim - 1] = -(-shape[each.dim - 1] // each.factor) if each.factor else 1
    return prod(shape) * array.bits
