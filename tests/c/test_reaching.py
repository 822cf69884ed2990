"""Which uses of a variable see one assignment: what the text shows, form by form."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.clang.parser import parse
from ppnsim.c.lowering.variables.reaching import followed, is_table
from ppnsim.c.syntax import Function, TranslationUnit, Variable

# Every body, whether x is followed without a value before it, and with one.
BODIES = {
    "x = 1; y = x;": (True, True),
    "y = x;": (False, True),
    "y = x; x = 1;": (False, True),
    "x = x + 1; y = x;": (False, True),
    "x += 1; y = x;": (False, True),
    "x = 1; x += 2; y = x;": (True, True),
    "x++; y = x;": (False, True),
    "--x; y = x;": (False, True),
    "x = 1; y = x++; y = x;": (True, True),
    "y = -x;": (False, True),
    "x = 1; p = &x;": (False, False),
    "p = &x;": (False, False),
    "p = &y;": (True, True),
    "if (y) x = 1; y = x;": (False, False),
    "x = 1; if (y) x = 2; y = x;": (False, False),
    "x = 1; if (x) y = 2; y = x;": (True, True),
    "x = 1; if (y) y = x; else y = -x; y = x;": (True, True),
    "x = 1; if (y) { x = 2; y = x; }": (True, True),
    "if (y) { x = 2; y = x; }": (True, True),
    "if (y) { x = 2; y = x; } else y = x;": (False, True),
    "if (x) y = 1;": (False, True),
    "y = y ? x : 1;": (False, True),
    "x = 1; y = y && (x = 2); y = x;": (False, False),
    "x = 1; y = (x = 2) && y; y = x;": (True, True),
    "for (int i = 0; i < 4; i++) y = x;": (False, True),
    "x = 1; for (int i = 0; i < 4; i++) y = x; y = x;": (True, True),
    "x = 1; for (int i = 0; i < 4; i++) x = i; y = x;": (False, False),
    "x = 1; for (int i = 0; i < 4; i++) { y = x; x = i; }": (False, False),
    "x = 1; for (int i = 0; i < 4; i++) { x = i; y = x; }": (True, True),
    "for (int i = 0; i < 4; i++) { x = i; y = x; }": (True, True),
    "for (int i = 0; i < x; i++) y = 1;": (False, True),
    "for (int i = 0; i < 4; i += x) x = 1;": (True, True),
    "for (int i = x; i < 4; i++) y = 1;": (False, True),
    "for (x = 0; x < 4; x++) y = x;": (True, True),
    "for (x = 0; x < 4; x++) y = x; y = x;": (False, False),
    "x = 1; while (y) y = x; y = x;": (True, True),
    "x = 1; while (x) x--;": (False, False),
    "int z[x]; y = 1;": (False, True),
    "int z = x; y = z;": (False, True),
    "y = (y, 3);": (True, True),
}


def read(text: str, folder: Path) -> TranslationUnit:
    """Return functions of a body: ``k`` declares x before it, ``m`` has it as a parameter."""
    path = folder / "k.c"
    path.write_text(f"void k(int y, int *p) {{ int x; {text} }}\nvoid m(int y, int *p, int x) {{ {text} }}\n")
    return parse(str(path), {}, ())


def declared(function: Function, name: str) -> Variable:
    """Return the variable that a function declares by a name."""
    assert function.body is not None
    nodes = (node.variable for node in function.body.walk() if node.kind == "declare")
    return next(each for each in nodes if each is not None and each.name == name)


@pytest.mark.parametrize("text", BODIES)
def test_a_variable_is_followed_where_each_use_sees_one_assignment(text: str, tmp_path: Path) -> None:
    local, given = (read(text, tmp_path).functions[name] for name in "km")
    assert local.body is not None and given.body is not None
    found = followed(declared(local, "x"), local.body), followed(given.parameters[2], given.body, known=True)
    assert found == BODIES[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int t[3] = {1, 2, 3}; y = t[y];", True),
        ("int t[3] = {1, 2, 3}; t[0] = 4; y = t[y];", False),
        ("int t[3] = {1, 2, 3}; p = t; y = t[y];", False),
        ("const int t[3] = {1, 2, 3}; p = (int *)t;", True),
        ("static int t[3] = {1, 2, 3}; y = t[y] + t[0];", False),
        ("int t[3] = {1, 2, 3}; t[y]++;", False),
        ("int t[3] = {1, 2, 3}; t[y] += 2;", False),
        ("int t[2][2] = {{1, 2}, {3, 4}}; y = t[y][1];", True),
        ("int t = 3; y = t;", False),
        ("const int t = 3; y = t;", False),
    ],
)
def test_a_table_is_an_array_of_which_single_elements_are_read(text: str, expected: bool, tmp_path: Path) -> None:
    function = read(text, tmp_path).functions["k"]
    assert is_table(declared(function, "t"), function.body) is expected
