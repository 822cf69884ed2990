"""A lesson as it is written: Markdown whose blocks of ``python`` and ``sh`` are to be run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ppnsim.errors import InputError
from ppnsim.formats.shipped import directory

_BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_FOLDED = re.compile(r"^<details>.*?^</details>\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a lesson: text, a block of Python, or commands."""

    kind: Literal["text", "python", "sh"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Lesson:
    """A lesson: its number, its title, and its cells in order; solutions stay in the text, folded."""

    number: int
    title: str
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The whole lesson as Markdown."""
        return lessons()[self.number].read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"<{self.title}: lesson({self.number}, 'lesson.html') opens it, 'lesson.ipynb' is to be run>"

    def _repr_markdown_(self) -> str:
        return self.text

    @property
    def solution(self) -> list[Cell]:
        """The blocks of the folded solution, which are not cells."""
        folded = "".join(
            found[0] for cell in self.cells if cell.kind == "text" for found in _FOLDED.finditer(cell.text)
        )
        return [cell for cell in _cells(folded) if cell.kind != "text"]


def lessons() -> dict[int, Path]:
    """Return the files of the lessons, by number.

    Examples
    --------
    >>> list(lessons()) == list(range(1, 11))
    True
    """
    return {int(path.name[:2]): path for path in sorted((directory() / "lessons").glob("[0-9][0-9]_*.md"))}


def lesson_of(number: int) -> Lesson:
    """Return a lesson.

    Raises
    ------
    InputError
        If there is none of that number.

    Examples
    --------
    >>> lesson_of(3).title
    'Lesson 3: fork, join and deadlock'
    """
    known = lessons()
    if number not in known:
        raise InputError(f"there is no lesson {number!r}: they are numbered 1 to {max(known)}")
    text = known[number].read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    cells: list[Cell] = []
    at = 0
    for folded in _FOLDED.finditer(text):
        cells += [*_cells(text[at : folded.start()]), Cell("text", folded[0])]
        at = folded.end()
    return Lesson(number=number, title=title, cells=(*cells, *_cells(text[at:])))


def _cells(text: str) -> list[Cell]:
    """Return the blocks of a text, and what stands between them."""
    cells: list[Cell] = []
    at = 0
    for block in _BLOCK.finditer(text):
        kind: Literal["python", "sh"] = "python" if block[1] == "python" else "sh"
        cells += [Cell("text", text[at : block.start()]), Cell(kind, block[2])]
        at = block.end()
    return [cell for cell in (*cells, Cell("text", text[at:])) if cell.text.strip()]


def notebook_of(lesson: Lesson) -> str:
    """Return a lesson as a Jupyter notebook (format 4.5) without outputs; the same lesson gives the same text."""
    cells: list[dict[str, Any]] = []
    for number, cell in enumerate(lesson.cells):
        text = cell.text.strip("\n")
        if cell.kind == "sh":
            text = "\n".join(f"!{line}" for line in text.split("\n"))
        told: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if cell.kind == "text":
            cells.append({"cell_type": "markdown", **told})
        else:
            cells.append({"cell_type": "code", "execution_count": None, "outputs": [], **told})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"
