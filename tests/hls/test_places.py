"""Where the files of a project are looked for, wherever the tool or a copy of the project has put them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.hls.project import places
from ppnsim.hls.project.places import moved, placed


def files(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def test_of_two_sources_that_differ_nobody_says_which(tmp_path: Path) -> None:
    base = tmp_path / "proj" / "sol"
    base.mkdir(parents=True)
    files(tmp_path, "proj/old/f.cpp", "proj/new/f.cpp")
    (tmp_path / "proj" / "old" / "f.cpp").write_text("int f;", "utf-8")
    assert moved(str(base / "script.tcl"), base, "src/f.cpp") is None


def test_where_too_many_files_are_below_a_script_none_above_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    files(tmp_path, *(f"proj/{number}.txt" for number in range(9)), "code/f.cpp")
    assert moved("run.tcl", tmp_path / "proj", "src/f.cpp") == tmp_path / "code" / "f.cpp"
    monkeypatch.setattr(places, "_MOST", 8)
    assert moved("run.tcl", tmp_path / "proj", "src/f.cpp") is None


@pytest.mark.parametrize(
    ("script", "there", "found"),
    [
        ("script.tcl", ["proj/sol/src/f.cpp", "src/f.cpp"], "proj/sol/src/f.cpp"),  # beside the script first
        ("script.tcl", ["src/f.cpp", "proj/src/f.cpp"], "src/f.cpp"),  # then from around the project
        ("script.tcl", ["proj/src/f.cpp", "proj/f.cpp"], "proj/src/f.cpp"),  # then in the project
        ("script.tcl", ["proj/f.cpp"], "proj/f.cpp"),  # whose folder may have been called otherwise
        ("script.tcl", ["f.cpp"], None),
        ("run.tcl", ["proj/sol/src/f.cpp"], "proj/sol/src/f.cpp"),
        ("run.tcl", ["src/f.cpp", "proj/src/f.cpp", "proj/f.cpp"], None),  # the author's script says where
    ],
)
def test_a_file_is_where_the_tool_means_it(script: str, there: list[str], found: str | None, tmp_path: Path) -> None:
    base = tmp_path / "proj" / "sol"
    base.mkdir(parents=True)
    files(tmp_path, *there)
    expected = base / "src/f.cpp" if found is None else tmp_path / found
    assert placed(str(base / script), base, "src/f.cpp") == expected


@pytest.mark.parametrize(
    ("script", "there", "found"),
    [
        ("script.tcl", ["proj/old/f.cpp"], "proj/old/f.cpp"),
        ("run.tcl", ["proj/old/f.cpp"], None),
        ("script.tcl", ["proj/old/f.cpp", "proj/new/f.cpp"], "proj/new/f.cpp"),  # they are alike
        ("script.tcl", ["proj/sol/syn/f.cpp", "proj/.git/f.cpp", "proj/sol/csim/f.cpp", "proj/hls/f.cpp"], None),
        ("script.tcl", ["proj/old/f.cpp", "proj/sol/sim/f.cpp", "proj/impl/f.cpp"], "proj/old/f.cpp"),
        ("script.tcl", ["f.cpp"], None),
    ],
)
def test_a_source_that_was_put_elsewhere_is_the_only_one_of_its_name(
    script: str, there: list[str], found: str | None, tmp_path: Path
) -> None:
    base = tmp_path / "proj" / "sol"
    base.mkdir(parents=True)
    files(tmp_path, *there)
    assert moved(str(base / script), base, "src/f.cpp") == (None if found is None else tmp_path / found)


def test_a_folder_of_too_many_files_is_not_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "proj" / "sol"
    files(tmp_path, "proj/old/f.cpp", "proj/old/g.cpp", "proj/sol/script.tcl")
    for most, found in ((2, None), (3, tmp_path / "proj/old/f.cpp")):
        monkeypatch.setattr(places, "_MOST", most)
        assert moved(str(base / "script.tcl"), base, "src/f.cpp") == found
