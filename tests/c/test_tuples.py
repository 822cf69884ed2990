"""Tuples and pairs of the standard library: values as g++ has them, cycles as of the same program with structs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule
from tests.oracles.compiled import differing, named

HEAD = """#include <tuple>
#include <utility>
#include <array>
#include <algorithm>
using std::get; using std::make_tuple; using std::tie; using std::make_pair;
typedef std::tuple<int, int> two_t;
typedef std::pair<int, int> pair_t;
struct duo { int u, v; };
struct nest { int w; duo d; };
struct hold { std::array<duo, 2> t; std::array<int, 3> n; };
struct in_a { std::array<duo, 2> t = {{{1, 2}, {3, 4}}}; std::array<int, 2> v{{5, 6}}, w{7, 8}; };
struct row { int w; std::array<int, 2> r; };
struct holder { two_t t; int z; };
struct point { int y, x, id; bool operator<(const point &o) const { return tie(y, x) < tie(o.y, o.x); } };
struct steps { int p, q; void step(int x) { *this = {q + x, p}; } two_t both() const { return {p, q}; } };
struct made { two_t t; made(int x) : t(x, 4) {} };
static two_t two(int x) { return make_tuple(x + 1, x * 2); }
static std::tuple<int, int, int> three(int x) { return {x, x + 1, x - 5}; }
static pair_t pair(int x) { return {x + 1, x * 2}; }
static int sum(const two_t &t) { return get<0>(t) + 10 * get<1>(t); }
static int sum_of_copy(two_t t) { get<0>(t) += 3; return get<0>(t) + 10 * get<1>(t); }
static void inc(two_t &t) { get<0>(t) += 1; get<1>(t) *= 2; }
static void rotate(two_t *t) { *t = {get<1>(*t), get<0>(*t) + 1}; }
static void turn(duo &t) { t = {t.v, t.u + 1}; }
static int plus(int x, int y) { return 3 * x + y; }
static int count(int &n) { n++; return n; }
template <class T> static std::tuple<T, T> ordered(T x, T y) {
  if (x < y) return make_tuple(x, y); return make_tuple(y, x); }
template <int N, class T> static int total(const T &t) {
  if constexpr (N == 0) return get<0>(t); else return get<N>(t) + total<N - 1>(t); }
static const two_t table[3] = {{1, 2}, {3, 4}, {5, 6}};
"""
EACH = """
# values in parentheses and in braces
two_t t(a[i], i), s{i, 3}; b[i] = get<0>(t) + get<1>(s); c[i] = get<1>(t);
# parts that are assigned
two_t t; get<0>(t) = a[i]; get<1>(t) += 7; b[i] = get<0>(t); c[i] = get<1>(t);
# parts by their types
std::tuple<int, short> t(a[i], i); b[i] = get<int>(t); c[i] = get<short>(t);
# names for parts of a result
int p, q; tie(p, q) = two(a[i]); b[i] = p; tie(q, std::ignore, p) = three(i); c[i] = p + q;
# an exchange
int p = a[i], q = i; tie(p, q) = make_tuple(q, p); b[i] = p; c[i] = q;
# elements as targets
tie(b[i], c[i]) = two(a[i]);
# references to references
int p = a[i], q = i; tie(p, q) = tie(q, p); b[i] = p; c[i] = q; auto t = tie(p, q); get<0>(t) += 2; auto [x, y] = t;
y++; b[i] += p; c[i] -= q;
# structured bindings
auto [p, q] = two(a[i]); auto t = two(i); auto &[r, s] = t; r += p; const auto &[u, v] = t; b[i] = u + q; c[i] = v -
s;
# bindings of pairs, arrays, structs
pair_t p(a[i], 3); auto [u, v] = p; std::array<int, 2> r = {u, i}; auto [x, y] = r; r[0] = 5; holder h; h.t =
two(i); h.z = 5; auto [t, z] = h; b[i] = x + y + get<1>(t); c[i] = z + v;
# arguments
auto t = two(a[i]); b[i] = sum(t) + sum_of_copy(t) + sum(make_tuple(i, a[i])) + sum_of_copy({1, i}); inc(t);
rotate(&t); c[i] = sum(t);
# tuples in tuples
std::tuple<int, two_t> t = make_tuple(a[i], make_tuple(i, 3)); b[i] = get<0>(t) + get<0>(get<1>(t)); get<1>(t) =
two(i); c[i] = get<1>(get<1>(t));
# copies
auto t = two(a[i]), s = t; get<0>(s) = 1; b[i] = get<0>(t); t = s; c[i] = get<0>(t) + get<1>(t);
# comparisons
auto t = make_tuple(a[i] & 3, i), s = make_tuple(2, 3); b[i] = (t == s) + 2 * (t != s) + 4 * (t < s); c[i] = (t <=
s) + 2 * (t > s) + 4 * (t >= s) + 8 * (two(i) < two(a[i]));
# a comparison of members
point p = {a[i] & 3, i ^ 5, i}, q = {1, i, 3}; b[i] = p < q; c[i] = q < p;
# narrower parts
std::tuple<short, unsigned char> t(a[i] * 100000, a[i]); b[i] = get<0>(t); c[i] = get<1>(t); t = two(a[i] * 1000);
b[i] += get<0>(t); c[i] += get<1>(t);
# a pair as a tuple
pair_t p(a[i], i); two_t t = p; std::tuple<int, short> s(make_pair(1, a[i])); b[i] = get<0>(t) + get<1>(t); t =
make_pair(4, a[i]); c[i] = get<1>(s) + get<1>(t);
# constants of types
auto t = three(i); std::tuple_element_t<1, std::tuple<int, signed char>> x = a[i] * 100; b[i] =
std::tuple_size<decltype(t)>::value + x; c[i] = std::tuple_size_v<decltype(t)>;
# a function on parts
b[i] = std::apply(plus, two(a[i])); c[i] = std::apply(plus, make_pair(a[i], i));
# exchanges of wholes
auto t = two(a[i]), s = two(i); std::swap(t, s); t.swap(s); swap(s, t); b[i] = get<0>(t); c[i] = get<1>(s);
# tuples one behind the other
auto t = std::tuple_cat(two(a[i]), make_tuple(i)); b[i] = get<0>(t) + get<1>(t); c[i] = get<2>(t);
# types that are deduced
std::tuple t(a[i], i); std::pair p(a[i], 4); b[i] = get<0>(t) + get<1>(t); c[i] = p.first * p.second;
# templates
tie(b[i], c[i]) = ordered(a[i], i); b[i] += total<2>(make_tuple(a[i], i, 3));
# a table
b[i] = get<0>(table[i % 3]); c[i] = get<1>(table[1]);
# members
made m(a[i]); holder h; h.t = m.t; h.z = 4; b[i] = get<0>(h.t) + h.z; get<1>(h.t) += i; c[i] = get<1>(h.t);
# a choice
auto t = a[i] > 3 ? make_tuple(a[i], 1) : make_tuple(2, i); b[i] = get<0>(t); c[i] = get<1>(i & 1 ? t : two(i));
# a declaration in the head of an if
if (auto [p, q] = two(a[i]); p > 3) { b[i] = p; c[i] = q; } else if (int r = a[i] & 2) b[i] = r;
# a declaration in the head of a switch
switch (int p = a[i] & 3; p) { case 1: b[i] = p; break; case 2: c[i] = p; break; default: b[i] = 9; }
# what a tuple is that nobody gives values
two_t t, s{}; b[i] = get<0>(t) + a[i]; c[i] = get<1>(s); pair_t p; c[i] += p.second;
# parts without a name
b[i] = get<1>(two(a[i])); c[i] = get<0>(make_tuple(a[i], 3));
# effects of parts that are ignored
int n = i; tie(b[i], std::ignore) = make_tuple(a[i], count(n)); std::ignore = count(n); b[i] += get<0>(make_tuple(3,
count(n))); c[i] = n;
# a chain
two_t s, t; s = t = make_tuple(a[i], i); b[i] = get<0>(s); c[i] = get<1>(t);
# structs as parts
std::tuple<duo, int> t(duo{a[i], 3}, i); get<0>(t).v += 4; auto [d, n] = t; get<0>(t) = duo{n, d.u}; b[i] =
get<0>(t).u * 3 + d.v; c[i] = get<0>(t).v;
# pairs
auto t = make_pair(1, a[i]), s = pair(i); std::pair<signed char, short> n = make_pair(a[i] * 100, i * 10000); s =
{s.second, s.first}; b[i] = t.first + t.second + n.first; c[i] = s.first + n.second + (t < s);
# pairs in pairs
std::pair<int, pair_t> t = {a[i], {i, 3}}; auto s = make_pair(make_pair(a[i], 1), i); b[i] = t.first +
t.second.second; c[i] = t.second.first + s.first.first + get<1>(s);
# a list of members of what it is assigned to
duo t{a[i], i}; t = duo{t.v, t.u}; turn(t); b[i] = t.u; c[i] = t.v; steps f = {i, 1}; f.step(a[i]); b[i] += f.p;
tie(f.p, f.q) = f.both(); c[i] += f.q;
# a list in a list that is assigned
nest t = {a[i], {i, 3}}; t = nest{i, duo{t.d.v, t.w}}; b[i] = t.d.u; c[i] = t.d.v; row s; s = row{4, {a[i], 6}};
b[i] += s.r[0] * s.r[1]; t.d = duo{i, t.d.u}; c[i] += t.d.u;
# what stands in a list before a change: numbers, structs, lists
int n = a[i]; duo t = {n, count(n)}; b[i] = t.u; c[i] = t.v; nest s[2] = {{n, {n + 1, i}}, {count(n), t}}; b[i] +=
s[0].w + 3 * s[0].d.u; c[i] += 5 * s[0].d.v + s[1].w + 7 * s[1].d.v; nest r = {t.u++, t}; c[i] += r.d.u;
# a struct in an array of structs
nest s[2] = {{a[i], {i, 3}}, {1, {a[i] + 2}}}; b[i] = s[0].w + 10 * s[1].d.u; c[i] = s[0].d.u + 10 * s[1].d.v;
# calls behind && and || and in a choice change something only where they are evaluated
int n = a[i], z = 2; auto f = [&](int k) { z += k; return z > 5; }; b[i] = f(n) || f(3); if (n > 2 && count(n) > 9)
b[i] += 4; c[i] = n + 100 * z; n = a[i] > 3 ? count(z) : 7; c[i] += n + z;
# old values and extremes
int p = i, q = 2; b[i] = std::exchange(p, std::exchange(q, a[i])) + p; tie(p, q) = std::minmax(a[i], i);
auto [lo, hi] = std::minmax({a[i], i, 3}); c[i] = p + 3 * q + lo - hi + get<1>(std::minmax(a[i], 4));
# arrays as wholes
std::array<int, 2> r = {a[i] & 3, i}, s = {2, 3}; b[i] = (r == s) + 2 * (r < s) + 4 * (r != s); r = {r[1], r[0]};
s = {i}; c[i] = r[0] + 3 * r[1] + s[0] - s[1] + duo{a[i], 3}.u;
# changes in a list, from left to right
int z = i; duo t = {z++, z++}, s; s = {z, ++z}; two_t u{a[z++ & 7], z}; b[i] = t.u + 10 * t.v + 100 * s.u; c[i] = s.v
+ 10 * get<0>(u) + get<1>(u);
"""
WHOLE = """
# elements
std::array<two_t, 8> t; for (int i = 0; i < 8; i++) t[i] = {a[i], i}; int n = 0; for (auto [p, q] : t) { b[n] = p;
c[n] = q; n++; } for (auto &[p, q] : t) p += q; for (int i = 0; i < 8; i++) b[i] += get<0>(t[7 - i]);
# copies of arrays
int t[2] = {a[1], a[2]}, w[2][2] = {{a[0], 1}, {a[3], a[4]}}; auto [p, q] = t; auto [r, s] = w[1];
t[0] = 7; w[1][1] = 8; b[0] = p; b[1] = q; b[2] = r; b[3] = s; auto &[x, y] = t; x += 3; b[4] = t[0]; b[5] = y;
# arrays of structs in braces
std::array<duo, 3> t = {{{a[0], 1}, {a[1], 2}}}; in_a s; std::array<std::array<int, 2>, 2> m = {{{{1, a[0]}},
{{a[1], 4}}}}; b[0] = t[0].u + t[1].v; b[1] = t[2].u; b[2] = s.t[1].u + s.v[1] + s.w[0]; b[3] = m[1][0] + m[0][1];
hold h = {{{{a[0], 1}, {a[1], 2}}}, {3, a[2], 5}}; b[4] = h.t[1].u + h.n[1];
std::array<int, 1> o = {{a[0]}}; b[5] = o[0];
# a recurrence
int p = 0, q = 1; for (int i = 0; i < 8; i++) { b[i] = p; tie(p, q) = make_tuple(q, p + q); }
# a bound
const two_t t(3, 4); for (int i = 0; i < get<0>(t); i++) b[i] = a[i] + get<1>(t);
"""


BODIES = {name: f"for (int i = 0; i < 8; i++) {{ {body} }}" for name, body in named(EACH).items()} | named(WHOLE)


@pytest.mark.skipif(not shutil.which("g++"), reason="the programs are held against what g++ makes of them")
def test_tuples_have_the_values_that_the_compiler_gives_them(tmp_path: Path) -> None:
    assert differing(HEAD, BODIES, tmp_path) == []


HLS = """#include <tuple>
#include <utility>
#include <hls_stream.h>
#include <ap_int.h>
struct duo { int u; float v; };
typedef std::tuple<int, float> two_t;
"""
ALIKE = {
    "tokens": (
        "void k(int a[64], float b[64]) {\n#pragma HLS dataflow\nhls::stream<two_t> s; p(a, s); q(s, b); }",
        "static void p(int a[64], hls::stream<two_t> &s) { for (int i = 0; i < 64; i++) "
        "s << std::make_tuple(a[i], i); }\n"
        "static void q(hls::stream<two_t> &s, float b[64]) { for (int i = 0; i < 64; i++) { auto [x, y] = s.read(); "
        "b[i] = x * y; } }\n",
        "static void p(int a[64], hls::stream<duo> &s) { for (int i = 0; i < 64; i++) s << duo{a[i], (float)i}; }\n"
        "static void q(hls::stream<duo> &s, float b[64]) { for (int i = 0; i < 64; i++) { duo t = s.read(); "
        "b[i] = t.u * t.v; } }\n",
    ),
    "arguments": (
        "void k(two_t a[64], two_t b[64]) { for (int i = 0; i < 64; i++) BODY }",
        "b[i] = std::make_tuple(std::get<0>(a[i]) + 1, std::get<1>(a[i]) * 2);",
        "b[i] = duo{a[i].u + 1, a[i].v * 2};",
    ),
    "a recurrence": (
        "void k(int b[64]) { int p = 0, q = 1; for (int i = 0; i < 64; i++) { b[i] = p; BODY } }",
        "std::tie(p, q) = std::make_tuple(q, p + q);",
        "int t = p + q; p = q; q = t;",
    ),
    "the best so far": (
        "void k(float a[64], float b[2]) { two_t m(0, a[0]); for (int i = 1; i < 64; i++) BODY; "
        "b[0] = M0; b[1] = M1; }",
        "if (a[i] > std::get<1>(m)) m = std::make_tuple(i, a[i])",
        "if (a[i] > m.v) m = duo{i, a[i]}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_tuples_take_the_cycles_of_structs(name: str, tmp_path: Path) -> None:
    kernel, *bodies = ALIKE[name]
    found = []
    for body, plain in zip(bodies, (False, True), strict=True):
        text = kernel.replace("BODY", body) if "BODY" in kernel else body + kernel
        text = text.replace("M0", "m.u" if plain else "std::get<0>(m)").replace(
            "M1", "m.v" if plain else "std::get<1>(m)"
        )
        if plain:
            text = text.replace("two_t m(0, a[0])", "duo m = {0, a[0]}").replace("two_t", "duo")
        (tmp_path / "k.cpp").write_text(HLS + text, encoding="utf-8")
        made = schedule(tmp_path / "k.cpp", function="k").to_dict()
        found.append([(loop["ii"], loop["depth"], loop["cycles"]) for loop in made["loops"]])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("body", "words"),
    [("int n = 1, x[4]; tie(n, x[n]) = make_tuple(2, a[0]); b[0] = x[n];", "changes 'n', which a place"),
     ("auto t = tie(a[0], b[0]); get<1>(t) = 3;", "'t', a tuple of references"),
     ("b[0] = sum(tie(a[0], a[1]));", ""),
     ("auto f = [](auto x, auto y) { return x + y; }; b[0] = std::apply(f, two(a[0]));", "std::apply of what is not"),
     ("auto [lo, hi] = std::minmax(a[0], a[1]); b[0] = lo;", "std::minmax.* refer to"),
     ("int n = 0; std::tuple<int &, int> t(n, 2); get<0>(t) = 4; b[0] = n;", "'t', a tuple of references")],
)  # fmt: skip
def test_what_is_not_followed_of_tuples_is_refused(body: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(f"{HEAD}void k(int a[8], int b[8]) {{ {body} }}\n", encoding="utf-8")
    if not words:  # another tuple is made of the references
        assert load_programs(str(tmp_path / "k.cpp"), function="k", policy=HARDWARE)
        return
    with pytest.raises(InputError, match=words):
        load_programs(str(tmp_path / "k.cpp"), function="k", policy=HARDWARE)
