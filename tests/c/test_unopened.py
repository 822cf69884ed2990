"""Forms of repositories that were scored before anybody opened them: each was refused, or read as something else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.c.clang.library import STUBS
from ppnsim.hls.schedule.model import StateMachine


def machine(folder: Path, text: str) -> StateMachine:
    path = folder / "k.cpp"
    path.write_text(text, encoding="utf-8")
    return schedule(path, function="k").kernels[0].machine


def trips(folder: Path, text: str) -> list[int]:
    return [nest.iterations for nest in machine(folder, text).nests]


BITS = """#include "ap_int.h"
void put(ap_int<24> *to, ap_int<8> x, unsigned at) { to->range(8 * at + 7, 8 * at) = x; }
struct pair { ap_int<24> value; int other; };
void k(ap_int<8> p[3], ap_int<24> *out) {
    pair one;
    for (unsigned i = 0; i < 3; i++) {
#pragma HLS unroll
        put(&one.value, p[i], i);
    }
    *out = one.value;
}
"""


def test_bits_are_put_into_a_member_behind_a_pointer(tmp_path: Path) -> None:
    direct = BITS.replace("put(&one.value, p[i], i);", "one.value.range(8 * i + 7, 8 * i) = p[i];")
    (tmp_path / "direct").mkdir()
    assert machine(tmp_path, BITS).cycles == machine(tmp_path / "direct", direct).cycles == 2


def test_whole_numbers_made_of_reals_are_constants(tmp_path: Path) -> None:
    bounds = {"ROWS": 2, "HALF": 5, "local": 10}  # as g++ -O2 -S has them
    loops = "".join(f"for (int i = 0; i < {name}; i++) a[i] += i;\n" for name in bounds)
    text = f"const int ROWS = 2.9, HALF = 0.1 * 50;\nvoid k(int a[64]) {{\nconst short local = 7 * 1.5;\n{loops}}}\n"
    assert trips(tmp_path, text) == [*bounds.values()]


COUNTS = {  # iterations from i = 0 on, where n is 5
    "i < ceil(log2(n))": 3, "i <= log2(n)": 3, "i < 7.5": 8, "2.5 >= i": 3, "i < ceil(log2(n)) - 1": 2,
    "i < (int)(n * 1.5 + sqrt(4))": 9, "i < floor(n / 2.0f)": 2, "i < (int)pow(2, n)": 32,
    "i < (unsigned)(0.7f * 10)": 7,  # as a product of doubles it would be 6.999..
}  # fmt: skip


def test_bounds_that_are_reals_of_constants_are_known(tmp_path: Path) -> None:
    loops = "".join(f"for (unsigned i = 0; {each}; i++) a[i] += i;\n" for each in COUNTS)
    text = f"#include <math.h>\nvoid f(int *a, const unsigned n) {{\n{loops}}}\nvoid k(int a[64]) {{ f(a, 5); }}\n"
    assert trips(tmp_path, text) == [*COUNTS.values()]


TESTS = {  # with what is constant: as C++ has them
    "c > 2": True, "c > 2.75": False, "2 * c == 5": True, "f < 2.25f": True, "F == 2": False,
    "u.range(7, 4) == 5": True, "u[0]": False, "u(3, 1) == 5 && u.test(1)": True, "(ap_fixed<8, 4>(1.5) < c)": True,
}  # fmt: skip


def test_tests_of_constants_are_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = "for (int i = 0; i < {}; i++) a[i] += i;"
    loops = "".join(f"if ({each}) {loop.format(7)} else {loop.format(9)}\n" for each in TESTS)
    text = '#include "ap_fixed.h"\nstatic const double F = 1.5;\nvoid k(int a[64]) {\n'
    text += f"const ap_fixed<8, 4> c = 2.5; const float f = 1.5f; const ap_uint<8> u = 0x5a;\n{loops}}}\n"
    assert trips(tmp_path, text) == [7 if holds else 9 for holds in TESTS.values()]
    assert "data decides" not in capsys.readouterr().err
    rounded = "const ap_ufixed<8, 4, AP_RND, AP_SAT> c = 33.5;"  # which modes there are is not known: data, said
    assert trips(
        tmp_path, f"{text.partition('const')[0]}void k(int a[64]) {{ {rounded}\n{loops.splitlines()[0]} }}"
    ) == [9]
    assert "data decides" in capsys.readouterr().err


def test_the_counts_of_such_bounds_are_those_of_a_compiler(tmp_path: Path) -> None:
    each = "".join(f"for (i = 0; {one}; i++);\nif (i != {count}) return {count};\n" for one, count in COUNTS.items())
    text = f"#include <math.h>\nint main() {{ const unsigned n = 5; unsigned i;\n{each}return 0; }}\n"
    (tmp_path / "v.cpp").write_text(text, encoding="utf-8")
    subprocess.run(["g++", "-o", str(tmp_path / "v"), str(tmp_path / "v.cpp")], check=True)
    assert subprocess.run([str(tmp_path / "v")], check=False).returncode == 0


def test_a_bound_that_is_a_real_of_data_is_still_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # of a number that changes behind it, a constant is not what that number would make of it by now
    changed = "int m = 4; const float lim = m * 1.0f; m = 8; for (int i = 0; i < lim; i++) a[i] += m;"
    for loop in ("for (int i = 0; i < ceil(log2(n)); i++) a[i] += i;", changed):
        machine(tmp_path, f"#include <math.h>\nvoid k(int a[64], int n) {{ {loop} }}\n")
        assert "is data or a parameter without a value" in capsys.readouterr().err


TEXTS = """int put(char *to, const char *from) {
    int n = 0;
    for (int i = 0; i < 3; i++) { to[i] = from[i]; n += from[i]; }
    return n;
}
int k(char to[8]) {
    const char *unused = "name";
    return put(to, "YES") + put(to, "YES");
}
"""


def test_a_text_is_a_constant_array_of_letters(tmp_path: Path) -> None:
    table = TEXTS.replace("int k(", "const char YES[4] = {'Y', 'E', 'S', 0};\nint k(").replace('"YES"', "YES")
    (tmp_path / "table").mkdir()
    found, known = machine(tmp_path, TEXTS), machine(tmp_path / "table", table)
    assert (found.cycles, [each.iterations for each in found.nests]) == (known.cycles, [3, 3])


def test_bits_that_are_set_are_counted(tmp_path: Path) -> None:
    text = '#include "ap_int.h"\nint k(ap_uint<24> x) { return __builtin_popcount(x) + __builtin_parityll(x); }\n'
    assert machine(tmp_path, text).cycles <= 2
    values = """#include "ppnsim_bits.h"
#undef __builtin_popcount
#undef __builtin_popcountll
int main() {
    unsigned long long x = 1;
    for (int i = 0; i < 4000; i++, x = x * 6364136223846793005ull + 1442695040888963407ull)
        if (ppnsim_popcount((unsigned)x) != __builtin_popcount((unsigned)x)
            || ppnsim_popcountll(x) != __builtin_popcountll(x)) return 1;
    return ppnsim_popcount(~0u) != 32 || ppnsim_popcountll(~0ull) != 64;
}
"""
    (tmp_path / "v.cpp").write_text(values, encoding="utf-8")
    words = ["g++", "-w", "-I", str(STUBS / "vendor"), "-o", str(tmp_path / "v"), str(tmp_path / "v.cpp")]
    subprocess.run(words, check=True)
    assert subprocess.run([str(tmp_path / "v")], check=False).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        # printed by a source whose headers bring iostream with them at the vendor's (skamat95 VivadoHLS, Correlator)
        '#include "ap_int.h"\nusing namespace std;\nvoid k(int a[4]) { a[0] = 1; cout << "a" << a[0] << endl; }\n',
        '#include "ap_int.h"\nvoid k(int a[4]) { a[0] = 1; std::cout << a[0]; }\n',
        # a pointer to nothing as C++ had it before 2011 (cFDK, FMC)
        "void f(char *s) { if (s == '\\0') return; s[0] = 1; }\nvoid k(char a[4]) { f(a); }\n",
        # NULL and ap_wait of sources that include hls_stream.h alone (hls_gigabit_tcp, ros2rapper)
        '#include "hls_stream.h"\nint f(int *p) { return p != NULL; }\nvoid k(int a[4]) { a[0] = f(NULL); }\n',
        '#include "hls_stream.h"\nvoid k(int a[4]) { ap_wait(); a[0] = 1; }\n',
        "#pragma HSL RESET variable=a\nvoid k(int a[4]) { a[0] = 1; }\n",
    ],
)
def test_what_other_compilers_read_is_read(tmp_path: Path, text: str) -> None:
    assert machine(tmp_path, text).cycles <= 2


def test_the_exponential_of_the_older_header_is_that_of_hls_math(tmp_path: Path) -> None:
    text = '#include "HEADER"\ntypedef ap_fixed<16, 8> t;\nt k(t x) { return SPACE::exp(x); }\n'
    old = text.replace("HEADER", "hls_exp_apfixed.h").replace("SPACE", "exp_reduce")
    new = text.replace("HEADER", "hls_math.h").replace("SPACE", "hls").replace("#i", '#include "ap_fixed.h"\n#i', 1)
    (tmp_path / "new").mkdir()
    assert machine(tmp_path, old).cycles == machine(tmp_path / "new", new).cycles > 0


def test_headers_may_include_each_other_by_the_folder_above(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for one, other in (("x.h", "y.h"), ("y.h", "x.h")):
        text = f'#ifndef {one[0]}_h\n#define {one[0]}_h\n#include "../a/{other}"\n'
        text += '#define P(X) _Pragma("HLS pipeline")\n#endif\n'
        (tmp_path / "a" / one).write_text(text, encoding="utf-8")
    assert machine(tmp_path, '#include "a/x.h"\nvoid k(int a[4]) { a[0] = 1; }\n').cycles <= 1
