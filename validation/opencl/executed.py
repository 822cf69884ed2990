"""Rows: kernels executed in SimPy beside their prediction, in several combinations of optimisations."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.opencl.design import applied, parse_design
from ppnsim.opencl.laws import predict
from ppnsim.opencl.run import simulate
from validation.harness.rows import Expected, Row, Verdict
from validation.opencl.figures import kernel_of
from validation.opencl.vecadd import ITEMS, QUICK, sweep

# Executed cycles as measured, and what makes each difference. Where banks are the bound: transactions of the busier one
# (a cycle each) and the cycles in which it idles. Where a pipeline is: latencies of the memory (64) outside of it,
# counted by executing with other latencies.
_TWO = "2 latencies of the memory lie outside 'multiply', those of the first tile and of the last store: 128 cycles"
_THREE = (
    "3 latencies of the memory lie outside 'distance', those of the first data of both blocks and of the last store: "
    "192 cycles, of which Eq. 11 has 5"
)
_GROUP = "executed beside predicted"
_CASES: tuple[tuple[str, dict[str, int], str, int, str], ...] = (
    ("MM", {"N": 32, "T": 16}, "baseline", 33478,
     "the busier bank has 32804 transactions and idles 674 cycles; Eq. 17 keeps 1/33 of the banks for 'write', so that "
     "the 65536 of 'multiply' take 33792"),
    ("MM", {"N": 32, "T": 16}, "SM", 32906, f"{_TWO}, of which Eq. 11 has 8"),
    ("MM", {"N": 32, "T": 16}, "UL16:k", 18558,
     "the busier bank has 18404 transactions and idles 154 cycles; Eq. 17 gives 'multiply' 4/3 of the 2 banks, so that "
     "its 36736 take 27552"),
    ("MM", {"N": 32, "T": 16}, "SM+UL16:k", 2291, f"{_TWO}, of which Eq. 11 has 8"),
    ("MM", {"N": 32, "T": 16}, "SM+UL16:k+SIMD4", 767, f"{_TWO}, and 4 more with lanes"),
    ("MM", {"N": 32, "T": 16}, "SM+CU2", 16523, f"{_TWO}, of which Eq. 11 has 7"),
    ("MM", {"N": 32, "T": 16}, "SIMD2+CU4", 32883,
     "the busier bank has 32820 transactions and idles 63 cycles; Eq. 17 keeps 1/33 of the banks for 'write', so that "
     "the 65536 of 'multiply' take 33792"),
    ("KM", {"P": 2048, "K": 8}, "baseline", 133529,
     "the busier bank has 131136 transactions and idles 2393 cycles; Eq. 17 keeps 1/65 of the banks for 'write', so "
     "that each of 8 passes of 'distance' takes 16640 and not 16384, and 2055 of 'nearest' are added"),
    ("KM", {"P": 2048, "K": 8}, "SM", 131301,
     "'distance' takes an item per cycle, 131072, and 229 pass around it; Eq. 11 gives each of its 8 passes 25 cycles "
     "more, and adds 2055 of 'nearest', which is executed beside it"),
    ("KM", {"P": 2048, "K": 8}, "SM+UL8:feature", 65837,
     "the busier bank has 65664 transactions and idles 173 cycles; Eq. 17 gives 'distance' 8/5 of the 2 banks, so that "
     "its 131072 take 81920"),
    ("KM", {"P": 2048, "K": 8}, "SM+UL8:feature+UL2:centre", 33127,
     "the busier bank has 32901 transactions and idles 226 cycles; Eq. 17 gives 'distance' 4/3 of the 2 banks, so that "
     "its 65536 take 49152"),
    ("KM", {"P": 2048, "K": 8}, "SM+UL2:feature+UL8:centre", 65999,
     "the busier bank has 65692 transactions and idles 307 cycles; Eq. 17 gives the 8 copies of 'distance' 32/17 of "
     "the 2 banks, so that their 131072 take 69632"),
    ("KM", {"P": 2048, "K": 8}, "SM+MC+UL8:feature", 16645, _THREE),
    ("KM", {"P": 2048, "K": 8}, "SM+MC+UL8:feature+CU2", 8453, _THREE),
)  # fmt: skip
# VecAdd, in waves of so many items: the last 16 items of a wave share the transactions that the first of them asks for.
_LAST = "the last of the {0} items of the last wave enters {0} - 16 cycles after the one whose latency Eq. 11 counts"
_MEET = ", and transactions of neighbouring waves meet at a bank, once in each of {}: not so with 4 banks ({} cycles)"
_BOUND = (
    "the last 16 items have their data and are stored after 129 cycles, where Eq. 11 counts the 16 in which they enter"
)
_SWEEP = {
    32: (132112, _LAST.format(32)), 64: (66096, _LAST.format(64)),
    96: (44409, _LAST.format(96) + _MEET.format(340, 44070)),
    128: (33391, _LAST.format(128) + _MEET.format(255, 33136)),
    160: (32753, _BOUND), 192: (32753, _BOUND), 256: (32881, _BOUND), 512: (32881, _BOUND),
}  # fmt: skip
_OPEN = (
    "neither banks (2561 transactions of the busier one) nor a pipeline (32768 items of each) are the bound, and the "
    "difference grows with the tiles: 1.27 times for 2, 1.47 for 3, 1.68 for 4; why the items wait is open"
)


_OPEN_SIZE, _OPEN_CYCLES = {"N": 128, "T": 64}, 42353
_QUICK = 20_000  # executed cycles of a case of a quick run at most


def executed_rows(quick: bool) -> list[Row]:
    """Return executed cycles beside predicted ones; a quick run leaves out the long ones and says so."""
    cases = [(*case, True) for case in _CASES]
    cases.append(("MM", _OPEN_SIZE, "SM+UL64:k", _OPEN_CYCLES, _OPEN, False))
    rows, left_out = [], 0
    for name, settings, design, known, why, understood in cases:
        if quick and known > _QUICK:
            left_out += 1
            continue
        kernel, board = kernel_of(name, settings)
        made = applied(kernel, parse_design(design))
        size = ", ".join(f"{key} = {value}" for key, value in settings.items())
        predicted, executed = predict(made, board).cycles, simulate(made, board).cycles
        rows.append(_row(f"{name}, {size}: {design}", predicted, executed, known, why, understood=understood))
    for items in QUICK if quick else ITEMS:
        measured, reason = _SWEEP.get(items, (None, ""))
        law, run = (sweep(kind, [items])[items] for kind in ("predicted", "executed"))
        rows.append(_row(vecadd_row(items), law, int(run), measured, reason))
    if quick:
        left_out += len(ITEMS) - len(QUICK)
        rows.append(
            Row(
                group=_GROUP, what="long executions", source="Eq. 6-19, predicted", printed="cycles",
                missing=Verdict.NOT_RUN, figures=left_out, note="left out by --quick, which takes short ones",
            )
        )  # fmt: skip
    return rows


def vecadd_row(items: int) -> str:
    """Return what the row of VecAdd with so many work items is called."""
    return f"VecAdd, N = 32768: {items} work items"


def _row(what: str, predicted: Fraction, executed: int, known: int | None, why: str, *, understood: bool = True) -> Row:
    return Row(
        group=_GROUP, what=what, source="Eq. 6-19, predicted", printed=str(predicted),
        ours=executed, unit="cycles", consistent="prediction and execution are both ours", basis=predicted,
        explained=None if known is None else Expected(ours=known, why=why, understood=understood),
    )  # fmt: skip
