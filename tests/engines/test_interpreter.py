"""Kernels run as Python against the same kernels as machine code: every number on the tape."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings

from ppnsim import chain
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.tape import Tape, tape_of
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.explore.fifo import sizing as sizing_module
from ppnsim.explore.fifo.problem import Problem
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.kernel_cache import Interpreter, interpreter
from ppnsim.model.network import Network, Style
from tests.engines.test_generated import repeating


def evaluated(network: Network, seconds: float) -> Tape:
    tape = tape_of(Recurrences.of(Program.of(network)))
    with patch.object(interpreter, "left", seconds):
        while evaluate(tape, 50):  # a few passings at a time: it goes on where it stopped
            pass
    return tape


@given(network=repeating(styles=("elastic", "frozen", "flushable")))
@settings(max_examples=100)
def test_python_and_machine_code_leave_the_same_tape(network: Network) -> None:
    python, machine = evaluated(network, 1e9), evaluated(network, 0.0)
    assert all(np.array_equal(mine, other) for mine, other in zip(python, machine, strict=True))


@given(network=repeating(styles=("elastic", "frozen", "flushable")))
@settings(max_examples=50)
def test_python_and_machine_code_find_the_same_period(network: Network) -> None:
    tapes = Tapes(network)
    tapes.run({channel.name: channel.depth for channel in network.channels})
    found = []
    for seconds in (1e9, 0.0):
        with patch.object(interpreter, "left", seconds):
            found.append(tapes.steady({process.name: 1 for process in network.processes}))
    assert found[0] == found[1]


@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
def test_what_takes_long_is_left_to_machine_code(style: Style, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the middle of many small runs; from then on for good."""
    small, large = chain(firings=50, style=style), chain(firings=500_000, style=style)
    used = Interpreter()
    monkeypatch.setattr("ppnsim.engines.compiled.kernel.interpreter", used)
    monkeypatch.setattr("ppnsim.engines.compiled.generated._PAYS_BY_TABLE", 10**9)  # which are no work for this kernel
    run(small, engine="compiled", fast_forward=False)
    assert 0 < used.left < used.BUDGET
    run(large, engine="compiled", fast_forward=False)
    assert used.left == 0
    with patch.object(Interpreter, "run", side_effect=AssertionError):
        assert run(small, engine="compiled", fast_forward=False).finish == run(small, engine="des").finish


@pytest.mark.parametrize(("firings", "left"), [(50, 0.25), (5_000, 0.0), (10**12, 0.25)])
def test_a_search_of_many_runs_spends_no_time_on_python_first(
    firings: int, left: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A FIFO is good for a run at least; runs that repeat themselves are short however many firings they declare."""
    used = Interpreter()
    used.left = 0.25
    sizing = FifoSizing(problem=problem_of([chain(firings=firings, length=30 if left == 0 else 3)]))
    monkeypatch.setattr(sizing_module, "interpreter", used)
    monkeypatch.setattr(Problem, "unbounded", (None,))  # which ends the search here
    monkeypatch.setattr(Problem, "never_full", (None,))
    sizing.run()
    assert used.left == left
