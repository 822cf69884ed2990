"""Arrays in several memories, and which one an access goes to (``array_partition``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ppnsim.affine.program import Access


@dataclass(frozen=True, slots=True)
class Partition:
    """An array in ``factor`` memories, dealt ``cyclic`` or cut in a ``block`` each along ``dim`` (from 1; 0 is all).

    ``complete`` is a memory, or a register, for each index.
    """

    kind: Literal["cyclic", "block", "complete"]
    dim: int
    factor: int
    extent: int

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
    parts: dict[str, set[object]] = {}
    for access in accesses:
        if (partition := partitions.get(access.array)) and partition.dim and not access.random:
            parts.setdefault(access.array, set()).add(access.subscripts[partition.dim - 1].terms)

    def port(access: Access) -> str:
        partition = partitions.get(access.array)
        if partition is None or not partition.dim or access.random or len(parts.get(access.array, ())) > 1:
            return access.array
        subscript = access.subscripts[partition.dim - 1]
        if subscript.terms and partition.kind == "block":
            return access.array
        return f"{access.array}.{partition.bank(subscript.constant)}"

    return port
