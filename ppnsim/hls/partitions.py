"""Arrays in several memories, and which one an access goes to (``array_partition``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Literal

from ppnsim.affine.program import Access


@dataclass(frozen=True, slots=True)
class Partition:
    """An array in ``factor`` memories, dealt ``cyclic`` or cut in a ``block`` each along ``dim`` (from 1; 0 is all).

    ``complete`` is a memory, or a register, for each index. ``more`` are partitions of the same array along other
    dimensions.
    """

    kind: Literal["cyclic", "block", "complete"]
    dim: int
    factor: int
    extent: int
    more: tuple[Partition, ...] = ()

    @property
    def banks(self) -> int:
        """How many memories there are.

        Examples
        --------
        >>> Partition("cyclic", 1, 4, 32, (Partition("block", 2, 2, 32),)).banks
        8
        """
        return max(1, self.factor) * prod(each.banks for each in self.more)

    @property
    def registers(self) -> bool:
        """Whether nothing is left of the memories: each element is a register."""
        return self.kind == "complete" and self.dim == 0

    def bank(self, index: int) -> int:
        """Return the memory that an index along ``dim`` is in."""
        if self.kind == "block":
            return index // -(-self.extent // self.factor)
        return index % self.factor if self.kind == "cyclic" else index


NOT_PARTITIONED: Mapping[str, Partition] = MappingProxyType({})


def banks_of(accesses: Iterable[Access], partitions: Mapping[str, Partition]) -> Callable[[Access], str]:
    """Return a function from an access to the name of its memory.

    Accesses are surely in different memories if they differ by a constant along the partitioned dimension that is no
    multiple of the factor. If their iterators differ, all may meet in one memory, and count as if they did.
    """
    parts: dict[tuple[str, int], set[object]] = {}
    for access in accesses:
        if not access.random:
            for each in _along(partitions.get(access.array)):
                parts.setdefault((access.array, each.dim), set()).add(access.subscripts[each.dim - 1].terms)

    def port(access: Access) -> str:
        name = access.array
        for each in () if access.random else _along(partitions.get(name)):
            subscript = access.subscripts[each.dim - 1]
            met = len(parts.get((access.array, each.dim), ())) > 1 or (subscript.terms and each.kind == "block")
            name += "" if met else f".{each.bank(subscript.constant)}"
        return name

    return port


def _along(partition: Partition | None) -> tuple[Partition, ...]:
    """Return the partitions of an array along single dimensions."""
    return () if partition is None else tuple(each for each in (partition, *partition.more) if each.dim)
