"""Rewriting to plain forms changes no value: compiled programs beside the rewritten tree, executed naively."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppnsim.c.clang.parser import parse
from ppnsim.c.input_checks import deep_recursion
from ppnsim.c.plain.unit import plain_unit
from tests.oracles.syntax import execute

A = [3, -7, 12, 0, 5, 5, 1, 9, -2, 40, 8, 6, 2, 11, -1, 4]
BODIES = {
    "two iterators": "for (int i = 0, j = 15; i < j; i++, j--) b[i] = a[j] - j;",
    "counters that step together": "for (int i = 0, k = 0, m = 5; i < 16; i += 4, k++, m -= 8) { b[k] = a[i] + m; "
    "for (unsigned o = 0, x = i; o < 3; o++, x++) b[x + 1] += a[x] + o; }",
    "a counter whose start changes": "int s = 1; for (int i = 0, k = s; i < 4; i++, k++) { s += 2; b[k] = s + k; }",
    "a counter that doubles": "for (int i = 0, m = 1; i < 4; i++, m *= 2) b[m] = a[i];",
    "counters down to zero": "for (unsigned i = 14, k = 9; i > 2; i -= 2, k--) b[k] = a[i] + k;",
    "no start": "int i = 3; for (; i < 9; i++) b[i] = i;",
    "no step": "for (int i = 0; i < 16;) { b[i] = a[i]; i += 3; }",
    "no parts": "int i = 0; for (;;) { if (i == 16) return; b[i] = i; i++; }",
    "the body changes the iterator": "for (int i = 0; i < 16; i++) { b[i] = 1; if (a[i] > 6) i++; }",
    "a member counts": "struct { int x; } p; for (p.x = 0; p.x < 7; p.x++) b[p.x] = a[p.x];",
    "a step that doubles": "for (int m = 1; m < 16; m <<= 1) b[m] = m;",
    "continue": "for (int i = 0; i < 16; i++) { if (a[i] < 2) continue; b[i] = a[i]; if (a[i] > 8) continue; b[i]++; }",
    "continue inside": "for (int i = 0; i < 16; i++) { if (a[i] > 1) { if (a[i] > 5) continue; b[i] = 7; } b[i]++; }",
    "continue and other steps": "for (int i = 0, k = 0; i < 9; i++, k += 2) { if (i == 4) continue; b[i] = k; }",
    "switch": "for (int i = 0; i < 16; i++) switch (a[i] & 3) { case 0: b[i] = 5; break; case 1: case 2: b[i] = 6; "
    "default: b[i] += 1; }",
    "switch with continue": "for (int i = 0; i < 16; i++) { switch (a[i] % 3) { case 0: continue; case 1: b[i] = 3; } "
    "b[i]++; }",
    "switch with default first": "for (int i = 0; i < 16; i++) switch (a[i]) { default: b[i] = 1; case 5: b[i] += 2; }",
    "switch whose cases fall through": "for (int i = 0; i < 16; i++) { int v = a[i]; switch (v & 3) { case 0: v += 1; "
    "case 1: v = v * 2; case 3: { b[i] += v; v = 9; } break; case 2: { if (v > 5) { b[i] = 4; break; } v = 1; } "
    "case 7: b[i] = v; } b[i] += v; }",
    "switch that leaves a fall": "for (int i = 0; i < 16; i++) { switch (a[i] & 7) { case 0: case 5: b[i] = 1; "
    "if (a[i] > 3) break; case 1: b[i] += 2; if (b[i] == 3) { b[i]++; break; } else { b[i] += 40; } case 2: b[i] += 4; "
    "break; case 3: b[i] = 5; default: b[i] += 6; case 6: b[i] += 7; } }",
    "do with continue": "int i = 0; do { if (a[i] < 4) continue; b[i] = a[i]; } while (++i < 12); b[15] = i;",
    "do with continue and a step behind": "int i = 1; do { if (a[i] < 4) continue; b[i] = a[i]; } while (i++ < 12);",
    "while with continue": "int i = -1; while (++i < 12) { for (int k = 0; k < 3; k++) { if (k == 1) continue; "
    "b[k] += i; } if (a[i] < 4) continue; b[i] = a[i]; } b[15] = i;",
    "do with continue in a switch": "int i = 0; do { switch (a[i] & 1) { case 0: continue; default: b[i] = 2; } "
    "b[i]++; } while (++i < 9);",
    "postfix in a subscript": "int k = 0; for (int i = 0; i < 16; i++) if (a[i] > 3) b[k++] = a[i];",
    "prefix in a subscript": "int k = -1; for (int i = 0; i < 16; i++) if (a[i] > 3) b[++k] = a[i];",
    "steps on both sides": "int i = 0, k = 8; while (i < 8) b[k++] = a[i++];",
    "a step in a condition": "int k = 0, n = 16; while (--n > 3) { if (k++ & 1) b[n] = k; }",
    "a postfix condition": "int n = 6; while (n--) b[n] = n; b[15] = n;",
    "a postfix comparison": "int n = 6; while (n-- > 1) b[n] = a[n] + n; b[15] = n;",
    "a step before the end of the body": "int i = 2; while (i < 9) { b[i] = 1; i += 2; b[i] += i; } b[1] = i;",
    "a test first of all": "int i = 0; for (;;) { if (i >= 7) break; b[i] = a[i]; i++; } b[15] = i;",
    "a test first of all, in a for": "for (int i = 3;; i++) { if (i == 9) break; b[i] = a[i]; }",
    "a do that counts": "int i = 4; do { b[i] = i; i += 3; } while (i < 14); b[15] = i;",
    "a do that ends at once": "int i = 9; do { b[i] = i; i += 3; } while (i < 9); b[15] = i;",
    "a counter beside the iterator": "int k = 3; for (int i = 1; i < 12; i += 2) { b[k] = a[i]; k += 2; b[k] += k; } "
    "b[0] = k;",
    "a counter down beside one up": "int k = 15; for (int i = 0; i < 8; i++) b[k--] = a[i]; b[0] += k;",
    "a counter through a nest": "int k = 0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) b[k++] = i * j; "
    "k++; } b[15] = k;",
    "a counter in a branch": "int k = 0; for (int i = 0; i < 9; i++) { b[k] = i; if (a[i] > 4) k++; } b[15] = k;",
    "a counter that starts again": "int k = 1; for (int i = 0; i < 9; i++) { b[i] = k; k = k == 3 ? 0 : k + 1; }",
    "a counter that grows": "int k = 1; for (int i = 0; i < 4; i++) { b[k] = i; k = 2 * k + 1; }",
    "a counter that starts from its other side": "int k = 9; for (int i = 0; i < 5; i++) { b[i] = k; k = 3 - k; }",
    "a small counter": "unsigned char k = 250; for (int i = 0; i < 9; i++) { b[i] = k; k++; }",
    "a counter that the loop starts": "for (int i = 0; i < 9; i++) { int k = 2; b[i] = k; k += 3; b[i] += k; }",
    "an iterator that a step triples": "int n = 0; for (int i = 1; i < 14; i = i * 3 + 1) { b[i] = n; n++; }",
    "do": "int n = 0; do { b[n] = a[n]; } while (++n < 5);",
    "an assignment inside": "int t; for (int i = 0; i < 16; i++) if ((t = a[i] * 2) > 5) b[i] = t;",
    "a chain": "int x, y; x = y = a[2]; b[0] = x + y; b[1] = b[2] = b[3] = 9;",
    "changes in operands that conditions choose": "int k = 0; for (int i = 0; i < 12; i++) { if (a[i] > 2 && k++ < 4) "
    "b[i] = k; if (a[i] < 0 || ++k > 9) b[i] += 50; b[i + 1] += a[i] > 4 ? k++ : a[k & 7]; }",
    "a comma": "int x; for (int i = 0; i < 8; i++) b[i] = (x = a[i], x * 2), b[i + 8] = x;",
    "an early return": "if (a[3] > 4) { b[0] = 1; return; } b[1] = 2;",
    "returns in branches": "if (a[0] > 2) { if (a[1] > 0) return; b[2] = 4; } else b[3] = 1; b[4] = 8;",
}
CLASSES = """struct pair { int x, y; pair() {} pair(int a, int b) : x(a), y(b) {} int sum() const { return x + y; }
    pair &add(int v) { x += v; return *this; } int operator()(int k) { y = k; return x * this->y; } };
template <int N> struct line { int held[N]; int &operator[](int k) { return held[k]; }
    static int size() { return N; } int at(int k, int by = 3) { return held[k] + by; }
    void push(int v) { for (int k = N - 1; k > 0; k--) held[k] = held[k - 1];
    (*this)[0] = v; } };
struct named : pair { int id; int all() { return sum() + id; } };
struct two { pair left, right; int scaled(int n) { int t = 0; auto more = [&](int k) { t += left.x * k; };
    for (int k = 0; k < n; k++) more(k); return t; } };
void turn(pair &p) { int x = p.x; p.x = p.y; p.y = x; }
void next(int &v) { v += 2; }
void after(int &v) { next(v); next(v); }
#include <algorithm>
#include <utility>
"""
OBJECTS = {
    "a constructor": "pair p(a[0], 4); b[0] = p.sum(); b[1] = p.x;",
    "a call operator": "pair p(2, 3); for (int i = 0; i < 16; i++) b[i] = p(i) + p.sum();",
    "a method on itself": "pair p(1, 1); p.add(5); p.add(a[2]); b[3] = p.x;",
    "a place that is returned": "line<4> l; for (int i = 0; i < 4; i++) l[i] = i; for (int i = 0; i < 9; i++) { "
    "l.push(a[i]); b[i] = l[0] - l[3] + line<4>::size() + l.at(1); }",
    "what is inherited, and structs in structs behind references": "named n; n.x = 2; n.y = a[3]; n.id = 4; "
    "b[0] = n.all(); two t; t.right.x = 5; t.right.y = a[4]; turn(t.right); b[1] = t.right.x; b[2] = t.right.y; "
    "t.left.x = 3; b[3] = t.scaled(4); int k = 0; for (int i = 0; i < 3; i++) after(k); b[4] = k; after(b[5]);",
    "lambdas, loops over elements, swaps": "int s = 1; auto f = [s](int x) { return x * 2 + s; }; "
    "auto put = [&](int i, auto v) { b[i] = f(v); s += i; }; for (int i = 0; i < 4; i++) put(i, a[i]); b[4] = s; "
    "int c[5]; for (int i = 0; i < 5; i++) c[i] = a[i]; for (int &x : c) x += 1; for (auto x : c) b[5] += x; "
    "std::swap(c[0], c[4]); "
    "b[6] = c[0]; b[7] = [&] { return c[4] + s; }(); "
    "b[8] = std::min({a[2], a[3], a[5]}) + 10 * std::max({a[9], a[1]});",
}


@pytest.mark.parametrize("name", [*BODIES, *OBJECTS])
def test_plain_forms_compute_what_the_compiled_program_computes(name: str, tmp_path: Path) -> None:
    body, before = (BODIES[name], "") if name in BODIES else (OBJECTS[name], CLASSES)
    source = tmp_path / "k.cpp"
    source.write_text(f"{before}void k(int a[16], int b[16]) {{ {body} }}\n")
    with deep_recursion():
        unit = plain_unit(parse(str(source), {}, ()))
        b = [0] * 16
        execute(unit.functions["k"], [list(A), b], unit.functions)
    main = tmp_path / "main.cpp"
    numbers = ", ".join(map(str, A))
    main.write_text(
        f'#include "{source}"\n#include <stdio.h>\nint main() {{ int a[16] = {{{numbers}}}, b[16] = {{0}}; k(a, b); '
        'for (int i = 0; i < 16; i++) printf("%d ", b[i]); }\n'
    )
    subprocess.run(["g++", "-w", "-O0", str(main), "-o", str(tmp_path / "main")], check=True)
    done = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=True)
    assert b == [int(word) for word in done.stdout.split()]


def test_nothing_is_left_that_the_lowering_does_not_know(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        "".join(f"void k{n}(int a[16], int b[16]) {{ {body} }}\n" for n, body in enumerate(BODIES.values()))
    )
    unit = plain_unit(parse(str(source), {}, ()))
    kinds = {node.kind for function in unit.functions.values() for node in function.walk()}
    assert not kinds & {"switch", "case", "default", "continue", "break"}
