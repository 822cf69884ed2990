"""``ppnsim.lesson``: one of the ten lessons, as a page that opens or as a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place
from ppnsim.page.lessons.lesson import Lesson, lesson_of, lessons, notebook_of
from ppnsim.page.lessons.performed import lesson_page
from ppnsim.report.text import plain_line

SUFFIXES = (".html", ".ipynb", ".md")


@dataclass(frozen=True, repr=False, eq=False)
class LessonList(Answer):
    """The lessons, by their titles."""

    lessons: tuple[Lesson, ...]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return number and title of each."""
        return [{"number": each.number, "title": each.title} for each in self.lessons]

    def print(self, console: Console) -> None:
        """Print the titles."""
        for each in self.lessons:
            plain_line(console, each.title)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each lesson."""
        return self.to_dict()

    def __repr__(self) -> str:
        return f"<LessonList: lesson(1) to lesson({len(self.lessons)})>"


@overload
def lesson(number: None = None) -> LessonList: ...
@overload
def lesson(number: int, out: Place | None = None) -> Lesson: ...
def lesson(number: int | None = None, out: Place | None = None) -> Lesson | LessonList:
    """Return one of ten lessons: a question, a prediction, the run, the picture, a surprise, an exercise.

    Parameters
    ----------
    number : from 1 to 10; without it, the list of all is returned.
    out : also write it: a page .html (which has been run), a notebook .ipynb, or the text .md.

    Raises
    ------
    InputError
        If there is no such lesson, or the suffix is none of these.

    Examples
    --------
    >>> lesson(1).title.split(":")[0]
    'Lesson 1'
    >>> lesson()
    <LessonList: lesson(1) to lesson(10)>
    """
    if number is None:
        if out is not None:
            raise InputError("says where one lesson goes: name its number", where=f"--out {out}")
        return LessonList(tuple(lesson_of(each) for each in lessons()))
    found = lesson_of(number)
    if out is None:
        return found
    place = Path(out)
    if place.suffix not in SUFFIXES:
        raise InputError(f"'{place.suffix}' is none of {', '.join(SUFFIXES)}", where=f"--out {place}")
    if place.suffix == ".html":
        text = lesson_page(found)
    else:
        text = notebook_of(found) if place.suffix == ".ipynb" else found.text
    with replacing(place) as file:
        file.write(text)
    return found
