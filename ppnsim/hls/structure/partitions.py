"""Storage and partitions of arrays (R6.4, ``array_partition``): which memories there are, and which one is accessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd, prod
from typing import Literal

from ppnsim.loops.expressions import Atom
from ppnsim.loops.program import DATA, Access, Loop

BUS_STATES = 7
"""States that the adapter of an AXI bus adds to its latency (readreq of Vitis HLS is 71 states at latency 64)."""
Flow = Literal["vivado", "vitis"]
"""The product of the tool: an IP for a block design, or a kernel for a platform."""
BUS_LATENCIES: Mapping[Flow, int] = {"vivado": 0, "vitis": 64}
"""Latency of an AXI bus without a ``latency`` clause, by flow (R6.4)."""
BUS_BEATS: Mapping[Flow, int] = {"vivado": 0, "vitis": 512}
"""Most bits to which the tool widens the beats of an AXI bus, by flow (R6.24)."""
BUS_ALIGNED: Mapping[Flow, int] = {"vivado": 0, "vitis": 64}
"""Bytes to which pointers on AXI buses are assumed to be aligned, by flow (R6.24)."""
BUS_BURST, BUS_OUTSTANDING = 16, 16
"""Beats of a burst and bursts under way without clauses (the defaults of the vendor's kernel flow)."""


@dataclass(frozen=True, slots=True)
class Storage:
    """An array's memory.

    ``ram``: data arrives ``latency`` states after its address. ``registers``: every element is a register. ``fifo``:
    elements come one after the other. ``bus``: each access is a transfer of ``bundle``. ``ports`` is 0 for as many
    ports as the device's memories have; ``split``: this number of read ports, and the same number of write ports.
    ``hint``: a directive on the array asks for it, not its interface. ``unsaid``: no clause gives the latency of a bus,
    so the flow's latency holds. ``beat`` are the most bits to which beats of a bus are widened, None without a clause.
    ``asked``: its elements are requested before the loop, and arrive at the end of a state (R6.21).
    ``made``: the implementation that a directive asks for (R3.9).
    """

    kind: Literal["ram", "registers", "fifo", "bus"] = "ram"
    latency: int = 1
    ports: float = 0
    split: bool = False
    hint: bool = False
    unsaid: bool = False
    beat: int | None = None
    asked: bool = False
    bundle: str = ""
    made: Literal["", "bram", "lutram"] = ""
    bursts: tuple[int, int] = (BUS_BURST, BUS_BURST)
    outstanding: tuple[int, int] = (BUS_OUTSTANDING, BUS_OUTSTANDING)


RAM, REGISTERS = Storage(), Storage("registers", 0)


@dataclass(frozen=True, slots=True)
class Partition:
    """An array in ``factor`` memories along dimension ``dim`` (from 1; 0 is all), ``cyclic`` or in ``block`` parts.

    ``complete`` makes a memory, or a register, for each index. ``more`` are partitions of the same array along other
    dimensions. ``words``: the parts form one memory whose words hold an element of each part (``array_reshape``).
    ``inferred``: the tool made it without a directive (R9.3).
    """

    kind: Literal["cyclic", "block", "complete"]
    dim: int
    factor: int
    extent: int
    more: tuple[Partition, ...] = ()
    words: bool = False
    inferred: bool = False

    @property
    def banks(self) -> int:
        """The number of memories.

        Examples
        --------
        >>> Partition("cyclic", 1, 4, 32, (Partition("block", 2, 2, 32),)).banks
        8
        """
        return max(1, self.factor) * prod(each.banks for each in self.more)

    @property
    def registers(self) -> bool:
        """Whether each element is a register, so that no memory is left."""
        return self.kind == "complete" and self.dim == 0

    def bank(self, index: int) -> int:
        """Return the memory that holds an index along ``dim``."""
        if self.kind == "block":
            return index // -(-self.extent // self.factor)
        return index % self.factor if self.kind == "cyclic" else index


def banks_of(
    accesses: Iterable[Access], partitions: Mapping[str, Partition], loops: Iterable[Loop] = (), *, slices: bool = False
) -> Callable[[Access], str]:
    """Return a function from an access to the name of its memory; ``loops`` are the loops around the accesses.

    R6.1: two accesses are surely in different memories if they differ by a constant along the partitioned dimension
    that is not a multiple of the factor. If their iterators differ, the remainder of the constants modulo the greatest
    common divisor of coefficients and factor tells cyclic memories apart (R9.5). All other accesses may alias, also
    those whose address depends on data, and count as one memory. So do accesses that iterators move within memories of
    a directive, if two of them are in one memory and the factor is not a power of two. ``slices``: constant subscripts
    also tell the elements of a word apart (R6.2).
    """
    steps = {loop.iterator: loop.step for loop in loops}
    every = tuple(accesses)
    parts = _subscripts(every, partitions)
    random = {access.array for access in every if access.random}
    numbered = {where for where, terms in parts.items() if slices and terms.keys() == {()} and where[0] not in random}

    @cache
    def port(access: Access) -> str:
        name = access.array + "".join(_slices(access, partitions.get(access.array), numbered))
        for each in along_dims(partitions.get(access.array)) if access.subscripts else ():
            subscript = access.subscripts[each.dim - 1]
            if subscript == DATA or each.words:
                continue
            terms = parts.get((access.array, each.dim), {})
            met = len(terms) > 1 or (subscript.terms and each.kind == "block")
            if each.kind == "cyclic" and terms and DATA.terms not in terms:
                moves = (c * steps.get(atom, 1) if isinstance(atom, str) else c for some in terms for atom, c in some)
                classes = gcd(each.factor, *moves)
                if classes < each.factor and _crowded(each, terms):
                    continue
                name += f".{subscript.constant % classes}" if met and classes > 1 else ""
            name += "" if met else f".{each.bank(subscript.constant)}"
        return name

    return port


def _subscripts(
    accesses: Iterable[Access], partitions: Mapping[str, Partition]
) -> dict[tuple[str, int], dict[tuple[tuple[Atom, int], ...], set[int]]]:
    """Return the subscripts of each partitioned dimension: the constants, by their iterators and factors."""
    found: dict[tuple[str, int], dict[tuple[tuple[Atom, int], ...], set[int]]] = {}
    for access in accesses:
        for each in along_dims(partitions.get(access.array)) if access.subscripts else ():
            subscript = access.subscripts[each.dim - 1]
            found.setdefault((access.array, each.dim), {}).setdefault(subscript.terms, set()).add(subscript.constant)
    return found


def _slices(access: Access, partition: Partition | None, numbered: Collection[tuple[str, int]]) -> Iterator[str]:
    """Yield the part of a word that holds an element, in dimensions whose subscripts are constant (``numbered``)."""
    for each in along_dims(partition):
        if each.words and each.kind == "complete" and (access.array, each.dim) in numbered:
            yield f".{access.subscripts[each.dim - 1].constant}"


def _crowded(partition: Partition, terms: Mapping[tuple[tuple[Atom, int], ...], set[int]]) -> bool:
    """Return whether several subscripts of an iteration are surely in one memory of a directive's partition.

    The tool derives no remainder if the factor is not a power of two (R9.5).
    """
    crowds = (Counter(constant % partition.factor for constant in constants) for constants in terms.values())
    told = not partition.inferred and partition.factor.bit_count() > 1
    return told and any(count > 1 for crowd in crowds for count in crowd.values())


def along_dims(partition: Partition | None) -> tuple[Partition, ...]:
    """Return the partitions of an array along single dimensions."""
    return () if partition is None else tuple([each for each in (partition, *partition.more) if each.dim])
