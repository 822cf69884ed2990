"""Code in the clothes that benchmark suites wear: it goes through, or is refused by name, and stops nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ppnsim.c.clang.library import STUBS
from ppnsim.c.load import load_kernels, load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.cli.app import app
from ppnsim.derive.derive import derive
from ppnsim.errors import InputError
from ppnsim.loops.polyhedra import check_bounds


def written(tmp_path: Path, text: str, name: str = "k.c") -> str:
    file = tmp_path / name
    file.write_text(text)
    return str(file)


def shown(tmp_path: Path, text: str, name: str = "k.c", **options: object) -> list[str]:
    """Each statement of the first kernel as ``what it writes < what it reads``."""
    program = load_programs(written(tmp_path, text, name), **options)[0]  # type: ignore[arg-type]
    return [f"{', '.join(map(str, s.writes))} < {', '.join(map(str, s.reads))}" for s in program.statements()]


def refusal(tmp_path: Path, text: str, name: str = "k.c", **options: object) -> str:
    with pytest.raises(InputError) as caught:
        load_programs(written(tmp_path, text, name), **options)  # type: ignore[arg-type]
    return str(caught.value)


def ppnsim(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


# -- what is around a kernel ------------------------------------------------------------------------------------------


def test_a_source_without_loops_is_the_function_that_nobody_calls_for_hardware_only(tmp_path: Path) -> None:
    text = "void helper(int *a) { a[1] = 2; }\nvoid top(int a[2]) { a[0] = 1; helper(a); }\n"
    (program,) = load_programs(written(tmp_path, text), policy=HARDWARE)
    assert (program.name, [str(s.writes[0]) for s in program.statements()]) == ("top", ["a[0]", "a[1]"])
    assert "no kernel in it: no function with a for loop" in refusal(tmp_path, text)


def test_an_argument_that_a_call_leaves_out_has_its_value_from_the_declaration(tmp_path: Path) -> None:
    text = """static int add(int a, int b = 3, int c = 1) { return a + b * c; }
void k(int x[4], int y[4]) { for (int i = 0; i < 4; i++) y[i] = add(x[i]) + add(x[i], 5); }"""
    (program,) = load_programs(written(tmp_path, text, "k.cpp"), policy=HARDWARE)
    values = [each for s in program.statements() for each in (s.value.walk() if s.value else ())]
    assert [each.text for each in values if each.kind == "constant"] == ["3", "1", "5", "1"]


@pytest.mark.parametrize(
    ("pointer", "read"),
    [
        ("int *p = &a[2][0];", "a[?][?], idx[i]"),
        ("int *p = a[2];", "a[2][?], idx[i]"),  # named as a row, it stays in that
        ("int *p = &b[2];", "b[?], idx[i]"),
        ("int *p = b + idx[i];", "b[?], p, idx[i]"),  # the offset is what it was where the pointer was set
    ],
)
def test_behind_a_pointer_to_an_element_of_rows_the_row_is_unknown_too(pointer: str, read: str, tmp_path: Path) -> None:
    head = "void k(int a[4][8], int b[8], int c[8], int idx[8])"
    text = f"{head} {{ for (int i = 0; i < 8; i++) {{ {pointer} c[i] = p[idx[i]]; }} }}"
    assert shown(tmp_path, text, policy=HARDWARE)[-1] == f"c[i] < {read}"


def test_what_is_no_value_is_returned_after_it(tmp_path: Path) -> None:
    text = """void f(int *a) { a[0] = 1; }
void g(int *a, int n) { if (n > 3) return f(a); return f(a + n); }
void k(int a[4], int n) { for (int i = 0; i < 4; i++) g(a, n); }"""
    plain = text.replace("return f(a); return", "{ f(a); return; }")
    assert shown(tmp_path, text, policy=HARDWARE) == shown(tmp_path, plain, policy=HARDWARE)


LINE = """typedef int state[2][4];
void sub(state *s) { for (int i = 0; i < 2; i++) for (int j = 0; j < 4; j++) (*s)[i][j] += i; }
void mix(state *s, int m[][4]) { sub(s); for (int j = 0; j < 4; j++) { (*s)[0][j] ^= (*s)[1][j]; m[1][j] = 0; } }
void k(int a[8], int b[8]) { mix((state *)a, (int (*)[4])b); }"""


def test_a_line_that_is_handed_as_rows_is_accessed_as_a_line(tmp_path: Path) -> None:
    plain = LINE.replace("state *s", "int *s").replace("(*s)[i][j]", "s[4 * i + j]").replace("(int *s)a", "a")
    plain = plain.replace("(*s)[0][j]", "s[j]").replace("(*s)[1][j]", "s[4 + j]").replace("int m[][4]", "int *m")
    plain = plain.replace("m[1][j]", "m[4 + j]").replace("(state *)", "").replace("(int (*)[4])", "")
    found = shown(tmp_path, LINE, "l.cpp", policy=HARDWARE)
    assert found == shown(tmp_path, plain, "p.cpp", policy=HARDWARE)
    kept = LINE.replace("void k(int a[8]", "void g(state *s) { state *t = s; (*t)[0][0] = 1; }\nvoid k(int a[8]")
    assert "must keep its dimensions" in refusal(
        tmp_path, kept.replace("mix((state *)a, ", "g((state *)a); mix((state *)b, "), "k.cpp"
    )


SUITE = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <math.h>
#define N 6
typedef float real_t;
static double seconds(void) { struct timeval t; gettimeofday(&t, NULL); return t.tv_sec + t.tv_usec * 1e-6; }
static void fill(real_t *x) { for (int i = 0; i < N * N; i++) x[i] = (real_t)i / N; }
static void check(real_t *x) { int wrong = 0; for (int i = 0; i < N * N; i++) if (fabs(x[i]) > 1e-6) wrong++; }
static void show(real_t *x) { for (int i = 0; i < N; i++) printf("%f%s", x[i], i % 20 ? " " : "\\n"); }
static int depth(int n) { int d = 0; for (int i = 0; i < n; i++) d += depth(n - 1); return d; }
void smooth(real_t *x, real_t *y) { for (int i = 1; i < N * N - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3; }
int main(int argc, char **argv)
{
    real_t *x, *y = (real_t *)malloc(N * N * sizeof(real_t));
    double start;
    x = (real_t *)calloc(N * N, sizeof *x);
    fill(x);
    start = seconds();
    smooth(x, y);
    fprintf(stderr, "%f\\n", seconds() - start);
    if (argc > 42) show(y);
    check(y);
    for (int i = 0; i < depth(2); i++) puts(argv[i]);
    free(x); free(y);
    return 0;
}
"""


def test_what_cannot_be_analysed_does_not_stop_what_can(tmp_path: Path) -> None:
    found = load_kernels(written(tmp_path, SUITE))
    assert [program.name for program in found.programs] == ["fill", "smooth"]
    reasons = {each.function: each.reason for each in found.skipped}
    assert set(reasons) == {"check", "depth", "main", "show"}
    assert ":10:83: condition 'fabs(x[i]) > 1e-06' is not affine" in reasons["check"]
    assert "recursion: depth -> depth" in reasons["depth"]
    assert "prints in a loop; choose it with --function" in reasons["show"]


def test_the_caller_says_how_much_a_pointer_points_to(tmp_path: Path) -> None:
    smooth = load_programs(written(tmp_path, SUITE), function="smooth")[0]
    assert [(array.name, array.shape) for array in smooth.arrays] == [("x", (36,)), ("y", (36,))]


def test_profile_says_in_json_what_is_skipped(tmp_path: Path) -> None:
    answer = ppnsim("profile", written(tmp_path, SUITE), "--json", "-")
    assert answer.exit_code == 0
    entries = json.loads(answer.stdout)["kernels"]
    assert [entry["function"] for entry in entries] == ["fill", "smooth"]
    assert [each["function"] for each in entries[0]["skipped"]] == ["check", "depth", "main", "show"]
    assert "skipped check: " in answer.stderr


def test_what_is_asked_for_is_not_skipped(tmp_path: Path) -> None:
    assert "condition 'fabs(x[i]) > 1e-06'" in refusal(tmp_path, SUITE, function="check")
    marked = SUITE.replace("static void check", "#pragma ppnsim kernel\nstatic void check")
    assert "condition 'fabs(x[i]) > 1e-06'" in refusal(tmp_path, marked)


def test_if_nothing_can_be_analysed_the_first_reason_is_given_and_the_others_named(tmp_path: Path) -> None:
    text = "void f(int a[4], int n) { while (n) a[0] = n; }\nvoid g(int a[4]) { for (int i = 0; a[i]; i++) a[i] = 0; }"
    message = refusal(tmp_path, text)
    assert message.startswith("f: ") and ":1:27: a while loop in kernel 'f'" in message
    assert message.endswith("(nor can the other functions with loops be analysed: 'g')")


@pytest.mark.parametrize("command", [["profile", "--unfold", "zz=3"], ["schedule", "--pragma", "zz"]])
def test_every_reason_for_several_functions_names_its_function(command: list[str], tmp_path: Path) -> None:
    loop = "(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }"
    answer = ppnsim(*command, written(tmp_path, f"void first{loop}\nvoid second{loop}\n"))
    assert answer.exit_code == 2
    *_, last = answer.stderr.strip().splitlines()
    reasons = last.partition(": ")[2].split("; ")
    assert [reason.partition(": ")[0] for reason in reasons] == ["first", "second"]


def test_a_main_that_computes_and_prints_is_the_kernel(tmp_path: Path) -> None:
    text = """#include <stdio.h>
    int main(void) { double a[4][4], b[4];
      for (int i = 0; i < 4; i++) { b[i] = 0; for (int j = 0; j < 4; j++) b[i] += a[i][j]; }
      for (int i = 0; i < 4; i++) printf("%f", b[i]); }"""
    assert shown(tmp_path, text) == ["b[i] < ", "b[i] < b[i], a[i][j]"]


def test_a_scop_in_main_sees_what_is_set_before_it(tmp_path: Path) -> None:
    text = """#include <stdlib.h>
    #define TIMED(x) x;
    double now(void);
    int main(void) { int n, i; double *a, start; n = 5; a = malloc(sizeof(double) * 10); double *row = &a[n];
      for (i = 0; i < 10; i++) a[i] = rand();
      TIMED(start = now())
    #pragma scop
      for (i = 1; i < n; i++) row[i] = row[i - 1] * 2;
    #pragma endscop
      TIMED(start = now() - start)
      return start > 1; }"""
    assert shown(tmp_path, text) == ["a[i + 5] < a[i + 4]"]


# -- constructs -------------------------------------------------------------------------------------------------------


def test_array_casts_with_sizes_of_variables_are_seen_through(tmp_path: Path) -> None:
    text = """#include <stdlib.h>
    void *get(unsigned long n, int size);
    void k(int n) { double (*a)[n][n]; a = (double (*)[n][n])malloc(8 * n * n);
      for (int i = 0; i < n; i++) (*a)[i][0] = 1; get(1, 2); }"""
    program = load_programs(written(tmp_path, text), settings={"n": 3})[0]
    assert program.array("a").shape == (1, 3, 3)


def test_an_allocation_of_unknown_size_is_an_array_without_shape(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nvoid k(int m[4]) { int *a = malloc(m[0]); for (int i = 0; i < 4; i++) a[i] = 0; }"
    assert ":2:29: array without shape: 'a' is what 'malloc(m[0])' returns" in refusal(tmp_path, text)


def test_a_pointer_that_moves_from_turn_to_turn_is_refused(tmp_path: Path) -> None:
    text = "void k(int a[4], int b[4]) { int *p = a; for (int i = 0; i < 4; i++) { p[i] = i; p = b; } }"
    assert "pointer arithmetic in 'p = b': where 'p' points is then not known at each use" in refusal(tmp_path, text)


def test_templates_and_overloads_are_functions_of_their_own(tmp_path: Path) -> None:
    text = """
    template <int R, typename T> void copy(T (&to)[R], T (&from)[R]) { for (int i = 0; i < R; i++) to[i] = from[i]; }
    static void add(float a[3]) { for (int i = 0; i < 3; i++) a[i] += 1; }
    static void add(int a[5]) { for (int i = 0; i < 5; i++) a[i] += 2; }
    void k(float (&x)[3], int (&y)[5]) {
      float a[3]; int b[5]; copy<3>(a, x); copy(b, y); add(a); add(b); copy(y, b); }"""
    program = load_programs(written(tmp_path, text, "k.cpp"))[0]
    assert [(process.name, process.firings) for process in derive(program).processes] == [
        ("a", 3), ("b", 5), ("a_2", 3), ("b_2", 5), ("y", 5),
    ]  # fmt: skip


def test_a_method_without_a_body_is_a_function_of_its_object(tmp_path: Path) -> None:
    text = """template <class T> class stream { public: T read(); };
    void k(stream<int> &in, int a[4]) { for (int i = 0; i < 4; i++) a[i] = in.read(); }"""
    assert shown(tmp_path, text, "k.cpp") == ["a[i], in < in"]


def test_errors_in_headers_of_the_system_are_not_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vendor.h").write_text("int broken(int) __attribute__((__malloc__(free, 1)));\nint fine(int x);\n")
    monkeypatch.setattr("ppnsim.c.clang.parser.header_arguments", lambda: ("-isystem", str(tmp_path)))
    text = "#include <vendor.h>\nvoid k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = fine(i); }"
    assert shown(tmp_path, text) == ["a[i] < "]


@pytest.mark.parametrize("name", ["k.c", "k.cpp"])
def test_glibc_declares_no_functions_of_further_types(name: str, tmp_path: Path) -> None:
    """They are most of its <math.h>, and the time to read it; the types are there."""
    text = "#include <math.h>\n_Float64 sinf64(int a[4]);\n"
    text += "void k(_Float32 x[4]) { for (int i = 0; i < 4; i++) x[i] = sqrtf(x[i]); }\n"
    (program,) = load_programs(written(tmp_path, text, name))
    assert [array.name for array in program.arrays if array.type == "float"] == ["x"]


@pytest.mark.parametrize("name", ["register_t", "error_t"])
def test_a_type_that_the_system_calls_so_is_that_of_the_source(name: str, tmp_path: Path) -> None:
    beside = "#include <gmp.h>\n#include <sds_lib.h>\n#include <systemc.h>\n"
    written(tmp_path, f"{beside}struct {name} {{ int a; }};\n", "own.h")
    head = "#include <stdlib.h>\n#include <errno.h>\n#include <iostream>\n#include <hls_half.h>\n"
    body = f"void k({name} x[8], half y[8]) {{ for (int i = 0; i < 8; i++) {{ y[i] = x[i].a; std::cout << y[i]; }} }}"
    text = f'{head}#include "own.h"\n{body}\n'
    assert load_programs(written(tmp_path, text, "k.cpp"), policy=HARDWARE, function="k")[0].name == "k"


def test_complex_numbers_are_data(tmp_path: Path) -> None:
    text = "#include <complex.h>\nvoid k(double complex a[4]) { for (int i = 0; i < 4; i++) a[i] = cexp(-I * a[i]); }"
    assert shown(tmp_path, text) == ["a[i] < a[i]"]


@pytest.mark.parametrize(("suffix", "leave_out"), [("c", ()), ("cpp", ("complex.h",))])
def test_every_stub_header_can_be_included(
    suffix: str, leave_out: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(f.relative_to(STUBS)) for f in STUBS.rglob("*") if f.is_file()]
    names = sorted(n for n in names if n not in leave_out and (suffix == "cpp" or n.endswith(".h")))
    assert {"math.h", "omp.h", "sys/time.h", "unistd.h"} < set(names)
    own = "".join(f"#include <{name}>\n" for name in names)
    own += "void k(double a[4]) { double t = omp_get_wtime(); for (int i = 0; i < 4; i++) a[i] = sqrt(a[i]) + M_PI; }"
    monkeypatch.setattr("ppnsim.c.clang.parser.header_arguments", lambda: ("-nostdinc", "-isystem", str(STUBS)))
    assert shown(tmp_path, own, f"k.{suffix}") == ["a[i] < a[i]"]


# -- bad input --------------------------------------------------------------------------------------------------------


def test_a_very_long_expression_is_refused_and_a_long_one_is_not(tmp_path: Path) -> None:
    def text(terms: int) -> str:
        return f"void k(int a[4]) {{ for (int i = 0; i < 4; i++) a[i] = {' + '.join(['a[i]'] * terms)}; }}"

    assert len(load_programs(written(tmp_path, text(200)))[0].statements()[0].reads) == 200
    assert "k.c:1:55: more than 256 operators or blocks inside each other" in refusal(tmp_path, text(5000))


def test_a_macro_that_the_source_defines_by_itself_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    source.write_text("#define N 16\nvoid f(int a[N]) { for (int i = 0; i < N; i++) a[i] = i; }\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"k.c:1:9: the file defines 'N' itself: put #ifndef N around it"):
        load_kernels(str(source), defines={"N": "4"})
    assert load_kernels(str(source), defines={"N": "16"})  # the same value changes nothing


def test_a_setting_that_nothing_has_is_refused_and_a_macro_need_not_be_used(tmp_path: Path) -> None:
    text = "int width = 4;\nvoid k(int rows, int a[rows]) { for (int i = 0; i < rows; i++) a[i] = width; }"
    assert shown(tmp_path, text, settings={"rows": 3, "width": 2}, defines={"UNUSED": "1"}) == ["a[i] < "]
    message = refusal(tmp_path, text.replace("int rows", "unsigned char rows"), settings={"rows": -3})
    assert "'rows' = -3: a value of type 'unsigned char' is from 0 to 255" in message
    assert "'width' = 2147483648: a value of type 'int' is" in refusal(tmp_path, text, settings={"width": 1 << 31})
    message = refusal(tmp_path, text, settings={"rosw": 3})
    assert "no integer parameter and no global variable is called 'rosw' (did you mean 'rows'?)" in message
    assert (
        refusal(tmp_path, text, defines={"-foo": "1"})
        == "-D: '-foo' is not the name of a macro (letters, digits and _)"
    )


STRUCT = "typedef struct {{ int v[4]; int n; }} S;\nvoid f(S *s);\n"
STRUCT += "void k(S s[4], S r[4], int out[4]) {{ for (int i = 0; i < 4; i++) {{ {} }} }}"


@pytest.mark.parametrize(
    ("body", "copied"),
    [
        ("S t = s[i]; out[i] = t.v[0];", "t = s[i]"),
        ("s[i].v[2] = i; r[i] = s[i];", "r[i] = s[i]"),
        ("f(&s[i]); out[i] = s[i].v[1];", "f(&s[i])"),
    ],
)
def test_a_struct_copied_beside_its_arrays_is_refused(body: str, copied: str, tmp_path: Path) -> None:
    message = refusal(tmp_path, STRUCT.format(body))
    assert f"'{copied}' copies a struct" in message
    assert "its array 'v' is accessed on its own" in message


def test_a_struct_copied_as_one_token_goes_through(tmp_path: Path) -> None:
    assert shown(tmp_path, STRUCT.format("s[i].n = i; r[i] = s[i];")) == ["s[i] < s[i]", "r[i] < s[i]"]


def test_derive_and_profile_refuse_the_same_access_outside_its_array(tmp_path: Path) -> None:
    text = """void k(int a[8], int b[8]) {
      for (int i = 6; i >= 0; i--) for (int j = 7; j >= i; j -= 3) a[i + 1] = b[j] + a[i + j - 3]; }"""
    file = written(tmp_path, text)
    reason = "a[i + j - 3]' is outside 'a[8]' at i = 6, j = 7"
    assert reason in ppnsim("profile", file).stderr
    answer = ppnsim("derive", file, "-o", str(tmp_path / "net.json"))
    assert (answer.exit_code, reason in answer.stderr) == (2, True)
    check_bounds(
        load_programs(written(tmp_path, text.replace("- 3]", "- 6]").replace("i = 6; i >= 0", "i = 6; i >= 3")))[0]
    )


def test_long_chains_of_branches_are_refused_with_a_remedy_that_fits(tmp_path: Path) -> None:
    tests = [f"if (a[i] == {value}) y += {value};" for value in range(300)]
    body = "void k(int a[4], int y) {{ for (int i = 0; i < 4; i++) {{ {} }} }}"
    chain = refusal(tmp_path, body.format(" else ".join(tests)))
    assert "blocks inside each other; divide the chain of else if, as in if (x < 100) {..} else {..}" in chain
    cases = " ".join(f"case {value}: y += {value}; break;" for value in range(300))
    switch = refusal(tmp_path, body.format(f"switch (a[i]) {{ {cases} }}"), policy=HARDWARE)
    assert "a switch of 300 cases (at most 200): divide it, as in if (x < 100) switch .. else switch .." in switch
