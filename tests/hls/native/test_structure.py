"""Tasks with structure: calls of functions, loops one after the other, unrolling by a factor, partitions, regions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, timed
from ppnsim.hls.native.instrument import instrumented
from ppnsim.hls.native.timing import PipelineTiming
from tests.hls.native.designs import executed, needs_compiler, written

HEAD = "#include <hls_stream.h>\nusing hls::stream;\n"
BENCH = """
#include <cstdio>
void top(int &sum, int &idle);
int main() {
  int sum = 0, idle = 0;
  top(sum, idle);
  std::printf("%d %d\\n", sum, idle);
  return 0;
}
"""
POLL = """
void poll(stream<int> &s, int &sum, int &idle) {
  int x = 0;
  while (x >= 0) {
    if (!s.read_nb(x)) idle++;
    else if (x > 0) sum += x;
  }
}
"""


def top(calls: str, declared: str = "stream<int> s;") -> str:
    return f"void top(int &sum, int &idle) {{\n#pragma HLS dataflow\n  {declared}\n  {calls}\n}}\n"


def pipelines(folder: Path, task: str) -> list[PipelineTiming]:
    """Return the pipelined loops of a task ``send``; nothing is compiled."""
    source = HEAD + POLL + task + top("send(s); poll(s, sum, idle);")
    kernel, bench = written(folder, source, BENCH)
    found = timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5))
    return found.timings[0].pipelines()


# -- calls and loops in turn -------------------------------------------------------------------------------------------

HELPERS = """
static int noise(int x) { int y = x; for (int i = 0; i < 16; i++) y = y * 5 + i; return y & 1; }
static void put(stream<int> &s, int x) { s.write(x); }
static void burst(stream<int> &s, int n) { for (int i = 1; i <= n; i++) put(s, i); }
"""


@needs_compiler
def test_a_function_called_again_takes_its_time_again(tmp_path: Path) -> None:
    bodies = {
        "once": "int x = noise(1); put(s, x + 1); burst(s, 10);",
        "twice": "int x = noise(1); int y = noise(x); put(s, x + y + 1); burst(s, 10); burst(s, 4);",
    }
    found = {}
    for name, body in bodies.items():
        task = f"{HELPERS}void send(stream<int> &s) {{ {body} s.write(-1); }}\n"
        found[name] = executed(tmp_path, HEAD + POLL + task + top("send(s); poll(s, sum, idle);"), BENCH)
    (first,) = pipelines(tmp_path, f"{HELPERS}void send(stream<int> &s) {{ put(s, noise(1)); }}\n")
    loop = 15 * first.ii + first.depth
    # The second computation takes the time of its loop, and each token of the second burst a cycle.
    assert found["twice"].finish - found["once"].finish >= loop + 4
    assert [each.printed.split()[0] for each in found.values()] == ["57", "68"]


def test_a_body_that_begins_with_its_loop_or_its_call_is_entered_first(tmp_path: Path) -> None:
    helpers = "static void put(stream<int> &s) {for (int i = 1; i < 9; i++) s.write(i);}\n"
    source = f"{HEAD}{POLL}{helpers}void send(stream<int> &s) {{put(s);}}\n{top('send(s); poll(s, sum, idle);')}"
    kernel, bench = written(tmp_path, source, BENCH)
    region = timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5)).region
    lines = instrumented(region)[kernel].splitlines()
    entered = [
        line.partition("{")[2].split(";")[0].strip() for line in lines if "put(stream" in line or "send(s" in line
    ]
    assert entered[:2] == ["ppnsim::Called ppnsim_called"] * 2


@needs_compiler
def test_what_follows_a_loop_of_the_state_machine_happens_after_it(tmp_path: Path) -> None:
    task = """
void send(stream<int> &s) {
  for (int i = 0; i < 5; i++) {
    int x = i;
    for (int k = 0; k < i + 1; k++) x = x * 3 + k;
    s.write(x & 7);
  }
  for (int i = 0; i < 3; i++) {
    bool sent = false;
    do sent = s.write_nb(100 + i); while (!sent);
  }
  s.write(-1);
}
"""
    run = executed(tmp_path, HEAD + POLL + task + top("send(s); poll(s, sum, idle);"), BENCH)
    (stream,) = run.calls[0].streams
    assert len(stream.writes) == len(stream.reads) == 9
    assert stream.writes == sorted(stream.writes)
    gaps = [after - before for before, after in zip(stream.writes, stream.writes[1:], strict=False)]
    assert gaps[:4] == sorted(gaps[:4])  # each row has one iteration more
    assert gaps[0] < gaps[3]
    expected = [0, 0, 0, 0, 0]
    for i in range(5):
        x = i
        for k in range(i + 1):
            x = x * 3 + k
        expected[i] = x & 7
    assert run.printed.split()[0] == str(sum(expected) + 303)


def test_a_call_with_a_slow_loop_needs_a_statement_of_its_own(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 4; i++) {\n#pragma HLS pipeline off\n y += i; }"
    slow = f"static int slow(int x) {{ int y = x; {loop} return y; }}"
    with pytest.raises(InputError, match="a call of 'slow', which has a loop that is not pipelined, in an expression"):
        pipelines(tmp_path, f"{slow}\nvoid send(stream<int> &s) {{ s.write_nb(1 + slow(2)); }}\n")
    assert pipelines(tmp_path, f"{slow}\nvoid send(stream<int> &s) {{ int x = slow(2); s.write_nb(1 + x); }}\n") == []


@needs_compiler
def test_a_switch_is_the_chain_of_its_cases(tmp_path: Path) -> None:
    cases = """switch (state) {
      case 0: { state = left & 1 ? 1 : 2; break; }
      case 1: { if (s.write_nb(left)) { left--; state = 0; } break; }
      default: { left--; state = left > 0 ? 0 : 3; break; }
    }"""
    chain = """if (state == 0) { state = left & 1 ? 1 : 2; }
      else if (state == 1) { if (s.write_nb(left)) { left--; state = 0; } }
      else { left--; state = left > 0 ? 0 : 3; }"""
    found = []
    for body in (cases, chain):
        loop = f"int state = 0, left = 9;\n while (state != 3) {{ {body} }}\n"
        task = f"void send(stream<int> &s) {{ {loop} s.write(-1); }}\n"
        found.append(executed(tmp_path, HEAD + POLL + task + top("send(s); poll(s, sum, idle);"), BENCH))
    assert found[0].finish == found[1].finish
    assert found[0].printed == found[1].printed
    assert found[0].printed.split()[0] == "25"


# -- directives --------------------------------------------------------------------------------------------------------

SUMS = """
void send(stream<int> &s) {
  int held[64];
  DIRECTIVE
  int sum = 0;
  for (int i = 0; i < 64; i++) {
#pragma HLS unroll factor=FACTOR
    sum += held[i];
  }
  s.write_nb(sum);
}
"""


def sums(folder: Path, factor: int, directive: str = "") -> PipelineTiming:
    line = f"\n#pragma HLS array_partition variable=held {directive}\n" if directive else ""
    (found,) = pipelines(folder, SUMS.replace("FACTOR", str(factor)).replace("DIRECTIVE", line))
    return found


@pytest.mark.parametrize(
    ("factor", "directive", "ii"),
    [
        (2, "", 1),  # two ports
        (8, "", 4),
        (8, "cyclic factor=4", 1),
        (8, "cyclic factor=2", 2),
        (8, "type=cyclic factor=4 dim=1", 1),
        (8, "block factor=8", 4),  # neighbours are in one part
        (8, "complete", 1),
    ],
)
def test_copies_of_a_body_share_the_ports_of_the_memories(tmp_path: Path, factor: int, directive: str, ii: int) -> None:
    found = sums(tmp_path, factor, directive)
    assert (found.copies, found.ii) == (factor, ii)


def test_an_array_in_a_struct_is_partitioned_as_any_other(tmp_path: Path) -> None:
    source = SUMS.replace("FACTOR", "8").replace("int held[64];", "struct { int n; struct { int p[64]; } w; } in;")
    source = source.replace("held[i]", "in.w.p[i]")
    found = {
        name: pipelines(tmp_path, source.replace("DIRECTIVE", f"\n{line}\n"))[0].ii
        for name, line in (
            ("none", ""), ("cyclic", "#pragma HLS array_partition variable=in.w.p cyclic factor=4"),
            ("complete", "#pragma HLS array_partition variable=in.w.p complete"),
        )
    }  # fmt: skip
    assert found == {"none": 4, "cyclic": 1, "complete": 1}
    two = source.replace("int n;", "int q[2];").replace("DIRECTIVE", "\n#pragma HLS array_partition variable=in.w.p\n")
    with pytest.raises(InputError, match=r"'in.w.p' is one of 2 arrays in 'in', whose partition is not followed"):
        pipelines(tmp_path, two)
    none = source.replace("DIRECTIVE", "\n#pragma HLS array_partition variable=in.v\n")
    with pytest.raises(InputError, match=r"no array 'in.v' in 'send'"):
        pipelines(tmp_path, none)


def test_one_dimension_of_two_is_in_memories_not_in_registers(tmp_path: Path) -> None:
    task = """
void send(stream<int> &s) {
  int held[4][16];
#pragma HLS array_partition variable=held complete dim=DIM
  for (int j = 0; j < 16; j++) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
#pragma HLS unroll
      sum += held[i][j] + held[i][15 - j] + held[i][j ^ 1];
    }
    s.write(sum);
  }
}
"""
    found = {dim: pipelines(tmp_path, task.replace("DIM", str(dim)))[0].ii for dim in (0, 1, 2)}
    assert found == {0: 1, 1: 2, 2: 6}


@needs_compiler
@pytest.mark.parametrize("trips", [12, 13])
def test_copies_do_what_the_loop_does(tmp_path: Path, trips: int) -> None:
    task = f"""
void send(stream<int> &a, stream<int> &b) {{
  for (int i = 0; i < {trips}; i++) {{
#pragma HLS unroll factor=3
    if (i % 3 == 1) b.write(i); else a.write(i);
  }}
  a.write(-1); b.write(-1);
}}
"""
    source = HEAD + POLL + task + top("send(a, b); poll(a, sum, idle); drain(b);", "stream<int> a, b;")
    drain = "void drain(stream<int> &s) { while (s.read() >= 0); }\n"
    run = executed(tmp_path, source.replace("void top", f"{drain}void top"), BENCH)
    assert run.printed.split()[0] == str(sum(i for i in range(trips) if i % 3 != 1))
    a, b = run.calls[0].streams
    # A start of the hardware has three iterations, each of which may write to `a`: three cycles.
    full = trips // 3
    starts = [a.writes[0] + 3 * k for k in range(full)]
    assert a.writes[: 2 * full] == [cycle for start in starts for cycle in (start, start + 2)]
    assert b.writes[:full] == [start + 1 for start in starts]
    assert len(a.writes) + len(b.writes) == trips + 2


def test_a_least_latency_of_a_function_is_kept(tmp_path: Path) -> None:
    task = """
static int twice(int x) {
#pragma HLS latency min=MIN
  return x + x;
}
void send(stream<int> &s) {
  for (int i = 0; i < 8; i++) s.write(twice(i));
}
"""
    depths = [pipelines(tmp_path, task.replace("MIN", str(least)))[0].depth for least in (1, 4, 9)]
    assert [depths[1] - depths[0], depths[2] - depths[1]] == [3, 5]


def test_nests_are_not_flattened_where_a_directive_says_so(tmp_path: Path) -> None:
    task = """
void send(stream<int> &s) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
#pragma HLS loop_flatten OFF
      s.write_nb(i + j);
    }
}
"""
    assert [each.outer for each in pipelines(tmp_path, task.replace(" OFF", ""))] == [(0,)]
    assert [each.outer for each in pipelines(tmp_path, task.replace("OFF", "off"))] == [()]


@pytest.mark.parametrize(
    ("inner", "pipes"),
    [
        ("for (int j = 0; j < 100; j++) s.write_nb(j);", 1),
        ("{ for (int j = 0; j < 100; j++) { s.write_nb(j); } }", 1),
        ("{ for (int j = 0; j < 9; j++) for (int k = 0; k < 100; k++) { s.write_nb(j + k); } }", 2),
        ("{ int x = i; for (int j = 0; j < 100; j++) s.write_nb(x); }", 0),
        ("{ for (int j = 0; j < 100; j++) s.write_nb(j); s.write_nb(i); }", 0),
        ("for (int j = 0; j < i; j++) s.write_nb(j);", 0),
    ],
)  # fmt: skip
def test_only_loops_with_nothing_between_them_are_one_pipeline(tmp_path: Path, inner: str, pipes: int) -> None:
    """R1.3: of a perfect nest, in braces or without; the inner loops run a constant number of times."""
    task = f"void send(stream<int> &s) {{\n  for (int i = 0; i < 70; i++)\n    {inner}\n}}\n"
    assert [len(each.outer) for each in pipelines(tmp_path, task)] == [pipes]


@pytest.mark.parametrize(
    ("trips", "inside", "others", "found"),
    [
        ("64", "", "", [("i", 64)]),  # the outer loop is the pipeline, with all writes of the inner one in an iteration
        ("65", "", "", [("j", 1)]),  # R1.3: as the tool's option, 64 by default
        ("64", "#pragma HLS pipeline", "", [("j", 1)]),
        ("64", "#pragma HLS unroll factor=2", "", [("j", 2)]),
        ("n", "", "", [("j", 1)]),
        ("8", "", "for (int k = 0; k < 4; k++) s.write_nb(k);", [("i", 12)]),
        ("8", "", "for (int k = 0; k < 100; k++) s.write_nb(k);", [("j", 1), ("k", 1)]),
    ],
)
def test_small_loops_in_a_nest_that_is_not_perfect_are_unrolled_as_in_a_schedule(
    tmp_path: Path, trips: str, inside: str, others: str, found: list[tuple[str, int]]
) -> None:
    task = f"""
void send(stream<int> &s) {{
  int n = 8;
  for (int i = 0; i < 9; i++) {{
    n += i;
    for (int j = 0; j < {trips}; j++) {{
{inside}
      s.write_nb(n + j);
    }}
    {others}
  }}
}}
"""
    lines = {f"kernel.cpp:{number}": line for number, line in enumerate((HEAD + POLL + task).split("\n"), 1)}
    seen = [(lines[Path(each.line).name].split("int ")[1][0], each.ii) for each in pipelines(tmp_path, task)]
    assert seen == found


LOOP = """
void send(stream<int> &s) {{
  int x[8], f = 1;
{}
  for (int i = 0; i < {}; i++) {{
{}
    {} s.write_nb(x[i]);
  }}
}}
"""


@pytest.mark.parametrize(
    ("outside", "last", "inside", "body", "words"),
    [
        (
            "",
            "8",
            "#pragma HLS unroll factor=2",
            "if (s.full()) break;",
            "a loop that is unrolled here needs constants",
        ),
        ("", "f", "#pragma HLS unroll factor=2", "", "a loop that is unrolled here needs constants"),
        ("", "8", "#pragma HLS unroll factor=2", "i++;", "a loop that is unrolled here needs constants"),
        ("", "8", "#pragma HLS unroll factor=2", "for (int k = 0; k < f; k++) x[k] = 0;", "unroll the loops in it"),
        ("#pragma HLS array_partition variable=y complete", "8", "", "", "no array 'y' in 'send'"),
        ("#pragma HLS array_partition variable=x cyclic", "8", "", "", "a cyclic partition needs a factor"),
        ("#pragma HLS array_partition variable=x dim=2", "8", "", "", "dim = 2 is not a dimension of an array of 1"),
        ("#pragma HLS array_reshape variable=x", "8", "", "", "#pragma HLS array_reshape is not followed"),
        ("#pragma HLS latency min=4", "8", "", "", "a least latency of a task"),
        ("#pragma HLS latency max=4", "8", "", "", "a largest latency of a function is not followed"),
        ("", "8", "#pragma HLS latency max=1", "f = f / 3;", "and max = 1 asks for less, which is not followed"),
    ],
)
def test_what_is_not_followed_is_refused_with_its_line(
    tmp_path: Path, outside: str, last: str, inside: str, body: str, words: str
) -> None:
    with pytest.raises(InputError, match=r"kernel\.cpp:\d+") as told:
        pipelines(tmp_path, LOOP.format(outside, last, inside, body))
    assert words in str(told.value)


# -- regions in regions ------------------------------------------------------------------------------------------------

PARTS = """
void send(stream<int> &s) { for (int i = 0; i < 20; i++) { while (!s.write_nb(i)); } s.write(-1); }
void add(stream<int> &in, stream<int> &out) {
  int x = 0;
  while (x >= 0) { x = in.read(); out.write(x < 0 ? x : x + 1); }
}
void fill(int table[8]) { for (int i = 0; i < 8; i++) table[i] = i; }
void look(stream<int> &in, const int table[8], stream<int> &out) {
  int x = 0;
  while (x >= 0) { x = in.read(); out.write(x < 0 ? x : table[x & 7]); }
}
"""
NESTED = """
void inner(stream<int> &in, stream<int> &out) {
#pragma HLS dataflow
  stream<int, 3> between;
  add(in, between);
  add(between, out);
}
void middle(stream<int> &in, const int table[8], stream<int> &out) {
#pragma HLS dataflow
  stream<int> first;
  inner(in, first);
  look(first, table, out);
}
"""
STREAMS = "int table[8]; stream<int> s, first, out;"


@needs_compiler
def test_a_region_in_a_region_is_what_it_is_written_out(tmp_path: Path) -> None:
    ways = {
        "nested": "send(s); fill(table); inner(s, first); look(first, table, out); poll(out, sum, idle);",
        "flat": "send(s); fill(table); add(s, between); add(between, first); look(first, table, out); "
        "poll(out, sum, idle);",
        "with the table": "send(s); fill(table); middle(s, table, out); poll(out, sum, idle);",
    }
    calls = {}
    for name, text in ways.items():
        streams = f"{STREAMS} stream<int, 3> between;" if name == "flat" else STREAMS
        run = executed(tmp_path, HEAD + POLL + PARTS + NESTED + top(text, streams), BENCH)
        assert run.printed.split()[0] == str(sum((i + 2) & 7 for i in range(20)))
        calls[name] = run.calls[0]
    nested, flat, late = calls.values()
    told = [{(s.name, s.depth, *s.writes) for s in call.streams} for call in (nested, flat)]
    assert told[0] == told[1]
    assert [(t.name, t.start, t.end) for t in nested.tasks] == [(t.name, t.start, t.end) for t in flat.tasks]
    # A region that gets the table starts when the table is written, with all of its tasks.
    start = {task.name: task.start for task in late.tasks}
    filled = next(task.end for task in late.tasks if task.name == "fill")
    assert start == {"send": 0, "fill": 0, "add_1": filled, "add_2": filled, "look": filled, "poll": 0}
    assert filled > 0


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ("void send(stream<int> &s) { s.write_nb(1); region(s); }", "'region' is a dataflow region that a task calls"),
        ("void send(stream<int> &s) {\n#pragma HLS dataflow\n send(s); }", "'send' calls itself"),
    ],
)
def test_a_region_elsewhere_is_refused(tmp_path: Path, task: str, words: str) -> None:
    inner = (
        "void leaf(stream<int> &s) { s.write(-1); }\nvoid region(stream<int> &s) {\n#pragma HLS dataflow\n leaf(s); }\n"
    )
    with pytest.raises(InputError) as told:
        pipelines(tmp_path, inner + task + "\n")
    assert words in str(told.value)


# -- vectors, arrays that several tasks read ---------------------------------------------------------------------------

LANES = """
#include <hls_vector.h>
typedef hls::vector<int, 4> lanes;
void fill(stream<lanes> &s, int table[8]) {
  for (int i = 0; i < 8; i++) {
    lanes x = i;
    x[i & 3] = 7;
    x += x * 2;
    s.write(x - 1);
    table[i] = i;
  }
}
void add(stream<lanes> &s, int table[8], stream<int> &t) {
  for (int i = 0; i < 8; i++) t.write(s.read().reduce_add() + table[i]);
}
void last(int table[8], stream<int> &t, int &sum) {
  for (int i = 0; i < 8; i++) sum += t.read() * table[7 - i];
}
"""


@needs_compiler
def test_vectors_are_lanes_side_by_side_and_readers_of_one_array_do_not_wait_for_each_other(tmp_path: Path) -> None:
    calls = "fill(s, table); add(s, table, t); last(table, t, sum);"
    source = HEAD + LANES + top(calls, "stream<lanes, 8> s; stream<int> t; int table[8];")
    run = executed(tmp_path, source, BENCH)
    rows = [3 * (3 * i + 7) - 4 + i for i in range(8)]
    assert run.printed.split()[0] == str(sum(row * (7 - i) for i, row in enumerate(rows)))
    fill, add, last = run.calls[0].tasks
    assert add.start == last.start == fill.end
    # Three multiplications of lanes in a row would be in eight states more.
    four, one = (pipelines(tmp_path, LANES.replace(", 4>", f", {n}>") + SEND)[0] for n in (4, 1))
    assert (four.ii, four.depth) == (one.ii, one.depth)


SEND = "void send(stream<int> &s) { for (int i = 0; i < 8; i++) { lanes x = i; x += x * x * 3; s.write(x[0]); } }\n"


ROWS = """
void send(stream<int> &s) {
  float y[32];
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 32; j++) y[SUBSCRIPT] += i;
  s.write(y[0]);
}
"""


def test_an_element_that_the_innermost_iterator_chooses_comes_again_after_all_its_iterations(tmp_path: Path) -> None:
    """Load and store of one memory with two ports: no interval but one; the sum of one element takes its latency."""
    found = {each: pipelines(tmp_path, ROWS.replace("SUBSCRIPT", each))[0] for each in ("j", "i", "(i + j) & 31")}
    assert found["j"].ii == 1
    assert found["i"].ii == found["(i + j) & 31"].ii > 4
    assert found["i"].bound == "'y' stored in the iteration before"


@pytest.mark.parametrize(
    ("before", "task", "declared", "calls", "stream"),
    [
        ("stream<int> g;", "stream<int> &s", "stream<int> s;", "send(s)", "g"),
        ("", "stream<int> &s", "stream<int> s;", "send(s)", "l"),
        ("struct P { stream<int> g; };", "P &p, stream<int> &s", "P p; stream<int> s;", "send(p, s)", "p.g"),
        ("stream<int> g;", "stream<int> &s", "stream<int> s;", "send(g)", "g"),
    ],
)
def test_a_stream_that_is_no_variable_of_the_region_is_refused(
    tmp_path: Path, before: str, task: str, declared: str, calls: str, stream: str
) -> None:
    own = "stream<int> l; " if stream == "l" else ""
    access = "s" if calls == "send(g)" else stream
    source = f"{HEAD}{before}\n{POLL}void send({task}) {{ {own}{access}.write(-1); s.write(-1); }}\n"
    kernel, bench = written(tmp_path, source + top(f"{calls}; poll(s, sum, idle);", declared), BENCH)
    with pytest.raises(InputError, match=rf"kernel.cpp:\d+:\d+: the stream '{stream}' is no variable of the dataflow"):
        timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5))


WHOLE = """#include <hls_stream.h>
#include <array>
typedef std::array<int, 3> tri;
void put(const int in[8], hls::stream<tri> &t) {
  for (int i = 0; i < 8; i++) { tri a; a[0] = in[i]; a[1] = 1; a[2] = 2; t.write(a); }
}
void take(hls::stream<tri> &t, int out[8]) { for (int i = 0; i < 8; i++) { tri b = t.read(); out[i] = b[0] + b[2]; } }
void top(const int in[8], int out[8]) {
#pragma HLS dataflow
  hls::stream<tri> t;
  put(in, t);
  take(t, out);
}
"""


def test_a_whole_array_from_a_stream_is_refused_by_name(tmp_path: Path) -> None:
    kernel, bench = written(tmp_path, WHOLE, "int main() { return 0; }")
    with pytest.raises(InputError, match=r":7:\d+: the array 'b' is read as a whole from a stream, in a task that is"):
        timed(NativeDesign(path=kernel, testbench=bench, function="top"), load_library("xcvu9p", 5))
