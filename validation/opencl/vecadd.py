"""Rows of VecAdd over the number of work items (Fig. 6), predicted and executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from ppnsim.opencl.design import parse_design
from ppnsim.opencl.run import simulate
from ppnsim.opencl.tune import look
from validation.harness.rows import Expected, Row, figures
from validation.opencl.figures import kernel_of, look_at

ITEMS = (8, 16, 32, 64, 96, 128, 160, 192, 256, 512)
QUICK = (64, 128, 256)  # what a quick run executes; 128 is the first of them that is stable, too
_SHORT = Fraction(1, 20)  # of the saturated time: what Fig. 6 shows as stable


def knee_rows(items: Sequence[int]) -> list[Row]:
    """Return Fig. 6: work items from which VecAdd is stable, predicted and executed, and what else is said of it."""
    group = "VecAdd, Fig. 6"
    sweeps = ("predicted", sweep("predicted", ITEMS)), ("executed", sweep("executed", items))
    left = look_at("VecAdd", "baseline").potentials
    rows = [
        Row(
            group=group, what=f"work items from which the time is stable (within 5 %), {kind}", source="6.2",
            printed="128", ours=next(items for items in cycles if _stable(cycles, items)), unit="work items",
        )
        for kind, cycles in sweeps
    ]  # fmt: skip
    rows += [
        Row(group=group, what=f"{name} is low", source="6.2", printed="low",
            ours="low" if value < Fraction(1, 10) else "high", basis=figures(value),
            explained=Expected(ours="high", why="an adder leaves the device empty, and Eq. 20 counts what is free")
            if name == "B_comp" else None)
        for name, value in left.by_name().items()
        if name != "B_itpp"
    ]  # fmt: skip
    return rows


def sweep(kind: str, items: Sequence[int]) -> dict[int, Fraction]:
    """Return cycles of VecAdd over 32768 elements by work items, predicted or executed."""
    return {each: _cycles(kind, each) for each in items}


@cache
def _cycles(kind: str, items: int) -> Fraction:
    kernel, board = kernel_of("VecAdd", {"N": 32768, "W": items})
    if kind == "predicted":
        return look(kernel, board, parse_design("baseline")).prediction.cycles
    return Fraction(simulate(kernel, board).cycles)


def _stable(cycles: Mapping[int, Fraction], items: int) -> bool:
    return cycles[items] <= min(cycles.values()) * (1 + _SHORT)
