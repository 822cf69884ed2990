"""Algorithms of the standard library are the loops that their definitions give."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError

HEAD = "#include <algorithm>\n#include <array>\n#include <numeric>\n"
KERNEL = "void {}(int a[64], int b[64], float f[64], int c[8], int n) {{ int t[64]; std::array<int, 16> r; {} }}\n"
LOOP = "for (int i = 0; i < {}; i++) {{ {} }}"


FORMS = {
    "std::fill(b, b + 64, a[3]);": "int v = a[3]; " + LOOP.format(64, "b[i] = v;"),
    "std::fill_n(&b[8], 16, 1);": LOOP.format(16, "b[8 + i] = 1;"),
    "std::copy(a + 4, a + 20, b);": LOOP.format(16, "b[i] = a[4 + i];"),
    "std::copy_n(a, n, b);": LOOP.format("n", "b[i] = a[i];"),
    "std::copy(a, a + n, b + 2);": LOOP.format("n", "b[2 + i] = a[i];"),
    "std::iota(b, b + 32, 5);": LOOP.format(32, "b[i] = 5 + i;"),
    "c[0] = std::accumulate(a, a + 64, c[1]);": "int s = c[1]; " + LOOP.format(64, "s += a[i];") + " c[0] = s;",
    "f[0] = std::accumulate(f, f + 64, 0.0f);": "float s = 0; " + LOOP.format(64, "s += f[i];") + " f[0] = s;",
    "c[0] = std::inner_product(a, a + 64, b, 0);": "int s = 0; " + LOOP.format(64, "s += a[i] * b[i];") + " c[0] = s;",
    "c[0] = *std::max_element(a, a + 64);":
        "int m = a[0], p = 0; for (int i = 1; i < 64; i++) if (a[i] > m) { m = a[i]; p = i; } c[0] = a[p];",
    "c[0] = std::min_element(a + 2, a + 64) - a;":
        "int m = a[2], p = 0; for (int i = 1; i < 62; i++) if (a[2 + i] < m) { m = a[2 + i]; p = i; } c[0] = 2 + p;",
    "std::fill_n(a, 3000000000, 3); c[0] = std::count(a, a + 3000000000, 5);":
        "for (long i = 0; i < 3000000000; i++) a[i] = 3; int s = 0; "
        "for (long i = 0; i < 3000000000; i++) if (a[i] == 5) s++; c[0] = s;",
    "r.fill(7); std::copy(r.begin(), r.end(), b);": LOOP.format(16, "r[i] = 7;") + LOOP.format(16, "b[i] = r[i];"),
    "std::copy(b, b + 16, std::begin(r)); c[0] = r[c[1]];": LOOP.format(16, "r[i] = b[i];") + " c[0] = r[c[1]];",
}  # fmt: skip


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[object, ...]]:
    """The cycles of each form, and of each loop iterations, interval and depth: clang reads the headers once."""
    path = tmp_path_factory.mktemp("algorithms") / "k.cpp"
    names = {f"{way}{at}": body for at, pair in enumerate(FORMS.items()) for way, body in zip("ab", pair, strict=True)}
    path.write_text(HEAD + "".join(KERNEL.format(name, body) for name, body in names.items()))
    found = {kernel.program.name: kernel for kernel in ppnsim.schedule(path, settings={"n": 24}).kernels}
    return {
        name: (found[name].machine.cycles,
               [(nest.iterations, nest.body.schedule.ii, nest.body.depth) for nest in found[name].nests])
        for name in names
    }  # fmt: skip


@pytest.mark.parametrize("at", range(len(FORMS)), ids=list(FORMS))
def test_an_algorithm_is_scheduled_as_its_loop(at: int, shapes: dict[str, tuple[object, ...]]) -> None:
    assert shapes[f"a{at}"] == shapes[f"b{at}"]


def test_other_forms_are_not_taken_for_these(tmp_path: Path) -> None:
    """Another array, another algorithm, also with a function, without a meaning: each is refused where it stands."""
    bodies = ("std::fill(a, b, 1);", "std::rotate(a, a + 3, a + 64);",
              "std::sort(a, a + 64, [](int x, int y) { return x > y; });", "c[0] = std::count(a + 9, a + 2, 1);",
              "c[0] = __builtin_ctzll(0);")  # fmt: skip
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + "".join(KERNEL.format(f"k{at}", body) for at, body in enumerate(bodies)))
    for at in range(len(bodies)):
        with pytest.raises(InputError):
            ppnsim.schedule(path, function=f"k{at}")
