"""Which functions replace the calls of them: kernels, and those whose arguments choose elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.c.load import load_unit
from ppnsim.c.lowering.variables import uses
from ppnsim.c.lowering.variables.uses import handed_out, is_kernel, is_opened
from ppnsim.c.syntax import Function, SyntaxNode

TEXT = """
void other(int *a);
void body(int *a, int i) { a[i] = 1; }
void fixed(int *a) { a[3] = 1; }
int answer(int *a, int i) { return a[i]; }
void calls(int *a, int i) { a[i] = 1; body(a, i); }
void unknown(int *a, int i) { a[i] = 1; elsewhere(a); }
void loop(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }
void around(int a[4]) { loop(a); }
int count(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int held[4];
void global(void) { for (int i = 0; i < 4; i++) held[i] = i; }
void main_(int a[4]) { other(a); body(a, 1); fixed(a); answer(a, 1); calls(a, 1); unknown(a, 1); around(a); count(3);
  global(); }
"""


@pytest.mark.parametrize(
    ("name", "kernel", "opened"),
    [
        ("other", False, False), ("body", False, True), ("fixed", False, False), ("answer", False, False),
        ("calls", False, False), ("unknown", False, True), ("loop", True, True), ("around", True, True),
        ("count", False, False), ("global", True, True),
    ],
)  # fmt: skip
def test_a_function_is_opened_if_it_is_a_kernel_or_its_arguments_choose_elements(
    name: str, kernel: bool, opened: bool, tmp_path: Path
) -> None:
    path = tmp_path / "k.c"
    path.write_text("void elsewhere(int *a);\n" + TEXT, encoding="utf-8")
    functions = {key: each for key, each in load_unit(str(path)).functions.items() if each.body is not None}
    found = load_unit(str(path)).functions[name]
    assert (is_kernel(found, functions), is_opened(found, functions)) == (kernel, opened)


def test_each_function_is_asked_once_in_however_many_ways_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = 12
    calls = "".join(f"void f{n}(int &x) {{ f{n - 1}(x); f{n - 1}(x); }}\n" for n in range(1, deep))
    path = tmp_path / "k.cpp"
    path.write_text(f"void f0(int &x) {{ x = 1; }}\n{calls}void top() {{ int y; f{deep - 1}(y); }}\n", encoding="utf-8")
    functions = load_unit(str(path)).functions
    asked, of = list[str](), uses._calls

    def noted(function: Function) -> tuple[SyntaxNode, ...]:
        asked.append(function.name)
        return of(function)

    monkeypatch.setattr(uses, "_calls", noted)
    assert [each.name for each in handed_out(functions["top"], functions)] == ["y"]
    assert not is_kernel(functions["top"], functions)
    assert len(asked) <= 2 * (deep + 1)
