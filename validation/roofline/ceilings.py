"""Rows: the random and the data-dependent ceiling (Eq. 9 and 10) at all localities, beside the DRAM bank queue."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.memory.model.presets import preset
from ppnsim.memory.run.curves import CurvePoint, memory_curve
from validation.harness.rows import Expected, Row

MEMORIES = ("DDR3-1600", "DDR4-2400", "HBM2")
_REQUESTS = 20_000
_EQUATIONS = {"random": "Eq. 9", "data-dependent": "Eq. 10"}
_SMALL = "refresh, and requests that meet in a bank, cost up to 2.2 %, which the law leaves out"
# Simulated GB/s at 64, 128, ... 8192 bytes in a row.
_KNOWN = {
    ("DDR3-1600", "random"): (6.08, 12.08, 12.11, 12.12, 12.08, 12.1, 11.99, 12.08),
    ("DDR3-1600", "data-dependent"): (1.27, 2.3, 3.87, 5.91, 8.02, 9.72, 10.79, 11.48),
    ("DDR4-2400", "random"): (11.14, 11.13, 11.12, 11.13, 11.18, 17.62, 17.56, 18.23),
    ("DDR4-2400", "data-dependent"): (1.32, 2.43, 4.27, 6.17, 7.96, 12.9, 15.19, 16.54),
    ("HBM2", "random"): (7.87, 15.77, 29.3, 29.37, 29.36, 29.1, 29.1, 29.49),
    ("HBM2", "data-dependent"): (1.36, 2.62, 4.83, 8.36, 13.13, 18.47, 22.51, 25.58),
}  # fmt: skip


def ceiling_rows(memory: str) -> list[Row]:
    """Return the law beside the simulation for every locality, with the reason where they differ."""
    points = list(memory_curve(preset(memory).dram, "locality", requests=_REQUESTS))
    seen = dict.fromkeys(_EQUATIONS, 0)
    rows = []
    for point in points:
        rows.append(_row(memory, point, Fraction(str(_KNOWN[memory, point.series][seen[point.series]]))))
        seen[point.series] += 1
    return rows


def _row(memory: str, point: CurvePoint, known: Fraction) -> Row:
    law, simulated = f"{point.law:.2f}", Fraction(f"{point.bandwidth:.2f}")
    return Row(
        group="memory ceilings, simulated beside the law", what=f"{memory}, {point.series}, {int(point.x)} B in a row",
        source=f"{_EQUATIONS[point.series]}, evaluated", printed=law, ours=simulated, unit="GB/s",
        consistent="the law and the simulation are both ours", basis=Fraction(law),
        explained=None if Fraction(law) == known else _expected(known, Fraction(law), point.because),
    )  # fmt: skip


def _expected(known: Fraction, law: Fraction, because: str) -> Expected:
    if not because and known > law:
        return Expected(ours=known, why="above the law, which none of the queue's limits explains", understood=False)
    return Expected(ours=known, why=because or _SMALL)
