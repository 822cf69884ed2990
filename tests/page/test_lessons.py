"""The lessons run as a student runs them, solutions included, and show what their text claims."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.page.lessons.lesson import Cell, Lesson, lesson_of, lessons, notebook_of
from ppnsim.page.lessons.performed import lesson_page
from tests.helpers.commands import ppnsim

# What the text of each lesson claims, in the words of the outputs.
CLAIMS = {
    1: ["[112, 121, 211]"],
    2: ["{1: 211, 2: 112, 8: 112}"],
    3: ["2 None", "6 55", "8 37"],
    4: ["elastic [29, 29, 29]", "flushable [29, 30, 30]"],
    5: ["finish 13 cycles", "finish 17 cycles", "OOM-"],
    6: ["83 -> 45 cycles with 9 processes", "53", "57"],
    7: ["(19, 37, True)", "45 vectors"],
    8: ["15.7454 ms", "19.2405 ms", "Eq. 4 knows no input port"],
    9: ["1.32", "7.86", "10.78", "tFAW", "11.15", "scratchpads of 43008 bytes", "compute bound 13.03 G"],
    10: ["finish 55 cycles", "36.4 %"],
}
IN_ITS_SHELL = 10  # its commands are processes, as those of a student: a start takes longer than most commands do
HERE = """
import shlex
from tests.helpers.commands import ppnsim as command

def here(line):
    program, *arguments = shlex.split(line)
    assert program == "ppnsim", line
    result = command(*arguments)
    print(result.stdout + result.stderr)
    assert result.exit_code == 0, line

get_ipython().system = here
"""
NOTEBOOK = pytest.mark.filterwarnings("default")  # of Jupyter's own libraries


@pytest.fixture(scope="module")
def jupyter() -> Iterator[Any]:
    """Return a client of one kernel for all lessons: starting one takes as long as running some of them."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        client = nbclient.NotebookClient(nbformat.v4.new_notebook(), timeout=120)
        with client.setup_kernel():
            yield client


def performed(lesson: Lesson, folder: Path, jupyter: Any) -> str:
    """Run the notebook of a lesson with its solution, in a folder and with no names yet; return all that it shows."""
    nbformat = pytest.importorskip("nbformat")
    whole = Lesson(number=lesson.number, title=lesson.title, cells=(*lesson.cells, *lesson.solution))
    jupyter.nb = nbformat.reads(notebook_of(whole), as_version=4)
    started = "get_ipython().__dict__.pop('system', None)" if lesson.number == IN_ITS_SHELL else HERE
    jupyter.nb.cells.insert(0, nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {folder}"))
    jupyter.nb.cells.insert(1, nbformat.v4.new_code_cell(started))
    jupyter.reset_execution_trackers()
    for number, cell in enumerate(jupyter.nb.cells):
        jupyter.execute_cell(cell, number)
    outputs = [output for cell in jupyter.nb.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or str(output.get("data", "")) for output in outputs)


@NOTEBOOK
@pytest.mark.parametrize("number", lessons())
def test_a_lesson_runs_in_jupyter_and_shows_what_its_text_claims(number: int, tmp_path: Path, jupyter: Any) -> None:
    shown = performed(lesson_of(number), tmp_path, jupyter)
    assert [claim for claim in CLAIMS[number] if claim not in shown] == []
    assert "Traceback" not in shown
    assert "command not found" not in shown


@pytest.mark.parametrize("number", lessons())
def test_the_notebooks_are_those_of_the_texts_and_small(number: int) -> None:
    place = lessons()[number].with_suffix(".ipynb")
    assert place.read_text(encoding="utf-8") == notebook_of(lesson_of(number))
    assert place.stat().st_size < 10_000


@pytest.mark.parametrize("number", lessons())
def test_a_lesson_has_its_six_parts(number: int) -> None:
    text = lessons()[number].read_text(encoding="utf-8")
    parts = ["**Question.**", "**Predict.**", "The picture", "**The surprise.**", "**Exercise.**", "<details>"]
    assert [part for part in parts if part not in text] == []
    assert text.index("**Predict.**") < text.index("```")


def test_the_page_of_a_lesson_holds_all_that_it_needs() -> None:
    page = lesson_page(lesson_of(1))
    assert "[112, 121, 211]" in page
    assert "srcdoc=" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_lesson_that_fails_says_where() -> None:
    broken = Lesson(number=1, title="t", cells=(Cell("python", "1 / 0\n"),))
    with pytest.raises(InputError, match=r"^t: ZeroDivisionError"):
        lesson_page(broken)


def test_the_command_lists_and_writes(tmp_path: Path) -> None:
    assert len(ppnsim("lesson").stdout.splitlines()) == len(lessons())
    place = tmp_path / "l.ipynb"
    assert ppnsim("lesson", "4", "-o", str(place)).exit_code == 0
    book: Any = json.loads(place.read_text(encoding="utf-8"))
    assert book["cells"][0]["source"][0].startswith("# Lesson 4")


@pytest.mark.parametrize("arguments", [["11"], ["0"], ["2", "-o", "a.pdf"], ["-o", "a.html"]])
def test_what_is_no_lesson_is_refused(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        ppnsim("lesson", *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", sorted(lessons()))
def test_a_lesson_needs_only_what_the_library_shows_its_users(number: int) -> None:
    lesson = lesson_of(number)
    for cell in (*lesson.cells, *lesson.solution):
        if cell.kind == "python":
            assert "ppnsim." not in " ".join(re.findall(r"(?m)^(?:from|import) .*", cell.text)), cell.text


def test_a_figure_at_the_end_of_a_block_is_shown() -> None:
    text = "import ppnsim\n\nppnsim.run(ppnsim.chain(firings=4)).gantt()"
    page = lesson_page(Lesson(number=0, title="t", cells=(Cell(kind="python", text=text),)))
    assert "data:image/png;base64," in page
