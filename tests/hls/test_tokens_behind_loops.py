"""Tokens behind loops: they wait for the loops before them, and those between two tasks are told (R5.4, R7.1)."""

from __future__ import annotations

from pathlib import Path

from ppnsim import schedule
from ppnsim.hls.report import ScheduledKernel

SIGNALLED = """#include "hls_stream.h"
void first(const int a[100], int b[100], hls::stream<bool> &done) {
#pragma HLS inline off
    for (int i = 0; i < 100; i++) b[i] = a[i] * 3;
    done.write(true);
}
void second(hls::stream<bool> &done, const int c[50], int d[50]) {
#pragma HLS inline off
    done.read();
    for (int i = 0; i < 50; i++) d[i] = c[i] + 3;
}
void k(const int a[100], int b[100], const int c[50], int d[50]) {
#pragma HLS dataflow
    hls::stream<bool> done;
    first(a, b, done);
    second(done, c, d);
}
"""


def scheduled(folder: Path, text: str) -> ScheduledKernel:
    path = folder / "k.cpp"
    path.write_text(text, encoding="utf-8")
    return schedule(path, function="k").kernels[0]


def test_a_token_behind_a_loop_waits_for_its_end(tmp_path: Path) -> None:
    found = scheduled(tmp_path, SIGNALLED)
    assert found.machine.cycles >= 150  # one loop after the other: 100 and 50 iterations
    assert not any("between two tasks" in each for each in found.assumptions)


def test_a_token_between_two_tasks_is_told(tmp_path: Path) -> None:
    found = scheduled(tmp_path, SIGNALLED.replace("inline off", "inline"))
    assert found.machine.cycles < 110
    told = [each for each in found.assumptions if "between two tasks of the region" in each]
    assert [each.split("k.cpp:")[1].split(" is ")[0] for each in told] == ["9:5: FIFO 'done'", "5:5: FIFO 'done'"]


def test_it_is_told_where_tasks_are_estimated(tmp_path: Path) -> None:
    changed = "second(done, c, d);\n    for (int i = 0; i < 100; i++) b[i] += 1;"  # by several tasks
    text = SIGNALLED.replace("inline off", "inline").replace("second(done, c, d);", changed)
    found = scheduled(tmp_path, text)
    assert any("none waits for a FIFO" in each for each in found.assumptions)
    assert any("'done' is written between two tasks" in each for each in found.assumptions)


def test_an_unknown_clause_of_bind_op_leaves_it_out(tmp_path: Path) -> None:
    text = (
        "void k(int a[8], int b[8]) {\nfor (int i = 0; i < 8; i++) {\nint x;\n"
        "#pragma HLS bind_op variable=x oppp=mul latency=4\nx = a[i] * b[i];\nb[i] = x;\n}\n}\n"
    )
    found = scheduled(tmp_path, text)
    assert any("k.cpp:4" in each and "'oppp', which is no clause of it" in each for each in found.without_effect)
    words = ("op=mul", "op=mul latency=4")
    without, bound = (scheduled(tmp_path, text.replace("oppp=mul latency=4", each)).machine for each in words)
    assert found.machine.cycles == without.cycles < bound.cycles
