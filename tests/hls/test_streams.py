"""FIFOs in scheduled kernels: one read and one write per cycle of each, in order, with or without conditions."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.region.accesses import clocked
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Execution, Loop, LoopProgram, Operation, Statement
from ppnsim.model.step_lists import StepList
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.report import start_to_done_of
from tests.helpers.hls_sources import loops_of, nest_of, schedule_of, written

HEADERS = '#include "ap_int.h"\n#include "ap_axi_sdata.h"\n#include "hls_stream.h"\n'


def kernel(folder: Path, arguments: str, body: str, before: str = "") -> StateMachine:
    return schedule_of(written(folder, f"{HEADERS}{before}\nvoid k({arguments}) {{\n{body}\n}}\n"), "k")


@pytest.mark.parametrize(
    "body",
    [
        "out.write(in.read() + 1);",
        "out << in.read() + 1;",
        "int v; in >> v; out << v + 1;",
        "int v; in.read(v); out.write(v + 1);",
        "int v = in.read() + 1; out.write(v);",
    ],
)
def test_every_way_to_read_and_write_is_the_same(tmp_path: Path, body: str) -> None:
    # The test of the loop, then taken at 3.63 and added by 6.09, then put (R3.10, R3.11).
    arguments = "hls::stream<int> &in, hls::stream<int> &out"
    machine = kernel(tmp_path, arguments, f"for (int i = 0; i < 50; i++) {{ {body} }}")
    assert loops_of(machine) == [("i", 1, "one per cycle", 3)]


@pytest.mark.parametrize(
    ("directives", "states"),
    [
        # 16 stores to one FIFO, to four, and to one for each element: loads come two in a state.
        ("", 16), ("cyclic factor=4", 8), ("block factor=4", 8), ("complete", 8),
    ],
)  # fmt: skip
def test_an_array_that_is_a_fifo_and_partitioned_is_one_for_each_part(
    tmp_path: Path, directives: str, states: int
) -> None:
    """R6.4."""
    part = f"#pragma HLS array_partition variable=b {directives}\n" if directives else ""
    loop = "for (int i = 0; i < 16; i++) {\n#pragma HLS unroll\nb[i] = a[i]; }"
    body = f"#pragma HLS interface ap_fifo port=b\n{part}{loop}"
    assert kernel(tmp_path, "int a[16], int b[16]", body).cycles == states


@pytest.mark.parametrize(("mode", "depth"), [("ap_fifo", 3), ("axis", 2)])
def test_tokens_of_a_fifo_are_taken_behind_the_test_of_the_loop(tmp_path: Path, mode: str, depth: int) -> None:
    """R3.10, R3.11: a token of an AXI stream comes in the first state and takes no time of it."""
    body = f"#pragma HLS interface {mode} port=in\nfor (int i = 0; i < 50; i++) a[i] = in.read() * 3;"
    assert loops_of(kernel(tmp_path, "hls::stream<int> &in, int a[50]", body))[0][3] == depth


@pytest.mark.parametrize(
    ("test", "depth", "ii"),
    [
        # A put takes two states, full() two and empty() one; the second of full() is that of the put in its test.
        ("true", 2, 1), ("!in.empty()", 2, 1), ("!out.full()", 4, 3), ("!in.empty() && !out.full()", 4, 3),
        ("!other.full() && !out.full()", 5, 3),
    ],
)  # fmt: skip
def test_a_pipelined_function_asks_for_the_state_of_axi_streams(tmp_path: Path, test: str, depth: int, ii: int) -> None:
    """R3.12."""
    ports = "".join(f"#pragma HLS interface axis port={name}\n" for name in ("in", "out", "other"))
    body = f"{ports}#pragma HLS pipeline\nif ({test}) {{ out.write(in.read()); other.write(1); }}"
    arguments = ", ".join(f"hls::stream<int> &{name}" for name in ("in", "out", "other"))
    path = written(tmp_path, f"{HEADERS}void k({arguments}) {{\n{body}\n}}\n")
    (whole,) = ppnsim.schedule(path, function="k", device="xc7z020", clock="10 ns").kernels[0].machine.nests
    assert (whole.body.depth, whole.body.schedule.ii) == (depth, ii)


def test_a_remainder_that_is_the_same_in_each_iteration_is_a_number(tmp_path: Path) -> None:
    """R1.12: four sums, each of which one copy of the body keeps."""
    body = """static int sum[4];
    for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
#pragma HLS unroll factor=4
        sum[i % 4] += a[i]; b[i] = sum[i % 4]; }"""
    parts = "".join(f"#pragma HLS array_partition variable={name} cyclic factor=4\n" for name in "ab")
    assert loops_of(kernel(tmp_path, "int a[64], int b[64]", parts + body))[0][1] == 1


@pytest.mark.parametrize("tokens", [1, 2, 5])
def test_a_fifo_is_read_once_per_cycle(tmp_path: Path, tokens: int) -> None:
    total = " + ".join(["in.read()"] * tokens)
    machine = kernel(tmp_path, "hls::stream<int> &in, int a[50]", f"for (int i = 0; i < 50; i++) a[i] = {total};")
    _, ii, bound, _ = loops_of(machine)[0]
    assert (ii, bound) == (tokens, "ports of in[?] (read)" if tokens > 1 else "one per cycle")
    times = clocked(machine).of(("in", "take"))
    assert len(times) == 50 * tokens
    assert len(set(times.tolist())) == len(times)  # never two in a cycle


def test_tokens_of_the_next_iteration_come_after_those_of_this_one(tmp_path: Path) -> None:
    # The second token is put when a double has been added to the first one's successor: seven states later. Until then
    # the next iteration may not put its first one.
    body = """for (int i = 0; i < 50; i++) { double a = in.read(); out.write(a); out.write(a + in.read()); }"""
    machine = kernel(tmp_path, "hls::stream<double> &in, hls::stream<double> &out", body)
    put = clocked(machine).of(("out", "put"))
    nest = nest_of(machine)
    first, second = (nest.body.schedule.issue[n][0] for n in nest.body.tokens if nest.body.graph.nodes[n].name == "put")
    assert 0 < second - first < nest.body.schedule.ii
    assert (put[1:] > put[:-1]).all()


def test_fifos_of_an_array_are_read_at_the_same_time(tmp_path: Path) -> None:
    arguments = "hls::stream<int> in[4], int a[50]"
    unrolled = """for (int i = 0; i < 50; i++) {
#pragma HLS pipeline
        int s = 0; for (int j = 0; j < 4; j++) s += {0};
        a[i] = s; }"""
    apart = kernel(tmp_path, arguments, unrolled.replace("{0}", "in[j].read()"))
    same = kernel(tmp_path, arguments, unrolled.replace("{0}", "in[0].read()"))
    assert [loops_of(machine)[0][1] for machine in (apart, same)] == [1, 4]


def test_two_branches_that_exclude_each_other_are_one_access(tmp_path: Path) -> None:
    arguments = "hls::stream<int> &in, hls::stream<int> &out"
    body = "for (int i = 0; i < 50; i++) {{ int v = in.read(); if (v > 3) out.write(v); {0} out.write(-v); }}"
    either, both = (kernel(tmp_path, arguments, body.format(word)) for word in ("else", ""))
    assert [loops_of(machine)[0][1] for machine in (either, both)] == [1, 2]


def test_a_token_that_data_decides_on_waits_for_it(tmp_path: Path) -> None:
    # Whether to put is known after a division of 36 states; without the condition the token is put at once.
    arguments = "hls::stream<int> &in, hls::stream<int> &out, int a[50]"
    body = "for (int i = 0; i < 50; i++) {{ int v = in.read(); a[i] = 0; {0} out.write(v); }}"
    free, held = (kernel(tmp_path, arguments, body.format(word)) for word in ("", "if (v / 7 % v > 2)"))
    depths = [loops_of(machine)[0][3] for machine in (free, held)]
    assert depths[0] == 2
    assert depths[1] > 30


def test_how_many_tokens_pass_follows_conditions_of_iterators(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 20; i++) for (int j = 0; j < 10; j++) {
        int v = in.read(); if (i >= 2 && j % 3 == 0) out.write(v); }"""
    times = clocked(kernel(tmp_path, "hls::stream<int> &in, hls::stream<int> &out", body))
    assert (len(times.of(("in", "take"))), len(times.of(("out", "put")))) == (200, 18 * 4)


def test_a_struct_is_taken_once_however_many_members_are_read(tmp_path: Path) -> None:
    before = "typedef ap_axiu<32, 1, 1, 1> packet;\nstruct pair { int a; short b; };"
    body = """for (int i = 0; i < 40; i++) {
        packet p = in.read(); pair q = {(int)p.data, (short)p.keep}; last[i] = p.last; out.write(q); }"""
    machine = kernel(tmp_path, "hls::stream<packet> &in, hls::stream<pair> &out, int last[40]", body, before)
    assert loops_of(machine)[0][1:3] == (1, "one per cycle")
    assert [n.format.bits for n in nest_of(machine).body.graph.nodes if n.name == "put"] == [48]


def test_what_is_computed_from_a_struct_waits_for_its_token_in_a_region_as_well(tmp_path: Path) -> None:
    """The structs of a program are split once, whoever asks: the schedule of a region is what is run."""
    text = """#include "hls_stream.h"
struct pair { short a, b; };
static void one(const int x[40], hls::stream<pair> &s) {
    for (int i = 0; i < 40; i++) { pair p = {(short)x[i], 3}; s.write(p); } }
static void two(hls::stream<pair> &s, hls::stream<int> &t) {
    for (int i = 0; i < 40; i++) { pair p = s.read(); t << (p.a * 77 + p.b * 150) / 3; } }
static void three(hls::stream<int> &t, int y[40]) { for (int i = 0; i < 40; i++) y[i] = t.read(); }
void k(const int x[40], int y[40]) {
#pragma HLS dataflow
    hls::stream<pair> s; hls::stream<int> t; one(x, s); two(s, t); three(t, y); }
"""
    path = written(tmp_path, text)
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    split = without_structs(program)
    assert without_structs(split) == split
    source = load_source(str(path), function="k")
    assert schedule_of(path, "k").cycles == start_to_done_of(source, source.network.run())


def test_a_bound_that_reads_a_split_struct_is_split_once() -> None:
    fields = (("re", "float", 32), ("im", "float", 32))
    whole = Array(name="z", type="complex", bits=64, fields=fields, shape=(4,))
    fifo = Array(name="f", type="complex", bits=64, fields=fields, stream=2)
    first = Access("z", (Affine.of(0),))
    write = Statement(name="s", reads=(first,), writes=(Access("f"),), value=Operation("read", "complex", read=0))
    turns = {"iterator": "i", "first": (Affine.of(0),), "last": (Affine.of(3),)}
    loop = Loop(**turns, body=(Execution(write),), reads=(first,))  # type: ignore[arg-type]
    split = without_structs(LoopProgram(name="k", arrays=(whole, fifo), body=(loop,)))
    assert without_structs(split) == split
    assert isinstance(split.body[0], Loop) and [each.array for each in split.body[0].reads] == ["z.re", "z.im"]


def test_an_array_behind_a_fifo_interface_is_read_in_order(tmp_path: Path) -> None:
    body = """#pragma HLS interface mode={0} port=a
        for (int i = 0; i < 50; i++) b[i] = a[2 * i] + a[2 * i + 1];"""
    found = [
        loops_of(kernel(tmp_path, "int a[100], int b[50]", body.format(mode)))[0] for mode in ("ap_memory", "axis")
    ]
    assert [each[1] for each in found] == [1, 2]
    assert found[1][2] == "ports of a[?] (read)"
    same = "for (int i = 0; i < 50; i++) b[i] = a[i] * a[i];"
    once = kernel(tmp_path, "int a[50], int b[50]", f"#pragma HLS interface axis port=a\n{same}")
    assert next(n.name for n in nest_of(once).body.graph.nodes if n.port) == "take"
    assert loops_of(once)[0][1] == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("for (int i = 0; i < 50; i++) a[i] += 1;", "array 'a' of 'k' is a FIFO by its interface pragma, and is both"),
        ("for (int j = 0; j < 3; j++) for (int i = 0; i < 50; i++) b[i] += a[i];", "50 elements are read 150 times"),
        ("for (int i = 0; i < 60; i++) a[i % 50] = b[i];", "50 elements are written 60 times"),
    ],
)
def test_an_array_that_is_no_fifo_has_no_interface_of_one(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        kernel(tmp_path, "int a[50], int b[60]", f"#pragma HLS interface ap_fifo port=a\n{body}")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if (!in.empty()) a[0] = in.read();", ":6:6: empty, a method of hls::stream<int> is not followed"),
        ("int v; if (in.read_nb(v)) a[0] = v;", ":6:12: read_nb, a method of hls::stream<int> is not followed"),
        ("for (int i = 0; i < 9; i++) out.write_nb(a[i]);", "write_nb, a method of hls::stream<int>"),
        ("a[0] = in.size();", "size, a method of hls::stream<int> is not followed"),
    ],
)
def test_what_depends_on_how_full_a_fifo_is_is_refused_by_name(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        kernel(tmp_path, "hls::stream<int> &in, hls::stream<int> &out, int a[9]", body)
    assert message in str(raised.value)


def test_a_fifo_inside_a_kernel_that_is_too_small_would_wait_for_ever(tmp_path: Path) -> None:
    body = """hls::stream<int{0}> s;
        for (int i = 0; i < 16; i++) s << a[i];
        for (int i = 0; i < 16; i++) b[i] = s.read();"""
    arguments = "int a[16], int b[16]"
    with pytest.raises(InputError, match="FIFO 's' of 'k' has to hold 16 tokens and holds 2"):
        kernel(tmp_path, arguments, body.format(""))
    assert len(kernel(tmp_path, arguments, body.format(", 16")).nests) == 2
    deeper = body.format("") + "\n#pragma HLS stream variable=s depth=16"
    assert len(kernel(tmp_path, arguments, deeper).nests) == 2
    with pytest.raises(InputError, match="FIFO 's' of 'k' is read before it is written"):
        kernel(tmp_path, arguments, "hls::stream<int> s;\nb[0] = s.read(); s << a[0];")
    # R7.11: in one body, eight of either end follow one another; the last one is beside the first of what comes next.
    loops = "for (int j = 0; j < 8; j++) s << a[j + i]; for (int j = 0; j < 8; j++) b[i + j] = s.read();"
    (nest,) = kernel(tmp_path, arguments, f"hls::stream<int, 8> s;\nfor (int i = 0; i < 8; i++) {{ {loops} }}").nests
    assert (nest.body.schedule.ii, nest.body.schedule.bound) == (15, "order of tokens in s")


def test_process_networks_have_no_such_fifos(tmp_path: Path) -> None:
    text = "void k(hls::stream<int> &in, int a[9]) { for (int i = 0; i < 9; i++) a[i] = in.read(); }"
    with pytest.raises(InputError, match=r"kernel.cpp:4:\d+: 'in.read\(\)': FIFOs and single bits are hardware"):
        load_programs(str(written(tmp_path, HEADERS + text)))


@pytest.mark.parametrize("subscript", ["(i + j) % 3", "j / 2", "(5 * i + 2 * j) % 3", "i % 3"])
def test_which_fifo_iterators_choose_is_known_in_every_iteration(tmp_path: Path, subscript: str) -> None:
    before = "static void put(hls::stream<int> s[3]) { for (int i = 0; i < 4; i++) { s[0].write(9);\n"
    before += f"for (int j = 0; j < 6; j++) {{\n#pragma HLS pipeline II=2\n s[{subscript}].write(j); }} }} }}"
    body = "#pragma HLS dataflow\nhls::stream<int, 40> s[3]; put(s);\n"
    body += "for (int k = 0; k < 4; k++) { a[k] = s[0].read() + s[1].read() + s[2].read(); }"
    text = f"{HEADERS}{before}\nvoid k(int a[4]) {{\n{body}\n}}\n"
    network = load_source(str(written(tmp_path, text)), function="k").network
    chosen = [
        (0 if each is None else each) for i in range(4)
        for each in (None, *(eval(subscript.replace("/", "//"), {"i": i, "j": j}) for j in range(6)))
    ]  # fmt: skip
    written_at = [network.channel(f"s[{n}]").write_steps or StepList(()) for n in range(3)]
    steps = [(step, n) for n, each in enumerate(written_at) for step in each.expand().tolist()]
    assert [n for _, n in sorted(steps)] == chosen


@pytest.mark.parametrize(
    ("before", "depth", "words"),
    [
        ("", "DEPTH", ": 'DEPTH' has no constant value here; give it with '#define DEPTH 16' or -D DEPTH=16"),
        ("int DEPTH = 3;", "2 * DEPTH", ": 'DEPTH' has no constant value here"),
        ("", "0", "depth = 0 is not a whole number from 1 on"),
        ("#define DEPTH 7", "DEPTH", ""), ("const int DEPTH = 7;", "DEPTH", ""),
        ("constexpr int H = 3, DEPTH = 2 * H + 1;", "DEPTH", ""),
    ],
)  # fmt: skip
def test_a_depth_is_a_constant_of_any_kind(tmp_path: Path, before: str, depth: str, words: str) -> None:
    body = f"#pragma HLS dataflow\nhls::stream<int> s;\n#pragma HLS stream variable=s depth={depth}\n"
    body += "for (int i = 0; i < 9; i++) s << i;\nfor (int i = 0; i < 9; i++) a[i] = s.read();"
    path = str(written(tmp_path, f"{HEADERS}{before}\nvoid k(int a[9]) {{\n{body}\n}}\n"))
    if words:
        with pytest.raises(InputError) as told:
            load_source(path, function="k")
        assert words in str(told.value)
        assert "#define 2" not in str(told.value)
    else:
        assert [each.depth for each in load_source(path, function="k").network.channels] == [7]


def test_a_step_inside_the_condition_around_a_loop_with_a_stream_is_a_counter(tmp_path: Path) -> None:
    """The step and the value before it were one node: ``'x*2 + k + 1' is neither a variable nor an element``."""
    text = """#include <hls_stream.h>
    void f(hls::stream<int> &in, hls::stream<int> &out) {
        unsigned n = 0;
        for (unsigned x = 0; x < 4; x++) for (unsigned k = 0; k < 2; k++)
            if (n++ < 7) for (unsigned c = 0; c < 4; c++) out.write(in.read()); }"""
    path = tmp_path / "steps.cpp"
    path.write_text(text, encoding="utf-8")
    assert load_programs(str(path), policy=HARDWARE)[0].name == "f"


_WRAPPED = """#include "hls_stream.h"
namespace lib {
enum class Kind { any, ram };
template <class T, int N = 0, Kind K = Kind::any> class fifo;
template <class T> class fifo<T, 0, Kind::any> {
  public:
    fifo(const char *name, int) : data() {}
    T take() { return data.read(); }
    void put(T x) { data.write(x); }
  protected:
    hls::stream<T> data;
};
template <class T, int N, Kind K> class fifo : public fifo<T, 0, K> {
  public:
    fifo(const char *name) : fifo<T, 0, K>(name, N) {}
};
}
static void fill(const int *a, lib::fifo<int, 8> &out) { for (int i = 0; i < 64; i++) out.put(a[i]); }
static void drain(lib::fifo<int, 8> &in, int *b) { for (int i = 0; i < 64; i++) b[i] = in.take(); }
"""


def test_a_template_derived_from_itself_with_defaults_has_its_base(tmp_path: Path) -> None:
    """The arguments that ``fifo<int, 8>`` takes from defaults, and names of its namespace, left the base unknown."""
    body = "#pragma HLS dataflow\n{} f{}; fill(a, f); drain(f, b);"
    arguments = "const int a[64], int b[64]"
    found = [
        schedule_of(written(tmp_path, f"{text}void k({arguments}) {{\n{body.format(*made)}\n}}\n"), "k").cycles
        for text, made in (
            (_WRAPPED, ("lib::fifo<int, 8>", '("f")')),
            (_plainly(_WRAPPED), ("hls::stream<int>", "")),
        )
    ]
    assert found[0] == found[1]


def _plainly(text: str) -> str:
    """Return the same source without the class around the stream."""
    text = text.replace("lib::fifo<int, 8>", "hls::stream<int>")
    return text.replace(".put(", ".write(").replace(".take(", ".read(")


def test_a_stream_of_a_struct_without_members_is_refused_by_its_type(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"kernel\.cpp:\d+:\d+: 's' is a stream of 'go', which has no members"):
        kernel(tmp_path, "int a[8]", "hls::stream<go> s; s.write(go()); s.read(); a[0] = 1;", "struct go {};")


def test_a_token_is_put_behind_the_test_of_its_loop(tmp_path: Path) -> None:
    """R3.11: the flag came a state sooner than the loaded value, found no room, and the loop took 100 cycles."""
    text = """#include <hls_stream.h>
void produce(int a[50], hls::stream<int> &s, hls::stream<bool> &f) {
  for (int i = 0; i < 50; i++) {
#pragma HLS pipeline II=1
    s.write(a[i]);
    f.write(i == 49);
  }
}
void consume(hls::stream<int> &s, hls::stream<bool> &f, int out[50]) {
  bool last = false;
  int i = 0;
  while (!last) {
#pragma HLS pipeline II=1
    last = f.read();
    out[i++] = s.read();
  }
}
void kernel(int a[50], int out[50]) {
#pragma HLS dataflow
  hls::stream<int> s;
  hls::stream<bool> f;
  produce(a, s, f);
  consume(s, f, out);
}
"""
    (found,) = ppnsim.schedule(written(tmp_path, text), function="kernel").kernels
    assert found.machine.cycles == 52
