"""Sources of many loops, branches and tasks: what is asked for each of them, and what is too many."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError
from ppnsim.hls.graph import values
from ppnsim.hls.region import task_schedules
from ppnsim.hls.region.memories import used_apart
from ppnsim.hls.schedule.machine import state_machine
from ppnsim.hls.structure import flat, shared_functions
from ppnsim.hls.structure.aliases import surely_apart

COPIES = """void f(int a[6], int b[6]) {
  for (int i = 0; i < TRIPS; i++) {
#pragma HLS DIRECTIVE
    for (int j = 0; j < 6; j++) a[j] = b[j] + i; } }
"""


def written(folder: Path, text: str) -> Path:
    (folder / "k.cpp").write_text(text, encoding="utf-8")
    return folder / "k.cpp"


def test_an_unrolled_loop_that_leaves_too_many_loops_is_refused_before_a_copy_is_made(tmp_path: Path) -> None:
    path = written(tmp_path, COPIES.replace("TRIPS", "100000").replace("DIRECTIVE", "unroll"))
    words = r"k\.cpp:2:3: loop 'i' becomes 100000 loops when it is unrolled, and at most 10000 .* smaller factor"
    with patch("ppnsim.hls.structure.decisions.unrolled") as copied, pytest.raises(InputError, match=words):
        schedule(path)
    copied.assert_not_called()


def test_a_loop_of_too_many_copies_is_refused_by_line_and_remedy(tmp_path: Path) -> None:
    text = "void f(int a[70000]) {{\n  for (int i = 0; i < {}; i++) {{\n#pragma HLS {}\n a[i] = i; }} }}"
    path = written(tmp_path, text.format(1 << 16, "unroll"))
    words = r"k\.cpp:2:3: unrolling loop 'i' makes 65536 copies .* at most 65535 .* write #pragma HLS unroll factor=8"
    with patch("ppnsim.hls.structure.decisions.unrolled") as copied, pytest.raises(InputError, match=words):
        schedule(path)
    copied.assert_not_called()
    schedule(written(tmp_path, text.format(1 << 16, "unroll factor=4")))


@pytest.mark.parametrize(("directive", "loops"), [
    ("unroll", 12), ("unroll factor=4", 5), ("unroll factor=5", 6), ("pipeline", 0), ("pipeline off", 0),
])  # fmt: skip
def test_loops_are_counted_as_directives_leave_them(tmp_path: Path, directive: str, loops: int) -> None:
    path = written(tmp_path, COPIES.replace("TRIPS", "12").replace("DIRECTIVE", directive))
    with patch.object(flat, "MOST_LOOPS", max(loops, 1)):
        schedule(path)
    if loops:
        with patch.object(flat, "MOST_LOOPS", loops - 1), pytest.raises(InputError, match=f"becomes {loops} loops"):
            schedule(path)


def test_a_loop_waits_for_the_last_one_that_shares_something_with_it(tmp_path: Path) -> None:
    path = written(tmp_path, COPIES.replace("TRIPS", "20").replace("DIRECTIVE", "unroll"))
    (region,) = schedule(path).kernels[0].machine.regions
    calls = [node.index for node in region.graph.nodes if node.kind == "call"]
    waits = [[earlier for earlier, _ in region.graph.after.get(call, ()) if earlier in calls] for call in calls]
    assert waits == [[], *([each] for each in calls[:-1])]


def test_in_an_else_only_values_that_are_new_are_compared(tmp_path: Path) -> None:
    others = "".join(f"r[{n}] = x[i] + {n};" for n in range(1, 16))
    text = f"""void f(int x[64], int y[64]) {{ int r[16];
#pragma HLS array_partition variable=r complete
  for (int n = 0; n < 16; n++) r[n] = n;
  for (int i = 0; i < 64; i++) {{
    int a = r[0] + r[1] + r[2] + r[3] + r[4] + r[5] + r[6] + r[7];
    if (x[i] > a) r[0] = 1; else {{ {others} }}
    y[i] = r[0] + r[15]; }} }}"""
    with patch.object(values, "surely_apart", wraps=surely_apart) as compared:
        schedule(written(tmp_path, text))
    assert compared.call_count < 20  # 15 statements, each of which finds most of 16 values known behind both


def test_tasks_behind_one_that_data_decides_about_are_scheduled_once(tmp_path: Path) -> None:
    tasks = "".join(f"void t{n}(S &a, S &b) {{ for (int i = 0; i < 9; i++) b.write(a.read() + 1); }}\n" for n in "34")
    text = f"""#include "hls_stream.h"
typedef hls::stream<int> S;
void t1(int x[9], S &a) {{ for (int i = 0; i < 9; i++) if (x[i] > 0) a.write(x[i]); }}
{tasks}void f(int x[9], S &out) {{
#pragma HLS dataflow
  S a, b; t1(x, a); t3(a, b); t4(b, out); }}"""
    with patch.object(task_schedules, "state_machine", wraps=state_machine) as scheduled:
        found = schedule(written(tmp_path, text), function="f")
    assert any("data decides whether FIFO 'a' is accessed" in each for each in found.kernels[0].assumptions)
    assert scheduled.call_count == 1


def test_functions_are_told_apart_only_where_calls_of_a_loop_count_otherwise(tmp_path: Path) -> None:
    text = """void loop(int a[64], int b[64], int n) {
#pragma HLS inline off
  for (int i = 0; i < n; i++) a[i] = b[i] + 1; }
void f(int a[64], int b[64], int c[64]) { loop(a, b, 20); loop(b, c, OTHER); }"""
    for other, asked in (("20", 0), ("10", 1)):
        with patch.object(shared_functions, "_homes", wraps=shared_functions._homes) as homes:
            schedule(written(tmp_path, text.replace("OTHER", other)), function="f", worst=True)
        assert homes.call_count == asked


def test_ports_are_divided_among_tasks_for_arguments_only(tmp_path: Path) -> None:
    """Each array between two tasks was looked for in their code, too: of serpens, an eighth of the time."""
    tasks = "".join(f"  pass(a{n}, a{n + 1});\n" for n in range(9))
    inner = ", ".join(f"a{n}[8]" for n in range(1, 9))
    text = f"""static void pass(int a[8], int b[8]) {{ for (int i = 0; i < 8; i++) b[i] = a[i]; }}
void f(int a0[8], int a9[8]) {{
#pragma HLS dataflow
  int {inner};
{tasks}}}
"""
    with patch("ppnsim.hls.region.struct_words.used_apart", wraps=used_apart) as looked:
        schedule(written(tmp_path, text), function="f", device="xcu50-fsvh2104-2-e")
    assert {call.args[0].name for call in looked.call_args_list} == {"a0", "a9"}
