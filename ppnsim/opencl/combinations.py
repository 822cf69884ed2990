"""All combinations of optimisations of a kernel, and the best of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.opencl.design import LANES, MOST_COPIES, UNITS, Design, factors
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.optimise import useful_flags
from ppnsim.opencl.predicted import PredictedDesign, look


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
