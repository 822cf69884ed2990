"""Access patterns: along which loops an address advances, who shares its data, which optimisations apply.

Eq. 2 and 4 of Wang et al. (2.1, 3.2) ask whether addresses are consecutive. An address is a sum in the numbers of a
work item and the iterations of loops (`atoms`), whose coefficients answer that. An address with other parts
(``i % n``) is evaluated for neighbouring values: it counts as consecutive if at most one step in sixteen jumps.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from ppnsim.loops.expressions import Affine
from ppnsim.opencl.kernel import ITEMS, BlockStep
from ppnsim.opencl.reader.hierarchy.builder import GlobalAccess
from ppnsim.opencl.reader.symbolic.atoms import Atoms, Numbers
from ppnsim.opencl.reader.symbolic.counting import LoopFrame
from ppnsim.opencl.reader.symbolic.ndrange import NDRange

_VECTOR = 16  # bytes of the vector types that VT takes: float4, uchar16
_VECTORS = (8, 4, 2)
_SAMPLES = 1024
_JUMPS = 16
_MOST = 1 << 18


class AccessPatterns:
    """Describes the accesses of a kernel when the trip counts of the loops around them are known."""

    def __init__(self, atoms: Atoms, items: NDRange) -> None:
        self.atoms, self.items = atoms, items
        self._group = {name: size for name, size in items.symbols.items() if name.startswith("local")}

    def described(self, step: BlockStep, access: GlobalAccess) -> BlockStep:
        """Return the step of an access with its pattern; pragmas replace parts of that."""
        offset, hints = access.place.offset, access.hints
        kept = bool(access.loops) and access.written and self._is_same(offset, access.loops[-1])
        step = replace(step, bytes=access.bytes, private=bool(hints.get("private", kept)))
        if not hints.get("access"):
            along = [loop.name for loop in access.loops if self._advances(offset, loop, access.bytes)]
            near = self._by_item(offset, access.bytes)
            step = replace(
                step,
                along=(*along, *([ITEMS] if near else [])),
                same=tuple(loop.name for loop in access.loops if self._is_same(offset, loop)),
                mended=() if near or not self._could_be_near(offset) else (ITEMS,),
                reuse=self._reuse(access) if access.op == "load" else 1,
                vector=self._vector(access) if along and along[-1] == access.loops[-1].name else 1,
            )
        return replace(step, reuse=hints.get("reuse", step.reuse), vector=hints.get("vector", step.vector))

    def _advances(self, offset: Affine, loop: LoopFrame, size: int) -> bool:
        leaves = self.atoms.leaves(offset)
        if not leaves.isdisjoint(loop.inside) or not leaves.isdisjoint(loop.symbols - {loop.counter}):
            return False
        return self._steps_by(offset, loop.counter, min(_SAMPLES, max(2, int(loop.trip))), size)

    def _is_same(self, offset: Affine, loop: LoopFrame) -> bool:
        return self.atoms.leaves(offset).isdisjoint(loop.inside | loop.symbols)

    def _by_item(self, offset: Affine, size: int) -> bool:
        symbol = self.items.next_item
        if symbol is None or self.atoms.is_private(offset):
            return False
        return self._steps_by(offset, symbol, min(_SAMPLES, self.items.symbols[symbol]), size)

    def _steps_by(self, offset: Affine, symbol: str, count: int, size: int) -> bool:
        """Return whether an offset grows by ``size`` bytes with a symbol, apart from a few jumps."""
        step = self.atoms.coefficient(offset, symbol)
        if step is not None:
            return step == size
        parts = Affine(tuple((atom, 1) for atom, _ in offset.terms if symbol in self.atoms.leaves(Affine.of(atom))))
        if not self.atoms.leaves(parts).isdisjoint(self.atoms.reasons):
            return False
        values = self.atoms.value(offset, {**self._zeros(offset), symbol: np.arange(count, dtype=np.int64)})
        return int((np.diff(values) != size).sum()) * _JUMPS <= count - 1

    def _could_be_near(self, offset: Affine) -> bool:
        """Return whether another order of the data would make it consecutive: each work item has its own address."""
        symbol = self.items.next_item
        return symbol is not None and not self.atoms.is_private(offset) and symbol in self.atoms.leaves(offset)

    def _reuse(self, access: GlobalAccess) -> int:
        """Return how many work items of a group load the same data in one run of the innermost loop."""
        if self.items.groups is None or self.atoms.is_private(access.place.offset):
            return 1
        sizes = dict(self._group)
        if access.loops and access.loops[-1].symbols == {access.loops[-1].counter}:
            loop = access.loops[-1]
            sizes[loop.counter] = max(1, min(int(loop.trip), _MOST // max(1, prod(sizes.values()))))
        number = prod(sizes.values())
        if number > 4 * _MOST:
            return 1
        at, symbols = np.arange(number, dtype=np.int64), self._zeros(access.place.offset)
        for name, size in sizes.items():
            symbols[name], at = at % size, at // size
        values = np.broadcast_to(self.atoms.value(access.place.offset, symbols), (number,))
        own = sizes.popitem()[1] if len(sizes) > len(self._group) else 1  # those of the first work item
        alone = len(np.unique(values.reshape(own, -1)[:, 0]))
        return max(1, number // own * alone // len(np.unique(values)))

    def _vector(self, access: GlobalAccess) -> int:
        """Return the elements of the widest vector type that divides the trip count of the innermost loop."""
        most, trip = _VECTOR // access.bytes, access.loops[-1].trip
        given = access.loops[-1].given is not None  # the trip count is then an average and need not be divided
        return next((each for each in (_VECTOR, *_VECTORS) if each <= most and (given or trip % each == 0)), 1)

    def _zeros(self, offset: Affine) -> dict[str, Numbers]:
        return {name: np.zeros(1, dtype=np.int64) for name in self.atoms.leaves(offset)}
