"""Scheduling the synthesised PolyBench kernels: seconds for each, which the issue wants below one."""

from __future__ import annotations

from typing import Any

import pytest

from validation.hls.cases import cases, program, schedule


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_seconds_to_schedule(benchmark: Any, case: Any) -> None:
    program(case.name)  # parsing is not what is measured
    machine, _ = benchmark.pedantic(lambda: schedule(case), rounds=2)
    assert abs(machine.cycles - case.cycles) <= 0.02 * case.cycles
