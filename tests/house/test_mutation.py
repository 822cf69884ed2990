"""Mutation testing as a tool: mutants are small and the same every time, the tree is left as it was, verdicts hold."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

from tests import coverage
from tests.coverage import DATA
from tests.mutation.__main__ import drawn, room_of
from tests.mutation.journal import GONE, SURVIVED, begun, read, write
from tests.mutation.live import exchange
from tests.mutation.mutants import mutants
from tests.mutation.selection import Selection, callers
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


def test_functions_that_live_get_the_code_of_another_text_unless_it_is_run_when_imported(tmp_path: Path) -> None:
    before = (
        "LIMIT = 3\n\ndef most(x):\n    return min(x, LIMIT)\n\n"
        "class A:\n    size = 2\n    def of(self):\n        return self.size\n"
    )
    file = tmp_path / "x.py"
    scope: dict[str, Any] = {}
    exec(compile(before, str(file), "exec"), scope)
    found = [scope["most"], scope["A"].of]
    assert exchange(found, str(file), before, before.replace("min(x", "max(x").replace("self.size", "-self.size"))
    assert (scope["most"](9), scope["A"]().of()) == (9, -2)
    for change in (("LIMIT = 3", "LIMIT = 4"), ("size = 2", "size = 3"), ("(x, LIMIT)", "(x, key=lambda y: x)")):
        assert not exchange(found, str(file), before, before.replace(*change)), change


def test_tests_come_in_the_order_in_which_they_are_about_a_line_that_has_moved(tmp_path: Path) -> None:
    """``units.py`` as it was under another name, a line longer; a test of the whole way, one of it, and a new one."""
    text = (ROOT / "ppnsim" / "units.py").read_text(encoding="utf-8")
    mutant = next(each for each in mutants("ppnsim/units.py", text) if "return" in each.was)
    line = mutant.line + 1
    data = CoverageData(str(tmp_path / "data"))
    for test, lines in {
        "tests/cli/test_a.py::test_whole": {"/x/ppnsim/old.py": [line], "/x/ppnsim/other.py": list(range(200))},
        "tests/model/test_b.py::test_units": {"/x/ppnsim/old.py": [line, line + 1], "/x/ppnsim/other.py": [1]},
        "tests/model/test_b.py::test_other_line": {"/x/ppnsim/old.py": [line + 40]},
    }.items():
        data.set_context(f"{test}|run")
        data.add_lines(lines)
    data.write()
    seconds, sources = tmp_path / "seconds.json", tmp_path / "sources.json"
    sources.write_text(json.dumps({"ppnsim/old.py": f'"""Old."""\n{text}'}), encoding="utf-8")
    names = [
        "tests/cli/test_a.py::test_whole",
        "tests/model/test_b.py::test_units",
        "tests/model/test_b.py::test_other_line",
    ]
    seconds.write_text(json.dumps({names[0]: 30.0, names[1]: 0.2, names[2]: 0.2}), encoding="utf-8")
    selection = Selection([*names, "tests/units.py::test_new"], tmp_path / "data", seconds, sources)
    assert selection.related(mutant, 60) == [names[1], "tests/units.py::test_new", names[0]]
    assert selection.related(mutant, 20) == [names[1], "tests/units.py::test_new"]


def test_lines_measured_in_two_folders_and_tests_that_read_a_file_or_its_room_are_related(tmp_path: Path) -> None:
    file = "ppnsim/model/parts.py"
    text = (ROOT / file).read_text(encoding="utf-8")
    mutant = next(each for each in mutants(file, text) if "return" in each.was)
    data = CoverageData(str(tmp_path / "data"))
    names = [f"tests/model/test_a.py::test_{each}" for each in ("here", "there")]
    names += ["tests/house/test_b.py::test_c[model/parts.py]", "tests/house/test_b.py::test_d[model]"]
    for test, root in zip(names, ("/x", "/y"), strict=False):
        data.set_context(f"{test}|run")
        data.add_lines({f"{root}/{file}": [mutant.line]})
    data.write()
    seconds, sources = tmp_path / "seconds.json", tmp_path / "sources.json"
    sources.write_text(json.dumps({file: text}), encoding="utf-8")
    seconds.write_text(json.dumps(dict.fromkeys(names, 0.2)), encoding="utf-8")
    assert set(Selection(names, tmp_path / "data", seconds, sources).related(mutant, 60)) == set(names)


def test_lines_of_other_files_are_not_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "SOURCES", tmp_path / "sources.json")
    (tmp_path / "sources.json").write_text('{"ppnsim/units.py": "as it was"}', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"not as they were measured .* measure anew, without --cov-append"):
        coverage.measure(["--cov-append", "tests/no_such_test.py"])


def test_machine_code_is_tested_by_what_tests_its_callers() -> None:
    folder = "ppnsim/engines/compiled"
    known = frozenset({f"{folder}/{name}.py" for name in ("elastic", "kernel", "engine", "blocks")})
    assert callers(f"{folder}/elastic.py", known) >= {f"{folder}/elastic.py", f"{folder}/kernel.py"}
    assert f"{folder}/engine.py" in callers(f"{folder}/elastic.py", known), "by way of the kernel"


def test_a_batch_is_written_with_its_verdicts_and_gone_on_with(tmp_path: Path) -> None:
    batch = drawn(seed=5, count=3, room="report", place=None)
    entries = begun(batch)
    entries[0].verdict, entries[1].verdict = "noticed by tests/a.py::test_a", SURVIVED
    entries[2].was = "no such line"
    write(tmp_path / "verdicts", entries)
    again = read(tmp_path / "verdicts")
    assert [each.mutant for each in again] == [*batch[:2], None]
    assert [each.is_open for each in again] == [False, True, False]
    assert again[2].verdict == GONE


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs a measurement: python -m tests.coverage")
def test_a_batch_of_twenty_is_noticed() -> None:
    command = [sys.executable, "-m", "tests.mutation", "--seed", "1", "--count", "20", "--room", "analysis"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
