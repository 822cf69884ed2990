"""Which design is best for an OpenCL kernel: the advisor that reads potentials, the tuning path, all combinations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.opencl.design import LANES, MOST_COPIES, UNITS, Design, applied, factors, useful_flags
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.laws import KernelPrediction, Potentials, potentials, predict

_GAIN = Fraction(101, 100)  # less is not worth a rewrite
_RELIEF = Fraction(1, 10)  # of B_mem: worth a rewrite even without a gain, since the next steps build on it
_LEAST = Fraction(1, 20)  # potentials below this are small
_DOES = {
    "SM": "keeps in local memory what work items share", "MC": "lets addresses advance with the work item",
    "PM": "keeps temporaries in registers", "VT": "reads several elements at once",
    "UL": "gives the slowest loop more hardware", "SIMD": "does the work of several work items at once",
    "CU": "replicates the whole pipeline",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedDesign:
    """A design with what is predicted of it, and why it was chosen (empty for the first)."""

    design: Design
    prediction: KernelPrediction
    potentials: Potentials
    why: str = ""

    @property
    def seconds(self) -> Fraction:
        """Predicted time."""
        return self.prediction.seconds

    @property
    def fits(self) -> bool:
        """Whether the device has room for it."""
        return self.prediction.fits


def look(kernel: Kernel, board: OpenclBoard, design: Design, why: str = "") -> PredictedDesign:
    """Return the prediction and the potentials of a design."""
    prediction = predict(applied(kernel, design), board)
    return PredictedDesign(design=design, prediction=prediction, potentials=potentials(prediction, board), why=why)


def advise(kernel: Kernel, board: OpenclBoard, now: PredictedDesign) -> PredictedDesign | None:
    """Return the next design and why, None if nothing that fits is worth doing.

    The potentials are taken in turn: memory first if the slowest block waits for it, then by size. Of the designs that
    improve one, the fastest that fits is taken; ties go to the first in the order of the paper. A change for the memory
    is worth doing if it frees a tenth of B_mem, even if the time does not change.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.kernel import Block, BlockStep
    >>> loads = tuple(BlockStep(name=name, op="load", bytes=4, mended=("items",)) for name in "abc")
    >>> block = Block(name="b", steps=loads)
    >>> kernel = Kernel(name="f", work_items=10_000, body=(block,))
    >>> str(advise(kernel, opencl_board(), look(kernel, opencl_board(), Design())).design)
    'MC'
    """
    slowest = max(now.prediction.blocks.values(), key=lambda block: block.total)
    waits = f"'{slowest.name}' is slowest, bound by {slowest.bound_by}"
    for name in _order(now, slowest.bound_by):
        amount = float(now.potentials.by_name()[name])
        for remedies in _remedies(kernel, now.design, name):
            best: PredictedDesign | None = None
            for kind, design in remedies:
                made = look(kernel, board, design, f"{name} is {amount:.2f}; {waits}: {kind} {_DOES[kind]}")
                if made.fits and (best is None or made.seconds * _GAIN < best.seconds):
                    best = made
            if best is not None and _is_worth(now, best, name):
                return best
    return None


def tune(kernel: Kernel, board: OpenclBoard, start: Design | None = None) -> Iterator[PredictedDesign]:
    """Yield the designs of the tuning path: the start, then the advice until there is none."""
    now: PredictedDesign | None = look(kernel, board, start or Design())
    while now is not None:
        yield now
        now = advise(kernel, board, now)


def _order(now: PredictedDesign, bound_by: str) -> list[str]:
    """Return the potentials to look at, the most urgent first; only the host can improve B_itpp."""
    left = {name: value for name, value in now.potentials.by_name().items() if value > _LEAST and name != "B_itpp"}
    return sorted(left, key=lambda name: (name != "B_mem" or bound_by != "memory", -left[name]))


def _is_worth(now: PredictedDesign, made: PredictedDesign, name: str) -> bool:
    if made.seconds * _GAIN < now.seconds:
        return True
    relieved = name == "B_mem" and made.potentials.mem + _RELIEF <= now.potentials.mem
    return relieved and made.seconds <= now.seconds * _GAIN


def _remedies(kernel: Kernel, design: Design, name: str) -> Iterator[list[tuple[str, Design]]]:
    """Yield groups of designs that improve a potential; a group counts only if no group before it is worth doing."""
    unrolled = [("UL", each) for each in _unrollings(kernel, design)]
    if name == "B_mem":
        left = [flag for flag in useful_flags(kernel) if flag not in design.flags]
        yield [(flag, replace(design, flags=design.flags | {flag})) for flag in left]
        yield unrolled
    elif name == "B_balance":
        yield unrolled
    else:
        lanes = LANES if kernel.vectorise else ()
        wider = [("SIMD", replace(design, simd=each)) for each in lanes if each > design.simd]
        yield [*wider, *unrolled, *(("CU", replace(design, units=units)) for units in UNITS if units > design.units)]


def _unrollings(kernel: Kernel, design: Design) -> Iterator[Design]:
    """Yield designs with one loop unrolled further, inner loops first."""
    for loop, trip in reversed(kernel.loops().items()):
        others = prod(factor for name, factor in design.unroll.items() if name != loop)
        for factor in factors(trip, MOST_COPIES // others):
            if factor > design.unroll.get(loop, 1):
                yield replace(design, unroll={**design.unroll, loop: factor})


@dataclass(frozen=True, slots=True, kw_only=True)
class BestDesign:
    """The fastest of all combinations that fit, and how many were looked at and fit."""

    looked_at: int
    fitting: int
    best: PredictedDesign


def combinations(kernel: Kernel, *, most: int = 20_000) -> list[Design]:
    """Return all combinations of optimisations that change something, in a fixed order.

    Raises
    ------
    InputError
        If there are more than ``most``.
    """
    flags = useful_flags(kernel)
    loops = kernel.loops()
    unrollings = [factors(trip, MOST_COPIES) for trip in loops.values()]
    simd = (1, *LANES) if kernel.vectorise else (1,)
    count = 2 ** len(flags) * prod(map(len, unrollings)) * len(simd) * (1 + len(UNITS))
    if count > most:
        raise InputError(f"kernel '{kernel.name}' has {count:,} combinations (up to {most:,} are looked at)")
    return [
        Design(
            flags=frozenset(flag for flag, wanted in zip(flags, chosen, strict=True) if wanted),
            unroll={loop: factor for loop, factor in zip(loops, unroll, strict=True) if factor > 1},
            simd=lanes, units=units,
        )
        for chosen in product((False, True), repeat=len(flags))
        for unroll in product(*unrollings)
        if prod(unroll) <= MOST_COPIES
        for lanes in simd
        for units in (1, *UNITS)
    ]  # fmt: skip


def best_design(
    kernel: Kernel, board: OpenclBoard, start: PredictedDesign, *, progress: Callable[[int, int], None] | None = None
) -> BestDesign:
    """Return the fastest of all combinations that fit, ``start`` if none of them is faster.

    Raises
    ------
    InputError
        If there are too many (`combinations`).
    """
    designs = combinations(kernel)
    best, fitting = start, 0
    for number, design in enumerate(designs):
        made = look(kernel, board, design)
        fitting += made.fits
        if made.fits and (made.seconds < best.seconds or not best.fits):
            best = made
        if progress is not None:
            progress(number, len(designs))
    return BestDesign(looked_at=len(designs), fitting=fitting, best=best)
