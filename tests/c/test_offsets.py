"""Pointers, references, rows and parameters at places that data chooses: what chooses the element is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError

KERNEL = """struct cell {{ int v, w; int get() const {{ return v; }} }};
int from(const int *p) {{ return *p; }}
int of(int &r) {{ return r; }}
int in(int row[64], int j) {{ return row[j & 7]; }}
int further(int *p) {{ return from(p + 1); }}
void skip(int *&p) {{ p += 3; }}
void copy(int *row) {{ row[2] = row[3]; }}
void k(int h[64], int x[99], int y[99], int m[8][64], cell s[64]) {{ {body} }}"""
LOOP = "for (int i = 0; i < 99; i++) {{ {} }}"


def figures(folder: Path, body: str) -> list[tuple[object, ...]]:
    """Return interval, depth and reads of each loop, and the cycles of a kernel."""
    path = folder / "k.cpp"
    path.write_text(KERNEL.format(body=body))
    kernel = ppnsim.schedule(path, function="k").kernels[0]
    return [(each.body.schedule.ii, each.body.depth, each.iterations) for each in kernel.machine.nests] + [
        (kernel.machine.cycles,)
    ]


@pytest.mark.parametrize(
    ("pointer", "subscript"),
    [
        ("int *r = h + x[i]; y[i] = *r;", "y[i] = h[x[i]];"),
        ("int *r = &h[x[i]]; *r = *r + 1;", "h[x[i]] = h[x[i]] + 1;"),
        ("int o = x[i]; y[i] = *(h + o);", "int o = x[i]; y[i] = h[o];"),
        ("int *r = h + x[i] + 1; y[i] = *r;", "y[i] = h[x[i] + 1];"),
        (
            "int o = x[i], *r = h + o; y[i] = r[0] + r[1]; r[2] = 3;",
            "int o = x[i]; y[i] = h[o] + h[o + 1]; h[o + 2] = 3;",
        ),
        ("int &r = h[x[i]]; y[i] = r;", "y[i] = h[x[i]];"),
        ("const int &r = h[x[i]]; y[i] = r;", "y[i] = h[x[i]];"),
        ("int &r = h[x[i]]; r += 3;", "h[x[i]] += 3;"),
        ("int *r = m[x[i]]; y[i] = r[i & 7];", "y[i] = m[x[i]][i & 7];"),
        ("int (&r)[64] = m[x[i]]; y[i] = r[i & 7];", "y[i] = m[x[i]][i & 7];"),
        ("int *r = &m[x[i]][i & 7]; y[i] = *r;", "y[i] = m[x[i]][i & 7];"),
        ("cell &r = s[x[i]]; y[i] = r.w;", "y[i] = s[x[i]].w;"),
        ("cell *r = s + x[i]; y[i] = r->w;", "y[i] = s[x[i]].w;"),
        ("y[i] = s[x[i]].get();", "y[i] = s[x[i]].v;"),
        ("y[i] = from(h + x[i]);", "y[i] = h[x[i]];"),
        ("y[i] = from(&h[x[i]]);", "y[i] = h[x[i]];"),
        ("y[i] = of(h[x[i]]);", "y[i] = h[x[i]];"),
        ("y[i] = in(m[x[i]], i);", "y[i] = m[x[i]][i & 7];"),
        ("y[i] = further(h + x[i]);", "y[i] = h[x[i] + 1];"),
        ("copy(m[x[i]]);", "m[x[i]][2] = m[x[i]][3];"),
        ("int *r = h + x[i]; r += 2; r--; y[i] = *r;", "y[i] = h[x[i] + 1];"),
        ("int o = i + 1, *r = h + o; y[i] = r[-1] + *r;", "y[i] = h[i] + h[i + 1];"),
        # The rows of two pointers differ, which one load took for one element.
        ("int *p = m[i & 1], *q = m[x[0]]; y[i] = p[x[i]] + q[x[i]];", "y[i] = m[i & 1][x[i]] + m[x[0]][x[i]];"),
        # Where the pointer was set is what counts, not where it is used.
        ("int *r = h + x[i]; x[i] = 5; y[i] = *r;", "int o = x[i]; x[i] = 5; y[i] = h[o];"),
    ],
)
def test_a_pointer_is_the_element_that_it_names(tmp_path: Path, pointer: str, subscript: str) -> None:
    assert figures(tmp_path, LOOP.format(pointer)) == figures(tmp_path, LOOP.format(subscript))


@pytest.mark.parametrize(
    ("pointer", "subscript"),
    [
        ("int *p = h; LOOP { y[i] = *p; p += x[i]; }", "int o = 0; LOOP { y[i] = h[o]; o += x[i]; }"),
        ("int *p = h; LOOP { y[i] = *p; if (x[i]) p++; }", "int o = 0; LOOP { y[i] = h[o]; if (x[i]) o++; }"),
        (
            "int *p = h; LOOP { int t = *p; if (x[i]) p++; y[i] = t + *p; }",
            "int o = 0; LOOP { int t = h[o]; if (x[i]) o++; y[i] = t + h[o]; }",
        ),
        # What every iteration moves alike is no data.
        ("int *p = y; LOOP { *p = *p + 1; p++; }", "LOOP y[i] = y[i] + 1;"),
        ("int *p = y, *q = x; LOOP *p++ = *q++;", "LOOP y[i] = x[i];"),
        ("int *p = y + 98; LOOP *p-- = x[i];", "LOOP y[98 - i] = x[i];"),
        ("int j = 0; LOOP { y[j] = y[j] + 1; j++; }", "LOOP y[i] = y[i] + 1;"),
        ("int i = 0; while (i < 99) { y[i] = x[i]; i++; }", "LOOP y[i] = x[i];"),
        ("int i = 0; do { y[i] = x[i]; i++; } while (i < 99);", "LOOP y[i] = x[i];"),
        ("for (int i = 0;; i++) { if (i == 99) break; y[i] = x[i]; }", "LOOP y[i] = x[i];"),
        ("int i = 99; while (i--) y[i] = x[i];", "LOOP y[i] = x[i];"),
        (
            "int *p; for (p = y; p < y + 99; p++) if (*p > 3) break; *p = 1;",
            "int i; for (i = 0; i < 99; i++) if (y[i] > 3) break; y[i] = 1;",
        ),
    ],
)
def test_a_pointer_that_moves_is_a_counter(tmp_path: Path, pointer: str, subscript: str) -> None:
    loop = "for (int i = 0; i < 99; i++)"
    assert figures(tmp_path, pointer.replace("LOOP", loop)) == figures(tmp_path, subscript.replace("LOOP", loop))


@pytest.mark.parametrize("moves", ["skip(p);", "int *&q = p; q += 3;"])
def test_a_pointer_that_a_reference_moves_too_is_no_counter(tmp_path: Path, moves: str) -> None:
    with pytest.raises(InputError, match="'p' is a pointer that the loop moves: its places are not known"):
        figures(tmp_path, f"for (int *p = y; p < y + 96; p++) {{ *p = 1; {moves} }}")


def test_a_parameter_that_moves_is_no_single_element(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text("void k(int *p, int y[99]) { for (int i = 0; i < 99; i++) { y[i] = *p; p++; } }")
    (program,) = load_programs(str(path), policy=HARDWARE)
    assert {str(read) for each in program.statements() for read in each.reads} == {"p[i]"}
