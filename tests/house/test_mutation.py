"""Mutation testing as a tool: mutants are small and the same every time, the tree is left as it was, verdicts hold."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.coverage import DATA
from tests.mutation.__main__ import drawn, room_of
from tests.mutation.mutants import mutants
from tests.mutation.tree import ROOT, applied
from tests.mutation.verdicts import equivalents, stale

SOURCE = '''"""A file."""

def f(x: int, rows: list[int]) -> int:
    """Return 3 or more."""
    assert x > 0, f"{x + 1} is wrong"
    total = max(x, 3) if x > 1 and rows else -x
    for row in sorted(rows, key=abs):
        total += row * 2
    return total
'''


def test_a_file_has_the_mutants_of_its_operators_numbers_conditions_calls_and_returns() -> None:
    found = {(each.line, each.now) for each in mutants("ppnsim/x.py", SOURCE)}
    line = "total = max(x, 3) if x > 1 and rows else -x"
    assert {now for number, now in found if number == 6} == {
        line.replace("max(x, 3)", "(min(x, 3))"), line.replace("3", "4"), line.replace("3", "2"),
        line.replace("x > 1 and rows", "(x > 1 or rows)"), line.replace("x > 1 and rows", "(not (x > 1 and rows))"),
        line.replace("x > 1", "(x >= 1)"), line.replace("x > 1", "(x <= 1)"), line.replace("1", "2"),
        line.replace("1", "0"), line.replace("-x", "(x)"),
    }  # fmt: skip
    assert {number for number, _ in found} == {6, 7, 8, 9}  # not the words, the types and the assertion
    assert (7, "for row in (sorted(rows)):") in found
    assert (7, "for row in (sorted(rows, key=abs, reverse=True)):") in found
    assert {now for number, now in found if number > 7} == {
        "total -= row * 2", "total += (row + 2)", "total += row * 3", "total += row * 1", "return None",
    }  # fmt: skip


def test_a_mutant_differs_in_its_line_only_and_a_drawing_is_repeated() -> None:
    batch = drawn(seed=5, count=60, room="report", place=None)
    assert batch == drawn(seed=5, count=60, room="report", place=None) != drawn(6, 60, "report", None)
    assert {room_of(each.file) for each in batch} == {"report"}
    for mutant in batch:
        original = (ROOT / mutant.file).read_text(encoding="utf-8")
        text = mutant.text(original)
        assert text != original
        assert text.splitlines()[: mutant.line - 1] == original.splitlines()[: mutant.line - 1]
        if mutant.file.endswith(".py"):
            ast.parse(text)


def test_a_copy_is_wrong_for_a_while_and_then_as_it_was(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "ppnsim").mkdir(parents=True)
    file = tree / "ppnsim" / "x.py"
    file.write_text(SOURCE, encoding="utf-8")
    caches = file.parent / "__pycache__"
    caches.mkdir()
    (caches / "x.cpython-311.pyc").write_text("of the right file", encoding="utf-8")
    before = file.stat().st_mtime_ns
    mutant = mutants("ppnsim/x.py", SOURCE)[0]
    with applied(mutant, tree) as environment:
        assert file.read_text(encoding="utf-8") == mutant.text(SOURCE)
        assert environment["PYTHONPATH"] == str(tree)
        assert not list(caches.iterdir())
        (caches / "x.cpython-311.pyc").write_text("of the wrong file", encoding="utf-8")
    assert (file.read_text(encoding="utf-8"), file.stat().st_mtime_ns) == (SOURCE, before)
    assert [each.read_text(encoding="utf-8") for each in caches.iterdir()] == ["of the right file"]


def test_an_equivalent_mutant_has_a_reason_and_one_whose_line_is_gone_is_told() -> None:
    known = equivalents()
    assert [key for key, why in known.items() if len(why.split()) < 4] == []
    gone = {("ppnsim/units.py", "no such line", "nor this"): "it is gone for good"}
    assert stale(gone) == ["ppnsim/units.py: no such line"]
    assert len(stale(known)) < len(known)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs a measurement: python -m tests.coverage")
def test_a_batch_of_twenty_is_noticed() -> None:
    command = [sys.executable, "-m", "tests.mutation", "--seed", "1", "--count", "20", "--room", "analysis"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
