from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from ppnsim.c.clang.parser import parse
from ppnsim.c.kinds import Kind
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.loops.dependences import firings
from ppnsim.loops.expressions import holds, isl_text
from ppnsim.loops.program import Access, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement

Memory = dict[tuple[str, tuple[int, ...]], float]


def load(tmp_path: Path, text: str, name: str = "k.c", **options: object) -> list[LoopProgram]:
    file = tmp_path / name
    file.write_text(text)
    return load_programs(str(file), **options)  # type: ignore[arg-type]


def shown(program: LoopProgram) -> list[str]:
    """Each statement as ``name: what it writes < what it reads``."""
    return [f"{s.name}: {_all(s.writes)} < {_all(s.reads)}" for s in program.statements()]


def _all(accesses: Iterable[Access]) -> str:
    return ", ".join(str(access) for access in accesses) or "-"


# --- a naive interpreter, held against what gcc makes of the same file


def value(tree: Operation, reads: list[float], iterators: Mapping[str, int]) -> float:
    parts = [value(part, reads, iterators) for part in tree.operands]
    whole = tree.type in ("int", "long")
    match tree.kind:
        case "constant":
            return int(tree.text) if whole else float(tree.text)
        case "iterator":
            return iterators[tree.text]
        case "read":
            assert tree.read is not None
            return reads[tree.read]
        case "cast":
            return int(parts[0]) if whole else parts[0]
        case "-x":
            return -parts[0]
        case "!x":
            return int(not parts[0])
        case "?:":
            return parts[1] if parts[0] else parts[2]
        case "/" if whole:
            return int(parts[0] / parts[1])
        case "%":
            return int(abs(parts[0]) % abs(parts[1])) * (1 if parts[0] >= 0 else -1)
    found: float = eval(f"a {tree.kind} b", {"a": parts[0], "b": parts[1]})
    return found


def execute(nodes: Iterable[Node], memory: Memory, iterators: dict[str, int]) -> None:
    for node in nodes:
        if isinstance(node, Execution):
            _fire(node.statement, memory, iterators)
        elif isinstance(node, Guard):
            execute(node.body if holds(node.condition, iterators) else node.otherwise, memory, iterators)
        else:
            for at in turns(node, iterators):
                execute(node.body, memory, {**iterators, node.iterator: at})


def turns(loop: Loop, iterators: Mapping[str, int]) -> range:
    first, last = ([end.value(iterators) for end in ends] for ends in (loop.first, loop.last))
    if loop.step > 0:
        return range(max(first), min(last) + 1, loop.step)
    return range(min(first), max(last) - 1, loop.step)


def _fire(statement: Statement, memory: Memory, iterators: Mapping[str, int]) -> None:
    reads = [memory.get(_element(access, iterators), 0) for access in statement.reads]
    assert statement.value is not None
    memory[_element(statement.writes[0], iterators)] = value(statement.value, reads, iterators)


def _element(access: Access, iterators: Mapping[str, int]) -> tuple[str, tuple[int, ...]]:
    return access.array, tuple(subscript.value(iterators) for subscript in access.subscripts)


WIDE = """
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { SIZE = 12 };
typedef int data;
int global[SIZE];
static const int table[3] = {1, 2, 3};
static void row(int n, int r[n], int by) { for (int i = 1; i < n; i++) r[i] = r[i - 1] + r[i] * by; }
static void every(int n, int m, int a[n][m], int by) { for (int i = n - 1; i >= 0; i -= 2) row(m, a[i], by); }
static void put(int *p, int at, int v) { p[at] = p[at + 1] + v; }
static void flat(int *p, int n) { for (int i = 0; i < n; i++) p[i] += i; }
"""
BODIES = {
    "stencil": "for (i = 1; i < SIZE - 1; i++) for (j = 1; j <= i; ++j) a[i][j] = a[i - 1][j] + 2 * a[i][j - 1] - j;",
    "strides": "for (i = SIZE - 1; i > 0; i -= 3) b[i] += i; for (i = 1; SIZE > i; i = i + 4) b[i] = b[i - 1] * 3;",
    "unequal": "for (i = 0; i != 9; i += 3) b[i] = i + 1; for (int q = 5; q != 0; q--) b[q] -= b[q - 1];",
    "minimum": "for (i = 0; i < SIZE; i++) for (j = MAX(0, i - 2); j < MIN(i + 2, SIZE); j++) a[i][j] += i * j + 1;",
    "maximum": "for (i = 0; i < SIZE; i++) for (j = MIN(3, i); j <= MAX(2, i - 4); j++) a[i][j] += i * j + 1;",
    "choices": "for (i = 0; i < SIZE; i++) for (j = 0; j < (i % 2 ? 3 : i); j++) a[i][j] += i + j;",
    "coefficient": "for (i = 0; i < 8; i++) for (j = i; 2 * j <= 3 * i; j++) b[j] += i + j;",
    "division": "for (i = 0; i < SIZE; i++) { b[i / 2] += i % 3;"
    " if ((i - 5) / 2 == 0) b[i] = 7; if ((i - 6) % 4 == -1) b[i]++; }",
    "conditions": "for (i = 0; i < SIZE; i++) for (j = 0; j < SIZE; j++)"
    " if ((i > j && j != 3) || !(i + j < 15)) a[i][j] = i; else if (i == j) a[i][j] = -j; else a[j][i] += 1;",
    "bits": "for (i = 0; i < SIZE; i++) { b[i >> 1] += i & 3; b[(i << 1) % SIZE] ^= 5; }",
    "lets": "for (i = 0; i < SIZE - 1; i++) { int k; const int h = i / 2;"
    " k = i + 1; int t = a[i][k]; b[h] = t + k; a[k][i] = h; }",
    "scalars": "int s = 3; for (i = 0; i < SIZE; i++) { s = s + b[i] - (i > 4 ? i : s); b[i] = s; } b[0] = s;",
    "chained": "for (i = 0; i < SIZE; i++) b[i] = global[i] = i + 4;"
    " for (i = 0; i < SIZE; i++) b[i] += global[SIZE - 1 - i] * table[i % 3];",
    "calls": "every(SIZE, SIZE, a, 2); row(SIZE, b, b[3]); flat(&a[2][3], 20); flat(a[1], SIZE);",
    "lists": "for (i = 0; i < SIZE; i++) { int v[3] = {i, 2}; v[2] += v[1]; b[i] = v[0] * v[1] + v[2]; }",
    "reassigned": "int k = 1; for (i = 0; i < 4; i++) b[k + i] += i; k = 3; for (i = 0; i < 4; i++) b[i + k] += k;"
    " k += 2; b[k]++; for (i = 0; i < 4; i++) { k = 2 * i; a[k][k + 1] = k; k++; a[k][0] += k; }",
    "borders": "for (i = 0; i < SIZE; i++) b[i] = (i > 0 ? b[i - 1] : 0) + (i < SIZE - 1 ? b[i + 1] : 0) + b[i];"
    " for (i = 0; i < SIZE; i++) { b[i] += i > 0 ? (i % 2 ? global[i - 1] : a[i][i - 1]) : 2; }"
    " for (i = 0; i < SIZE; i++) { int t = !(i < 1) ? b[i - 1] : i; b[i] -= 3 > 2 ? t : b[i + 40]; }",
    "guarded": "for (i = 0; i < SIZE; i++)"
    " b[i] = i > 0 && b[i - 1] > 2 ? b[i - 1] : 3 * (i == SIZE - 1 || b[i + 1] - 4);"
    " for (i = 0; i < SIZE; i++) b[i] += (i > 2 ? i > 4 : i > 1) ? b[i - 2] : !(i < 3 || global[i - 3]);",
    "carried": "int k = 2, m = 0; for (i = 0; i < 4; i++) { b[i] = k; k = i; m += k; } b[4] = m;",
    "continues": "for (i = 0; i < SIZE; i++) for (j = 0; j < SIZE; j++) { if (i == j) continue; a[i][j] += i * j + 1;"
    " if (j > 9) { b[j] += a[i][j]; continue; } if (j == 2) b[i] = j; b[j] -= i; }",
    "once": "do { b[0] = 5; b[1] += b[0]; } while (0); for (i = 1; i < SIZE; i++) do { b[i] += b[i - 1]; } while (0);",
    "labels": "rows: for (i = 0; i < SIZE; i++) cols: for (j = 0; j < SIZE; j++) { last: a[i][j] += i - j; }",
    "tables": "int order[4] = {2, 0, 3, 1}; for (i = 0; i < SIZE; i++) a[i][order[1]] += a[order[2]][i];",
    "opened": "for (i = 0; i < SIZE - 1; i++) put(b, i, i); put(a[4], 3, b[2]);",
    "pointers": "int *p, *q; p = b; for (i = 0; i < SIZE; i++) p[i] += i; q = a[2];"
    " for (i = 0; i < SIZE; i++) q[i] += p[i]; p = a[3]; p[1] += q[2];"
    " for (i = 0; i < SIZE; i++) { p = a[i]; p[i] = 2 * p[i] + 1; }",
    "allocated": "int *h = malloc(SIZE * sizeof(int)); int (*g)[4]; g = (int (*)[4])calloc(3, 4 * sizeof(int));"
    " for (i = 0; i < SIZE; i++) h[i] = i * i; for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) g[i][j] = h[i + j];"
    " for (i = 0; i < SIZE; i++) b[i] += g[i / 4][i % 4]; free(h); free(g);",
    "constants": "int s, t; s = t = 3; for (i = 0; i < SIZE; i++) b[i] = a[i][0] = s + t; s = t = b[1]; b[0] = s * t;",
    "empty": "for (i = 5; i < 5; i++) b[i] = 1; for (i = 0; i < SIZE; i++) for (j = i; j < 3; j++) b[i] += j;",
}


@pytest.mark.skipif(not shutil.which("gcc"), reason="the C programs are held against what gcc makes of them")
@pytest.mark.parametrize("name", BODIES)
def test_a_lowered_program_computes_what_the_compiled_one_does(name: str, tmp_path: Path) -> None:
    kernel = f"void k(data a[SIZE][SIZE], data b[SIZE]) {{ int i, j = 0; (void)j;\n{BODIES[name]} }}\n"
    main = """int main(void) { static data a[SIZE][SIZE], b[SIZE];
      for (int i = 0; i < SIZE; i++) { b[i] = 3 * i - 7; for (int j = 0; j < SIZE; j++) a[i][j] = i * j % 11 - 4; }
      k(a, b);
      for (int i = 0; i < SIZE; i++) { printf("%d ", b[i]); for (int j = 0; j < SIZE; j++) printf("%d ", a[i][j]); }
    }"""
    program = load(tmp_path, WIDE + kernel + main, function="k")[0]
    subprocess.run(["gcc", "-w", "-o", str(tmp_path / "k"), str(tmp_path / "k.c")], check=True)
    expected = [int(x) for x in subprocess.run([str(tmp_path / "k")], capture_output=True, check=True).stdout.split()]
    size = range(12)
    memory: Memory = {("b", (i,)): 3 * i - 7 for i in size}
    memory |= {("a", (i, j)): i * j % 11 - 4 for i in size for j in size}
    memory |= {("table", (i,)): i + 1 for i in range(3)}
    execute(program.body, memory, {})
    found = [memory["b", (i,)] if j < 0 else memory["a", (i, j)] for i in size for j in range(-1, 12)]
    assert found == expected


# --- what becomes of what

PREDICTOR = """
#pragma ppnsim access(out)
void source(int *out); int transformer(int a, int b); void sink(const int *in);
void predictor(void) {
  int a[5][5];
  for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) source(&a[i][j]);
#pragma ppnsim latency(5) ii(1)
  for (int i = 1; i < 5; i++) for (int j = 1; j < 5; j++) a[i][j] = transformer(a[i - 1][j], a[i][j - 1]);
  for (int i = 1; i < 5; i++) for (int j = 1; j < 5; j++) sink(&a[i][j]);
}
"""


def test_the_predictor_is_three_calls(tmp_path: Path) -> None:
    program = load(tmp_path, PREDICTOR)[0]
    assert shown(program) == [
        "source: a[i][j] < -", "transformer: a[i][j] < a[i - 1][j], a[i][j - 1]", "sink: - < a[i][j]",
    ]  # fmt: skip
    assert [(s.function, s.latency, s.ii) for s in program.statements()] == [
        ("source", None, None), ("transformer", 5, 1), ("sink", None, None),
    ]  # fmt: skip
    assert program.array("a").role == "local"


def test_nine_calls_deep_keeps_one_array(tmp_path: Path) -> None:
    text = "void f1(int a[4]) { for (int i = 1; i < 4; i++) a[i] = a[i - 1]; }\n"
    text += "".join(f"void f{n}(int a[4]) {{ f{n - 1}(a); }}\n" for n in range(2, 10))
    program = load(tmp_path, text)[0]
    assert shown(program) == ["a: a[i] < a[i - 1]"]
    assert program.statements()[0].path == tuple(f"f{n}" for n in range(9, 0, -1))


def test_a_second_call_has_a_path_of_its_own(tmp_path: Path) -> None:
    text = "void f(int a[4]) { for (int i = 0; i < 4; i++) a[i] = 1; }\nvoid g(int x[2][4]) { f(x[0]); f(x[1]); }\n"
    assert [s.path for s in load(tmp_path, text)[0].statements()] == [("g", "f"), ("g", "f_2")]


def test_a_leaf_with_a_body_shows_what_it_reads(tmp_path: Path) -> None:
    text = """static void add(int *to, const int v[2], int w) { *to += v[1] * w; }
    void k(int a[8], int b[8][2]) { for (int i = 0; i < 8; i++) add(&a[i], b[i], i); }"""
    assert shown(load(tmp_path, text)[0]) == ["add: a[i] < a[i], b[i][1]"]


def test_const_decides_what_a_function_without_body_writes(tmp_path: Path) -> None:
    text = """#pragma ppnsim access(out)
    void f(int *o, const int t[2], int (*p)[2]); static const int lut[2] = {1, 2};
    void k(const int c[8][2], int a[8], int b[8][2]) {
      for (int i = 0; i < 8; i++) f(&a[i], c[i], &b[i]);
      a[0] = lut[1];
    }"""
    program = load(tmp_path, text)[0]
    assert shown(program) == ["f: a[i], b[i][0], b[i][1] < c[i][0], c[i][1]", "a: a[0] < lut[1]"]
    assert program.array("lut").role == "local"
    assert {program.array(name).role for name in "abc"} == {"parameter"}


def test_types_of_operations_are_those_of_clang(tmp_path: Path) -> None:
    text = "typedef float real; void k(real a[4], int b[4]) { for (int i = 0; i < 4; i++) a[i] += b[i] * 2.0; }"
    program = load(tmp_path, text)[0]
    tree = program.statements()[0].value
    assert tree is not None
    assert (tree.kind, tree.type) == ("cast", "float")
    assert (tree.operands[0].kind, tree.operands[0].type) == ("+", "double")
    assert [(a.type, a.bits) for a in program.arrays] == [("float", 32), ("int", 32)]


def test_a_member_is_its_struct_and_an_array_of_members_an_array(tmp_path: Path) -> None:
    text = """struct p { float re, im, v[3]; };
    void k(struct p a[8], struct p *q) { for (int i = 0; i < 8; i++) { a[i].re = q->im; a[i].v[i % 3] = 1; } }"""
    program = load(tmp_path, text)[0]
    assert shown(program) == ["a: a[i] < a[i], q", "a_v: a_v[i][((i) mod 3)] < -"]
    assert program.array("a").bits == 160
    assert program.array("a_v").shape == (8, 3)


def test_cpp_headers_templates_and_namespaces_go_through(tmp_path: Path) -> None:
    text = """#include <stdint.h>
    template <typename T> T twice(T x) { return x + x; }
    namespace dsp {
    constexpr int N = 8;
    void fir(const int16_t x[N + 4], int32_t y[N], const int (&h)[4]) {
      for (int i = 0; i < N; ++i) { y[i] = 0; for (int k = 0; k < 4; ++k) y[i] += h[k] * twice(x[i + k]); }
    } }"""
    program = load(tmp_path, text, "fir.cpp")[0]
    assert shown(program) == ["y: y[i] < -", "y_2: y[i] < y[i], h[k], x[i + k]"]
    assert [array.shape for array in program.arrays] == [(12,), (8,), (4,)]


def test_cpp_references_are_places(tmp_path: Path) -> None:
    text = "void k(float (&a)[8], float &s) { for (int i = 0; i < 8; i++) s += a[i]; }"
    assert shown(load(tmp_path, text, "k.cpp")[0]) == ["s: s < s, a[i]"]


POLYBENCH_H = """
#ifndef POLYBENCH_H
#define POLYBENCH_H
#include <stdlib.h>
#define POLYBENCH_1D(var, dim1, ddim1) var[POLYBENCH_CHOICE(dim1, ddim1)]
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) var[POLYBENCH_CHOICE(dim1, ddim1)][POLYBENCH_CHOICE(dim2, ddim2)]
#ifdef USE_VLA
#define POLYBENCH_CHOICE(constant, variable) variable
#else
#define POLYBENCH_CHOICE(constant, variable) constant
#endif
#define POLYBENCH_2D_DECL(var, type, d1, d2, dd1, dd2) \\
  type (*var)[d1][d2] = (type(*)[d1][d2])malloc(sizeof(type) * d1 * d2)
#define POLYBENCH_ARRAY(x) *x
void polybench_timer_start(void);
#define polybench_start_instruments polybench_timer_start();
#endif
"""
CHOLESKY = """
#include <stdio.h>
#include <math.h>
#include <polybench.h>
#ifndef N
#define N 40
#endif
#define _PB_N n
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
static void init_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int i, j;
  for (i = 0; i < n; i++) for (j = 0; j <= i; j++) A[i][j] = (DATA_TYPE)(-j % n) / n + 1;
}
static void print_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  for (int i = 0; i < n; i++) { if (i % 20 == 0) fprintf(stderr, "\\n"); fprintf(stderr, "%f", A[i][i]); }
}
static void kernel_cholesky(int n, DATA_TYPE POLYBENCH_2D(A, N, N, n, n)) {
  int i, j, k;
#pragma scop
  for (i = 0; i < _PB_N; i++) {
    for (j = 0; j < i; j++) {
      for (k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = SQRT_FUN(A[i][i]);
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = N;
  POLYBENCH_2D_DECL(A, DATA_TYPE, N, N, n, n);
  init_array(n, POLYBENCH_ARRAY(A));
  polybench_start_instruments;
  kernel_cholesky(n, POLYBENCH_ARRAY(A));
  print_array(n, POLYBENCH_ARRAY(A));
  return 0;
}
"""


@pytest.mark.parametrize("defines", [{"N": "9"}, {"N": "9", "USE_VLA": "1"}])
def test_polybench_style_goes_through_unmodified(defines: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "utilities").mkdir()
    (tmp_path / "utilities" / "polybench.h").write_text(POLYBENCH_H)
    include = [str(tmp_path / "utilities")]
    programs = load(tmp_path, CHOLESKY, "cholesky.c", defines=defines, include=include)
    assert [program.name for program in programs] == ["kernel_cholesky"]
    assert programs[0].array("A").shape == (9, 9)
    assert shown(programs[0]) == [
        "A: A[i][j] < A[i][j], A[i][k], A[j][k]", "A_2: A[i][j] < A[i][j], A[j][j]",
        "A_3: A[i][i] < A[i][i], A[i][k], A[i][k]", "A_4: A[i][i] < A[i][i]",
    ]  # fmt: skip


def test_settings_bind_parameters_and_globals(tmp_path: Path) -> None:
    text = "int m; void k(int n, int a[n][n]) { for (int i = 0; i < m; i++) a[i][n - 1] = n; }"
    program = load(tmp_path, text, settings={"n": 6, "m": 4})[0]
    assert program.array("a").shape == (6, 6)
    assert shown(program) == ["a: a[i][5] < -"]


def test_marked_kernels_are_the_only_ones(tmp_path: Path) -> None:
    one = "void {}(int a[4]) {{ for (int i = 0; i < 4; i++) a[i] = 0; }}\n"
    text = one.format("f") + "#pragma ppnsim kernel latency(2)\n" + one.format("g") + one.format("h")
    programs = load(tmp_path, text)
    assert [(p.name, [s.latency for s in p.statements()]) for p in programs] == [("g", [2])]


def test_conditions_are_those_of_the_source(tmp_path: Path) -> None:
    text = "void k(int a[9]) { for (int i = 0; i < 9; i++) if (i % 3 == 1 || i > 6) a[i] = 0; }"
    _, around, _ = next(load(tmp_path, text)[0].placed())
    assert not isinstance(around[1], Loop)
    assert isl_text(around[1]) == "(((i) mod 3) - 1 = 0 or i - 7 >= 0)"


def test_stub_headers_stand_in_for_a_missing_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ppnsim.c.clang import library

    library.header_arguments.cache_clear()
    monkeypatch.setattr(library, "_gcc_headers", lambda: "")
    names = ("stddef", "stdint", "stdio", "stdlib", "math", "string", "stdbool", "assert", "limits", "float", "time")
    text = "".join(f"#include <{name}.h>\n" for name in (*names, "sys/time", "inttypes", "unistd"))
    text += "void k(int32_t a[4], bool b) { for (size_t i = 0; i < 4; i++) a[i] = b ? (int)sqrt(2.0) : INT_MAX; }"
    try:
        assert shown(load(tmp_path, text)[0]) == ["a: a[i] < b"]
    finally:
        library.header_arguments.cache_clear()


def test_elements_of_a_std_array_are_those_of_an_array(tmp_path: Path) -> None:
    text = (
        "#include <array>\nvoid k(std::array<int, 5> &a, int b[5])\n"
        "{ for (int i = 0; i < a.size(); i++) b[i] = a[i] + a.front() * a.back() - a.at(2); }\n"
    )
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.cpp"), function="k")
    assert firings(program) == {"b": 5}
    assert [str(read) for read in next(iter(program.statements())).reads] == ["a[i]", "a[0]", "a[4]", "a[2]"]


def test_a_long_array_in_a_struct_is_copied_by_a_loop_and_by_the_right_struct(tmp_path: Path) -> None:
    text = "struct S { int v[80]; int n; };\nvoid k(struct S in[2], struct S out[2])\n"
    (tmp_path / "k.c").write_text(f"{text}{{ for (int i = 0; i < 2; i++) out[i] = in[1 - i]; }}\n", encoding="utf-8")
    (program,) = load_programs(str(tmp_path / "k.c"), function="k", policy=HARDWARE)
    assert firings(program) == {"out_v": 160, "out": 2}
    copied = next(each for each in program.statements() if each.name == "out_v")
    assert [str(each) for each in (*copied.reads, *copied.writes)] == ["in_v[-i + 1][copy]", "out_v[i][copy]"]


def test_numbers_of_an_initialiser_are_there_before_the_start_unless_a_loop_sets_them_anew(tmp_path: Path) -> None:
    body = "b[i] = {}[i] + 1;"
    before, inside, after = (f"int {name}[2] = {{3, 4}};" for name in ("t", "u", "v"))
    loop = f"for (int i = 0; i < 2; i++) {{ {inside} {body.format('t')} {body.format('u')} }}"
    again = f"for (int i = 0; i < 2; i++) {{ {body.format('v')} }}"
    (program,) = load(tmp_path, f"void k(int b[2]) {{ {before} {loop} {after} {again} }}")
    written = [access.array for statement in program.statements() for access in statement.writes]
    assert written == ["u", "u", "b", "b", "b"]


@pytest.mark.parametrize("change", ["", "t[1] = 5;", "t[1]++;", "int *p = &t[1]; *p = 5;", "f(t);"])
def test_a_table_in_a_subscript_is_its_numbers_unless_something_may_change_them(change: str, tmp_path: Path) -> None:
    text = "void f(int t[3]);\nvoid k(int a[9]) { {0} {1} for (int i = 0; i < 2; i++) a[t[1] + i] = i; }"
    own = text.replace("{0}", "int t[3] = {2, 4, 6};").replace("{1}", change)
    if change:
        with pytest.raises(
            InputError, match=r"k\.c:2:\d+: subscript 'a\[t\[1\] \+ i\]' is not affine: it depends on data"
        ):
            load(tmp_path, own, function="k")
        return
    for kind in ("", "const ", "static const "):
        (program,) = load(tmp_path, own.replace("int t[3] =", f"{kind}int t[3] ="), function="k")
        assert [str(access) for each in program.statements() for access in each.writes] == ["a[i + 4]"]


@pytest.mark.parametrize(
    ("subscript", "words"),
    [
        ("~i", "'~' is not a sum, a difference, or a product with a constant"),
        ("i | 1", "'|' is not a sum, a difference, or a product with a constant"),
        ("j++", "'j++' changes a variable inside an expression"),
        ("--j", "'--j' changes a variable inside an expression"),
        ("j = i", "'j = i' changes a variable inside an expression"),
        ("f(i)", "the value of a function call, 'f(i)', is not known before it runs"),
        ("b[i]", "it depends on data ('b[i]')"),
        ("(int)x", "'x' is not a whole number"),
    ],
)
def test_why_a_subscript_is_not_affine_is_said_of_each_kind(subscript: str, words: str, tmp_path: Path) -> None:
    loop = f"for (int i = 0; i < 8; i++) a[{subscript}] = 1;"
    text = f"int f(int);\nvoid k(int a[9], int b[9], float x) {{ int j = 0; {loop} }}"
    with pytest.raises(InputError) as refused:
        load(tmp_path, text, function="k")
    assert f" is not affine: {words}; for timing alone" in str(refused.value)


def test_nodes_of_some_kinds_are_found_wherever_they_are(tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    source.write_text("int f(int x) { return x; }\nvoid k(int *a) { for (;;) if (f(a[0]++)) a[1] = -f(2); }\n")
    body = parse(str(source), {}, ()).functions["k"].body
    assert body is not None
    every = list(body.walk())
    kinds: tuple[Kind, ...]
    for kinds in combinations({each.kind for each in every}, 2):
        assert list(body.walk(*kinds)) == [each for each in every if each.kind in kinds]
    inner = replace(every[-1], kind="token")  # a node that is made of another one knows what it holds itself
    assert list(replace(body, children=(*body.children, inner)).walk("token")) == [inner]
