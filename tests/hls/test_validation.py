"""Loop schedules beside synthesised hardware: the aims of the comparison hold, and how long a schedule takes."""

from __future__ import annotations

import pytest

from validation.hls.cases import Case, cases, schedule, score


def test_the_aims_are_reached() -> None:
    found = score()
    assert found.ii >= 0.97 * found.loops
    assert found.near >= 0.95 * found.loops
    assert found.within_10 == found.kernels == 42


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.kernel in ("cholesky", "lu", "syrk", "trisolv")], ids=lambda c: c.name
)
def test_triangular_kernels_are_closer_to_the_hardware_than_the_tools_own_report(case: Case) -> None:
    machine, _ = schedule(case)
    assert abs(machine.cycles - case.cycles) < abs(case.report - case.cycles)
