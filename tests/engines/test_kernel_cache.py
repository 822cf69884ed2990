"""Kernels run as Python while there is little to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ppnsim import kernel_cache
from ppnsim.kernel_cache import Interpreter, run_kernel
from ppnsim.machine_code.cache import kept


@pytest.fixture(params=[False, True], ids=["empty", "kept"])
def seconds(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """What the interpreter has, where the cache is empty and where it holds machine code."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if request.param:
        kept("a kernel", lambda: b"its code")
    return Interpreter.BUDGET_KEPT if request.param else Interpreter.BUDGET


def test_seconds_of_an_interpreter_are_spent_and_then_machine_code_has_the_rest(seconds: float) -> None:
    fresh = Interpreter()
    assert fresh.takes(seconds) and not fresh.takes(seconds + 0.01)
    assert fresh.left == 0 and not fresh.takes(0.001) and fresh.takes(0.0)
    other = Interpreter()
    assert other.run(lambda numbers, pair: (numbers[1], type(pair)), np.arange(3), (np.arange(2),) and 4) == (1, int)
    assert other.left < seconds


def test_a_kernel_of_few_elements_runs_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element takes 0.3 microseconds: 0.25 seconds are for 0.8 million of them."""
    asked: list[float] = []

    class Told(Interpreter):
        def takes(self, seconds: float) -> bool:
            asked.append(seconds)
            return True

    monkeypatch.setattr(kernel_cache, "interpreter", Told())
    assert run_kernel(lambda a, n, b: len(a) + n + len(b), np.zeros(10), 5, np.zeros(30)) == 45
    assert asked == [pytest.approx(40 * 3e-7)]
