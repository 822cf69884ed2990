"""What making, copying and ending an object costs: the cycles of the same work in plain C, or a refusal by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.clang.bases import Question, Questions, asked_constant, asked_maker, settled
from ppnsim.c.load import load_kernels
from ppnsim.c.policy import HARDWARE
from ppnsim.c.syntax import TranslationUnit
from ppnsim.errors import InputError
from ppnsim.library.schedule import schedule

_WORK = "for (int k = 0; k < 100; k++) g[k] *= 3;"
_PLAIN = f"int g[100];\nint work() {{ {_WORK} return 5; }}\n"
_CLASSES = f"""struct B {{ int x; B() {{ x = 4; {_WORK} }} }};
struct Base : B {{ int m; Base() : m(2) {{}} }};
struct Named : B {{ int m; Named() : B(), m(2) {{}} }};
struct Beside : B {{ B o; int m; Beside() : o(B()), m(2) {{}} }};
struct Member {{ B b; int m; Member() : m(2) {{}} }};
struct Implicit {{ B b; int m; }};
struct Array {{ B b[3]; int m; Array() : m(2) {{}} }};
struct Nameless {{ struct {{ B q; }}; int m; Nameless() : m(2) {{}} }};
struct Value {{ int n = 40, m; Value() : m(2) {{}} }};
struct Called {{ int n = work(), m; Called() : m(2) {{}} }};
struct Late {{ int m; int n = m + 1; Late(int v) : m(v) {{}} }};
struct Given {{ int m; Given(int v = work()) : m(v) {{}} }};
struct Has {{ Given b; int m; Has() : m(2) {{}} }};
struct Agg {{ int m; B b; }};
struct Sum {{ int m; int n = work(); }};
struct Inner {{ int m; int z[3] = {{1, 2, 3}}; int n = 4; }};
struct D {{ int z; D(int v) : z(v) {{ {_WORK} }} D(int v, int w) : z(v + w) {{}} }};
struct Heir : D {{ using D::D; B b; int n = 3; }};
struct Copied {{ int m; Copied() : m(2) {{}} Copied(const Copied &o) {{ m = o.m; {_WORK} }} }};
struct Rebased : B {{ int m; Rebased() : B(), m(2) {{}} Rebased(const Rebased &o) {{ m = o.m; }} }};
struct Assigned {{ int m; Assigned() : m(2) {{}} Assigned &operator=(const Assigned &o) {{
  m = o.m; {_WORK} return *this; }} }};
struct Within {{ Assigned c; int m; Within() : m(2) {{}} }};
struct Clear {{ int z[8], m; Clear() : z(), m(2) {{}} }};
struct Braces {{ int z[8]{{}}, m = 2; }};
struct Ended {{ int m; Ended() : m(2) {{}} ~Ended() {{ work(); }} }};
struct EndedWithin {{ Ended e; int m; }};
struct CopiedWithin {{ Copied c; int m; }};
template <class T> struct Made {{ T x; Made() {{ x = 4; {_WORK} }} }};
template <class T> struct MadeBase : Made<T> {{ T m; MadeBase() : m(2) {{}} }};
template <class T> struct MadeMember {{ Made<T> b; T m; MadeMember() : m(2) {{}} }};
struct Any {{ int x; template <class T = int> Any() {{ x = 4; {_WORK} }} }};
struct AnyMember {{ Any b; int m; AnyMember() : m(2) {{}} }};
struct Hidden : Named {{ int m; Hidden() : m(3) {{}} }};
struct Twice : Named {{ int m; }};
template <class T> struct Pair {{ T x, y; }};
struct Counter {{ int y; Counter operator++(int) {{ Counter t = *this; y++; {_WORK} return t; }} }};
struct Quick {{ virtual int f(int v) {{ return v; }} int g(int v) {{ return f(v); }} }};
struct Slow : Quick {{ int f(int v) override {{ work(); return v; }} }};
struct Left : virtual B {{}};
struct Right : virtual B {{}};
struct Joined : Left, Right {{ int m; }};
struct Cubed {{ int m; Cubed() {{}} Cubed(const Cubed &o) : m(o.m * o.m * o.m) {{}}
  Cubed &operator=(int v) {{ m = v * v * v; return *this; }}
  Cubed &operator=(const Cubed &o) {{ m = o.m * o.m * o.m; return *this; }} }};
struct Plain {{ int m; Plain &operator=(const Plain &o) {{ if (this != &o) {{ m = o.m; }} return *this; }} }};
template <int N> struct Filled {{ int x; void operator=(int v) {{ for (int j = 0; j < N; j++) x += v; }} }};
struct Ends {{ int m; ~Ends() {{ m = 0; }} }};
struct Holder {{ Plain held; int n; Plain *operator->() {{ return &held; }}
  Plain &next() {{ n++; return held; }} int &value() {{ n++; return held.m; }}
  Plain &either(int v) {{ if (v) return held; Plain &r = held; return r; }} }};
struct Checked {{ int m; Checked() {{}} Checked(const Checked &o) : m(o.m) {{ assert(m < 3); }} }};
struct Checks {{ Checked c; int n; }};
struct Union {{ union {{ int q = work(); float r; }}; int m; Union() : m(2) {{}} }};
"""


def cycles(folder: Path, body: str, classes: str = _CLASSES) -> int:
    head = "#include <cassert>\n" + ("#include <array>\n#include <utility>\n" if "std::" in body else "")
    (file := folder / "k.cpp").write_text(f"{head}{_PLAIN}{classes}void top(int a[64]) {{ {body} }}\n")
    found = schedule(file, function="top").kernels[0].machine.cycles
    assert found is not None
    return found


_USED = "o.z[a[1] & 7] = a[2]; a[3] = o.z[a[4] & 7];"
_CLEARED = f"for (int j = 0; j < 9; j++) {{ int z[8] = {{0}}; {_USED.replace('o.z', 'z')} }}"
TWICE, THRICE = f"for (int j = 0; j < 2; j++) {{ {_WORK} }}", f"for (int j = 0; j < 3; j++) {{ {_WORK} }}"
FOLLOWED = {
    "a base that no list names": ("Base o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a base that the list names": ("Named o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a base beside a member of its type": ("Beside o; a[0] = o.m;", f"{_WORK} {_WORK} a[0] = 2;"),
    "a member": ("Member o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a member whose class a template makes": ("MadeMember<int> o; a[0] = o.b.x;", f"int x; x = 4; {_WORK} a[0] = x;"),
    "a member whose constructor is a template": ("AnyMember o; a[0] = o.b.x;", f"int x; x = 4; {_WORK} a[0] = x;"),
    "elements whose class a template makes": (
        "Made<int> o[3]; a[0] = o[1].x;",
        f"int x[3]; for (int j = 0; j < 3; j++) {{ x[j] = 4; {_WORK} }} a[0] = x[1];",
    ),
    "an assignment beside one of numbers": ("Filled<4> o, p; p.x = 3; o = p; a[0] = o.x;", "a[0] = 3;"),
    "a member of a class without constructors": ("Implicit o; o.m = 2; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "an array of objects in an object": ("Array o; a[0] = o.m;", f"{THRICE} a[0] = 2;"),
    "an array of objects": ("B o[3]; a[0] = 2;", f"{THRICE} a[0] = 2;"),
    "an array of a template's objects": ("Made<int> o[3]; a[0] = 2;", f"{THRICE} a[0] = 2;"),
    "elements that braces leave out": ("B o[3] = {B()}; a[0] = 2;", f"{_WORK} {_WORK} {_WORK} a[0] = 2;"),
    "an array that the list clears": (f"for (int j = 0; j < 9; j++) {{ Clear o; {_USED} }}", _CLEARED),
    "an array that its class clears": (f"for (int j = 0; j < 9; j++) {{ Braces o{{}}; {_USED} }}", _CLEARED),
    "an array of braces in braces": (f"for (int j = 0; j < 9; j++) {{ Braces o = {{{{0}}, 2}}; {_USED} }}", _CLEARED),
    "an array of no loop": (f"Clear o; {_USED}", _USED.replace("o.z", "z").join(("int z[8] = {0}; ", ""))),
    "a number in empty braces": ("Pair<int> o{a[1], int{}}; a[0] = o.x + o.y;", "a[0] = a[1];"),
    "a std::array of objects": ("std::array<B, 3> o; a[0] = 2;", f"{THRICE} a[0] = 2;"),
    "a struct without a name": ("Nameless o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a value of the class": (
        "Value o; a[0] = o.n * a[1];",
        "struct { int n, m; } o; o.n = 40; o.m = 2; a[0] = o.n * a[1];",
    ),
    "a value that a function computes": ("Called o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a value made of a member before it": ("Late o(a[1]); a[0] = o.n;", "int m = a[1], n = m + 1; a[0] = n;"),
    "a default argument": ("Has o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "a member that braces leave out": ("Agg o{1}; a[0] = o.m;", f"{_WORK} a[0] = 1;"),
    "a value that braces leave out": ("Sum o{1}; a[0] = o.m;", f"{_WORK} a[0] = 1;"),
    "empty braces": ("Agg o = {}; a[0] = o.m;", f"{_WORK} a[0] = 0;"),
    "values of a class in braces": (
        "Inner o{1}; a[0] = a[1] * o.z[1];",
        "struct { int m, z[3], n; } o = {1, {1, 2, 3}, 4}; a[0] = a[1] * o.z[1];",
    ),
    "an inherited constructor": ("Heir o(1); a[0] = a[1];", f"{_WORK} {_WORK} a[0] = a[1];"),
    "the inherited constructor that fits": ("Heir o(1, 2); a[0] = a[1];", f"{_WORK} a[0] = a[1];"),
    "a copy": ("Copied o; Copied p(o); a[0] = p.m;", f"{_WORK} a[0] = 2;"),
    "a base that a copy makes anew": ("Rebased o; Rebased p(o); a[0] = p.m;", f"{_WORK} {_WORK} a[0] = 2;"),
    "an assignment": ("Assigned o, p; p = o; a[0] = p.m;", f"{_WORK} a[0] = 2;"),
    "an assignment of a member": ("Within o, p; p = o; a[0] = p.m;", f"{_WORK} a[0] = 2;"),
    "a step behind its object": ("Counter o; o.y = a[1]; o++; a[0] = o.y;", f"int y = a[1]; y++; {_WORK} a[0] = y;"),
    "a virtual method of a named object": ("Slow o; a[0] = o.f(a[1]);", f"{_WORK} a[0] = a[1];"),
    "a number that is assigned": ("Cubed o; o = a[1]; a[0] = o.m;", "int v = a[1]; a[0] = v * v * v;"),
    "an assignment that computes": ("Cubed o, p; p.m = a[1]; o = p; a[0] = o.m;", "int v = a[1]; a[0] = v * v * v;"),
    "a copy that computes": ("Cubed o; o.m = a[1]; Cubed p(o); a[0] = p.m;", "int v = a[1]; a[0] = v * v * v;"),
    "an assignment that only copies": ("Plain o, p; p.m = a[1]; o = p; a[0] = o.m;", "a[0] = a[1];"),
    "a copy in which a copy only checks": ("Checks o; o.c.m = a[1]; Checks p = o; a[0] = p.c.m;", "a[0] = a[1];"),
    "an object behind ->": ("Holder o; o->m = a[1]; a[0] = o->m * 3;", "a[0] = a[1] * 3;"),
    "an object that a method returns": ("Holder o; o.next().m = a[1]; a[0] = o.held.m * 3;", "a[0] = a[1] * 3;"),
    "a number that a method returns": (
        "Holder o; o.held.m = a[2]; o.value() += a[1]; a[0] = o.held.m;", "int m = a[2]; m += a[1]; a[0] = m;",
    ),
    "a base that a template makes": ("MadeBase<int> o; a[0] = o.m;", f"{_WORK} a[0] = 2;"),
    "what a lambda captures": (
        "auto f = [b = B()](int v) { return v + b.x; }; a[0] = f(a[1]);",
        f"int x; x = 4; {_WORK} a[0] = a[1] + x;",
    ),
    "what a lambda without a name captures": (
        "a[0] = [b = B()](int v) { return v + b.x; }(a[1]);",
        f"int x; x = 4; {_WORK} a[0] = a[1] + x;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_an_object_takes_the_cycles_of_the_work_that_makes_it(name: str, tmp_path: Path) -> None:
    objects, plain = FOLLOWED[name]
    assert cycles(tmp_path, objects) == cycles(tmp_path, plain, classes="")


REFUSED = {
    "Ended o; a[0] = o.m;": "an object of Ended, whose destructor works",
    "EndedWithin o; a[0] = 2;": "an object of EndedWithin, whose destructor works",
    "Ends o; a[0] = 2;": "an object of Ends, whose destructor works",
    "Holder o; o.either(a[1]).m = 2; a[0] = o.held.m;": "is one of several objects, which data chooses",
    "CopiedWithin o; CopiedWithin p = o; a[0] = p.m;": "a copy of CopiedWithin, whose members are copied by code",
    "Union o; a[0] = o.m;": "the value of q in a union",
    "std::pair<B, int> o; a[0] = o.second;": "std::pair<B, int>, which holds objects whose constructors work",
    "Hidden o; a[0] = o.x;": "'m', which a class and its base both have",
    "Twice o; o.m = 3; a[0] = o.x;": "'m', which a class and its base both have",
    "Slow o; Quick &r = o; a[0] = r.f(a[1]);": "f, a virtual method of several classes, by a pointer or a reference",
    "Slow o; a[0] = o.g(a[1]);": "f, a virtual method of several classes, by a pointer or a reference",
    "Joined o; o.m = 2; a[0] = o.m;": "virtual base B, of which an object has one",
    "Copied o, p; std::swap(o, p); a[0] = p.m;": "std::swap of objects that are copied by code of their own",
    "Copied o; auto f = [o] { return o.m; }; a[0] = f();": "a copy of .o. for a lambda, which a constructor makes",
    "B o[99] = {B()}; a[0] = 2;": "elements of a list in braces",
}


@pytest.mark.parametrize("body", REFUSED)
def test_work_of_an_object_that_is_not_followed_is_refused_by_name(body: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"k\.cpp:\d+:\d+: .*{REFUSED[body]}"):
        cycles(tmp_path, body)


@pytest.mark.parametrize("made", ["", "Chain() : Chain<N - 1>() {}"])
def test_a_template_that_is_its_own_base_is_refused(tmp_path: Path, made: str) -> None:
    classes = f"template <int N> struct Chain : Chain<N - 1> {{ int x; {made} }};\n"
    classes += "template <> struct Chain<0> { int y; Chain() : y(3) {} };\n"
    (file := tmp_path / "k.cpp").write_text(classes + "void k(int a[8]) { Chain<200> o; a[0] = o.x; }\n")
    words = "(base Chain<N - 1>, which is not known|which a class and its base both have)"
    with pytest.raises(InputError, match=rf"k\.cpp:\d:\d+: .*{words}"):
        schedule(file)


def test_the_constructor_of_a_static_object_is_no_kernel_of_its_own(tmp_path: Path) -> None:
    text = "struct F { int c[8]; F(int v) { for (int i = 0; i < 8; i++) c[i] = v; }\n"
    text += "int of(int x) { return x * c[x & 7]; } };\n"
    text += "void k(int a[8]) { static F f(3); for (int i = 0; i < 8; i++) a[i] = f.of(a[i]); }\n"
    (file := tmp_path / "k.cpp").write_text(text)
    assert [each.program.name for each in schedule(file).kernels] == ["k"]


def test_a_constructor_that_no_code_may_call_leaves_the_other_questions_their_answers() -> None:
    base, number, maker = Question("tcp<8>", ""), asked_constant("tcp<8>", "n"), asked_maker("tcp<8>")
    rounds: list[list[Question]] = []

    def read(known: Questions) -> tuple[TranslationUnit, Questions]:
        rounds.append(list(known))
        if maker in known:
            raise InputError("no default constructor")
        wanted = {base: None, maker: None} if base not in known else {number: None, maker: None}
        return TranslationUnit("", {}), {each: None for each in wanted if each not in known}

    settled(read)
    assert rounds == [[], [base, maker], [base], [base, number]]


def test_a_base_constructor_that_does_nothing_takes_what_it_is_given(tmp_path: Path) -> None:
    """Two arguments of it were read as an assignment, and one as a copy of the base."""
    text = """template <int N> struct base {
  int data[N];
  base(const char *, int) {}
  base(int) {}
};
template <int N> struct queue : base<N> {
  queue() : base<N>("queue", N) {}
  queue(int n) : base<N>(n) {}
  void put(int i, int v) { this->data[i % N] = v; }
};
void kernel(int a[64], int out[64]) {
  queue<8> q;
  queue<4> r(3);
  for (int i = 0; i < 64; i++) {
    q.put(i, a[i]);
    r.put(i, a[i]);
    out[i] = q.data[i % 8] + r.data[i % 4];
  }
}
"""
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    (program,) = load_kernels(str(tmp_path / "k.cpp"), policy=HARDWARE).programs
    assert len(program.body) == 1  # the loop alone: no member is set
    assert {each.name: each.shape for each in program.arrays if each.shape} == {
        "a": (64,), "out": (64,), "q_data": (8,), "r_data": (4,)
    }  # fmt: skip
