"""Sources of thousands of functions: what is asked for each function does not grow with the number of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

from ppnsim.c.clang import names
from ppnsim.c.clang.library import enumerations
from ppnsim.c.load import load_programs
from ppnsim.c.plain.counter_values import CounterRun
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas import by_line
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.loops.as_c.names import Names
from ppnsim.loops.program import LoopProgram

TASK = """static void f{0}(int a[8], int b[8]) {{
  for (int i = 0; i < 8; i++) {{
#pragma HLS loop_tripcount max=MOST
    b[i] = a[i]; }} }}
"""


def of_many(folder: Path, count: int, before: str = "", task: str = TASK, head: str = "") -> LoopProgram:
    """A kernel that calls some functions, each with directives, after ``before`` and behind a ``head`` of its own."""
    functions = "".join(task.format(number) for number in range(count))
    called = "".join(f"  f{number}(a, b);\n" for number in range(count))
    file = folder / f"k{count}.cpp"
    file.write_text(f"{before}{functions}void k(int a[8], int b[8]) {{\n{head}{called}}}\n", encoding="utf-8")
    return load_programs(str(file), policy=HARDWARE, function="k")[0]


def lines_compared(folder: Path, count: int) -> int:
    with patch.object(by_line, "_line", wraps=by_line._line) as compared:
        of_many(folder, count, "enum { MOST = 8 };\n", head="#pragma HLS dataflow\n")
    return compared.call_count


def test_directives_of_functions_are_found_by_halving(tmp_path: Path) -> None:
    """Each function looked at all directives: four times as many functions took sixteen times as long."""
    few, many = lines_compared(tmp_path, 30), lines_compared(tmp_path, 120)
    assert many <= 6 * few  # two more halvings each


def test_directives_by_line_are_those_of_one_file_with_both_ends() -> None:
    lines = Pragmas({"a.h": "\n#pragma HLS inline\n", "b.cpp": "#pragma HLS pipeline\n\n#pragma HLS dataflow"}).by_line
    assert [each.name for each in lines.within("b.cpp", 1, 3)] == ["pipeline", "dataflow"]
    assert [each.name for each in lines.within("b.cpp", 2, 2)] == []
    assert [each.name for each in lines.within("a.h", 2, 9)] == ["inline"]


def test_enumerations_are_read_once_for_all_functions(tmp_path: Path) -> None:
    with patch("ppnsim.c.clang.constants.enumerations", wraps=enumerations) as read:
        program = of_many(tmp_path, 20, "enum { OTHER = 3, MOST = 8 };\n")
    assert read.call_count <= 2  # the call inside counts one for each `extern "C"` and namespace, and here are none
    assert {dict(frame.values).get("MOST") for frame in program.frames if frame.path[-1:] != ("k",)} == {8}


def test_an_operator_of_numbers_is_looked_up_once(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 8; i++) b[i] = ap_int<8>(a[i]) + ap_int<8>(1);"
    task = f"static void f{{0}}(int a[8], int b[8]) {{{{ {body} }}}}\n"
    with patch.object(names, "operator", wraps=names.operator) as asked:
        of_many(tmp_path, 20, '#include "ap_int.h"\n', task)
    assert asked.call_count == 20 + 1  # the called functions, of which one is the operator of all sums


def test_a_pragma_stands_before_the_function_behind_the_last_one(tmp_path: Path) -> None:
    loops = [f"void {name}(int *a) {{ for (int i = 0; i < 3; i++) a[i] = 2; }}\n" for name in "fgh"]
    pragma, kernel = "#pragma ppnsim latency(3)\n", "void k(int a[8]) { f(a); g(a); h(a); }\n"
    (file := tmp_path / "k.c").write_text(f"{loops[0]}{pragma}{loops[1]}{loops[2]}{kernel}")
    (program,) = load_programs(str(file), function="k")
    assert [each.latency for each in program.statements()] == [None, 3, None]


def test_statements_that_a_counter_does_not_need_are_not_visited_in_each_iteration(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void k(hls::stream<int> s[4], int a[1000], int b[1000]) {
  int at = 0;
  for (int i = 0; i < 1000; i++) {
    b[i] = a[i]; b[i] += 2; b[i] *= 3; b[i] -= a[i];
    s[at].write(b[i]);
    if (at == 2) { at = 0; b[i] = 1; } else at++; } }
"""
    (file := tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    visited = 0

    def statement(run: CounterRun, *given: Any) -> bool:
        nonlocal visited
        visited += 1
        return plain(run, *given)

    plain = CounterRun._statement
    with patch.object(CounterRun, "_statement", statement):
        (program,) = load_programs(str(file), policy=HARDWARE)
    written = {str(access) for each in program.statements() for access in each.writes if access.array == "s"}
    assert written == {"s[((i) mod 3)]"}
    assert visited <= 3 * 1000


def test_a_name_that_is_given_back_is_the_next_one_and_others_go_on() -> None:
    taken = Names()
    assert [taken.unique(each) for each in ("y", "y", "y", "z", "z")] == ["y", "y_2", "y_3", "z", "z_2"]
    taken.give_back("y_2")
    assert [taken.unique(each) for each in ("z", "y", "y")] == ["z_3", "y_2", "y_4"]
    taken.give_back("y")
    taken.give_back("y_0")
    assert [taken.unique(each) for each in ("y", "y")] == ["y", "y_5"]
