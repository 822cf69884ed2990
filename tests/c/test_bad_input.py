"""Each thing that the front-end refuses has a message of its own, with place, expression, reason and way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import InputError

LOOP = "void k(int a[8], int b[8], int n, int m) {{\n  for (int i = 0; i < 8; i++) {{\n    {}\n  }}\n}}\n"
BODIES = {
    "a[i*i] = 0;": ":3:7: subscript 'a[i*i]' is not affine: the product of two iterators (i, i)",
    "a[b[i]] = 0;": ":3:7: subscript 'a[b[i]]' is not affine: it depends on data ('b[i]')",
    "a[rate(i)] = 0;": "subscript 'a[rate(i)]' is not affine: the value of a function call, 'rate(i)'",
    "a[i/n] = 0;": "parameter 'n' of function 'k' has no value; give it one, for example --set n=32",
    "a[(i - 3)/2] = 0;": "quotient that C rounds towards zero",
    "if (b[i] > 3) a[i] = 0;": ":3:9: condition 'b[i] > 3' is not affine: it depends on data ('b[i]')",
    "for (int j = 0; j < b[i]; j++) a[j] = 0;": "bound 'j < b[i]' is not affine: it depends on data ('b[i]')",
    "for (int j = 0; j < i*i; j++) a[j] = 0;": "bound 'j < i*i' is not affine: the product of two iterators (i, i)",
    "for (int j = 0; j < n; j++) a[j] = 0;": "parameter 'n' of function 'k' has no value",
    "for (int j = 1; j < 8; j *= 2) a[j] = 0;": "step 'j *= 2' does not add a constant other than 0 to 'j'",
    "for (int j = 0; j < 8; j--) a[j] = 0;": "condition 'j < 8' never ends a loop that counts down",
    "for (int j = 0; j != 7; j += 2) a[j] = 0;": "condition 'j != 7' may be stepped over; use '<' or '>'",
    "for (;;) a[i] = 0;": "a for with an empty part",
    "while (n) n--;": ":3:5: a while loop in kernel 'k'; only for loops with affine bounds",
    "do n--; while (n);": "a do loop in kernel 'k'",
    "if (i > 3) break;": "a break in kernel 'k'",
    "{ if (i > 3) continue; } a[i] = 0;": "a continue in kernel 'k'",
    "switch (i) { case 1: a[i] = 0; }": "a switch in kernel 'k'",
    "if (i > 3) goto end; end: a[i] = 0;": "a goto in kernel 'k'",
    "if (i > 3) return;": "a return in the middle of kernel 'k'",
    "*(a + i) = 0;": ":3:7: pointer arithmetic in 'a + i': the array behind it is lost; write an element (a[i])",
    "int *p = a; p++;": "pointer arithmetic in 'p++'",
    "i += 2;": "'i += 2' changes 'i', the iterator of a loop around it",
    "a[i] = b[m++];": "subscript 'b[m++]' is not affine: 'm++' changes a variable inside an expression",
    "a[i] = (m = 3) + 1;": "'m = 3' changes a variable inside an expression",
    "unseen(&a[i], b[i]);": ":3:5: function 'unseen' is not declared, so it is not known which arguments it reads",
    "a[i] = ;": ":3:12: not C that can be read: expected expression",
    "a[i] = WIDTH;": ":3:12: 'WIDTH' is not declared; if it stands for a number, give it with -D WIDTH=...",
}


def refusal(tmp_path: Path, text: str, name: str = "bad.c") -> str:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        load_programs(str(file))
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith(str(file))
    return str(caught.value)


def test_a_function_that_is_not_declared_is_no_number(tmp_path: Path) -> None:
    text = "void k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = tune (a[i]) + WIDTH; }"
    words = "'tune' is not declared; #include the header of this function, or declare it before the call"
    assert words in refusal(tmp_path, text, "bad.cpp")
    number = refusal(tmp_path, "int tune(int);" + text, "bad.cpp")
    assert "'WIDTH' is not declared; if it stands for a number, give it with -D WIDTH=..." in number


@pytest.mark.parametrize(
    ("use", "remedy"),
    [
        ("oo.write(3);", "declare it before this use (a stream: hls::stream<T> oo;)"),
        ("oo << 3;", "declare it before this use (a stream: hls::stream<T> oo;)"),
        ("a[0] = qq[1];", "declare it before this use"),
        ("call(oo);", "declare it before this call (a stream: hls::stream<T> oo;), or if it stands for a number"),
        ("a[0] = NN << 3;", "if it stands for a number"), ("call(NN);", "if it stands for a number"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_number_is_to_be_declared(tmp_path: Path, use: str, remedy: str) -> None:
    told = refusal(tmp_path, f"void call(int); void k(int a[8]) {{ {use} }}", "bad.cpp")
    assert f"is not declared; {remedy}" in told


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_not_affine_is_refused_with_place_and_reason(body: str, tmp_path: Path) -> None:
    assert BODIES[body] in refusal(tmp_path, "int rate(int);" + LOOP.format(body))


def test_a_pragma_before_nothing_is_refused(tmp_path: Path) -> None:
    text = LOOP.format("a[i] = 0;\n#pragma ppnsim ii(2)\n")
    assert "#pragma ppnsim stands before no statement, loop or call" in refusal(tmp_path, text)


def test_a_missing_header_names_the_option(tmp_path: Path) -> None:
    text = '#include "sizes.h"\n' + LOOP.format("a[i] = 0;")
    assert ":1:10: header 'sizes.h' is not found; give its folder with -I" in refusal(tmp_path, text)


def test_an_array_without_shape_says_how_to_declare_it(tmp_path: Path) -> None:
    text = "void k(int *a) { for (int i = 0; i < 8; i++) a[i] = 0; }"
    assert "array without shape: 'int * a' does not say how many elements there are" in refusal(tmp_path, text)


def test_recursion_names_its_circle(tmp_path: Path) -> None:
    text = "void g(int a[8]);\n"
    text += "void f(int a[8]) { for (int i = 0; i < 8; i++) a[i]++; g(a); }\nvoid g(int a[8]) { f(a); }\n"
    assert ":3:20: recursion: f -> g -> f; a process network has a fixed number" in refusal(tmp_path, text)


def test_recursion_through_references_names_its_circle(tmp_path: Path) -> None:
    text = "struct S { int n; };\nstatic void odd(int &n, int a[8]);\n"
    text += "static void even(int &n, int a[8]) { if (n > 0) { a[0] = n; odd(n, a); } }\n"
    text += "static void odd(int &n, int a[8]) { if (n > 0) { a[1] = n; even(n, a); } }\n"
    text += "void k(int a[8]) { int n = 8; for (int i = 0; i < 8; i++) { even(n, a); } }\n"
    path = tmp_path / "k.cpp"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"recursion: even -> odd -> even; a process network"):
        load_programs(str(path), function="k", policy=HARDWARE)


def test_a_file_without_kernel_says_what_counts(tmp_path: Path) -> None:
    assert "no kernel in it: no function with a for loop" in refusal(tmp_path, "int f(int a) { return a; }")


def test_a_scop_that_is_not_closed_is_refused(tmp_path: Path) -> None:
    text = LOOP.format("a[i] = 0;") + "#pragma scop\n"
    assert ":6:1: #pragma scop without a #pragma endscop after it" in refusal(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "if (a[1])\n{begin}{loop}{end}", "for (int t = 0; t < 2; t++)\n{begin}{loop}{end}",
        "switch (a[1]) { case 0:\n{begin}{loop}{end} }",
        "for (int t = 0; t < 2; t++) { a[5]++;\n{begin} a[4]++; }{loop}{end}",
        "{begin}{loop} for (int t = 0; t < 2; t++) {\n a[4]++;{end} a[5]++; }",
    ],
)  # fmt: skip
def test_a_statement_that_is_only_partly_in_a_scop_is_refused(text: str, tmp_path: Path) -> None:
    parts = {
        "{begin}": "\n#pragma scop\n",
        "{loop}": "for (int i = 0; i < 3; i++) a[i] = i;",
        "{end}": "\n#pragma endscop\n",
    }
    for name, part in parts.items():
        text = text.replace(name, part)
    assert "hold only a part of this statement" in refusal(tmp_path, f"void k(int a[6]) {{ {text} }}\n")


def test_an_unknown_word_in_a_pragma_gets_a_suggestion(tmp_path: Path) -> None:
    text = "#pragma ppnsim latncy(3)\n" + LOOP.format("a[i] = 0;")
    assert "#pragma ppnsim knows no 'latncy' (did you mean 'latency'?)" in refusal(tmp_path, text)


def test_an_unknown_function_gets_a_suggestion(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(LOOP.format("a[i] = 0;"))
    with pytest.raises(InputError, match=r"k\.c: no function 'kk' with a body \(did you mean 'k'\?\)"):
        load_programs(str(file), function="kk")


def test_an_iterator_after_its_loop_is_refused(tmp_path: Path) -> None:
    text = "void k(int a[9]) { int i; for (i = 0; i < 8; i++) a[i] = 0; a[i] = 1; }"
    assert "'i' is used after its loop has ended" in refusal(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.c: no such file"):
        load_programs(str(tmp_path / "nowhere.c"))
