"""Forms of C++ that people write for synthesis, each in a small program: trip counts, intervals and what is assumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.report import ScheduledKernel
from ppnsim.library.schedule import schedule
from ppnsim.source_networks.load import load_source
from tests.helpers.hls_sources import written


def kernel_of(folder: Path, text: str, **given: object) -> ScheduledKernel:
    """Return the schedule of ``top`` in a text."""
    return schedule(written(folder, text), function="top", **given).kernels[0]  # type: ignore[arg-type]


def loops(kernel: ScheduledKernel) -> list[tuple[int, int, int]]:
    """Return line, II and trips of each pipelined loop."""
    return [(nest.line, nest.body.schedule.ii, nest.least) for nest in kernel.nests]


STRUCTS = """struct P { int x, y; };
struct Q { P p, q; int w[4]; };
void bump(int &v) { v += 3; }
void both(P &p) { p.x = p.y; bump(p.y); }
void top(Q a[16], P o[16]) {
  for (int i = 0; i < 16; i++) {
    both(a[i].p); bump(a[i].q.x); P *r = &a[i].q; r->y = r->x; o[i] = a[i].q;
  }
}
"""


def test_a_reference_to_a_struct_in_a_struct_is_its_members(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, STRUCTS)
    assert loops(kernel) == [(6, 1, 16)]  # one read and one write of each member: bumped values come from registers
    stores = {str(access) for statement in kernel.program.statements() for access in statement.writes}
    assert stores == {"a[i]", "o[i]"}
    members = [statement.member for statement in kernel.program.statements()]
    assert members == ["p.x", "p.y", "q.x", "q.y", ""]


BUS = """#include <hls_vector.h>
#include <hls_stream.h>
struct P { int a, b; };
typedef hls::vector<int, 8> V;
void top(V *in, P *pairs, P *out, hls::stream<V> &s) {
#pragma HLS interface m_axi port=in bundle=g0
#pragma HLS interface m_axi port=pairs bundle=g1
#pragma HLS interface m_axi port=out bundle=g2
  for (int i = 0; i < 64; i++) s << in[i];
  for (int i = 0; i < 64; i++) { P p = pairs[i]; p.a += p.b; out[i] = p; }
}
"""


def test_a_struct_or_a_vector_is_one_word_of_its_bus(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, BUS)
    assert [(ii, trips) for _, ii, trips in loops(kernel)] == [(1, 64), (1, 64)]
    assert [nest.body.depth for nest in kernel.nests] == [
        74,
        74,
    ]  # 72 states of the bus behind one for the address
    assert any("'in' over bus 'g0'" in each for each in kernel.assumptions)


LANES = """#include <hls_vector.h>
typedef hls::vector<int, 4> V;
void top(const V a[32], V b[32], int out[32]) {
#pragma HLS interface m_axi port=a
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=1
    out[i] = a[i][0] + b[i][3] + b[(i * 7) % 32][1] + b[(i * 5) % 32][2];
  }
}
"""


def test_a_vector_has_its_name_in_the_source(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, LANES)
    assert [nest.body.schedule.bound for nest in kernel.nests] == ["ports of b"]
    assert any("a read of 'a' over bus" in each for each in kernel.assumptions)
    assert not any("a write of 'a'" in each for each in kernel.assumptions)
    found = load_source(str(tmp_path / "kernel.cpp"), function="top", pragmas=["dataflow"])
    network = found.network
    names = [*(each.name for each in network.processes), *(each.name for each in network.channels), *found.notes]
    assert "memory of a" in names and not any("ppnsim" in each for each in names), names


def test_a_struct_with_an_array_is_one_word_of_its_bus(tmp_path: Path) -> None:
    text = """#include <hls_stream.h>
struct block { int data[16]; };
void top(block *in, hls::stream<block> &s, block *out) {
#pragma HLS interface m_axi port=in bundle=g0
#pragma HLS interface m_axi port=out bundle=g1
  for (int i = 0; i < 64; i++) s << in[i];
  for (int i = 0; i < 64; i++) { block b = s.read(); b.data[3] += b.data[4]; out[i] = b; }
}
"""
    assert [(ii, trips) for _, ii, trips in loops(kernel_of(tmp_path, text))] == [(1, 64), (1, 64)]


ENTRY = """#include <hls_stream.h>
void read(const int *a, hls::stream<int> &s, int n) { for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=32
  s << a[i]; } }
void write(int *b, hls::stream<int> &s, int n) { for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=32
  b[i] = s.read(); } }
void top(const int a[64], int b[64], int size) {
#pragma HLS dataflow
  hls::stream<int> s;
  int n = size / 4 + 1;
  read(a, s, n);
  write(b, s, n);
}
"""


def test_what_several_tasks_start_with_is_computed_before_them(tmp_path: Path) -> None:
    machine = kernel_of(tmp_path, ENTRY).machine
    assert [task.name for task in machine.tasks] == ["entry", "read", "write"]
    assert machine.outcome is not None
    assert not machine.outcome.deadlocked  # read would hand n on at its end, and wait for write before that
    assert max(task.end for task in machine.tasks) < 2 * 32


POLLS = """#include <hls_stream.h>
void top(hls::stream<int> &a, hls::stream<int> &o) {
  for (int i = 0; i < 100; i++) {
#pragma HLS pipeline
    int x;
    if (!o.full() && a.read_nb(x)) o.write(x);
  }
}
"""


def test_polls_are_scheduled_with_an_assumption_and_are_no_network(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a method of hls::stream<int>"):
        load_source(str(written(tmp_path, POLLS)), function="top", pragmas=["dataflow"])
    assert loops(kernel_of(tmp_path, POLLS)) == [(3, 1, 100)]


DATA = """#include <hls_stream.h>
void even(const int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) if (a[i] % 2 == 0) s << a[i]; }
void sum(hls::stream<int> &s, int b[64]) { for (int i = 0; i < 64; i++) b[i] = s.read(); }
void scale(const int b[64], int c[64]) { for (int i = 0; i < 64; i++) c[i] = 3 * b[i]; }
void top(const int a[64], int c[64]) {
#pragma HLS dataflow
  hls::stream<int> s;
  int b[64];
  even(a, s);
  sum(s, b);
  scale(b, c);
}
"""


def test_a_region_whose_tokens_data_counts_is_estimated_and_says_so(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, DATA)
    machine = kernel.machine
    assert machine.region is None
    starts = {task.name: (task.start, task.end) for task in machine.tasks}
    assert starts["even"][0] == starts["sum"][0] == 0
    assert starts["scale"][0] == starts["sum"][1]  # an array is handed on when it is whole
    assert machine.cycles == starts["scale"][1]
    assert any("data decides whether FIFO 's' is accessed" in each for each in kernel.assumptions)
    with pytest.raises(InputError, match="data"):
        load_source(str(written(tmp_path, DATA)), function="top")


LEFT_OUT = """#define WAIT 2
void top(int a[64], int b[64]) {
#ifndef __SYNTHESIS__
#pragma HLS pipeline II=9
#pragma HLS nonsense
#define WAIT 5
#else
  for (int i = 0; i < 64; i++) {
#if 0
#pragma HLS pipeline II=7
#endif
#pragma HLS pipeline II=WAIT
    b[i] = a[i];
  }
#endif
}
"""


def test_pragmas_and_macros_that_the_preprocessor_leaves_out_mean_nothing(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, LEFT_OUT)
    assert loops(kernel) == [(8, 2, 64)]
    assert not kernel.directives.ignored


BLOCKS = """#include <string.h>
void top(const int *in, int out[32], int len) {
  int buffer[32];
  memset(buffer, 0, sizeof(buffer));
  memcpy(buffer, in, len * sizeof(int));
  memcpy(out, buffer, 16 * sizeof(int));
}
"""


def test_blocks_of_memory_are_loops_and_an_unknown_length_is_assumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert loops(kernel_of(tmp_path, BLOCKS)) == [(4, 1, 32), (5, 1, 32), (6, 1, 16)]
    assert "'memcpy' in line 5 copies 32 elements, all of the smaller array" in capsys.readouterr().err
    assert loops(kernel_of(tmp_path, BLOCKS, settings={"len": 8}))[1] == (5, 1, 8)


def test_a_lambda_that_is_handed_on_takes_what_it_captures_with_it(tmp_path: Path) -> None:
    text = """template <class F> void each(F f) { for (int i = 0; i < 16; i++) f(i); }
void top(int a[16]) { int k = a[3]; each([&](int i) { a[i] += k; }); }
"""
    assert loops(kernel_of(tmp_path, text)) == [(1, 1, 16)]


def test_headers_without_a_guard_are_read_once(tmp_path: Path) -> None:
    written(tmp_path, "struct S { int v; };\nconst int SIZE = 32;\n", "s.h")
    written(tmp_path, '#include "s.h"\nint twice(S s) { return 2 * s.v; }\n', "other.cpp")
    written(
        tmp_path,
        '#include "s.h"\nint twice(S s);\nvoid top(int a[SIZE]) { for (int i = 0; i < SIZE; i++) '
        "{ S s; s.v = a[i]; a[i] = twice(s); } }\n",
    )
    script = written(
        tmp_path, "set_top top\nadd_files other.cpp\nadd_files kernel.cpp\nopen_solution s\n", "run_hls.tcl"
    )
    assert loops(schedule(script).kernels[0]) == [(3, 1, 32)]


TABLES = """void top(const int a[64][3][3], int b[64]) {
#pragma HLS array_partition variable=a dim=2 complete
#pragma HLS array_partition variable=a dim=3 complete
  WEIGHTS
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
    int s = 0;
    for (int k = 0; k < 3; k++) for (int l = 0; l < 3; l++) s += W * a[i][k][l];
    b[i] = s;
  }
}
"""


def test_constant_tables_of_two_dimensions_fold_like_those_of_one(tmp_path: Path) -> None:
    one = TABLES.replace("WEIGHTS", "static const int w[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};").replace(
        "W *", "w[3 * k + l] *"
    )
    two = TABLES.replace("WEIGHTS", "static const int w[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};")
    areas = [kernel_of(tmp_path, text).area for text in (one, two.replace("W *", "w[k][l] *"))]
    assert areas[0] == areas[1]
    assert areas[0].dsp == 0  # shifts and sums


def test_a_buffer_between_tasks_is_memory_and_an_area_that_does_not_fit_is_said_to(tmp_path: Path) -> None:
    text = """void fill(int b[4096]) { for (int i = 0; i < 4096; i++) b[i] = i; }
void nothing(int c[8]) { for (int i = 0; i < 8; i++) c[i] = i; }
void sum(const int b[4096], double out[4096]) {
  for (int i = 0; i < 4096; i++) {
#pragma HLS unroll factor=UNROLL
    out[i] = b[i] * 2.5 * b[i] * 1.5 * b[i];
  } }
void top(double out[4096], int rest[8]) {
#pragma HLS dataflow
#pragma HLS array_partition variable=out cyclic factor=UNROLL
  int b[4096];
#pragma HLS array_partition variable=b cyclic factor=UNROLL
  fill(b); sum(b, out); nothing(rest);
}
"""
    kernel = kernel_of(tmp_path, "#define UNROLL 1\n" + text)
    assert kernel.area.bram >= 2 * 4096 * 32 // 18432
    assert kernel.area.ff < 4096
    assert not kernel.area.beyond(kernel.library.device)
    large = kernel_of(tmp_path, "#define UNROLL 16\n" + text)
    assert large.area.beyond(large.library.device) == [f"DSP {large.area.dsp} of 220"]


DEAD = """template <int N> void scale(const int *a, int *b) {
  if (N > 4) {
    for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=2
      b[i] = N * a[i];
    }
  } else {
    for (int i = 0; i < 64; i++) {
#pragma HLS unroll factor=2
      b[i] = a[i] >> N;
    }
  }
}
void top(const int a[64], int b[64], int c[64]) { scale<8>(a, b); FEW }
"""


@pytest.mark.parametrize(("few", "found"), [("", [(3, 2, 64)]), ("scale<2>(a, c);", [(3, 2, 64), (8, 1, 32)])])
def test_a_pragma_in_a_branch_that_is_never_taken_means_nothing(
    few: str, found: list[tuple[int, int, int]], tmp_path: Path
) -> None:
    kernel = kernel_of(tmp_path, DEAD.replace("FEW", few))
    assert loops(kernel) == found
    assert not any(each.unroll for each in kernel.directives.functions.values())


ARRAYS = """#include <array>
#include <hls_stream.h>
typedef std::array<int, 4> four;
four twice(const four &x) { four r; for (int i = 0; i < 4; i++) r[i] = 2 * x[i]; return r; }
void top(hls::stream<four> &in, hls::stream<four> &out) {
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
    four a; in >> a;
    four b = twice(a);
    four c; c = b; c[0] = 1;
    out << c;
  }
}
"""


def test_an_array_object_is_returned_copied_and_passed_through_a_stream(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, ARRAYS)
    assert loops(kernel) == [(6, 1, 64)]
    puts = [each for each in kernel.program.statements() if any(access.array == "out" for access in each.writes)]
    assert len(puts) == 1  # one token with all four
    doubled = [each for each in kernel.program.statements() if each.value is not None and each.value.kind == "*"]
    assert [str(access) for each in doubled for access in each.reads] == ["a[i_2]"]


TASKS = """#include <hls_task.h>
#include <hls_stream.h>
void split(hls::stream<int> &in, hls::stream<int> &odd, hls::stream<int> &even) {
  int v = in.read();
  if (v % 2) odd.write(v); else even.write(v);
}
void next(hls::stream<int> &in, hls::stream<int> &out) { out.write(in.read() + 1); }
void top(hls::stream<int> &in, hls::stream<int> &odd, hls::stream<int> &even) {
  hls_thread_local hls::stream<int> s1, s2;
  hls_thread_local hls::task a(split, in, s1, s2), b(next, s1, odd), c(next, s2, even);
}
"""


def test_tasks_that_run_as_often_as_data_says_have_no_cycles(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data decides whether FIFO '.*--testbench FILE"):
        kernel_of(tmp_path, TASKS)


SYNC = """#include <hls_stream.h>
void fill(hls::stream<int> &s) { for (int i = 0; i < 3; i++) s.write(i); }
void drain(hls::stream<int> &s, hls::stream<int> &out) {
  int row = 0;
  do { row = s.read() + s.read(); out.write(row); } while (row < 2);
}
void top(hls::stream<int> &out) {
#pragma HLS dataflow
  hls::stream<int> s;
  fill(s); drain(s, out);
}
"""


def test_a_loop_that_data_ends_is_not_said_to_wait_for_ever(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="decided by data, which ends the loop in line 5; --testbench FILE"):
        load_source(str(written(tmp_path, SYNC)), function="top")


HELPED = """#include <hls_stream.h>
double unknown(double x, int *t);
void helper(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }
void put(hls::stream<int> &s, int *t) { for (int i = 0; i < t[t[0]]; i++) s.write(i); }
void top(hls::stream<int> &s, int *t) {
#pragma HLS dataflow
  hls::stream<int> *p = &s;
  int *q = t[0] ? t : t + 1;
  put(*p, q);
}
"""


def test_a_helper_does_not_answer_for_a_region_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="top: "):
        load_source(str(written(tmp_path, HELPED)))
