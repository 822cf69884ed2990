"""Designs of several files, and forms of other people's code that were refused or never ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ppnsim import schedule
from ppnsim.c import load
from ppnsim.c.clang import parser
from ppnsim.c.clang.bases import Questions, answers
from ppnsim.c.clang.parser import parse
from ppnsim.errors import InputError
from ppnsim.hls.structure.unrolling import is_from
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Frame, Loop, Position, Statement

TOP = '#include "parts.h"\nvoid top(int a[128], int b[128]) {\n  scale(a, b, 3);\n  add(b, a);\n}\n'
HEADER = "#pragma once\nvoid scale(int a[128], int b[128], int k);\nvoid add(int a[128], int b[128]);\n"
SCALE = "void scale(int a[128], int b[128], int k) { for (int i = 0; i < 128; i++) b[i] = a[i] * k; }\n"
ADD = "void add(int a[128], int b[128]) { for (int i = 0; i < 128; i++) b[i] += a[i]; }\n"
INCLUDE = '#include "parts.h"\n'


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")
    return folder / "top.cpp"


def cycles(path: Path, **options: Any) -> int:
    return schedule(path, **options).kernels[0].machine.cycles


def test_sources_beside_a_file_give_the_bodies_that_it_calls_and_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (alone := tmp_path / "alone").mkdir()
    whole = written(alone, top__cpp=HEADER + SCALE + ADD + TOP.partition("\n")[2])
    parts = written(
        tmp_path, top__cpp=TOP, parts__h=HEADER, scale__cpp=INCLUDE + SCALE, more__cpp=INCLUDE + ADD,
        sim__cpp=INCLUDE + ADD + "int main() { return 0; }",
    )  # fmt: skip
    expected, parsed = cycles(whole, function="top"), list[Any]()

    def noted(*given: Any, **more: Any) -> Any:
        parsed.append(given[3])
        return parse(*given, **more)

    monkeypatch.setattr(load, "parse", noted)
    assert cycles(parts, function="top") == expected
    assert len(parsed) == 2  # the file alone, and with all that it calls: not one more for each of them
    told = capsys.readouterr().err
    assert f"'{tmp_path}/scale.cpp' is read with it: it defines 'scale'" in told
    assert f"'{tmp_path}/more.cpp' is read with it: it defines 'add'" in told


def test_what_was_asked_about_classes_is_kept_for_when_more_sources_are_read(tmp_path: Path) -> None:
    based = "template <int N> struct B { int a[N]; };\ntemplate <int N> struct D : B<N + 1> { int b; };\n"
    path = written(tmp_path, top__cpp=based + "D<3> d;\nint f(int i);\n", one__cpp="int f(int i) { return i; }\n")
    known: Questions = {}
    parse(str(path), {}, (), (), known)
    with patch.object(parser, "answers", wraps=answers) as read:
        units = [parse(str(path), {}, (), [str(tmp_path / "one.cpp")], each) for each in (known, None)]
    assert known and read.call_count == 1 + 2
    assert [[each.type.bits for each in unit.variables] for unit in units] == [[5 * 32]] * 2


def test_of_two_sources_with_a_body_none_is_taken_and_both_are_named(tmp_path: Path) -> None:
    more = {"one__cpp": INCLUDE + ADD, "two__cpp": INCLUDE + ADD}
    path = written(tmp_path, top__cpp=TOP, parts__h=HEADER, scale__cpp=INCLUDE + SCALE, **more)
    with pytest.raises(InputError, match=r"top\.cpp:4:7: .*'add'.*one\.cpp and .*two\.cpp define it: give one as anot"):
        schedule(path, function="top")
    for name in ("one.cpp", "two.cpp", "scale.cpp"):
        (tmp_path / name).unlink()
    with pytest.raises(InputError, match=r"top\.cpp:3:9: .*'scale'.*: no source beside the file .*syn\.file="):
        schedule(path, function="top")


def test_of_two_sources_that_of_the_kernels_name_has_the_body(tmp_path: Path) -> None:
    more = {"top_fast__cpp": INCLUDE + ADD, "top__cpp": INCLUDE + ADD.replace("b[i] +=", "b[i] *= 3 *")}
    written(tmp_path, parts__h=HEADER, scale__cpp=INCLUDE + SCALE, entry__cpp=TOP, **more)
    found = schedule(tmp_path / "entry.cpp", function="top").kernels[0].machine.cycles
    (tmp_path / "top_fast.cpp").unlink()
    assert found == schedule(tmp_path / "entry.cpp", function="top").kernels[0].machine.cycles


def test_the_only_source_of_a_repository_with_the_name_of_a_header_has_the_body(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (".git", "include", "src/core", "src/hls", "old"):
        (tmp_path / folder).mkdir(parents=True)
    written(tmp_path / "include", parts__h=HEADER)
    written(tmp_path / "src/core", parts__cpp=INCLUDE + SCALE + ADD)
    top = written(tmp_path / "src/hls", top__cpp=TOP)
    assert cycles(top, function="top", include=[str(tmp_path / "include")]) > 128
    assert f"'{tmp_path}/src/core/parts.cpp' is read with it: it defines 'scale'" in capsys.readouterr().err
    written(tmp_path / "old", parts__cpp=INCLUDE + SCALE + ADD)
    with pytest.raises(InputError, match="no source beside the file"):
        schedule(top, function="top", include=[str(tmp_path / "include")])


def test_a_function_whose_latency_the_source_says_needs_no_body(tmp_path: Path) -> None:
    head = "int slow(int a);\nvoid top(int a[16], int b[16]) {\n  for (int i = 0; i < 16; i++) {\n"
    path = written(
        tmp_path, top__cpp=head + "#pragma ppnsim latency(20)\n    b[i] = slow(a[i]);\n  }\n}\n",
        slow__cpp="int slow(int a) { return a + 1; }\n",
    )  # fmt: skip
    (nest,) = schedule(path).kernels[0].machine.nests
    assert nest.body.depth > 20


def test_a_kernel_is_found_whose_header_declares_another_of_its_name(tmp_path: Path) -> None:
    head = "struct W { int v; };\nvoid top(W a);\n"
    path = written(tmp_path, top__cpp=head + "void top(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }\n")
    assert cycles(path, function="top") == cycles(path)


def test_a_function_that_is_called_like_an_overload_here_is_another_one(tmp_path: Path) -> None:
    path = written(
        tmp_path, top__cpp="void top(int a[8]);\nvoid top_2(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }\n"
    )
    with pytest.raises(InputError, match=r"no function 'top' with a body \(did you mean 'top_2'"):
        schedule(path, function="top")


def test_an_overload_of_a_source_comes_before_those_of_its_headers(tmp_path: Path) -> None:
    (tmp_path / "wide.h").write_text("inline void add(int a[8]) { for (int i = 0; i < 8; i++) a[i] += 1; }\n")
    (tmp_path / "k.cpp").write_text(
        '#include "wide.h"\nvoid add(int a[32], int b[32]) { for (int i = 0; i < 32; i++) a[i] += b[i]; }\n'
    )
    (kernel,) = schedule(tmp_path / "k.cpp", function="add").kernels
    assert {array.shape for array in kernel.program.arrays} == {(32,)}


def test_an_overload_is_named_by_its_parameters(tmp_path: Path) -> None:
    """The first of them was scheduled, in silence."""
    loops = ("void top(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }", "void top(char *b) { b[0] = 3; }")
    path = written(tmp_path, top__cpp="\n".join(loops) + "\n")
    with pytest.raises(InputError, match=r"1:6: several .*'top\(int\[8\]\)' in line 1 and 'top\(char \*\)' in"):
        schedule(path, function="top")
    assert cycles(path, function="top(int [8])") == 8
    assert cycles(path, function="top(char*)") < 8
    calling = loops[1].replace("b[0] = 3;", "int a[8]; top(a); b[0] = a[3];")
    (tmp_path / "calling").mkdir()
    path = written(tmp_path / "calling", top__cpp="\n".join((loops[0], calling)))
    assert schedule(path, function="top").kernels[0].program.name == "top_2"


def test_an_instance_of_a_template_is_named_by_its_arguments(tmp_path: Path) -> None:
    """The first of them was scheduled, in silence; of a recursive one it is the outermost."""
    head = "template <int N, class T> void f(T *a) { for (int i = 0; i < N; i++) a[i] = i; }\n"
    path = written(tmp_path, top__cpp=head + "void top(int a[8], char b[8]) { f<8>(a); f<4>(b); f<2>(b); }\n")
    with pytest.raises(
        InputError, match=r"1:32: the template 'f' has 3 instances: 'f<2, char>', .*; name one with its"
    ):
        schedule(path, function="f")
    assert cycles(path, function="f<8,int>") == cycles(path, function="f< 4, char >") + 4
    with pytest.raises(InputError, match=r"no function 'f<8>' with a body .did you mean 'f<"):
        schedule(path, function="f<8>")
    body = "for (int i = 0; i < N; i++) a[i] = i; f<N - 1>(a); }\ntemplate <> void f<0>(int *a) { a[0] = 7; }\n"
    (tmp_path / "nested").mkdir()
    nested = "template <int N> void f(int *a) { " + body + "void top(int a[8]) { f<3>(a); }\n"
    path = written(tmp_path / "nested", top__cpp=nested)
    assert cycles(path, function="f") == cycles(path, function="f<3>") > cycles(path, function="f<2>")


TASK = """#include "hls_stream.h"
static void task(hls::stream<int> &in, hls::stream<int> &out) { for (int i = 0; i < 20; i++) out.write(in.read() + 1); }
static void first(int a[20], hls::stream<int> &out) { for (int i = 0; i < 20; i++) out.write(a[i]); }
static void last(hls::stream<int> &in, int a[20]) { for (int i = 0; i < 20; i++) a[i] = in.read(); }
"""
CHAIN = """
  for (int s = 0; s < 3; s++) {
#pragma HLS unroll
    task(c[s], c[s + 1]);
  }
"""


def test_unrolled_tasks_of_a_function_that_a_region_inlines_are_tasks_of_the_region(tmp_path: Path) -> None:
    inlined = TASK + "static void all(hls::stream<int> c[4]) {\n#pragma HLS inline" + CHAIN + "}\n"
    head = "void top(int a[20], int b[20]) {\n#pragma HLS dataflow\n  hls::stream<int> c[4];\n  first(a, c[0]);\n"
    tail = "  last(c[3], b);\n}\n"
    apart = schedule(written(tmp_path, top__cpp=inlined + head + "  all(c);\n" + tail), function="top")
    together = schedule(written(tmp_path, top__cpp=TASK + head + CHAIN + tail), function="top")
    assert apart.kernels[0].machine.cycles == together.kernels[0].machine.cycles
    assert len(apart.kernels[0].machine.tasks) == len(together.kernels[0].machine.tasks) == 5


BACK = """#include "hls_stream.h"
static void ask(int a[8], hls::stream<int> &back, hls::stream<int> &out) {
  for (int i = 0; i < 8; i++) {
#pragma HLS pipeline off
    FIRST SECOND
  }
}
static void answer(hls::stream<int> &in, hls::stream<int> &back, int b[8]) {
  for (int i = 0; i < 8; i++) { int v = in.read(); b[i] = v; back.write(v); }
}
void top(int a[8], int b[8]) {
#pragma HLS dataflow
  hls::stream<int> out, back;
  ask(a, back, out);
  answer(out, back, b);
}
"""


@pytest.mark.parametrize(("style", "run"), [("stp", True), ("flp", False)])
def test_a_fifo_that_feeds_back_is_run_unless_pipelines_drain(tmp_path: Path, style: str, run: bool) -> None:
    """A pipeline that goes on without input is none that stands still, and no deadlock is sure."""
    text = BACK.replace("FIRST", "if (i) back.read();").replace("SECOND", "out.write(a[i]);")
    text = text.replace("int v =", f"\n#pragma HLS pipeline style={style}\nint v =")
    machine = schedule(written(tmp_path, top__cpp=text), function="top").kernels[0].machine
    assert (machine.region is not None) is run
    said = machine.said if machine.region is None else machine.region.said
    assert any(" is read by 'ask' before 'answer' writes it" in each for each in said)


@pytest.mark.parametrize(
    ("put", "take", "cycles"),
    [
        ("} for (int i = 0; i < 8; i++) { k.write(x[i]);", "for (int i = 0; i < 8; i++) y[i] = k.read();", 44),
        ("if (i == 31) k.write(x[3]);", "k.read();", 37),
    ],
)
def test_loops_and_what_is_behind_them_keep_the_order_of_fifos(
    tmp_path: Path, put: str, take: str, cycles: int
) -> None:
    text = f"""#include "hls_stream.h"
static void a(const int x[32], hls::stream<int> &k, hls::stream<int> &s) {{
  for (int i = 0; i < 32; i++) {{ s.write(x[i]); {put} }} }}
static void b(hls::stream<int> &k, hls::stream<int> &s, int y[32]) {{
  for (int i = 0; i < 32; i++) y[i] = s.read();
  {take} }}
void top(const int x[32], int y[32]) {{
#pragma HLS dataflow
  hls::stream<int> k, s; a(x, k, s); b(k, s, y); }}"""
    assert schedule(written(tmp_path, top__cpp=text)).to_dict()["cycles"] == cycles


def test_pointers_that_change_places_in_an_innermost_loop_are_followed(tmp_path: Path) -> None:
    body = "void top(int a[64], int b[64]) {\n  for (int i = 1; i < 64; i++) {\n    b[i] = a[i - 1];\n"
    body += "    int *t = a; a = b; b = t;\n  }\n}\n"
    found = schedule(written(tmp_path, top__cpp=body)).to_dict()["loops"]
    own = "if (way == 0) b[i] = a[i - 1]; else a[i] = b[i - 1];\nway = way == 0 ? 1 : 0;"
    body = body.replace("b[i] = a[i - 1];", own).replace("int *t = a; a = b; b = t;", "")
    body = body.replace("{\n  for", "{\nint way = 0;\n  for")
    loops = schedule(written(tmp_path, top__cpp=body)).to_dict()["loops"]
    assert [(each["ii"], each["trip"]) for each in found] == [(each["ii"], each["trip"]) for each in loops]


def test_more_unrolled_statements_than_can_be_followed_are_refused_at_their_loop(tmp_path: Path) -> None:
    body = "void top(int a[512][512]) {\n#pragma HLS pipeline\n  for (int i = 0; i < 512; i++)\n"
    path = written(tmp_path, top__cpp=body + "    for (int j = 0; j < 512; j++) a[i][j] = i + j;\n}\n")
    with pytest.raises(InputError, match=r"top\.cpp:3:3: loop 'i' becomes 262144 statements .*pipeline an inner loop"):
        schedule(path)


def test_a_loop_that_stands_for_those_around_a_branch_is_not_part_of_a_pipelined_function() -> None:
    here = Position("top.cpp", 3, 1)
    frame = Frame(("half",), here, 9)
    inside = Execution(Statement(name="S", reads=(), writes=(), position=here, path=("half",)))
    loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(9),), body=(inside,), position=here)
    assert is_from(loop, frame, [frame])
    assert not is_from(replace(loop, position=Position()), frame, [frame])


def test_a_header_that_one_folder_around_the_source_has_is_found_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (src := tmp_path / "src").mkdir()
    (tmp_path / "include" / "own").mkdir(parents=True)
    (tmp_path / "include" / "own" / "sizes.h").write_text("#define N 24\n", "utf-8")
    body = "void top(int a[N]) { for (int i = 0; i < N; i++) a[i] += i; }\n"
    (nest,) = schedule(written(src, top__cpp='#include "own/sizes.h"\n' + body)).kernels[0].machine.nests
    assert nest.iterations == 24
    assert f"header 'own/sizes.h' is taken from {tmp_path}/include" in capsys.readouterr().err
    (tmp_path / "old" / "own").mkdir(parents=True)
    (tmp_path / "old" / "own" / "sizes.h").write_text("#define N 8\n", "utf-8")
    with pytest.raises(InputError, match=r"top\.cpp:1:10: header 'own/sizes\.h' is not .*: .*include, .*old have one"):
        schedule(src / "top.cpp")
    with pytest.raises(InputError, match=r"header 'none\.h' is not found; give its folder with -I; there is none near"):
        schedule(written(src, top__cpp='#include "none.h"\n' + body))


SHIFT = """#include <ap_shift_reg.h>
void top(int a[64], int b[64]) {
  static ap_shift_reg<int, 16> line;
  static int own[16], other[16];
#pragma HLS array_partition variable=own,other complete
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline
    b[i] = VALUE;
  }
}
"""


def test_a_shift_register_shifts_and_is_read_in_each_cycle(tmp_path: Path) -> None:
    text = SHIFT.replace("VALUE", "line.shift(a[i], 7) + line.read(3)")
    assert [row["ii"] for row in schedule(written(tmp_path, top__cpp=text)).rows()] == [1]


def test_a_pragma_about_several_variables_is_about_each(tmp_path: Path) -> None:
    text = SHIFT.replace("VALUE", "own[0] + own[1] + own[2] + other[0] + other[1] + other[2]")
    assert [row["ii"] for row in schedule(written(tmp_path, top__cpp=text)).rows()] == [1]


def test_the_address_of_a_pointer_is_a_number_from_outside(tmp_path: Path) -> None:
    test = "  if (((unsigned long long)a & 63) != 0) return;\n"
    text = "void top(int *a) {\n#pragma HLS interface m_axi port=a depth=64\nTEST"
    text += "  for (int i = 0; i < 64; i++) a[i] = i;\n}\n"
    (nest,) = schedule(written(tmp_path, top__cpp=text.replace("TEST", test))).kernels[0].machine.nests
    (same,) = schedule(written(tmp_path, top__cpp=text.replace("TEST", ""))).kernels[0].machine.nests
    assert nest.cycles == same.cycles


@pytest.mark.parametrize(
    "loop",
    ["while (!bit(n)) { TRIPS z++; }", "while (bit(n) == 0) { TRIPS z++; }", "do { TRIPS z++; } while (!bit(n));"],
)
def test_a_test_that_changes_what_it_is_handed_is_made_once_a_round(loop: str, tmp_path: Path) -> None:
    head = "typedef struct { int at; char of[4096]; } N;\n"
    head += "int bit(N *n) { int y = n->at / 8, b = n->at % 8; n->at++; return (n->of[y] >> b) & 1; }\n"
    trips = "\n#pragma HLS loop_tripcount min=1 max=10\n"
    before = "" if loop.startswith("do") else "int t = bit(n); "
    plain = f"{before}{'while (!t) {' if before else 'int t; do {'} TRIPS z++; t = bit(n); }}"
    plain += "" if before else " while (!t);"
    found = []
    for each in (loop, plain):
        text = f"{head}void top(N *n, int *out) {{ int z = 0; {each} *out = z; }}\n".replace("TRIPS", trips)
        (nest,) = schedule(written(tmp_path, top__cpp=text), function="top").kernels[0].machine.nests
        found.append(nest.cycles)
    assert found[0] == found[1]


@pytest.mark.parametrize("nothing", ["nullptr", "NULL"])
def test_the_address_of_nothing_is_0(nothing: str, tmp_path: Path) -> None:
    text = "#include <cstddef>\nvoid top(unsigned long long a[64]) {\n"
    text += "  for (int i = 0; i < 64; i++) if (a[i] != TEST) a[i] = TEST;\n}\n"
    zero, null = (text.replace("TEST", each) for each in ("0ull", f"(unsigned long long){nothing}"))
    assert cycles(written(tmp_path, top__cpp=null)) == cycles(written(tmp_path, top__cpp=zero))


@pytest.mark.parametrize("macro", ["HLSLIB_SYNTHESIS", "__HLS_SYN__", "AESL_SYN"])
def test_hlslib_is_read_as_it_asks_to_be_for_synthesis(tmp_path: Path, macro: str) -> None:
    """Rule R9.43."""
    text = f"#ifndef {macro}\n#error not for hardware\n#endif\n"
    assert cycles(written(tmp_path, top__cpp=text + "void top(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }\n"))


CHOSEN = """#include <hls_stream.h>
struct T { int v[8]; };
struct N { int nd; int d; };
void top(N table[16], hls::stream<T> in[2], int out[16]) {
  for (int e = 0; e < 16; e++) {
    N n = table[e];
    T x;
    in[n.nd % 2] >> x;
    out[e] = x.v[0];
  }
}
"""


def test_a_struct_from_one_of_several_fifos_that_a_struct_chooses(tmp_path: Path) -> None:
    (nest,) = schedule(written(tmp_path, top__cpp=CHOSEN)).kernels[0].machine.nests
    assert nest.iterations == 16


def test_a_long_chain_of_returns_is_read_in_one_walk(tmp_path: Path) -> None:
    chain = " else ".join(f"if (v > {at}) return {at};" for at in reversed(range(40)))
    text = f"static int level(int v) {{ {chain} return 0; }}\n"
    body = "void top(int a[16], int b[16]) { for (int i = 0; i < 16; i++) b[i] = level(a[i]); }\n"
    assert [row["ii"] for row in schedule(written(tmp_path, top__cpp=text + body), function="top").rows()] == [1]


def test_a_port_pragma_about_several_ports_is_about_each(tmp_path: Path) -> None:
    text = "void top(int *a, int *b) {\n#pragma HLS interface m_axi port=a,b bundle=one\n"
    text += "  for (int i = 0; i < 8; i++) a[i] = b[i];\n}\n"
    said = schedule(written(tmp_path, top__cpp=text)).kernels[0].machine
    assert said.cycles > 70  # over a bus


def test_neither_a_call_nor_a_static_function_is_the_body_that_a_linker_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = "int f(int a[64]);\nvoid top(int a[64], int b[8]) { for (int i = 0; i < 8; i++) b[i] = f(a); }\n"
    files = {
        "top__cpp": top,
        "hidden__cpp": "static int f(int a[64]) { return a[1]; }\n",
        "user__cpp": "int f(int a[64]);\nint user(int a[64]) { if (f(a) > 3) { return 1; } return 0; }\n",
        "real__cpp": "int f(int a[64]) { return a[0]; }\n",
    }
    cycles(written(tmp_path, **files), function="top")
    assert "real.cpp' is read with it: it defines 'f'" in capsys.readouterr().err


@pytest.mark.parametrize("flow", ["vivado", "vitis"])
def test_a_global_array_is_a_memory_of_the_kernel_and_no_port(flow: Any, tmp_path: Path) -> None:
    """R6.25: as with ``static`` in the function, also if another source defines the array."""
    text = "void top(int a[2048]) {\n#pragma HLS interface m_axi port=a\nHERE for (int i = 0; i < 2048; i++) { "
    text += "int v = w[i]; w[i] = a[i]; a[i] = v; } }\n"
    (tmp_path / "static.cpp").write_text(text.replace("HERE", "static int w[2048];"), "utf-8")
    (tmp_path / "top.cpp").write_text("extern int w[2048];\n" + text.replace("HERE", ""), "utf-8")
    found = [schedule(tmp_path / name, function="top", flow=flow) for name in ("static.cpp", "top.cpp")]
    inside, outside = (each.to_dict() for each in found)
    assert inside["resources"]["bram_18k"] == outside["resources"]["bram_18k"] == 4
    assert inside["cycles"] == outside["cycles"]
    assert not [words for words in found[1].kernels[0].machine.said if "'w'" in words]


@pytest.mark.parametrize("calls", ["scale<3>(a, b);\n  scale<5>(b, a);", "scale<3>(a, b);\n  scale<5>(a, b);"])
def test_a_source_beside_a_file_may_define_specialisations_of_a_template(tmp_path: Path, calls: str) -> None:
    header = "#pragma once\ntemplate <int K> void scale(int a[128], int b[128]);\n"
    three = "template <> void scale<3>(int a[128], int b[128]) { for (int i = 0; i < 100; i++) b[i] = a[i] * 3; }\n"
    five = "template<>\nvoid scale < 5 > (int a[128], int b[128]) { for (int i = 0; i < 128; i++) b[i] = a[i] / 5; }\n"
    top = f"void top(int a[128], int b[128]) {{\n  {calls}\n}}\n"
    (alone := tmp_path / "alone").mkdir()
    whole = written(alone, top__cpp=header + three + five + top)
    parts = written(tmp_path, top__cpp=INCLUDE + top, parts__h=header, sizes__cpp=INCLUDE + three + five)
    machines = [schedule(each, function="top").kernels[0].machine for each in (whole, parts)]
    assert machines[0].cycles == machines[1].cycles
    assert [nest.iterations for nest in machines[1].nests] == [100, 128]


@pytest.mark.parametrize("change", ["+= 0.5", "*= 1.5f", "-= 2.5", "/= 0.3f"])
@pytest.mark.parametrize("of", ["short", "unsigned"])
def test_a_change_of_an_integer_by_a_real_constant_is_in_floating_point(tmp_path: Path, change: str, of: str) -> None:
    operator, constant = change.split("= ")
    depths = []
    for body in (f"y[i] {change};", f"y[i] = y[i] {operator} {constant};"):
        text = f"void f({of} y[100]) {{ for (int i = 0; i < 100; i++) {body} }}"
        (tmp_path / "k.cpp").write_text(text, "utf-8")
        (kernel,) = schedule(tmp_path / "k.cpp", function="f").kernels
        depths.append(kernel.machine.nests[0].body.depth)
    assert depths[0] == depths[1] > 10
