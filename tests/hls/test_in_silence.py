"""Answers that were wrong in silence: loops that numbers leave, directives that are off, counts of what is left out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ppnsim.c.load import load_kernels, load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import iterations, scheduled

_REGION = """void a(int x[64], int y[64]) { for (int i = 0; i < 64; i++) y[i] = x[i] + 1; }
void f(int x[64], int z[64]) {
#pragma HLS dataflow %s
  int y[64]; a(x, y); a(y, z);
}
"""


def test_a_directive_that_is_off_makes_no_region(tmp_path: Path) -> None:
    found = scheduled(tmp_path, _REGION % "off").kernels[0]
    assert found.machine.region is None
    assert found.directives.ignored[0].endswith("k.cpp:3:1: dataflow off: no region is made here, with or without it")
    with pytest.raises(InputError, match=r"k.cpp:4:1: conflicting pragmas: dataflow and dataflow off .*take one away"):
        scheduled(tmp_path, _REGION % "off\n#pragma HLS dataflow")


@pytest.mark.parametrize(("loop", "count", "lines"), [  # the most of g++, for any data; lines whose ways out are data's
    ("for (int i = 0; i < 100; i++) { if (i == 20) break;\n if (a[i] > 5) break;\n b[i] = a[i] + 1; }", 21, "2"),
    ("for (int i = 0; i < 100; i++) { b[i] = a[i];\n if (a[i] > 5) break;\n if (i == 19) break; }", 20, "2"),
    ("int i = 0; while (i < 30) { if (i == 20) break;\n if (a[i] > 5) break;\n b[i] = a[i] + 1; i++; }", 21, "2"),
    ("for (int i = 0; i < 100; i++) { if (a[i] > 5 || i == 20) break; b[i] = a[i] + 1; }", 21, "1"),
    ("int i = 0; do { if (a[i] > 5) break; b[i] = a[i]; i++;\n if (i == 7) break; } while (i < 50);", 7, "1"),
    ("int i = 0; while (a[i] > 3 && i < 20) { b[i] = a[i]; i++;\n if (i == 12) break; }", 12, ""),
    ("for (int i = 0; i < n; i++) { if (i == 20) break; b[i] = a[i] + 1; }", 21, ""),
    ("for (int i = 0; i < 100; i++) { if (n == i) break;\n b[i] = a[i] + 1; }", 100, "1"),
    ("for (int i = 0; i < 100; i++) { if (i > 20) return;\n if (a[i] > 5) return;\n b[i] = a[i] + 1; }", 22, "2"),
])  # fmt: skip
def test_numbers_leave_a_loop_that_data_leave_too(
    tmp_path: Path, loop: str, count: int, lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert iterations(scheduled(tmp_path, f"void f(int a[100], int b[100], int n) {{ {loop} }}")) == [count]
    said = capsys.readouterr().err
    assert [line for line in "1234" if f"in line {line} runs to its end" in said] == [*lines]


@pytest.mark.parametrize(("code", "least"), [
    ("bool l = false; int k = 0; while (!l) { b[k & 63] += 1; k++; if (a[k & 63] > 5) l = true; }", 1),
    ("for (int j = 0; j < 4; j++) { bool l = j == 2; while (!l) { b[j] += 1; if (a[b[j] & 63] > 5) l = true; } }", 0),
    ("bool l = false; for (int i = 0; i < 100 && !l; i++) { b[i] += 1; if (a[i] > 5) l = true; }", 1),
    ("bool l = false; for (int i = 0; i < n && !l; i++) { b[i] += 1; if (a[i] > 5) l = true; }", 0),
])  # fmt: skip
def test_a_loop_whose_test_holds_at_its_start_runs_once(tmp_path: Path, code: str, least: int) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(f"void f(int a[100], int b[100], int n) {{ {code} }}", encoding="utf-8")
    (program,) = load_programs(str(path), function="f", policy=replace(HARDWARE, count="least"))
    (loop,) = [each for each in all_loops(program.body) if each.assumed]
    assert (loop.last[0] - loop.first[0] + 1).constant == least


@pytest.mark.parametrize("loop", [
    "int s = 0; for (int i = 0; i < n; i++) s += a[i];", "for (int i = 0; i < n; i++) t[i] = a[i];",
    "for (int i = 0; i < 9; i++) { if (a[i] > 4) break; t[i] = a[i]; }",
    "b[0] = 1; for (int i = 0; i < n; i++) b[i] = 3;",
])  # fmt: skip
def test_nothing_is_said_of_a_loop_that_is_removed(
    tmp_path: Path, loop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = scheduled(tmp_path, f"void f(int a[9], int b[9], int n) {{ int t[9];\n {loop}\n b[0] = 3; }}")
    kept = "b[i]" in loop
    assert bool(found.assumed) == ("the loop" in capsys.readouterr().err) == kept


@pytest.mark.parametrize(("text", "said"), [
    ("void f(int b[9]) { int *t = (int *)malloc(9 * sizeof(int)); for (int i = 0; i < 9; i++) t[i] = b[i];\n"
     "for (int i = 0; i < 9; i++) b[i] = t[8 - i]; }",
     ["k.cpp:2:36: what 'malloc(9*4)' returns is taken as an array: "
      "synthesis allocates no memory; declare 'int t[9]'"]),
    ("struct s { volatile int v; int w; };\n"
     "void f(s a[9], s b[9]) { for (int i = 0; i < 8; i++) a[i].v = b[i].v + a[i + 1].v; }",
     ["all members of 'a', 'b' are accessed as volatile ones, as some are"]),
    ("void h(int a[9], int m) { for (int i = 0; i < m; i++) a[i] += 1; }\nvoid f(int a[9], int n) { h(a, n); }",
     ["k.cpp:2:6: --set m=7 is for the parameter of 'h', in each call whose argument is no number; 'f' has no 'm'"]),
])  # fmt: skip
def test_what_is_taken_in_silence_no_more(tmp_path: Path, text: str, said: list[str]) -> None:
    (tmp_path / "k.cpp").write_text("#include <stdlib.h>\n" + text, encoding="utf-8")
    settings = {"m": 7} if "int m" in text else {}
    found = schedule(tmp_path / "k.cpp", function="f", settings=settings).assumed
    assert [each.removeprefix(f"{tmp_path}/") for each in found if "the loop" not in each] == said


def test_a_directive_of_the_caller_says_which_loop_of_a_line_it_is_for(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("void f(int a[9]) { for (int i = 0; i < 9; i++) a[i]++; for (int i = 0; i < 8; i++) a[i]++; }")
    (said,) = schedule(path, pragmas=["1: unroll factor=2"]).kernels[0].directives.ignored
    assert said.endswith(f"for the other 1 of 2 loops that begin in line 1: it is for that at {path}:1:56")


@pytest.mark.parametrize(("call", "words"), [
    ("add(a[i])", "'add(a[i])' hands over 1, and 'add' has 2 parameters"),
    ("add()", "'add()' hands over none, and"),
])  # fmt: skip
def test_calls_of_c_have_as_many_arguments_as_the_function(tmp_path: Path, call: str, words: str) -> None:
    text = f"int add();\nvoid f(int a[9]) {{ for (int i = 0; i < 9; i++) a[i] = {call}; }}\n"
    with pytest.raises(InputError, match=rf"k.c:2:\d+: .*{re.escape(words)}.*\(line 3\): give it as many"):
        scheduled(tmp_path, text + "int add(x, y) int x, y; { return x + y; }", "k.c")


@pytest.mark.parametrize(("loop", "count"), [  # as g++ 12 counts, with -fwrapv
    ("unsigned w = -3; while (7 - w > 0) { T; w++; }", 10), ("for (unsigned long long i = -5; 3 > i; i++) T;", 0),
    ("for (unsigned i = -5; i > 3; i++) T;", 5), ("for (unsigned w = 3; w - 7 < 100; w++) T;", 0),
    ("for (unsigned w = 9; w - 7 < 100; w++) T;", 98), ("for (unsigned w = 3; 7 - w > 0; w++) T;", 4),
    ("unsigned long long w = -5; while (w < 1) { T; w++; }", 0), ("for (unsigned w = 9; w - 7 > 0; w--) T;", 2),
])  # fmt: skip
def test_unsigned_numbers_below_0_are_large(tmp_path: Path, loop: str, count: int) -> None:
    text = f"#define T y[1] += 1\nvoid f(int y[64]) {{ {loop}\n for (int j = 0; j < 3; j++) y[j] += 2; }}"
    assert sum(iterations(scheduled(tmp_path, text))) - 3 == count


@pytest.mark.parametrize(("loop", "ii"), [
    ("for (int v = x[0]; v != -1; v = x[v]) s += y[v];", 2),
    ("int v = x[0]; for (; v != 1; v = v & 1 ? 11 * v + 1 : v / 2) s++;", 3),
    ("for (float f = y[0]; f < 99.0f; f = f * 1.5f) s++;", 4), ("for (int v = x[0]; v > 0; v >>= 1) s++;", 1),
])  # fmt: skip
def test_what_the_step_of_a_loop_computes_is_work_of_it(tmp_path: Path, loop: str, ii: int) -> None:
    text = f"void f(int x[64], int y[64]) {{ int s = 0; {loop} y[3] = s; }}"
    assert [nest.body.schedule.ii for nest in scheduled(tmp_path, text).kernels[0].machine.nests] == [ii]


@pytest.mark.parametrize(
    ("given", "words"), [({}, "runs 64 times: its bound"), ({"n": 20}, "runs 25 times, the most that 'i < n'")]
)
def test_a_bound_that_a_branch_raises_is_not_what_is_given(tmp_path: Path, given: dict[str, int], words: str) -> None:
    path = tmp_path / "k.cpp"
    path.write_text("void f(int n, int y[8]) { if (y[0]) n += 5; for (int i = 0; i < n; i++) y[3] += i; }", "utf-8")
    assert any(words in each for each in load_kernels(str(path), policy=HARDWARE, settings=given).assumed)


_COPY = """void copy(const int a[64], int b[64]) { for (int i = 0; i < 64; i++) {
#pragma HLS unroll factor=F
b[i] = a[i]; } }"""
_TWO = f"namespace n {{ enum {{ F = 2 }}; {_COPY} }} namespace m {{ enum {{ F = 8 }}; {_COPY} }}"


@pytest.mark.parametrize(("text", "calls", "counts"), [
    (_TWO, "n::copy(a, b); m::copy(b, c);", [32, 8]),
    (f"enum {{ F = 2 }}; struct S {{ static const int F = 4; {_COPY} }};", "S s; s.copy(a, b);", [16]),
    (f"enum class E {{ F = 2 }}; namespace n {{ enum {{ F = 4 }}; }} using namespace n; {_COPY}", "copy(a, b);", [16]),
])  # fmt: skip
def test_a_directive_names_the_constant_of_an_enumeration_that_is_seen_there(
    tmp_path: Path, text: str, calls: str, counts: list[int]
) -> None:
    """The last one of the file was taken, also before that of a class."""
    found = scheduled(tmp_path, f"{text}\nvoid k(const int a[64], int b[64], int c[64]) {{ {calls} }}", function="k")
    assert iterations(found) == counts


@pytest.mark.parametrize("text", [
    "void f(int a[256], int n) { const int m = n + 3; n = 100; for (int i = 0; i < m; i++) a[i] += n; }",
    "void f(int a[256]) { int k = a[0]; const int m = k * 2; k = 9; for (int i = 0; i < m; i++) a[i] += k; }",
    "static void g(int a[256], const int n = 8) { for (int i = 0; i < n; i++) a[i]++; }"
    "void f(int a[256], int q) { g(a, q); }",
])  # fmt: skip
def test_a_constant_of_data_is_data(tmp_path: Path, text: str) -> None:
    """It was what its initialiser says behind a change of what that names, and a parameter was its default."""
    assert "is data or a parameter without a value" in " ".join(scheduled(tmp_path, text).assumed)


@pytest.mark.parametrize(("of", "first", "trips"), [  # the numbers of g++, each + 10
    ("ap_uint<3>", "12", 14), ("ap_int<3>", "5", 7), ("ap_uint<3>", "-1", 17), ("ap_uint<3>", "3 * 4", 14),
    ("bool", "7", 11), ("unsigned char", "255 + 3", 12), ("unsigned char", "200", 210),
    ("long long", "1 << 4", 26), ("short", "65536 + 6", 16), ("unsigned", "3u", 13),
])  # fmt: skip
@pytest.mark.parametrize("at", ["static const {} t[2] = {{{}, 1}};", "const {} t[1][2] = {{{{1, {}}}}};"])
def test_elements_of_tables_are_what_their_type_keeps(tmp_path: Path, of: str, first: str, trips: int, at: str) -> None:
    element = "t[0][1]" if "[1]" in at else "t[0]"
    body = f"{at.format(of, first)} for (int i = 0; i < {element} + 10; i++) b[i] = a[i];"
    text = f'#include "ap_int.h"\nvoid f(int a[256], int b[256]) {{ {body} }}'
    assert scheduled(tmp_path, text).kernels[0].nests[0].starts == trips


@pytest.mark.parametrize(("of", "trips"), [("char", 9), ("signed char", 9), ("unsigned char", 265)])
def test_letters_have_the_sign_of_their_type(tmp_path: Path, of: str, trips: int) -> None:
    body = f'const {of} t[] = "\\xff"; for (int i = 0; i < t[0] + 10; i++) b[i] = a[i];'
    text = f"void f(int a[512], int b[512]) {{ {body} }}"
    assert scheduled(tmp_path, text).kernels[0].nests[0].starts == trips


def test_elements_in_tests_are_what_their_type_keeps(tmp_path: Path) -> None:
    """A folded test decides whether the division is there at all."""
    text = """#include "ap_int.h"
static const ap_uint<3> t[2] = {12, 1};
static const int m[2] = {1 << 31, 1};
void f(int a[64], int b[64]) { for (int i = 0; i < 64; i++) if (%s) b[i] = a[i] / 7; }"""
    found = {test: bool(scheduled(tmp_path, text % test).kernels[0].nests) for test in ("t[0] > 7", "m[0] < 0")}
    cycles = scheduled(tmp_path, text % "t[0] > 7").kernels[0].machine.cycles
    assert found["m[0] < 0"]
    assert cycles == 0


def test_whether_a_fifo_is_empty_is_asked_in_each_iteration(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void f(hls::stream<int> &s, int y[24]) { for (int i = 0; i < 24; i++) {
#pragma HLS pipeline
  %s y[i] = s.read() / 5; } }"""
    tests = ("", "if (!s.empty())", "bool none = s.empty(); if (!none)", "if (s.empty() == false)")
    cycles = {scheduled(tmp_path, text % test).kernels[0].machine.cycles for test in tests}
    assert len(cycles) == 1


@pytest.mark.parametrize(("function", "head", "said"), [
    ("int g(int x) { return 1000 / (x + 1); }", "b[0] = g(a[0]); b[1] = g(a[1]);", "have no loops, and operators of"),
    ("void g(int x[64], int y[64]) { for (int i = 0; i < 64; i++) y[i] = x[i] + 1; }",
     "#pragma HLS dataflow\n int c[64]; g(a, c); g(c, b);", "are tasks of a dataflow region, each of them a module"),
])  # fmt: skip
def test_an_allocation_of_a_function_that_limits_nothing_is_listed(
    tmp_path: Path, function: str, head: str, said: str
) -> None:
    pragma = "#pragma HLS allocation function instances=g limit=1"
    text = f"{function}\nvoid f(int a[64], int b[64]) {{\n{pragma}\n{head} }}"
    found = [each for each in scheduled(tmp_path, text).kernels[0].without_effect if "allocation" in each]
    assert len(found) == 1
    assert ":3:1: allocation of a function, whose calls" in found[0]
    assert said in found[0]
