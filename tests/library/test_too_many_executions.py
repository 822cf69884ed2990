"""Loops with more executions than an estimate goes through are refused before their channels are derived."""

from __future__ import annotations

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare, Condition
from ppnsim.loops.points import executions, iteration_points
from ppnsim.loops.program import Loop
from tests.helpers import commands

ATAX = "scenarios/kernels/atax.c"
# 2 statements of M x N executions that read, at M = N = 8000; the others only clear arrays
REFUSED = (
    "its 128000000 executions are more than an estimate of its network goes through (50000000); "
    "`ppnsim profile` has both estimates from the loops"
)


@pytest.fixture(autouse=True)
def never_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gone through, these loops take minutes and some GB."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the channels are derived")

    monkeypatch.setattr("ppnsim.library.statements.derive", refuse)


def test_the_library_refuses_them() -> None:
    with pytest.raises(InputError) as caught:
        ppnsim.estimate(ATAX, defines={"M": "8000", "N": "8000"})
    assert REFUSED in str(caught.value)


def test_the_command_refuses_them() -> None:
    result = commands.ppnsim("estimate", ATAX, "-D", "M=8000", "-D", "N=8000")
    assert result.exit_code == 2
    assert REFUSED in " ".join(result.stderr.split())


@pytest.mark.parametrize("last", [(), (Compare(Affine.of("j") - 3),)], ids=["loop", "condition"])
def test_executions_are_the_iteration_vectors(last: tuple[Compare, ...]) -> None:
    rows = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(6),))
    columns = Loop(iterator="j", first=(Affine.of("i"),), last=(Affine.of(1), Affine.of("i") + 2), step=-1)
    triangle = Loop(iterator="j", first=(Affine.of("i"),), last=(Affine.of(5),))
    for inner in (columns, triangle):
        around: list[Loop | Condition] = [rows, inner, *last]
        assert executions(around) == len(iteration_points(around))
    assert executions([]) == 1
