"""What all commands share: exit codes over several files, where results go, tables as CSV, and who writes over whom."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from ppnsim.cli import common
from ppnsim.cli.answers import answer_each_file, table_of
from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.outputs import (
    Output,
    check_distinct,
    check_output,
    check_picture,
    check_place,
    write_json,
    write_table,
)  # fmt: skip
from ppnsim.errors import InputError
from ppnsim.export.place import folder_at
from ppnsim.library.answer import Answer


def code_of(files: list[str], work: Callable[[str], tuple[dict[str, Any], int]], json_path: str | None = None) -> int:
    with pytest.raises(typer.Exit) as ended:
        for_each_file(files, json_path, work)
    return ended.value.exit_code


def refusal(ask: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as error:
        ask()
    return str(error.value)


# -- codes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("codes", "code"),
    [([0], 0), ([0, 0], 0), ([3, 0], 3), ([3, 2], 2), ([2, 1, 3], 1), ([0, 130, 1], 130), ([1, 130], 130), ([4], 4)],
)
def test_the_code_is_the_first_fault_and_ctrl_c_before_all(codes: list[int], code: int) -> None:
    seen: list[str] = []

    def work(file: str) -> tuple[dict[str, Any], int]:
        seen.append(file)
        return {}, codes[int(file)]

    assert code_of([str(number) for number in range(len(codes))], work) == code
    assert len(seen) == (codes.index(130) + 1 if 130 in codes else len(codes))  # Ctrl-C ends the loop


def failing(error: BaseException) -> Callable[[str], tuple[dict[str, Any], int]]:
    def work(_: str) -> tuple[dict[str, Any], int]:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("is wrong"), 2, "f: is wrong"), (InputError("is wrong", where="f"), 2, "f: is wrong"),
        (InputError("N = 2: f:4:55: recursion"), 2, "N = 2: f:4:55: recursion"),
        (MemoryError(), 2, "f: needs more memory than there is (fewer firings, or smaller sizes, need less)"),
        (KeyboardInterrupt(), 130, "f: interrupted"),
        (OSError(28, "No space left"), 2, "f: the output cannot be written (No space left)"),
        (OSError(2, "No such file", "/a/b"), 2, "f: no access to '/a/b' (No such file)"),
        (ValueError("odd"), 1, "f: internal error, please report it: ValueError('odd')"),
    ],
)  # fmt: skip
def test_an_error_is_an_entry_and_a_line(
    error: BaseException, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.json"
    assert code_of(["f"], failing(error), str(found)) == code
    assert json.loads(found.read_text()) == {"file": "f", "error": message}
    told = capsys.readouterr().err.splitlines()
    assert told[-1] == ("interrupted at f" if code == 130 else message)
    assert ("Traceback (most recent call last):" in told) == isinstance(error, ValueError)


def test_json_is_a_list_exactly_if_there_are_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def work(file: str) -> tuple[dict[str, Any], int]:
        return {"file": file}, 0

    code_of(["a", "b"], work, str(tmp_path / "two.json"))
    assert json.loads((tmp_path / "two.json").read_text()) == [{"file": "a"}, {"file": "b"}]
    code_of(["a"], work, "-")
    assert capsys.readouterr().out == '{\n  "file": "a"\n}\n'
    assert code_of(["a"], work) == 0 and capsys.readouterr().out == ""


def test_a_bar_is_drawn_after_a_second_and_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    now, started = [0.0], list[str]()
    monkeypatch.setattr("ppnsim.cli.common.time.monotonic", lambda: now[0])
    monkeypatch.setattr("ppnsim.cli.bar.Progress.start", lambda _: started.append("start"))
    monkeypatch.setattr("ppnsim.cli.bar.Progress.stop", lambda _: started.append("stop"))
    for terminal, drawn in ((True, ["start", "stop"]), (False, [])):
        monkeypatch.setattr("ppnsim.cli.common.Console.is_terminal", terminal)
        now[0] = 0.0
        with common.progress("net") as report:
            report(1, 4)
            now[0] = 1.0
            report(2, 4)
            assert started == []
            now[0] = 1.01
            report(3, 4)
            report(4, 4)
        assert started == drawn
        started.clear()


# -- answers -----------------------------------------------------------------------------------------------------------


class Told(Answer):
    """An answer of a few rows, whose figure is a word."""

    def __init__(self, *rows: Mapping[str, Any]) -> None:
        self._rows = rows

    def to_dict(self) -> dict[str, Any]:
        return {"rows": list(self._rows)}

    def print(self, console: Any) -> None:
        console.print("told")

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return self._rows

    def figure(self) -> Any:
        return "figure"


def answered(
    files: list[str], output: Output, answers: Mapping[str, tuple[Answer, int]], monkeypatch: pytest.MonkeyPatch,
    **more: Any,
) -> tuple[int, list[Any]]:  # fmt: skip
    """Return the exit code, and what was drawn."""
    drawn: list[Any] = []
    monkeypatch.setattr(
        Output, "save", lambda _, figure, terminal, **_place: drawn.append((figure, terminal is not None))
    )
    with pytest.raises(typer.Exit) as ended:
        answer_each_file(files, output, lambda file: answers[file], **more)
    return ended.value.exit_code, drawn


def test_what_failed_is_drawn_if_it_has_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    plot = Output(plot=Path("p.svg"))
    row = {"n": 1}
    assert answered(["f"], plot, {"f": (Told(), 0)}, monkeypatch) == (0, [("figure", True)])
    assert answered(["f"], plot, {"f": (Told(row), 130)}, monkeypatch) == (130, [("figure", True)])
    assert answered(["f"], plot, {"f": (Told(), 3)}, monkeypatch) == (3, [])
    assert answered(["f"], Output(), {"f": (Told(row), 0)}, monkeypatch) == (0, [])
    own = answered(["f"], plot, {"f": (Told(row), 0)}, monkeypatch, drawn=lambda found: len(found.rows()))
    assert own == (0, [(1, True)])


def test_rows_of_several_files_name_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "rows.csv"
    answers = {"a": (Told({"n": 1, "part": {"x": [1]}}), 0), "b": (Told({"n": None, "m": 2}), 0)}
    answered(["a", "b"], Output(csv=place), answers, monkeypatch)
    assert list(csv.reader(place.read_text().splitlines())) == [
        ["file", "n", "part", "m"], ["a", "1", '{"x": [1]}', ""], ["b", "", "", "2"],
    ]  # fmt: skip
    answered(["a"], Output(csv=place), answers, monkeypatch)
    assert next(csv.reader(place.read_text().splitlines())) == ["n", "part"]
    assert f"rows written to {place}" in capsys.readouterr().out.replace("\n", "")
    answered(["e"], Output(csv=tmp_path / "none.csv"), {"e": (Told(), 0)}, monkeypatch)
    assert "no rows to write to" in capsys.readouterr().out and not (tmp_path / "none.csv").exists()


def test_rows_are_written_also_where_another_file_has_a_fault(tmp_path: Path) -> None:
    place = tmp_path / "rows.csv"
    with pytest.raises(InputError), table_of(Output(csv=place), ["a"]) as add:
        add("a", Told({"n": 1}))
        raise InputError("fault")
    assert place.read_text().split() == ["n", "1"]


# -- places ------------------------------------------------------------------------------------------------------------


def test_places_that_cannot_be_written_are_refused_before_any_work(tmp_path: Path) -> None:
    nowhere, there = tmp_path / "no" / "x.svg", tmp_path / "x.svg"
    assert refusal(lambda: check_place("")) == "--json: '' is not a file to write to (- is standard output)"
    assert refusal(lambda: check_place(str(tmp_path))).endswith("is not a file to write to (- is standard output)")
    assert refusal(lambda: check_place(str(nowhere))) == f"--json {nowhere}: there is no directory '{nowhere.parent}'"
    check_place("-")
    check_place(None)
    check_place(str(there))
    assert refusal(lambda: check_output(nowhere, "--out", None)).startswith(f"--out {nowhere}: there is no directory")
    assert refusal(lambda: check_output(tmp_path, "--out", None)) == f"--out: '{tmp_path}' is a directory"
    words = f"--out: '{there}' is also given to --json, which would replace it"
    assert refusal(lambda: check_output(there, "--out", str(there))) == words
    check_output(there, "--out", "-")
    check_output(there, "--out", str(tmp_path / "y.json"))


def test_two_options_do_not_write_one_file_nor_one_the_input(tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.touch()
    assert refusal(lambda: check_distinct({"--csv": file}, [str(file)])) == f"--csv: '{file}' is the input itself"
    words = f"--plot: '{file}' is also given to --csv, which it would replace"
    assert refusal(lambda: check_distinct({"--csv": file, "--plot": str(file)})) == words
    check_distinct({"--json": "-", "--csv": "-"})
    check_distinct({"--json": None, "--csv": None, "--plot": ""})
    check_distinct({"--csv": "/dev/null", "--plot": "/dev/null"})
    (circle := tmp_path / "circle").symlink_to(circle)
    check_distinct({"--csv": file}, [str(circle)])


@pytest.mark.parametrize("suffix", [".svg", ".PNG", ".pdf"])
def test_a_picture_is_of_one_file_in_a_format_that_there_is(suffix: str, tmp_path: Path) -> None:
    place = tmp_path / f"p{suffix}"
    check_picture(place, "--plot", None)
    check_picture(None, "--plot", None, files=2)
    words = f"--plot {place}: 2 files, but only one can be drawn"
    assert refusal(lambda: check_picture(place, "--plot", None, files=2)) == words
    wrong = tmp_path / "p.jpg"
    assert (
        refusal(lambda: check_picture(wrong, "--plot", None)) == f"--plot {wrong}: '.jpg' is none of .svg, .png, .pdf"
    )
    for given, kept in (({"plot": place, "csv": place}, "--plot"), ({"csv": place, "json": str(place)}, "--csv")):
        assert refusal(lambda given=given: Output(**given).check()).startswith(kept)  # type: ignore[misc]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "x"
    assert refusal(lambda: write_json({}, str(missing))) == f"{missing}: cannot be written (No such file or directory)"
    words = f"--csv {missing}: cannot be written (No such file or directory)"
    assert refusal(lambda: write_table([{"n": 1}], missing, "--csv")) == words
    (tmp_path / "file").touch()

    def fill(folder: Path) -> None:
        with folder_at(folder):
            (folder / "x").write_text("x")

    fill(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "x").is_file()
    assert refusal(lambda: fill(tmp_path / "file" / "b")).endswith(": cannot be written (Not a directory)")
