"""Lambdas that are handed to functions and algorithms: values as g++ has them, cycles as of the plain program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule
from tests.oracles.compiled import differing, named

HEAD = r"""#include <array>
#include <algorithm>
#include <numeric>
#include <functional>
#include <byteswap.h>
#include <cstring>
#include <tuple>
#include <utility>
template <class F> static void each(F f) { for (int i = 0; i < 8; i++) f(i); }
template <class F> static void each_ref(const F &f) { for (int i = 0; i < 8; i++) f(i); }
template <class F> static void each_fwd(F &&f) { for (int i = 0; i < 8; i++) f(i); }
template <class F> static void again(F f) { each(f); }
template <class F> static void again_fwd(F &&f) { each_fwd(std::forward<F>(f)); }
template <int N, class F> static void map(const int *x, int *y, F f) { for (int i = 0; i < N; i++) y[i] = f(x[i]); }
template <class F> static int twice(F f, int x) { return f(f(x)); }
template <class F> static int after(F f, int &x) { x += 5; return f(1); }
template <class F, class G> static int both(F f, G g, int x) { return f(x) + 3 * g(x); }
template <class F, class T> static T fold(F f, const T *x, T s) { for (int i = 0; i < 8; i++) s = f(s, x[i]); return
s; }
template <int K, class F> struct unroll { static void run(F f) { f(K - 1); unroll<K - 1, F>::run(f); } };
template <class F> struct unroll<0, F> { static void run(F f) {} };
template <int I, int N, class F> static void rec(F &&f) { if constexpr (I < N) { f(I); rec<I + 1, N>(f); } }
template <class F> struct App { F f; App(F g) : f(g) {} int operator()(int x) const { return f(x) + 1; } int run(int
x) { return f(x) * 2; } };
template <class F, int N> struct Map { F f; void run(const int *x, int *y) { for (int i = 0; i < N; i++) y[i] =
f(x[i]); } };
template <class F> struct Plain { F f; int go(int x) { return f(x); } };
template <class F> Plain(F) -> Plain<F>;
template <class F> static App<F> app(F f) { return App<F>(f); }
struct acc { int n; int operator()(int x) { n += x; return n; } };
struct scale { int k; int operator()(int x) const { return k * x; } };
static int plain_one(int x) { return x * x; }
static int twofold(int x) { return 2 * x + 1; }
struct obj { int k; int t[8];
  int one(int x) { auto f = [this](int v) { return v + k; }; return f(x); }
  void all(const int *x) { each([this, x](int i) { t[i] = x[i] * k; }); }
  void more(const int *x) { each([=](int i) { t[i] = x[i] + k; }); k++; }
  int sum() { int s = 0; each([&](int i) { s += t[i]; k++; }); return s; } };
template <class T, class F> static void with(T &t, F f) { f(t); }
static int apply_pt(int (*f)(int), int x) { return f(x); }
static int apply_own(int x, int (*f)(int) = plain_one) { return f(x); }
static int apply_std(const std::function<int(int)> &f, int x) { return f(x) + 1; }
#define GETTER(NAME) static int get_##NAME(int i) { switch (i) { case 0: return 3; case 1: { int k = i; k += 4; return \
k; } default: return i * 2; } }
GETTER(it)
static int (*const table[2])(int) = {&twofold, plain_one};
template <class F, class... A> static int hand(F f, A &&...x) { return f(std::forward<A>(x)...); }
template <int K> static int adds(const int &x, int y) { return x * K + y; }
struct counter { int n; counter &up(int k) { n += k; return *this; } int get() const { return n; } };
template <class... Fs> static int all_of(int x, Fs... fs) { return (fs(x) + ...); }
template <class F> static int in_two(F f, int x) { auto g = [&](int v) { return f(v) + x; }; return g(x) + twice(g,
1); }
template <int K> static void inst(int *x, int *y) { int n = K; auto g = [](auto x) { return x + K; }; each([&](int
i) { y[i] += g(x[i]) * K + n; }); App<decltype(g)> p(g); y[0] += p(1); }
struct cons { int x; cons(int n) : x(n * 2) {} };
template <class... T> static int parts_of(T... x) { return sizeof...(T) * 10 + sizeof...(x); }
template <int N> struct tower : tower<N - 1> { int get(int x) { return tower<N - 1>::get(x) + N; } };
template <> struct tower<0> { int get(int x) { return x; } };
template <int W> struct line { int v, t[W]; line() : v(W) { for (int i = 0; i < W; i++) t[i] = i * W; } };
template <int N> struct down : down<N - 1> { int k[N]; down() { k[N - 1] = N; } };
template <> struct down<1> { int z; down() : z(3) {} };
template <class P> struct based : P { int sum(int x) { return this->v * x; } };
static void bump(int &x) { x += 2; }
template <int N> struct tm { int k; void go(const int *x, int *y) { each([&](int i) { y[i] = x[i] * k + N; }); } };
template <class F> struct two_in { F f; int n; int operator()(int x) { return f(x) + n; } };
struct hold { int k, n; template <class F> void run(F f) { n = 0; for (int i = 0; i < 8; i++) { f(i); n += k; } }
  void all(const int *x, int *y) { run([&, this](int i) { y[i] = x[i] * k; k++; }); } };
static int inner(int x, int y) { auto f = [&](int v) { return v * y; }; return twice(f, x) + twice([=](int v) {
return v - y; }, x); }
template <int N, class F> static int tree(int x, F f) { if constexpr (N == 0) return f(x); else return tree<N -
1>(x, [&](int v) { return f(v) * N; }); }
struct object { int k; int go(int x) { auto f = [*this](int v) { return v * k; }; k = 50; return f(x); } };
static int plain_op(int x, int y) { return 2 * x - y; }
template <class F> static void via(const int *x, int *y, F f) { std::transform(x, x + 8, y, [&](int v) { return f(v)
+ 1; }); std::for_each(y, y + 8, [](int &v) { v *= 2; }); }
"""
BODIES = named(r"""
# by value
int k = a[3]; each([&](int i) { b[i] = a[i] + k; });
# by const reference
int k = a[3]; each_ref([&](int i) { b[i] = a[i] + k; });
# by forwarding reference
int k = a[3]; each_fwd([&](int i) { b[i] = a[i] + k; });
# a name by forwarding reference
int k = a[3]; auto f = [&](int i) { b[i] = a[i] + k; k++; }; each_fwd(f); c[0] = k;
# twice handed on
int k = a[3]; again([&](int i) { b[i] = a[i] + k; k += 2; }); c[0] = k;
# twice forwarded
int k = a[3]; again_fwd([&](int i) { b[i] = a[i] + k; k += 2; }); c[0] = k;
# a copy that stays
int k = a[3]; auto f = [k](int x) { return x + k; }; k = 100; map<8>(a, b, f); c[0] = k;
# a copy by default
int k = a[3]; auto f = [=](int x) { return x + k; }; k = 100; map<8>(a, b, f); c[0] = k;
# a copy where it is handed on
int k = a[3]; c[1] = after([k](int x) { return x + k; }, k); c[0] = k;
# a copy by default where it is handed on
int k = a[3]; c[1] = after([=](int x) { return x + k; }, k); c[0] = k;
# a reference that changes meanwhile
int k = a[3]; c[1] = after([&](int x) { return x + k; }, k); c[0] = k; auto f = [&k](int x) { return x + k; }; c[2]
= after(f, k);
# mixed
int k = a[3], n = 4; auto f = [=, &n](int x) { n += x; return k + n; }; k = 7; n = 1; map<8>(a, b, f); c[0] = n;
# in a loop
for (int j = 0; j < 8; j++) { int k = a[j]; b[j] = twice([&](int x) { return x + k; }, j); c[j] = twice([k](int x) {
return k - x; }, j); }
# named in a loop
for (int j = 0; j < 8; j++) { int k = a[j]; auto f = [k, j](int x) { return x * k + j; }; k = 3; b[j] = twice(f, j)
+ k; }
# two lambdas
int k = a[3], n = 2; for (int j = 0; j < 8; j++) b[j] = both([&](int x) { n++; return x + k; }, [=](int x) { return
x * n; }, j); c[0] = n;
# two instances of one function
int k = a[3], n = 2; for (int j = 0; j < 8; j++) b[j] = twice([&](int x) { return x + k; }, j) + twice([&](int x) {
return x - n; }, j);
# a fold
int k = 2; b[0] = fold([&](int s, int x) { return s + k * x; }, a, 5); b[1] = fold([](int s, int x) { return s > x ?
s : x; }, a, -50);
# generic
int k = a[2]; auto f = [&](auto x) { return x + k; }; map<8>(a, b, f); c[0] = f(3); c[1] = f((signed char)7);
# generic for several types
int k = a[2]; auto f = [k](auto x, auto y) { return x * k + y / 2; }; c[0] = f(3, 3); c[2] = f((short)3, 5);
# a lambda in a lambda
int k = a[2]; auto f = [&](int x) { return x + k; }; auto g = [&](int x) { return f(x) * k; }; for (int i = 0; i <
8; i++) b[i] = g(i); c[0] = twice(g, 3);
# a lambda that takes a lambda
int k = a[2]; auto g = [&](auto f, int x) { return f(x) + f(k); }; int n = 3; for (int i = 0; i < 8; i++) { b[i] =
g([&](int x) { return x * n; }, i); c[i] = g([=](int x) { return x + n + i; }, i); }
# lambdas of lambdas
each([&](int i) { int m = a[i]; each([&](int j) { b[j] += m * i; }); c[i] = m; });
# a value of its own
int k = a[2]; auto f = [n = k * 2](int x) { return x + n; }; k = 0; map<8>(a, b, f); c[0] = f(1);
# a value of its own where it is handed on
int k = a[2]; map<8>(a, b, [n = k * 2](int x) { return x + n; }); c[0] = [m = k + 1](int x) { return m * x; }(4);
# a reference of its own
int k = a[2]; auto f = [&n = k](int x) { n += x; return n; }; map<8>(a, b, f); c[0] = k;
# a mutable one, called
int k = a[2]; auto f = [k](int x) mutable { k += x; return k; }; for (int i = 0; i < 8; i++) b[i] = f(a[i]); c[0] =
k;
# this
obj o; o.k = a[2]; for (int i = 0; i < 8; i++) b[i] = o.one(a[i]); o.all(a); for (int i = 0; i < 8; i++) c[i] =
o.t[i]; c[0] += o.sum() + o.k; o.more(a); for (int i = 0; i < 8; i++) b[i] += o.t[i];
# a member that a constructor sets
int k = a[2]; auto f = [&](int x) { return x + k; }; App<decltype(f)> m(f); for (int i = 0; i < 8; i++) { b[i] =
m(a[i]); c[i] = m.run(i); k++; }
# a member of a list
auto f = [](int x) { return x * 3; }; Map<decltype(f), 8> m{f}; m.run(a, b);
# a member of a list with captures
int k = a[2]; auto f = [k](int x) { return x * k; }; Map<decltype(f), 8> m{f}; k = 0; m.run(a, b);
# an object of a function
int k = a[2]; auto m = app([&](int x) { return x * k; }); for (int i = 0; i < 8; i++) b[i] = m(i);
# deduced
int k = a[2]; Plain m{[&](int x) { return x * k; }}; App p([](int x) { return x + 3; }); for (int i = 0; i < 8; i++)
{ b[i] = m.go(i); c[i] = p(i); }
# functors as members
scale s{a[2]}; App<scale> m(s); Map<scale, 8> n{s}; n.run(a, b); for (int i = 0; i < 8; i++) c[i] = m(i) + m.run(i);
# functors handed on
scale s{a[2]}; map<8>(a, b, s); acc t{3}; map<8>(a, c, t); c[0] += t.n; acc u{1}; c[1] += twice(u, 3) + u(2);
# static members of templates
int k = 3; auto f = [&](int i) { b[i] = a[i] * k; k++; }; unroll<8, decltype(f)>::run(f); c[0] = k;
# templates that call themselves
int k = 3; rec<0, 8>([&](int i) { b[i] = a[i] * k; k++; }); c[0] = k;
# for_each
int k = 3, s = 0; std::for_each(a, a + 8, [&](int x) { s += x * k; }); c[0] = s; std::for_each(b, b + 8, [&](int &x)
{ x = k; k++; }); std::for_each(b + 2, b + 5, [](int &x) { x *= 2; });
# transform
int k = 3; std::transform(a, a + 8, b, [&](int x) { return x * k; }); std::transform(a, a + 8, b, c, [k](int x, int
y) { return x + y * k; });
# objects of functional
std::minus<int> d; c[0] = d(a[5], a[6]); c[1] = std::less<int>()(a[1], a[2]) + 2 * std::greater_equal<>()(a[3], a[4]);
c[2] = std::equal_to<int>()(a[1], a[1]) + 2 * std::not_equal_to<int>()(a[2], a[2]) + twice([](int x) { return
std::plus<>()(x, 3); }, a[7]);
# transform on the spot
int k = 3; std::transform(a, a + 8, b, [&](int x) { return x * k; }); std::transform(b, b + 8, b, [k](int x) {
return x - k; });
# accumulate
int k = 3; c[0] = std::accumulate(a, a + 8, 1, [&](int s, int x) { return s * k + x; }); c[1] = std::accumulate(a, a
+ 8, 0, std::plus<int>()); c[2] = std::accumulate(a, a + 4, 1, std::multiplies<>());
# generic operations
int k = 3; c[0] = std::accumulate(a, a + 8, 1, [&](auto s, auto x) { return s * k + x; }); std::for_each(a, a + 8,
[&](const auto &x) { c[1] += x; });
# std::array
std::array<int, 8> t; int k = 3; for (int i = 0; i < 8; i++) t[i] = a[i]; std::for_each(t.begin(), t.end(), [&](auto
&x) { x += k; }); std::transform(t.begin(), t.end(), b, [](int x) { return x * x; }); c[0] =
std::accumulate(t.begin(), t.end(), 0, [](int s, int x) { return s ^ x; });
# functors in algorithms
scale s{a[2]}; std::transform(a, a + 8, b, s); acc t{0}; c[0] = std::accumulate(a, a + 8, 3, std::minus<int>());
# apply
int k = 3; for (int i = 0; i < 8; i++) { b[i] = std::apply([&](int x, int y) { return x * k + y; },
std::make_tuple(a[i], i)); c[i] = std::apply([](int x, int y) { return x - y; }, std::make_pair(a[i], i)); }
# packs
int k = 3; for (int i = 0; i < 8; i++) b[i] = all_of(a[i], [&](int x) { return x + k; }, [](int x) { return x * 2;
});
# a lambda around a parameter
int k = 3; for (int i = 0; i < 8; i++) b[i] = in_two([&](int x) { return x * k; }, a[i]);
# with an object
scale s{2}; int k = a[3]; with(s, [&](scale &t) { t.k += k; }); c[0] = s.k; with(k, [](auto &x) { x *= 2; }); c[1] =
k;
# arrays of its own
int t[8]; each([&](int i) { t[i] = a[i] * 2; }); each([&](int i) { b[i] = t[7 - i]; });
# immediately
int k = a[2]; const int n = [&] { int s = 0; for (int i = 0; i < 8; i++) s += a[i] * k; return s; }(); c[0] = n;
# a conversion
int k = a[2]; auto f = [&](int x) -> signed char { return x * k * 100; }; for (int i = 0; i < 8; i++) b[i] = f(i);
map<8>(a, c, f);
# a choice of lambdas
int k = 3; auto f = [&](int x) { return x * k; }; auto g = [&](int x) { return x - k; }; for (int i = 0; i < 8; i++)
b[i] = a[i] > 3 ? twice(f, i) : twice(g, i);
# structs by copy
scale s{3}; auto f = [s](int x) { return s.k * x; }; s.k = 9; for (int i = 0; i < 8; i++) { b[i] = twice(f, i); c[i]
= twice([s](int x) { return s(x); }, i); }
# two lambdas of one template
c[0] = in_two([](int x) { return x + 1; }, a[1]); c[1] = in_two([](int x) { return x + 2; }, a[1]); int n = 4; c[2]
= in_two([&](int x) { return x + n; }, a[1]);
# objects with names of captured ones
int i0 = 5; each([&](int i) { int k = i0; auto f = [k](int x) { return x + k; }; i0 = f(i); b[i] = f(a[i]); }); c[0]
= i0;
# two lambdas of one signature
auto f = [](int x) { return x + 1; }; auto g = [](int x) { return x * 2; }; for (int i = 0; i < 8; i++) { b[i] =
f(a[i]); c[i] = g(a[i]); }
# two lambdas of one signature handed on
int k = 3; for (int i = 0; i < 8; i++) { b[i] = twice([&](int x) { return x + k; }, i); c[i] = twice([&](int x) {
return x - k; }, i); }
# two lambdas without captures handed on
for (int i = 0; i < 8; i++) { b[i] = twice([](int x) { return x + 1; }, i); c[i] = twice([](int x) { return x * 3;
}, i); }
# instances of a function with lambdas
inst<1>(a, b); inst<2>(a, c);
# mutable ones in a loop
for (int i = 0; i < 8; i++) { auto f = [k = a[i]]() mutable { k++; return k; }; b[i] = f() + f(); }
# an object of its own
c[0] = [n = cons(3)](int v) { return v + n.x; }(a[1]); c[1] = twice([n = cons(a[2])](int v) { return v * n.x; }, 2);
auto f = [n = cons(a[3])](int v) { return v * n.x; }; for (int i = 0; i < 8; i++) b[i] = twice(f, i);
# a pointer parameter
int *p = a; auto f = [&](int *q) { int v = *q; q++; return v + *q + p[2]; }; for (int i = 0; i < 7; i++) b[i] = f(a
+ i);
# a pointer by copy
int *p = a; auto f = [p](int i) { return p[i]; }; p++; for (int i = 0; i < 7; i++) { b[i] = f(i); c[i] = p[i]; }
# a chain of changes
int k = 3; auto inc = [&] { k++; }; auto f = [&](int x) { inc(); return x + k; }; for (int i = 0; i < 8; i++) b[i] =
f(i); c[0] = k; map<8>(a, c, f); b[0] += k;
# a change behind a reference
int k = 3; auto f = [&](int x) { int &r = k; r += x; return k; }; for (int i = 0; i < 8; i++) b[i] = f(i); c[0] = k;
# a change in a function
int k = 3; auto f = [&](int x) { bump(k); return k * x; }; for (int i = 0; i < 8; i++) b[i] = f(i); c[0] = k;
map<8>(a, c, f);
# the same lambda twice at once
int k = 3; auto f = [&](int x) { k++; return k * x; }; for (int i = 0; i < 8; i++) b[i] = both(f, f, i); c[0] = k;
# lambdas with the same name
int k = 3; { auto f = [&](int x) { return k * x; }; b[0] = twice(f, 2); } { auto f = [=](int x) { return k + x; };
b[1] = twice(f, 2); } auto g = [k](int x) { return k - x; }; k = 9; b[2] = twice(g, 2); each([k, &b](int i) { b[i]
+= k; });
# a lambda in a method of a template
tm<4> t; t.k = a[2]; t.go(a, b); tm<2> s; s.k = a[3]; s.go(a, c);
# this handed on in a class
hold h; h.k = a[2]; h.all(a, b); c[0] = h.n;
# a choice in a lambda
int k = 3; auto f = [&](int x) { if (x > k) { k = x; return 1; } return 0; }; for (int i = 0; i < 8; i++) b[i] =
f(a[i]); c[0] = k; k = 0; map<8>(a, c, f); b[0] = k;
# a table of them
const int t[4] = {3, 1, 4, 1}; each([=](int i) { b[i] = t[i % 4]; }); each([t, b](int i) { b[i] += t[(i + 1) % 4];
});
# a name that hides
int k = 3; auto f = [&](int k) { return k * 2; }; b[0] = twice(f, 2) + k; each([&](int i) { int k = i; c[i] = k; });
c[0] += k;
# static variables
static int n = 3; auto f = [](int x) { return x + n; }; n = 5; for (int i = 0; i < 8; i++) b[i] = twice(f, i);
# functions with lambdas, called twice
for (int i = 0; i < 8; i++) { b[i] = inner(a[i], 2) + inner(i, a[i]); }
# functions that call themselves with lambdas
b[0] = tree<3>(a[0], [&](int x) { return x + a[1]; });
# a copy of an object around a lambda
int k = a[2]; auto m = app([=](int x) { return x * k; }); k = 100; auto n = m; for (int i = 0; i < 8; i++) b[i] =
n(i) + m(i);
# a member of an object around a lambda
int k = a[2]; auto f = [=](int x) { return x * k; }; two_in<decltype(f)> m{f, 3}; k = 100; for (int i = 0; i < 8;
i++) b[i] = m(i);
# an object of objects around lambdas
int k = a[2]; auto f = [=](int x) { return x * k; }; App<App<decltype(f)>> m{App<decltype(f)>(f)}; for (int i = 0; i
< 8; i++) b[i] = m(i);
# structured
auto [p, q] = std::make_pair(a[0], a[1]); int s = p, t = q; each([&](int i) { b[i] = s * i + t; });
# in an if
int k = a[2]; for (int i = 0; i < 8; i++) if (auto f = [&](int x) { return x > k; }; f(a[i])) b[i] = 1; else b[i] =
twice([&](int x) { return x + k; }, i);
# array of a struct
scale s[2] = {{2}, {3}}; each([&](int i) { b[i] = s[i & 1].k * a[i]; s[i & 1].k++; });
# a reference by copy
int k = 3; int &r = k; auto f = [r](int x) { return x + r; }; auto g = [=](int x) { return x * r; }; k = 50; b[0] =
f(1) + twice(g, 2); r = 7; map<8>(a, c, f); c[0] += after([r](int x) { return x - r; }, k);
# functors and apply
scale s{a[2]}; for (int i = 0; i < 8; i++) b[i] = std::apply(s, std::make_tuple(a[i])); std::for_each(a, a + 8,
[&](int x) { c[1] += s(x); }); c[0] = std::accumulate(a, a + 8, 0, std::bit_xor<>());
# functions as operations
c[0] = std::accumulate(a, a + 8, 3, plain_op); std::transform(a, a + 8, b, plain_one);
# held ones in algorithms
int k = a[2]; std::transform(a, a + 8, b, [n = k * 2](int x) { return x + n; }); std::transform(a, a + 8, c, [=](int
x) { return x - k; }); auto f = [k](int x, int y) { return x * k - y; }; k = 99; c[0] += std::accumulate(a, a + 8,
1, f);
# algorithms in functions with lambdas
via(a, b, [&](int x) { return x + a[3]; }); int n = 4; via(a, c, [n](int x) { return x * n; });
# algorithms in lambdas
int k = 2; auto f = [&](int m) { return std::accumulate(a, a + 8, 0, [&](int s, int x) { return s + x * m * k; });
}; for (int i = 0; i < 8; i++) b[i] = f(i);
# an algorithm that changes what it captures
int k = 2, m = -100; std::transform(a, a + 8, b, [&](int x) { k++; if (x > m) m = x; return x * k; }); c[0] = k;
c[1] = m;
# apply with other calls
int k = 2; for (int i = 0; i < 8; i++) b[i] = std::apply([&](int x, int y) { return plain_op(x, y) + k; },
std::make_tuple(a[i], i));
# apply to a result
int k = 2; auto t = std::make_tuple(a[1], 3); b[0] = std::apply([&](int x, int y) { return x * k - y; }, t);
# narrow
signed char s[8]; for (int i = 0; i < 8; i++) s[i] = a[i] * 20; std::transform(s, s + 8, b, [](int x) { return x *
20; }); c[0] = std::accumulate(s, s + 8, 0, [](int t, int x) { return t + x * 3; }); std::transform(s, s + 8, s,
[](signed char x) -> signed char { return x * 3; }); for (int i = 0; i < 8; i++) c[i] += s[i];
# what std::for_each returns
int s = 0; auto r = std::for_each(a, a + 8, [&](int x) { s += x; }); b[0] = s;
# a lambda that a lambda returns
auto make = [&](int x) { b[1] += x; return [](int v) { return v * 3; }; }; auto f = make(2); b[0] = f(4);
# arrays of pointers
int s[8], t[8]; int *p[2] = {s, t}; for (int i = 0; i < 8; i++) { p[0][i] = a[i]; p[1][i] = i; } for (int i = 0; i <
8; i++) { b[i] = s[i] + *(p[1] + i); c[i] = t[i]; }
# arrays of pointers that a loop chooses from
int s[8], t[8]; int *p[2] = {s, t}; for (int k = 0; k < 2; k++) for (int i = 0; i < 8; i++) p[k][i] = a[i] +
p[1 - k][7 - i] * (k == 1); for (int i = 0; i < 8; i++) { b[i] = s[i] + p[2 - 1][i]; c[i] = *p[i & 1]; }
# arrays of pointers, as arguments
int s[8], t[8]; int *p[2] = {s, t}; map<8>(a, p[1], [](int x) { return x * 2; });
map<8>(p[1], p[0], [](int x) { return x + 2; }); for (int i = 0; i < 8; i++) { b[i] = s[i] + *(p[1] + i); c[i] = t[i]; }
# counted elements
int n = 5; std::array<int, 4> t = {a[1], 6, a[3], 6}; b[0] = std::count(a, a + 8, 6); b[1] = std::count_if(a + 2, a + 7,
[n](int x) { return x > n; }); b[2] = std::count(t.begin(), t.end(), 6); b[3] = std::count(&a[2], a + 6, 26);
# found elements
b[0] = std::find(a, a + 8, 11) - a; b[1] = std::find(a + 1, a + 8, 7) != a + 8; b[2] = std::find_if(a, a + 8, [](int x)
{ return x > 25; }) - a; b[3] = std::distance(a, std::find_if_not(a, a + 8, [](int x) { return x < 26; }));
# tests of all elements
auto f = [](int x) { return x > 3; }; b[0] = std::any_of(a, a + 8, f); b[1] = std::all_of(a, a + 8, f); b[2] =
std::none_of(a, a + 2, f); b[3] = std::equal(a, a + 8, b); b[4] = std::is_sorted(a, a + 8); b[5] = std::equal(a, a + 3,
a);
# elements that move
std::copy(a, a + 8, b); std::reverse(b, b + 7); std::swap_ranges(b, b + 2, b + 4); std::reverse_copy(a + 1, a + 5, c);
std::move(a, a + 3, c + 5); std::replace(c, c + 8, 6, 99); std::replace_if(b, b + 8, [](int x) { return x < 0; }, 7);
# sums and differences of elements
int n = 3; std::partial_sum(a, a + 8, b); std::adjacent_difference(a, a + 8, c); std::generate(c, c + 2, [&n] { return
n++; });
# objects in a row
std::array<cons, 3> t = {cons(1), cons(2), cons(a[2])}; b[0] = std::count_if(t.begin(), t.end(), [](const cons &k) {
return k.x > 2; }); std::reverse(t.begin(), t.end()); b[1] = t[0].x;
# a number between two others
for (int i = 0; i < 8; i++) { b[i] = std::clamp(a[i], -2, 10); c[i] = std::clamp(a[i], i, i + 5); }
# bits of numbers
unsigned x = a[4] * 77777; b[0] = __builtin_popcount(x); b[1] = __builtin_clz(x); b[2] = __builtin_ctz(x); b[3] =
__builtin_bswap32(x); b[4] = __builtin_ffs(a[4]); b[5] = __builtin_bswap16(x); b[6] = __builtin_bswap64(x) >> 40;
b[7] = bswap_32(x); int n = 4; c[0] = __builtin_ctz(a[n++]); c[1] = n;
# bytes that are set
int s[8], t[8]; unsigned char u[8]; short v[4]; std::memset(s, 0xff, 32); std::memset(t, 1, sizeof(t));
std::memset(u, 200, 8); std::memset(v, -2, 8); for (int i = 0; i < 8; i++) b[i] = s[i] + u[i];
for (int i = 0; i < 4; i++) c[i] = t[i] - v[i];
# a range of cases
for (int i = 0; i < 8; i++) switch (a[i]) { case -9 ... -1: b[i] = 1; break; case 0 ... 5: case 11: b[i] = 2; break;
default: b[i] = 3; }
# pointers to functions
int (*f)(int) = plain_one; auto g = &twofold; int (*h)(int) = [](int x) { return x * 2; }; for (int i = 0; i < 8; i++)
b[i] = f(a[i]) + table[0](i) - table[1](a[i]) * g(3); c[0] = apply_pt(plain_one, a[1]) * 5 + apply_pt(twofold, a[2]) +
h(a[3]); c[1] = hand(adds<3>, a[4], a[5]) - hand(adds<-2>, a[5], a[6]) + apply_pt(&plain_one, 7);
# objects that hold functions
int k = a[1], n = 1; std::function<int(int)> f = [&](int x) { n += x; return x * k + n; }; const std::function<int(int)>
g = twofold; b[0] = f(a[0]); b[1] = f(a[3]); b[2] = g(a[4]) + apply_std([k](int x) { return x - k; }, a[5]); k = 9;
b[3] = apply_std(plain_one, 3) + n; b[4] = f(2);
# methods that return their object
counter x = {a[1]}, y[2]; y[1] = x.up(3).up(a[2]);
b[0] = y[1].up(2).get() + 10 * y[1].n; y[0] = y[1] = x; b[1] = (x.up(1)
= y[1]).n; b[2] = a[2] > 0 ? x.up(5).n : 0; if (a[3] < -1000 && x.up(7).n) b[3] = 1; b[4] = x.n + y[0].n;
# references to numbers that are computed
for (int i = 0; i < 8; i++) { auto &&s = a[i] + 1; const int &t = -a[i]; auto &u = a[i]; b[i] = s * t + u; a[i]++;
c[i] = s + t - u; }
# a function by default, and subscripts before their arrays
b[0] = apply_own(a[1]) + 10 * apply_own(a[2], twofold); for (int i = 0; i < 8; i++) i[c] = 3[a] + i[a];
# a switch in a macro
for (int i = 0; i < 8; i++) b[i] = get_it(i);
# numbers of types
b[0] = parts_of(a[1], 2, 3); b[1] = alignof(int); b[2] = noexcept(bump(b[3])); b[3] = __builtin_offsetof(acc, n);
# bases of templates
tower<6> t; b[0] = t.get(a[1]); down<2> d; b[3] = d.k[1] + d.z; based<line<3>> s; b[1] = s.sum(a[2]); b[2] = s.t[2];
""")


@pytest.mark.skipif(not shutil.which("g++"), reason="the programs are held against what g++ makes of them")
def test_lambdas_have_the_values_that_the_compiler_gives_them(tmp_path: Path) -> None:
    assert differing(HEAD, BODIES, tmp_path) == []


HLS = """#include <algorithm>
#include <numeric>
template <class F> static void each(F f) { for (int i = 0; i < 64; i++) f(i); }
template <class F> static void again(F &&f) { each(f); }
template <int N, class F> static void map(const int *x, int *y, F f) { for (int i = 0; i < N; i++) y[i] = f(x[i]); }
template <class F> static void unrolled(F f) { for (int j = 0; j < 4; j++) {
#pragma HLS unroll
  f(j); } }
template <class F> static int apply(F f, int x) {
#pragma HLS inline off
  return f(x); }
static int product(int x, int k) {
#pragma HLS inline off
  return x * k; }
template <class F, int N> struct Map { F f;
  void run(const int *x, int *y) { for (int i = 0; i < N; i++) y[i] = f(x[i]); } };
template <class F> struct App { F f; App(F g) : f(g) {} int operator()(int x) const { return f(x) + 1; } };
template <class F> static App<F> app(F f) { return App<F>(f); }
struct inc { int operator()(int x) const { return x + 1; } };
"""
_SUM = "int s = 0; for (int i = 0; i < 64; i++) s += a[i]; b[0] = s;"
_SCALED = "int k = a[2]; for (int i = 0; i < 64; i++) b[i] = a[i] * k;"
ALIKE = {
    "a sum": ("int s = 0; each([&](int i) { s += a[i]; }); b[0] = s;", _SUM),
    "a copy": ("int k = a[2]; map<64>(a, b, [=](int x) { return x * k; });", _SCALED),
    "a copy with a name": ("int k = a[2]; auto f = [k](int x) { return x * k; }; map<64>(a, b, f);", _SCALED),
    "two functions": ("int k = a[2]; again([&](int i) { b[i] = a[i] * k; });", _SCALED),
    "a constant": (
        "const int k = 4; again([&](int i) { b[i] = a[i] * k; });", "for (int i = 0; i < 64; i++) b[i] = a[i] * 4;",
    ),
    "an unrolled loop": (
        "for (int i = 0; i < 16; i++) { int s = 0; unrolled([&](int j) { s += a[4 * i + j]; }); b[i] = s; }",
        "for (int i = 0; i < 16; i++) { int s = 0; for (int j = 0; j < 4; j++) {\n#pragma HLS unroll\n"
        "s += a[4 * i + j]; } b[i] = s; }",
    ),
    "a function of its own": (
        "int k = a[0]; for (int i = 0; i < 64; i++) b[i] = apply([&](int x) { return x * k; }, a[i]);",
        "int k = a[0]; for (int i = 0; i < 64; i++) b[i] = product(a[i], k);",
    ),
    "std::accumulate": ("b[0] = std::accumulate(a, a + 64, 0, [](int s, int x) { return s + x; });", _SUM),
    "std::for_each": ("int s = 0; std::for_each(a, a + 64, [&](int x) { s += x; }); b[0] = s;", _SUM),
    "std::transform": ("int k = a[2]; std::transform(a, a + 64, b, [=](int x) { return x * k; });", _SCALED),
    "an object": (
        "int k = a[2]; auto m = app([&](int x) { return x * k; }); for (int i = 0; i < 64; i++) b[i] = m(a[i]);",
        "int k = a[2]; for (int i = 0; i < 64; i++) b[i] = a[i] * k + 1;",
    ),
    "a member": (
        "int k = a[2]; auto f = [k](int x) { return x * k; }; Map<decltype(f), 64> m{f}; k = 0; m.run(a, b);", _SCALED,
    ),
    "a functor": (
        "inc n; Map<inc, 64> m{n}; m.run(a, b);", "for (int i = 0; i < 64; i++) b[i] = a[i] + 1;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_lambdas_take_the_cycles_of_the_plain_program(name: str, tmp_path: Path) -> None:
    found = []
    for body in ALIKE[name]:
        (tmp_path / "k.cpp").write_text(f"{HLS}void k(int a[64], int b[64]) {{ {body} }}\n", encoding="utf-8")
        made = schedule(tmp_path / "k.cpp", function="k").to_dict()
        found.append((made["cycles"], [(loop["ii"], loop["depth"], loop["cycles"]) for loop in made["loops"]]))
    assert found[0] == found[1]


REFUSED = {
    "int k = a[2]; auto f = [k](int x) mutable { k += x; return k; }; map<8>(a, b, f);": "a mutable lambda that is",
    "int k = a[2]; auto f = [k]() mutable { return k++; }; auto g = f; b[0] = g();": "a mutable lambda that is copied",
    "int k = a[2]; b[0] = [k](int x) mutable { k += x; return k; }(4);": "a mutable lambda that is",
    "int k = a[2]; std::for_each(a, a + 8, [k](int x) mutable { k += x; });": "an operation that is not followed here",
    "int t[8]; t[1] = a[1]; auto f = [t](int i) { return t[i]; }; b[0] = f(1);": "a copy of the array 't' for a lambda",
    "int *p = a; auto f = [&]() { int v = *p; p++; return v; }; b[0] = f();": "a lambda that moves 'p'",
    "auto make = [](int k) { return [k](int x) { return x * k; }; }; auto f = make(a[2]); b[0] = f(3);":
        "a lambda that a function returns with what it captures",
    "std::sort(a, a + 8, [](int x, int y) { return x > y; });": "std::sort .write a sorting network",
    "b[0] = std::lower_bound(a, a + 8, 6) - a;": "std::lower_bound .write its loop",
    "b[0] = *std::remove(a, a + 8, 6);": "std::remove .write its loop",
    "auto t = std::make_tuple([](int x) { return x; }, 3); b[0] = std::get<1>(t);": "'.*int x. { return x; }' in an",
    "int *p = new int[8]; p[0] = a[1]; b[0] = p[0];": "new .declare a variable",
    "b[0] = ({ int z = a[1]; z + 1; });": "a statement expression .* .write its statements before",
    "b[0] = a[1] ?: 4;": "'a.1. .: 4' in an expression is not supported",
    "int s[8]; std::memset(s, a[1], 32); b[0] = s[1];": "sets bytes that are not known: .*; write the loop",
    "signed char s[8]; s[1] = a[1]; b[0] = std::accumulate(s, s + 8, 0, std::plus<>());": "<functional> on other types",
    "signed char s[8]; s[1] = a[1]; b[0] = std::plus<signed char>()(s[1], s[1]);": "<functional> on other types",
    "object o; o.k = 2; b[0] = o.go(3);": "a copy of an object for a lambda",
    "int (*f)(int) = plain_one; if (a[1]) f = twofold; b[0] = f(a[3]);": "'f', which points to a function that is not",
    "std::function<int(float)> f = [](int x) { return x; }; b[0] = f(a[1]);": "a std::function of other types than",
    "int s[8], t[8], *p[2] = {s, t}; for (int k = 0; k < 2; k++) p[k++][0] = k; b[0] = 1;": "pointers whose sub",
    "int s[8], t[8], *p[2] = {s, t}; int **q = p; b[0] = q[1][0];": "an array of pointers that line",
    "int s[8], *q = s, *p[2] = {s, q}; q++; b[0] = p[1][0];": "pointers of which 'q' is changed in line",
    "int s[8], t[8], *p[2] = {s, t}; s[0] = 1; t[0] = 2; p[0] = t; b[0] = p[0][0];": "pointers of which line",
    "int s[8], t[8], *p[2] = {s, t}; s[0] = 1; s[1] = 2; p[0]++; b[0] = p[0][0];": "pointers of which line",
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_followed_of_lambdas_is_refused_by_its_line(body: str, tmp_path: Path) -> None:
    text = f"{HEAD}void k(int a[8], int b[8]) {{ for (int i = 0; i < 8; i++) {{ {body} }} }}\n"
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"k\.cpp:\d+:\d+: .*{REFUSED[body]}"):
        load_programs(str(tmp_path / "k.cpp"), policy=HARDWARE, function="k")


UNKNOWN = {
    "int *p = a, *q = a + 4; int *&r = p; r = q; a[0] = p[1];": "'r', a reference to a pointer, that moves the pointer",
    "int t = a[1]; auto r = std::ref(t); a[0] = inc(r);": "std::reference_wrapper<int> is not followed; hand",
    "int (*f)(int) = a[1] ? inc : dec; a[0] = f(3);": "'f', which points to a function that is not known before it",
    "int (*f)(int) = inc; (f) = dec; a[0] = f(3);": "'f', which points to a function that is not known before it",
    "a[0] = changes(inc, dec, 3);": "'inc' stands for a function",
    "a[0] = changes_std(inc, dec, 3);": "'inc' in an expression is not supported",
    "a[0] = counts(inc, 3) + counts(dec, 3);": "'n', a static variable of a function that takes a pointer to one",
    "int (*f)(int) = move(inc); a[0] = f(3);": "'f', which points to a function that is not known before it",
    "a[0] = table[a[1] & 1](3);": "a pointer to a function, which may be any; call the function by its name",
    "std::vector<int> v(64); v[3] = a[1]; a[0] = v[3];": "'v' is a std::vector<int>, .* array of the largest size",
}


@pytest.mark.parametrize("body", UNKNOWN)
def test_what_hardware_cannot_choose_is_refused_with_what_to_write(body: str, tmp_path: Path) -> None:
    text = "#include <functional>\n#include <vector>\nstatic int inc(int v) { return v + 1; }\n"
    text += "static int dec(int v) { return v - 1; }\nstatic int (*const table[2])(int) = {inc, dec};\n"
    text += "typedef int (*to)(int);\nstatic to move(to f) { return dec; }\n"
    text += "static int changes(to f, to g, int v) { if (v > 3) f = g; return f(v); }\n"
    text += (
        "static int changes_std(std::function<int(int)> f, std::function<int(int)> g, int v) { f = g; return f(v); }\n"
    )
    text += f"static int counts(to f, int v) {{ static int n = 0; return f(n += v); }}\nvoid k(int a[8]) {{ {body} }}\n"
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"k\.cpp:\d+:\d+: .*{UNKNOWN[body]}"):
        load_programs(str(tmp_path / "k.cpp"), policy=HARDWARE, function="k")


def test_functions_of_our_headers_are_no_kernels_and_nothing_is_said_of_them(tmp_path: Path) -> None:
    text = "#include <algorithm>\nvoid k(int a[8], int b[8]) {\nb[0] = std::count(a, a + 8, 6);\n"
    (tmp_path / "k.cpp").write_text(f"{text}b[1] = __builtin_popcount(a[1]); }}\n", encoding="utf-8")
    found = schedule(tmp_path / "k.cpp")
    assert ([each.program.name for each in found.kernels], found.skipped) == (["k"], [])
    assert found.kernels[0].without_effect == []
