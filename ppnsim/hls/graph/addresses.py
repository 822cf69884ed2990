"""Address timing: the state, and the time in it, in which the address of an access is known (R2.4, R5.5)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd, prod

from ppnsim.hls.graph.by_terms import by_terms
from ppnsim.hls.library.library import Library
from ppnsim.hls.structure.counting import constant_trips, signed_digits
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Loop

MANY = 1 << 15
"""Iterations from which on the counter of a flattened nest takes a state of its own (R2.4, rests on few kernels)."""
_SMALL = 1 << 11
"""Most elements of a bank for which a row of two shifted terms and a column add up where the iterators are chosen."""
_LONG = 4.0
"""Least clock period in ns for adding a row of two shifted terms to a column in the state after the iterators."""
_SHORT = 8
"""Most bits of an iterator that is chosen and multiplied in one state (R9.41)."""
_REMAINDER = 3
"""States of a remainder, besides one state for each bit of the dividend (R9.10)."""
_UNKNOWN = 1 << 31
"""Assumed iterations of a loop with an unknown trip count: its iterator is an int."""


@dataclass(frozen=True, slots=True)
class AddressTiming:
    """Address times of a pipelined body: iterators are known from state ``base`` on; ``sums`` counts those of R9.41."""

    library: Library
    arrays: Mapping[str, Array]
    loops: Sequence[Loop]
    base: int
    accesses: tuple[Access, ...]
    recent: bool = False
    partitions: Mapping[str, Partition] = field(default_factory=dict)
    sums: int = 0
    _columns: dict[tuple[tuple[Affine, ...], int], set[Affine]] = field(default_factory=dict, init=False)
    _deep: int = field(default=0, init=False)
    known: dict[Hashable, int] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_deep", sum(constant_trips(loop) != 1 for loop in self.loops))
        for access in self.accesses:
            if len(access.subscripts) > 1:
                row = access.subscripts[:-1], self.arrays[access.array].shape[-1]
                self._columns.setdefault(row, set()).add(access.subscripts[-1])

    def ready(self, access: Access) -> tuple[int, float]:
        """Return the state, and the nanoseconds in it, from which on the address is known."""
        return max(self._added(access), (self._inside(access), 0.0))

    def _inside(self, access: Access) -> int:
        """R9.38: return the state of an address in a block that iterators choose; 0 if it needs no remainder."""
        part = self.partitions.get(access.array)
        if not self.recent or part is None or access.random or not access.subscripts:
            return 0
        found = 0
        for each in (part, *part.more):
            if each.kind == "block" and each.dim and not each.words:
                length, subscript = -(-each.extent // each.factor), access.subscripts[each.dim - 1]
                if length & (length - 1) and self._leaves(subscript, length):
                    found = max(found, (each.extent - 1).bit_length() + _REMAINDER + 1)
        return found

    def _leaves(self, subscript: Affine, length: int) -> bool:
        """Return whether the loops move a subscript, and their bounds do not keep it in one block."""
        loops = {loop.iterator: loop for loop in self.loops}
        if not subscript.iterators() & loops.keys():
            return False
        low = high = subscript.constant
        for atom, factor in subscript.terms:
            loop = loops.get(atom) if isinstance(atom, str) else None
            if loop is None or not all(bound.is_constant for bound in (*loop.first, *loop.last)):
                return True
            ends = [factor * bound.constant for bound in (*loop.first, *loop.last)]
            low, high = low + min(ends), high + max(ends)
        return low // length != high // length

    def _added(self, access: Access) -> tuple[int, float]:
        array = self.arrays[access.array]
        add = self.library.delay_ns("add", address_bits(array))
        flattened = len(self.loops) > 1
        if self.recent and flattened:
            deep, shape = self._flattened(access), self._bank_shape(access)
            row = add if len(shape) > 1 and signed_digits(shape[-1]) > 1 else 0.0
            return self._chosen(array, add, row) if deep == 1 and self._deep == 2 else (deep, add)
        rows, length = self._in_bank(access)
        own = {loop.iterator for loop in self.loops}
        if access.random or not any(row.iterators() & own for row in rows):
            return self._chosen(array, add) if flattened else (self.base, add)
        if flattened and sum(bool(row.iterators() & own) for row in rows) > 1:
            return self.base + 2, add
        return self._of_rows(array, rows, length, add)

    def _of_rows(self, array: Array, rows: tuple[Affine, ...], length: int, add: float) -> tuple[int, float]:
        """Return the time of an address with a moving row (R2.4); ``length`` is the length of the row."""
        timing, flattened = self.library.device.timing, len(self.loops) > 1
        # One product of a row serves all columns, also those of other arrays with rows of this length.
        offsets = self._columns.get((rows, length), ())
        multiplied = self.base + timing.mac_states, self.library.ns("mac")
        few = signed_digits(length) <= 2
        if flattened:
            shared = (self.base + 2, add) if len(offsets) > 1 else multiplied
            alone = (self.base + 1, add) if len(rows) > 1 else self._chosen(array, add)
            return alone if few else shared
        if few:
            both = self.library.ternary_ns(address_bits(array)) if len(offsets) == 1 else add + add
            return (self.base, both) if both + self.library.ns("ram") <= self.library.budget else (self.base + 1, add)
        return (self.base, add) if all(bound.is_constant for bound in self.loops[-1].first) else multiplied

    def _chosen(self, array: Array, add: float, row: float = 0.0) -> tuple[int, float]:
        """Return the time of an address in a flattened nest: in the state that chooses the iterators if all fits."""
        at = self.library.chosen_ns(address_bits(array)) + row + add
        return (self.base, at) if at + self.library.ns("ram") <= self.library.budget else (self.base + 1, add)

    def _in_bank(self, access: Access) -> tuple[tuple[Affine, ...], int]:
        """Return the subscripts of a row and its length, without dimensions in which each bank has one index."""
        rows, shape = access.subscripts[:-1], self.arrays[access.array].shape
        if not rows or access.random:
            return rows, shape[-1] if shape else 1
        bank, length = self._bank_shape(access), shape[-1]
        while rows and bank[len(rows)] == 1:
            rows, length = rows[:-1], bank[len(rows) - 1]
        return rows, length

    @by_terms
    def _flattened(self, access: Access) -> int:
        """R9.14: return the state of an address in a flattened nest, with a bank's rows, without loops of one run."""
        deep = self._deep
        if access.random or deep < 2 or not any(each.iterators() for each in access.subscripts):
            return 0
        shape = self._bank_shape(access)
        few = all(signed_digits(length) <= 2 for length in shape[1:])
        if few and len(shape) > 1 and self.library.clock_ns >= _LONG:
            return 1
        digits = signed_digits(shape[-1])
        if deep > 3 or len(shape) != 2:
            return 0 if len(shape) < 2 else deep if deep > 2 else 1 if digits == 1 else 3
        return self._of_two_dimensions(access, digits, prod(shape))

    def _of_two_dimensions(self, access: Access, digits: int, elements: int) -> int:
        """R9.14: return the state of an address of rows with this number of signed digits, in two or three loops."""
        deep = self._deep
        if digits <= 2 and (elements <= _SMALL or (deep == 2 and digits == 1)):
            return deep - 1
        if deep == 2 and digits > 2 and self.sums:
            return self._product(access)
        return 4 if deep == 3 and digits > 2 and self._moves_inside(access) else 3

    def _product(self, access: Access) -> int:
        """R9.41: return the state of an address in two loops; the inner loop does not move a sum."""
        if self._moves_inside(access):
            return 4
        outer = next(loop for loop in self.loops if constant_trips(loop) != 1)
        bits = ((constant_trips(outer) or _UNKNOWN) - 1).bit_length()
        return 2 if self.sums == 1 and bits <= _SHORT else 3

    def _bank_shape(self, access: Access) -> list[int]:
        """Return the shape of a bank; if the source computes the row, its length is an iterator's largest factor."""
        shape, part = list(self.arrays[access.array].shape), self.partitions.get(access.array)
        if len(access.subscripts) < 2 and len(access.subscripts[0].terms) > 1:
            row = max(abs(factor) for _, factor in access.subscripts[0].terms)
            shape = [-(-shape[0] // row), row]
        for each in (part, *part.more) if part else ():
            if each.factor and each.dim:
                shape[each.dim - 1] = -(-shape[each.dim - 1] // each.factor)
        return shape

    @by_terms
    def chosen(self, access: Access) -> int:
        """R9.10: return the state at whose end the bank of an access is known; 0 if it needs no remainder."""
        part = self.partitions.get(access.array)
        if not self.recent or len(self.loops) < 2 or part is None or access.random or not access.subscripts:
            return 0
        along = (each for each in (part, *part.more) if each.dim and each.kind == "cyclic" and not each.words)
        return max((self._remainder(access.subscripts[each.dim - 1], each.factor) for each in along), default=0)

    def _remainder(self, subscript: Affine, factor: int) -> int:
        factors = dict(subscript.terms)
        moved = {
            loop.iterator: abs(factors[loop.iterator] * loop.step) for loop in self.loops if loop.iterator in factors
        }
        left = factor // gcd(factor, *moved.values()) if moved else 1
        if left & (left - 1) == 0:
            return 0
        common = gcd(*moved.values())
        trips = [
            (moved[loop.iterator] // common, constant_trips(loop)) for loop in self.loops if loop.iterator in moved
        ]
        largest = sum(step * ((count or _UNKNOWN) - 1) for step, count in trips)
        return largest.bit_length() + _REMAINDER

    def _moves_inside(self, access: Access) -> bool:
        """Return whether another loop than the outermost one chooses the row."""
        outer = next(loop.iterator for loop in self.loops if constant_trips(loop) != 1)
        return outer not in access.subscripts[0].iterators()


def address_bits(array: Array) -> int:
    """Return the number of bits of an array's addresses."""
    return max(1, (prod(array.shape) - 1).bit_length())
