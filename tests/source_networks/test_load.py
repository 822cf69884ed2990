"""Which function of a source is meant, and what one that cannot be read at all is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.source_networks.load import load_source
from tests.helpers.commands import ppnsim as command
from tests.hls.native.designs import COPY

ONE = """#include <hls_stream.h>
static void give(const int in[9], hls::stream<int> &s) { for (int i = 0; i < 9; i++) @s.write(in[i]); }
static void take(hls::stream<int> &s, int out[9]) { for (int i = 0; i < 9; i++) @out[i] = s.read(); }
"""
AGAIN = (
    ONE
    + """void top(const int in[9], int out[9]) {
  for (int r = 0; r < 5; r++) {
#pragma HLS dataflow
    hls::stream<int> s;
    give(in, s);
    take(s, out); } }
"""
)
TWICE = (
    ONE
    + "".join(
        f"""static void {name}(const int in[9], int out[9]) {{
#pragma HLS dataflow
    hls::stream<int> s;
    give(in, s);
    take(s, out); }}
"""
        for name in ("first", "second")
    )
    + "void top(const int in[9], int out[9]) { int b[9]; first(in, b); second(b, out); }\n"
)
STREAMED = """static void give(const int in[9], int b[9]) { for (int i = 0; i < 9; i++) b[i] = in[i]; }
static void take(const int b[9], int out[9]) { for (int i = 0; i < 9; i++) out[i] = b[i]; }
void top(const int in[9], int out[9]) {
#pragma HLS dataflow
    int b[9];
#pragma HLS stream variable=b depth=3
    give(in, b);
    take(b, out); }
"""
BOTH = COPY + COPY[COPY.index("void top") :].replace("void top", "void other")


@pytest.mark.parametrize("options", [{}, {"device": "xc7z020"}, {"function": "top", "unsafe_math": True}])
def test_a_source_that_is_not_there_is_not_said_to_lack_a_region(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"^nowhere\.cpp: no such file$"):
        ppnsim.load("nowhere.cpp", **options)


@pytest.mark.parametrize(
    ("text", "function", "why"),
    [
        (COPY, "top", "(unused, top): no other one has a dataflow region"),
        (BOTH.replace("#pragma", "#pragma HLS top name=the_top\n#pragma", 1), "top", "the one of '#pragma HLS top'"),
        (f"#pragma HLS top name=other\n{BOTH}", "other", "it is the one of '#pragma HLS top'"),
    ],
)
def test_functions_beside_the_one_with_the_region_need_no_option(
    tmp_path: Path, text: str, function: str, why: str
) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(text)
    told = command("run", str(path))
    assert told.exit_code == 0
    assert f"function '{function}' is taken of those that no other calls" in told.stderr
    assert why in told.stderr
    assert f"function '{function}' on xc7z020" in told.stderr


def test_several_functions_with_regions_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(BOTH)
    told = command("size", str(path))
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"{path}: holds 3 kernels: choose one with --function (unused, top, other)" in told.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (AGAIN, "k.cpp:5:3: a dataflow region that a loop runs again is not followed"),
        (TWICE, "'top' has no #pragma HLS dataflow"),
        (STREAMED, "k.cpp:6:1: array 'b' as a FIFO is not followed"),
    ],
)
def test_a_region_that_cannot_be_executed_has_its_schedule_where_data_decides_nothing(
    tmp_path: Path, text: str, reason: str
) -> None:
    path, bench = tmp_path / "k.cpp", tmp_path / "bench.cpp"
    bench.write_text("void top(const int in[9], int out[9]);\nint main() { int a[9], b[9]; top(a, b); }\n")
    path.write_text(text.replace("@", ""))
    answers = [command("run", str(path), "--function", "top", *more, "--json", "-")
               for more in ((), ("--testbench", str(bench)))]  # fmt: skip
    plain, executed = ({**json.loads(each.stdout), "seconds": 0} for each in answers)
    assert {**executed, "source": 0} == {**plain, "source": 0}
    assert "the testbench is not executed, and not needed" in answers[1].stderr
    assert reason in answers[1].stderr
    gone = command("run", str(path), "--function", "top", "--testbench", str(tmp_path / "gone.cpp"))
    assert (gone.exit_code, gone.stderr) == (2, f"{path}: --testbench {tmp_path / 'gone.cpp'}: no such file\n")
    if "@" in text:
        path.write_text(text.replace("@", "if (in[i]) ", 1).replace("@", ""))
        decided = command("run", str(path), "--function", "top", "--testbench", str(bench))
        assert (decided.exit_code, reason in decided.stderr) == (2, True)


@pytest.mark.parametrize(("body", "told"), [("if (a[i] == 3) break;", True), ("a[i] = n;", False)])
def test_a_function_that_is_no_network_is_sent_to_schedule(tmp_path: Path, body: str, *, told: bool) -> None:
    """`run` said that a condition is not affine, of code that `schedule` follows; where --set helps, that is all."""
    path = tmp_path / "k.cpp"
    path.write_text(f"void k(int a[9], int n) {{ for (int i = 0; i < n; i++) {{ {body} }} }}")
    found = command("run", str(path), *(["--set", "n=9"] if told else []))
    assert (found.exit_code, "ppnsim schedule counts its cycles" in found.stderr) == (2, told)


WIDE = """#include <ap_int.h>
#include <ap_fixed.h>
#include <hls_stream.h>
struct Pair { ap_fixed<16, 10> a; ap_uint<10> b; };
struct Row { ap_uint<8> of[9]; bool last; };
struct Count { int n; ap_uint<3> kind; };
template <typename T> static void put(const T x[4], hls::stream<T> &s) { for (int i = 0; i < 4; i++) s.write(x[i]); }
template <typename T> static void get(hls::stream<T> &s, T y[4]) { for (int i = 0; i < 4; i++) y[i] = s.read(); }
static void pairs(const int x[4], hls::stream<Pair> &p, hls::stream<Row> &r, hls::stream<Count> &c) {
  for (int i = 0; i < 4; i++) {
    Pair a; a.a = x[i]; a.b = x[i]; p.write(a);
    Row b; for (int k = 0; k < 9; k++) b.of[k] = x[i]; b.last = i == 3; r.write(b);
    Count d; d.n = x[i]; d.kind = i; c.write(d); } }
static void sums(hls::stream<Pair> &p, hls::stream<Row> &r, hls::stream<Count> &c, int y[4]) {
  for (int i = 0; i < 4; i++) {
    Pair a = p.read(); Row b = r.read(); Count d = c.read(); y[i] = a.b + b.of[0] + d.n; } }
void top(const int x[4], const bool f[4], int y[4], bool g[4]) {
#pragma HLS dataflow
  hls::stream<Pair> p; hls::stream<Row> r; hls::stream<Count> c; hls::stream<bool> b;
  put(f, b); pairs(x, p, r, c); sums(p, r, c, y); get(b, g);
}
"""


def test_tokens_are_as_wide_as_their_members_side_by_side(tmp_path: Path) -> None:
    """In C a ``bool`` has 8 bits and structs are padded: 8, 32, 80 and 64."""
    path = tmp_path / "kernel.cpp"
    path.write_text(WIDE, encoding="utf-8")
    network = load_source(str(path), function="top").network
    widths = {name: network.channel(name).width for name in "bprc"}
    assert widths == {"b": 1, "p": 26, "r": 73, "c": 35}


def test_a_misspelt_region_is_named_and_not_what_it_leaves_open(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(WIDE.replace("HLS dataflow", "HLS dataflw"), encoding="utf-8")
    with pytest.raises(InputError, match=r"knows no 'dataflw' here \(did you mean 'dataflow'\?\)"):
        load_source(str(path), function="top")


def test_a_style_that_no_process_can_have_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(WIDE, encoding="utf-8")
    done = command("run", str(path), "--style", "flp")
    assert done.exit_code == 2
    assert "--style flp: 'top' is a dataflow region, whose tasks are scheduled" in done.stderr
    same = command("run", str(path), "--style", "hls")  # what they are
    assert same.exit_code == 0


def test_advice_on_a_source_is_of_what_the_source_can_say(tmp_path: Path) -> None:
    """The delays of a FIFO are those of the hardware: nobody can make a channel forward sooner."""
    path = tmp_path / "kernel.cpp"
    path.write_text(WIDE, encoding="utf-8")
    told = ppnsim.explain(str(path))
    kinds = {share.kind for share in told.path.shares}
    assert kinds & {"forward", "release"}
    assert not {claim.change.parameter for claim in told.claims} & {"forward", "release"}


def test_a_memory_behind_the_ports_is_named() -> None:
    found = load_source("scenarios/hls/add_vectors.cpp", memory="HBM2")
    assert (found.memory, len(found.ports), found.made_of, found.function) == ("HBM2", 3, "tasks", "add_vectors")
    assert "HBM2" in str(found)
    assert load_source("scenarios/hls/add_vectors.cpp").memory == ""
