"""Facts about a whole program, which the tasks of a region share."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.pragmas.directives import Directives, LoopDirective, scope_of
from ppnsim.hls.structure import last_only, whole_program
from ppnsim.loops.position import Position
from ppnsim.loops.program import Array, Frame, LoopProgram
from tests.helpers.hls_sources import schedule_of, written

TASKS = """
#include "ap_utils.h"
#include "hls_stream.h"
static void last(const int a[64], hls::stream<int> &s) {{
    int t = 0; for (int i = 0; i < 64; i++) {{ t = a[i]; }} s << t; }}
static void next(hls::stream<int> &s, hls::stream<int> &t) {{ {wait} t << s.read(); }}
static void store(hls::stream<int> &t, int b[64]) {{ int x = t.read(); for (int i = 0; i < 64; i++) {{ b[i] = x; }} }}
void k(const int a[64], int b[64]) {{
#pragma HLS dataflow
    hls::stream<int> s, t; last(a, s); next(s, t); store(t, b); }}
"""


def test_they_are_found_once_for_all_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    def counted(program: LoopProgram) -> frozenset[str] | None:
        found.append(program.name)
        return original(program)

    original = last_only.all_counted
    monkeypatch.setattr(whole_program, "all_counted", counted)
    machine = schedule_of(written(tmp_path, TASKS.format(wait="")), "k")
    assert len(machine.tasks) == 3
    assert found == ["k"]  # a region of 1683 tasks has 12166 arrays


def test_a_wait_in_one_task_keeps_the_loops_of_all_tasks(tmp_path: Path) -> None:
    loops = {
        wait: len(schedule_of(written(tmp_path, TASKS.format(wait=wait)), "k").nests) for wait in ("", "ap_wait();")
    }
    assert loops == {"": 1, "ap_wait();": 2}


def test_each_kind_has_the_arrays_that_are_of_it() -> None:
    arrays = (
        Array(name="f", shape=(4,), type="float"), Array(name="s", type="float", stream=2),
        Array(name="p", shape=(4,), role="parameter"), Array(name="v", volatile=True),
    )  # fmt: skip
    whole = whole_program.WholeProgram.of(LoopProgram(name="k", arrays=arrays, body=()))
    assert whole == whole_program.WholeProgram(
        real=frozenset("fs"), memories=frozenset("f"), streams=frozenset("s"), tokens=frozenset("sv"),
        counted=frozenset("s"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "paths"),
    [
        (LoopDirective(), set()),
        (LoopDirective(pipeline=True), set()),
        (LoopDirective(inline=True), {("k", "f")}),
        (LoopDirective(region=True), {("k", "f", "g")}),
    ],
)
def test_inlined_are_the_calls_that_a_directive_inlines(asked: LoopDirective, paths: set[tuple[str, ...]]) -> None:
    frames = [Frame(("k", "f", "g")[:n], Position("a.c", n, 1), n) for n in (1, 2, 3)]
    assert Directives(functions={scope_of(frames[1]): asked}).inlined(frames) == paths
