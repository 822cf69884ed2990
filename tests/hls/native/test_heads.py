"""What the head of a counted loop says: the iterator and its values."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ppnsim.c.clang.parser import parse
from ppnsim.hls.native.heads import counted, values_of


def loop_of(folder: Path, head: str, body: str = "x += i;") -> tuple[Any, Any]:
    """Return what `counted` and `values_of` take: a region with the text, and the loop."""
    file = folder / "kernel.cpp"
    file.write_text(f"void f(int &x, int n) {{\n  int i;\n  for ({head}) {{ {body} }}\n}}\n")
    unit = parse(str(file), {}, [])
    body_of_f = unit.functions["f"].body
    assert body_of_f is not None
    return SimpleNamespace(unit=unit), next(node for node in body_of_f.walk() if node.kind == "for")


@pytest.mark.parametrize(
    ("head", "values"),
    [
        ("int i = 0; i < 7; i++", range(7)),
        ("int i = 2; i <= 7; ++i", range(2, 8)),
        ("int i = 7; i > 0; i--", range(7, 0, -1)),
        ("int i = 7; i >= 0; --i", range(7, -1, -1)),
        ("int i = 0; i != 6; i += 2", range(0, 6, 2)),
        ("int i = 9; i > 0; i -= 3", range(9, 0, -3)),
        ("i = 0; i < 5; i++", range(5)),
        ("int i = -3; i < 3; i++", range(-3, 3)),
        ("int i = 0; i < 4 * 2 - 1; i += 1 + 1", range(0, 7, 2)),
    ],
)
def test_a_head_of_constants_gives_all_values(tmp_path: Path, head: str, values: range) -> None:
    region, loop = loop_of(tmp_path, head)
    iterator, found = values_of(region, loop)
    assert (iterator.name, list(found)) == ("i", list(values))
    assert cast("Any", counted(region, loop)) == (iterator, len(values))


@pytest.mark.parametrize(
    "head",
    [
        "int i = 0; i < n; i++",
        "int i = n; i < 9; i++",
        "int i = 0; i < 9; i += n",
        "int i = 1; i < 9; i *= 2",
        "int i = 1; i < 9; i = i + 1",
        "int i = 0; n < 9; i++",
        "int i = 0; i < 9; n++",
        "int i = 0; i < 9; i++, n++",
        "; i < 9; i++",
        "int i = 0; ; i++",
        "int i = 0; i < 9;",
        "int i = 0; 9 == i; i++",
    ],
)
def test_another_head_gives_none(tmp_path: Path, head: str) -> None:
    assert counted(*loop_of(tmp_path, head)) is None


def test_an_iterator_that_the_body_sets_has_no_known_values(tmp_path: Path) -> None:
    assert counted(*loop_of(tmp_path, "int i = 0; i < 9; i++", "i = 3;")) is None
    assert counted(*loop_of(tmp_path, "int i = 0; i < 9; i++", "n = 3;")) is not None
