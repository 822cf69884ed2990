"""The validation itself: it passes, it catches a wrong figure, it writes its report, it is the same every time."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from ppnsim.library.schedule import schedule
from validation.designs import operators, own, real, sizes, worth
from validation.designs.removals import KEPT, REMOVALS, Removal, without
from validation.harness.cli import main
from validation.harness.rows import Expected, Rounding, Row, Tolerance, Value, Verdict, number
from validation.harness.runner import run_sections
from validation.harness.section import Outcome, Section, Task
from validation.harness.sections import SECTIONS
from validation.harness.selftest import blind, changed, passes
from validation.hls.cases import cases
from validation.timing import section as timing

ROOT = Path(__file__).parents[2]
NAMES = [section.name for section in SECTIONS]


class Report:
    """A run of the command, with what it wrote."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("validation.harness.cli.run_sections", self._run)
            self.exit_code = main([*arguments, "--report", str(directory), "--json", str(directory / "rows.json")])
        self.rows: list[dict[str, Any]] = json.loads((directory / "rows.json").read_text())
        self.markdown = (directory / "report.md").read_text()
        self.html = (directory / "report.html").read_text()
        self.directory = directory

    def _run(self, sections: Sequence[Section], *, quick: bool, **given: Any) -> list[Outcome]:
        self.outcomes = run_sections(sections, quick=quick, **given)
        return self.outcomes


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return Report(tmp_path_factory.mktemp("report"), "--quick")


def test_no_difference_is_unexplained(quick: Report) -> None:
    assert [row for row in quick.rows if row["verdict"] == Verdict.UNEXPLAINED] == []
    assert quick.exit_code == 0


def test_every_section_gives_figures_of_its_own(quick: Report) -> None:
    checked = {row["section"] for row in quick.rows if row["ours"] is not None}
    # Designs whose sources are not here are not run without --designs.
    assert checked | {"native"} == set(NAMES)


def test_every_row_without_equality_says_why(quick: Report) -> None:
    for row in quick.rows:
        stated = {
            Verdict.EXACT: row["source"], Verdict.ROUNDING: row["allowed"], Verdict.TOLERANCE: row["allowed"],
        }  # fmt: skip
        assert stated.get(row["verdict"], row["explanation"]), row


def test_the_predictor_finishes_as_the_thesis_prints(quick: Report) -> None:
    rows = [row for row in quick.rows if row["group"] == "predictor" and row["what"] == "absolute finish"]
    assert [(row["printed"], row["ours"], row["verdict"]) for row in rows] == [("830", "830", "exact")]


def test_the_report_is_whole_and_the_html_fetches_nothing(quick: Report) -> None:
    for text in (quick.markdown, quick.html):
        assert "What differs" in text
        assert "misprint" in text
    assert quick.html.count("<svg") == quick.markdown.count("![") > 0
    assert "<img" not in quick.html
    for name in ("rtl", "dataflow", "atax", "fork-join"):
        assert f"]({name}.svg)" in quick.markdown
        assert (quick.directory / f"{name}.svg").read_text().startswith("<svg")


def test_the_first_screen_says_what_agrees_what_does_not_and_what_is_open(quick: Report) -> None:
    first, _, rest = quick.markdown.partition("## Section by section")
    assert len(first.splitlines()) < 70
    lines = {line.split(" | ")[0].strip("| "): line for line in first.splitlines() if line.startswith("| ")}
    assert set(NAMES) <= set(lines)
    assert [
        row["what"] for row in quick.rows if row["verdict"] == Verdict.NOT_UNDERSTOOD and row["what"] not in first
    ] == []
    # Rules were found on these figures: what agrees there is said to be in sample.
    assert lines["hls"].split(" | ")[2].startswith(lines["hls"].split(" | ")[3]) and "| 0 |" in lines["loggp"]
    assert rest.count("## ") > len(NAMES)


def test_the_report_names_no_path_of_this_machine(quick: Report) -> None:
    assert str(ROOT) not in quick.markdown + quick.html + json.dumps(quick.rows)


def test_a_wrong_figure_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (depth, iis, (_, flushable, elastic)), *others = timing.CHAIN
    monkeypatch.setattr(timing, "CHAIN", ((depth, iis, ("54", flushable, elastic)), *others))
    report = Report(tmp_path, "timing")
    wrong = [row for row in report.rows if row["verdict"] == Verdict.UNEXPLAINED]
    assert report.exit_code == 1
    assert [(row["what"], row["printed"], row["ours"]) for row in wrong] == [("depth 1, frozen", "54", "55")]
    assert "Unexplained differences" in report.markdown
    told = " ".join(capsys.readouterr().out.split())
    assert "TIMING.md, three-process chain prints 54 cycles, ours is 55" in told


def _row(printed: str, ours: Value | None, **more: Any) -> Row:
    return Row(group="g", what="w", source="s", printed=printed, ours=ours, **more)


DOWN = Rounding(down=True, why="")
NEAREST = Rounding(down=False, why="")
NEAR = Tolerance(share=Fraction(2, 1000), why="")
SHARE = Fraction(9504, 2562)


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (_row("20/14", Fraction(10, 7)), Verdict.EXACT),
        (_row("20/14", Fraction(10, 7), consistent="ours"), Verdict.CONSISTENT),
        (_row("deadlock", "deadlock"), Verdict.EXACT),
        (_row("deadlock", 70), Verdict.UNEXPLAINED),
        (_row("70", "deadlock"), Verdict.UNEXPLAINED),
        (_row("deadlock", None), Verdict.UNEXPLAINED),
        (_row("3.70", SHARE, allowed=DOWN, pinned=SHARE), Verdict.ROUNDING),
        (_row("3.70", SHARE, allowed=DOWN, pinned=SHARE + 1), Verdict.UNEXPLAINED),
        (_row("3.71", SHARE, allowed=DOWN, pinned=SHARE), Verdict.UNEXPLAINED),
        (_row("3.71", SHARE, allowed=NEAREST, pinned=SHARE), Verdict.ROUNDING),
        (_row("1000", 1002, allowed=NEAR, pinned=1002), Verdict.TOLERANCE),
        (_row("1000", 1002, allowed=NEAR), Verdict.UNEXPLAINED),
        (_row("1000", 1000, allowed=NEAR, pinned=1002), Verdict.UNEXPLAINED),
        (_row("1000", 1003, allowed=NEAR, pinned=1003), Verdict.UNEXPLAINED),
        (_row("yes", "yes", basis=Fraction(2, 3), pinned=Fraction(2, 3)), Verdict.EXACT),
        (_row("yes", "yes", basis=Fraction(2, 3), pinned=Fraction(3, 4)), Verdict.UNEXPLAINED),
        (_row("yes", "yes", basis=Fraction(2, 3)), Verdict.UNEXPLAINED),
        (_row("840", 830, explained=Expected(ours=830, why="a stall"), basis=840, pinned=840), Verdict.EXPLAINED),
        (_row("841", 830, explained=Expected(ours=830, why="a stall"), basis=841, pinned=840), Verdict.UNEXPLAINED),
        (_row("850", 830, explained=Expected(ours=830, why="a stall")), Verdict.EXPLAINED),
        (_row("850", 830, explained=Expected(ours=830, why="?", understood=False)), Verdict.NOT_UNDERSTOOD),
        (_row("850", 850, explained=Expected(ours=830, why="a stall")), Verdict.UNEXPLAINED),
    ],
)
def test_a_verdict_follows_from_the_two_figures(row: Row, verdict: Verdict) -> None:
    assert row.verdict is verdict


def test_an_explanation_covers_the_figure_that_it_names_and_no_other() -> None:
    assert _row("850", 840, explained=Expected(ours=830, why="a stall")).verdict is Verdict.UNEXPLAINED


def test_the_self_test_finds_a_row_that_a_wrong_figure_would_pass() -> None:
    row = _row("1000", 1001, allowed=NEAR, pinned=1002)
    assert [wrong.ours for wrong in blind([row])] == [1002]
    assert blind([_row("1000", 1001, allowed=NEAR, pinned=1001), _row("83", 83), _row("yes", "yes")]) == []
    # Words stay the same where the figure that they follow from changes by a little.
    words = _row("yes", "yes", basis=Fraction(2, 3), pinned=Fraction(2, 3))
    assert len([*changed(words)]) == 3
    assert blind([words]) == []


def test_a_thousandfold_or_one_per_cent_more_fails_in_every_row(quick: Report) -> None:
    """``python -m validation`` itself ends with this test, of all its rows."""
    assert quick.exit_code == 0
    (outcome,) = (each for each in quick.outcomes if each.section.name == "ratss")
    assert all(not passes(wrong) for row in outcome.rows if row.ours is not None for wrong in changed(row))


def test_rows_that_need_designs_which_are_not_here_would_see_a_wrong_figure_too() -> None:
    outcomes = run_sections([section for section in SECTIONS if section.name in ("native", "designs")], quick=True)
    waiting = [row for outcome in outcomes for row in outcome.rows if row.missing is Verdict.NOT_RUN]
    assert {row.group for row in waiting} >= {"cycles"}
    for row in waiting:
        figure = row.pinned if row.pinned is not None else number(row.printed)
        run = replace(row, missing=None, ours=row.printed if figure is None else figure)
        if run.explained is None:
            assert passes(run), row
        assert blind([run]) == [], row


def test_an_unknown_section_is_refused(capsys: Any) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["timming"])
    assert stop.value.code == 2
    assert f"no section is called 'timming' (sections: {', '.join(NAMES)})" in capsys.readouterr().err


def test_the_report_does_not_depend_on_the_order_of_sets(
    quick: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["cprof", "timing", "--quick", "--report"]
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # than that of this process
    command = [sys.executable, "-m", "validation", *asked, str(tmp_path / "there")]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": other}, check=True, capture_output=True)
    found = [outcome for outcome in quick.outcomes if outcome.section.name in asked]
    monkeypatch.setattr("validation.harness.cli.run_sections", lambda *_, **__: found)
    main([*asked, str(tmp_path / "here")])
    here, there = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("here", "there"))
    assert here == there != {}


@pytest.mark.parametrize("command", [operators.main, own.main, real.main, sizes.main, worth.main])
@pytest.mark.parametrize(("arguments", "words"), [([], "required: DIR"), (["/nowhere"], "/nowhere: no such folder")])
def test_a_command_on_published_designs_says_what_it_is_asked(
    command: Callable[[list[str]], None], arguments: list[str], words: str, capsys: Any
) -> None:
    with pytest.raises(SystemExit) as stop:
        command(arguments)
    assert stop.value.code == 2
    assert words in capsys.readouterr().err


def test_a_word_that_no_task_has_is_refused_in_one_line_with_their_names(capsys: Any) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["timing", "--quick", "--only", "nosuch"])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("python -m validation: error: --only nosuch: no task is so called; there are chain, fork")
    assert said.count("\n") == 1


def test_tasks_apart_are_shared_by_processes_and_each_row_is_said(capsys: Any) -> None:
    def tasks(_: bool) -> list[Task]:
        return [Task(label=f"task {at}", work=partial(_alone, at)) for at in range(12)]

    section = Section(name="far", title="", about=(), tasks=tasks, pictures=lambda _: [], apart=True)
    (found,) = run_sections([section], quick=False, only=["task 1"], processes=2)
    assert [row.what for row in found.rows] == ["1", "10", "11"]
    assert {row.note for row in found.rows}.isdisjoint({str(os.getpid())})
    said = capsys.readouterr().err.splitlines()
    assert said == [f"far {at}/3  {row.what}, g: 7 (exact)" for at, row in enumerate(found.rows, start=1)]


def _alone(number: int) -> list[Row]:
    return [Row(group="g", what=str(number), source="s", printed="7", ours=7, note=str(os.getpid()))]


def test_only_a_whole_run_writes_a_report_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validation.harness.cli.run_sections", lambda *_, **__: [])
    monkeypatch.setattr("validation.harness.cli.REPORT", tmp_path / "report")
    main(["timing"])
    assert not (tmp_path / "report").exists()
    main([])
    assert (tmp_path / "report" / "report.md").exists()


def test_list_names_the_sections(capsys: Any) -> None:
    assert main(["--list"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == NAMES


def test_a_python_without_the_environment_gets_one_message() -> None:
    line = [sys.executable, "-S", "-m", "validation"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert "'rich' is not installed for this Python" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_rule_that_can_be_removed_is_a_function_and_there_again_afterwards() -> None:
    def named(each: Removal) -> object:
        with without(Removal(each.place, lambda rule, _: rule)):
            module, _, name = each.place.partition(":")
            return attrgetter(name)(import_module(f"ppnsim.hls.{module}"))(None)

    for rule, removal in REMOVALS.items():
        assert named(removal) is named(removal), rule


def test_each_rule_of_the_book_can_be_removed_or_is_named_with_the_reason() -> None:
    book = (ROOT / "ppnsim" / "hls" / "RULES.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^### (R\d+\.\d+) ", book, re.MULTILINE))
    removed = {number for name in REMOVALS for number in re.findall(r"R\d+\.\d+", name)}
    kept = [number for rules in KEPT.values() for number in rules.split()]
    assert len(numbers) > 100
    assert sorted(numbers - removed) == sorted(kept)
    assert removed <= numbers


def test_the_loops_of_a_kernel_speak_for_the_operators_that_they_use() -> None:
    """In `gemm` of doubles a loop multiplies and adds; its table row counts exact, near and other loops apart."""
    case = next(each for each in cases() if each.kernel == "gemm" and each.type == "double")
    found = operators.loops_of_kernel(case)
    assert len(found) == len(case.loops)
    assert any({("add", ("double",), 0), ("mul", ("double",), 0)} <= each.uses for each in found)
    key = ("add", ("double",), 0)
    seen = [operators.Evidence("in sample", frozenset({key}), off) for off in (0, 0, 1, 2)]
    head, row = [line for line in operators.rows("xc7z020", seen) if "in sample" in line or "| add | double |" in line]
    assert head.startswith("| operator | types | bits | in sample |")
    assert row == "| add | double | all others | 2 / 1 / 1 |"


def test_what_a_rule_is_worth_is_told_of_the_functions_on_which_it_has_an_effect(tmp_path: Path) -> None:
    def ask(source: str) -> worth.Figure:
        (tmp_path / "f.c").write_text(source)
        return worth.Figure(abs(schedule(tmp_path / "f.c").kernels[0].machine.cycles / 66 - 1))

    nest = "void f(int a[8][8]) { for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) a[i][j] = i; }"
    asking = {
        "nest": partial(ask, nest),
        "loop": partial(ask, nest.replace("for (int i = 0; i < 8; i++)", "int i = 0;")),
    }
    found = {each.rule: each for each in worth.worths(asking)}
    ((yes, no),) = found["R1.4, R9.2, R9.22 nests are flattened"].changed
    assert yes.error < 0.05 < no.error
    assert found["R9.11 AXI-lite control"].with_it == ()  # nothing is asked again on which a rule has no effect
