"""The table of loops: what is not pipelined has a row, and cycles that are counted otherwise say so."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ppnsim
from ppnsim.formats.shipped import directory

OFF = """void k(int a[16], int b[16]) {
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline off
    b[i] = a[i] * 3;
  }
}
"""
TASKS = """#include "hls_stream.h"
void put(int a[8], hls::stream<int> &s) { for (int i = 0; i < 8; i++) s.write(a[i]); }
void take(hls::stream<int> &s, int b[8]) {
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline off
    b[i] = s.read();
  }
}
void k(int a[8], int b[8]) {
#pragma HLS dataflow
  hls::stream<int> s;
  put(a, s);
  take(s, b);
}
"""


def told(text: str, folder: Path) -> tuple[str, dict[str, Any]]:
    source = folder / "k.cpp"
    source.write_text(text, encoding="utf-8")
    found = ppnsim.schedule(source)
    found.print(Console(file=(written := io.StringIO()), width=160))
    return written.getvalue(), found.to_dict()


@pytest.mark.parametrize("place", ["in the loop", "in the function"])
def test_loops_that_are_not_pipelined_have_a_row(place: str, tmp_path: Path) -> None:
    pragma = "#pragma HLS pipeline off\n"
    text = OFF if place == "in the loop" else OFF.replace(pragma, "").replace("{\n", "{\n" + pragma, 1)
    said, found = told(text, tmp_path)
    (loop,) = found["sequential_loops"]
    assert (loop["name"], loop["trips"], loop["visits"], loop["iterations"]) == ("i", 16, 1, 16)
    assert loop["cycles"] == loop["states"] * 16
    assert (
        found["loops"] == [] and found["cycles"] == loop["cycles"] + 1
    )  # the header once more (R5.1), less one (R5.9)
    assert "not pipelined" in said
    assert (
        f"bottleneck: loop i (line {loop['line']}) is not pipelined: one iteration in {loop['states']} cycles" in said
    )


def test_visits_of_loops_that_are_not_pipelined_may_differ(tmp_path: Path) -> None:
    text = """void top(float a[64], int n) {
  for (int k = 0; k < 8; k++) for (int i = k; i < 12; i++) {
#pragma HLS pipeline off
    a[i] += k;
  }
  for (int j = 0; j < n; j++) {
#pragma HLS pipeline off
#pragma HLS loop_tripcount max=9
    a[j] += 1;
  }
}
"""
    said, found = told(text, tmp_path)
    near, far = found["sequential_loops"]
    assert [near[key] for key in ("trips", "least", "most", "visits", "iterations")] == [None, 5, 12, 8, 68]
    assert [far[key] for key in ("trips", "visits", "iterations")] == [9, 1, 9]
    assert "5..12" in said


def test_cycles_of_loops_and_of_tasks_are_told_apart(tmp_path: Path) -> None:
    said, found = told(TASKS, tmp_path)
    (loop,), tasks = found["loops"], {task["name"]: task["cycles"] for task in found["dataflow"]["tasks"]}
    assert tasks["put"] == loop["cycles"] - 1
    assert "cycles of loops count the state that signals done; those of tasks" in said
    (slow,) = found["sequential_loops"]
    assert (slow["task"], slow["cycles"]) == ("take", slow["states"] * 8)
    assert said.splitlines()[4].rstrip().endswith("take")


def test_what_a_task_takes_around_its_loops_has_a_column(tmp_path: Path) -> None:
    assert "around loops" not in told(TASKS, tmp_path)[0]
    text = """#include "hls_stream.h"
void put(int a[32], hls::stream<int> &s) { for (int i = 0; i < 32; i++) s.write(a[i]); }
void store(hls::stream<int> &s, int *b) {
  for (int r = 0; r < 4; r++) { int n = s.read(); for (int i = 0; i < 7; i++) b[r * 7 + i] = n + s.read(); }
}
void k(int a[32], int *b) {
#pragma HLS dataflow
#pragma HLS interface m_axi port=b depth=32
  hls::stream<int> s;
  put(a, s);
  store(s, b);
}
"""
    said, found = told(text, tmp_path)
    (task,) = (each for each in found["dataflow"]["tasks"] if each["name"] == "store")
    rest = task["cycles"] - sum(loop["cycles"] for loop in found["loops"] if loop["line"] == 4)
    assert rest > 64  # the answer of the bus
    assert re.search(rf"store +\d+ +{task['cycles']} +{rest} ", said)


def test_an_interval_that_a_directive_asks_for_and_a_loop_misses_is_told(tmp_path: Path) -> None:
    """And directives without an effect stand in the order of their lines."""
    pipeline = "#pragma HLS pipeline II={}\n"
    text = (
        "void k(float a[9], int b[9]) {{ float t = 0;\nfor (int i = 0; i < 9; i++) {{\n{}t += a[i]; }}\nb[0] = t; }}\n"
    )
    late = text.format(f"{pipeline.format(2)}#pragma HLS foo\n").replace(
        "t = 0;\n", "t = 0;\n#pragma HLS latency max=1\n"
    )
    said, found = told(late, tmp_path)
    assert found["loops"][0]["ii"] > found["loops"][0]["ii_asked"] == 2
    assert re.search(r"II +asked +bound by .*\n.*\ni +3 +\d +2 +recurrence through t ", said)
    assert [each.split(": ")[0].split(":")[-2] for each in found["without_effect"]] == ["2", "5"]
    assert "asked" not in told(text.format(pipeline.format(6)), tmp_path)[0]
    long = told(text.format(pipeline.format(99)), tmp_path)[1]["loops"][0]
    assert (long["ii"], long["ii_asked"]) == (long["depth"] - 1, 99)  # R3.7, and R3.5 for the last test
    whole = told("void k(int a[9], int b[1]) {\n#pragma HLS pipeline\nb[0] = a[0] + a[1] + a[2]; }\n", tmp_path)[1]
    assert whole["loops"][0]["ii"] > whole["loops"][0]["ii_asked"] == 1


def test_tokens_that_stay_in_a_fifo_are_told_and_arguments_take_no_memory(tmp_path: Path) -> None:
    said, found = told(TASKS.replace("i < 8; i++) s.write", "i < 12; i++) s.write").replace("[8]", "[80]"), tmp_path)
    assert "suspicious: 's': put writes 12 tokens and take reads 8: 4 are left over\n" in said
    (left,) = found["dataflow"]["suspicious"]
    assert (left["kind"], left["part"], left["written"], left["read"]) == ("left over", "s", 12, 8)
    assert found["resources"]["bram_18k"] == 0


def test_the_option_that_breaks_a_circle_is_one_of_another_command(tmp_path: Path) -> None:
    task = "void {0}(hls::stream<int> &i, hls::stream<int> &o) {{ for (int k = 0; k < 9; k++) o.write(i.read()); }}\n"
    text = '#include "hls_stream.h"\n' + task.format("a") + task.format("b")
    said, _ = told(text + "void k() {\n#pragma HLS dataflow\nhls::stream<int> x, y; a(x, y); b(y, x); }\n", tmp_path)
    assert re.search(r"-> no depth helps: .* --initial [xy]=1 of ppnsim run\n", said)


def test_what_tasks_wait_for_beyond_the_longest_one_is_told(tmp_path: Path) -> None:
    text = (directory() / "hls" / "subtract_mean.cpp").read_text(encoding="utf-8")
    deep = "hls::stream<int> kept;\n#pragma HLS stream variable=kept depth=64\n"
    said, found = told(text.replace("hls::stream<int> kept;\n", deep), tmp_path)
    longest = max(task["cycles"] for task in found["dataflow"]["tasks"])
    more = f"  the whole takes {found['cycles'] - longest} cycles more: tasks wait for each other"
    assert f"{more} or for room in a FIFO: ppnsim run says which, ppnsim size which depths help\n" in said


def test_depths_are_not_advised_where_no_fifo_is(tmp_path: Path) -> None:
    task = "static void {}(int a[64], int b[64]) {{ for (int i = 0; i < 64; i++) b[i] = a[i] * 11; }}\n"
    top = "void k(int a[64], int b[64]) {\n#pragma HLS dataflow\nint c[64]; first(a, c); second(c, b); }\n"
    said, _ = told(task.format("first") + task.format("second") + top, tmp_path)
    assert "takes 67 cycles; the whole cannot take fewer\n" in said
    assert "cycles more: tasks wait for each other: ppnsim run says which\n" in said


def test_the_bottleneck_is_the_loop_with_most_cycles(tmp_path: Path) -> None:
    text = (
        "void k(int a[64], int b[40]) {\nfor (int i = 0; i < 64; i++) a[i] += 1;\nfor (int i = 0; i < 40; i++) {\n"
        "#pragma HLS pipeline off\nb[i] = b[i] * b[i]; } }\n"
    )
    lines, _ = told(text, tmp_path)
    assert "bottleneck: loop i (line 3) is not pipelined" in lines
