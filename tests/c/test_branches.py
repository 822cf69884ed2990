"""Branches are decided by cycles from the inside out, and each is measured once its own code is settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.trips import Count
from ppnsim.loops.program import Loop, LoopProgram, Node
from tests.helpers.hls_sources import written

CHAIN = """void k(int a[64], int b[64], int c, int d) {
  if (c) { for (int i = 0; i < 50; i++) a[i] = b[i]; }
  else if (d) { for (int j = 0; j < 40; j++) a[j] = b[j] / c; }
  else { for (int l = 0; l < 64; l++) a[l] = 1; }
}
"""


def _cycles_of(loop: Loop) -> int:
    (last,) = loop.last
    return (last.constant + 1) * (20 if loop.iterator == "j" else 1)  # as without a pipeline around the division


def test_a_branch_is_not_measured_with_a_decision_inside_that_changes(tmp_path: Path) -> None:
    measured: list[list[str]] = []

    def measuring(_: LoopProgram, count: Count) -> Callable[[Sequence[Node]], int]:
        assert count == "usual"
        measured.append([])

        def cycles(branch: Sequence[Node]) -> int:
            loops = [each for each in branch if isinstance(each, Loop)]
            measured[-1].append("".join(each.iterator[0] for each in loops))
            return sum(map(_cycles_of, loops))

        return cycles

    path = written(tmp_path, CHAIN)
    (program,) = load_programs(str(path), function="k", policy=replace(HARDWARE, cycles=measuring))
    # By iterations, the copy of 64 elements would count; by cycles, the divisions do, which also decide the outer `if`.
    assert measured == [["j", "l"], ["j", "l", "i", "j"]]
    assert [each.iterator for each in program.body if isinstance(each, Loop)] == ["j"]
