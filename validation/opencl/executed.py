"""Rows: kernels executed in SimPy beside their prediction, in several combinations of optimisations."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.opencl.design import applied, parse_design
from ppnsim.opencl.laws import predict
from ppnsim.opencl.run import simulate
from validation.harness.rows import Expected, Row
from validation.opencl.figures import kernel_of
from validation.opencl.vecadd import ITEMS, sweep

_FILL = (
    "the first data come a memory latency after the start, and the last work item leaves one later: Eq. 11 has neither"
)
_SHARE = (
    "Eq. 17 gives each block a share of the banks by its latencies, also while the others ask for nothing; executed, "
    "all transactions share both banks, which are the bound"
)
_FULL = "the banks are busy to the end of the transactions; Eq. 17 keeps a share for the block of the result"
_CASES: tuple[tuple[str, dict[str, int], str, int, str], ...] = (
    ("MM", {"N": 32, "T": 16}, "baseline", 33478, _FULL),
    ("MM", {"N": 32, "T": 16}, "SM", 32906, _FILL),
    ("MM", {"N": 32, "T": 16}, "UL16:k", 18558, _SHARE),
    ("MM", {"N": 32, "T": 16}, "SM+UL16:k", 2291, _FILL),
    ("MM", {"N": 32, "T": 16}, "SM+UL16:k+SIMD4", 767, _FILL),
    ("MM", {"N": 32, "T": 16}, "SM+CU2", 16523, _FILL),
    ("MM", {"N": 32, "T": 16}, "SIMD2+CU4", 32883, _FULL),
    ("KM", {"P": 2048, "K": 8}, "baseline", 133529, _FULL),
    ("KM", {"P": 2048, "K": 8}, "SM", 131301, _FULL),
    ("KM", {"P": 2048, "K": 8}, "SM+UL8:feature", 65837, _SHARE),
    ("KM", {"P": 2048, "K": 8}, "SM+UL8:feature+UL2:centre", 33127, _SHARE),
    ("KM", {"P": 2048, "K": 8}, "SM+UL2:feature+UL8:centre", 65999, _SHARE),
    ("KM", {"P": 2048, "K": 8}, "SM+MC+UL8:feature", 16645, _FILL),
    ("KM", {"P": 2048, "K": 8}, "SM+MC+UL8:feature+CU2", 8453, _FILL),
)
_SWEEP = {96: 44409, 128: 33391, 160: 32753, 192: 32753, 256: 32881, 512: 32881, 32: 132112, 64: 66096}


def executed_rows() -> list[Row]:
    """Return executed cycles beside predicted ones."""
    rows = []
    for name, settings, design, known, why in _CASES:
        kernel, board = kernel_of(name, settings)
        made = applied(kernel, parse_design(design))
        size = ", ".join(f"{key} = {value}" for key, value in settings.items())
        rows.append(
            _row(f"{name}, {size}: {design}", predict(made, board).cycles, simulate(made, board).cycles, known, why)
        )
    for items in ITEMS:
        what = f"VecAdd, N = 32768: {items} work items"
        rows.append(_row(what, sweep("predicted")[items], int(sweep("executed")[items]), _SWEEP.get(items), _FILL))
    return rows


def _row(what: str, predicted: Fraction, executed: int, known: int | None, why: str) -> Row:
    return Row(
        group="executed beside predicted", what=what, source="Eq. 6-19, predicted", printed=str(predicted),
        ours=executed, unit="cycles", consistent="prediction and execution are both ours",
        explained=None if known is None else Expected(ours=known, why=why),
    )  # fmt: skip
