"""``ppnsim.lesson``: one of the ten lessons, as a page that opens or as a notebook."""

from __future__ import annotations

from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.library.place import Place
from ppnsim.page.lessons.lesson import Lesson, lesson_of, lessons, notebook_of
from ppnsim.page.lessons.performed import lesson_page

SUFFIXES = (".html", ".ipynb", ".md")


def lesson(number: int, out: Place | None = None) -> Lesson:
    """Return one of ten lessons: a question, a prediction, the run, the picture, a surprise, an exercise.

    Parameters
    ----------
    number : from 1 to 10.
    out : also write it: a page .html (which has been run), a notebook .ipynb, or the text .md.

    Raises
    ------
    InputError
        If there is no such lesson, or the suffix is none of these.

    Examples
    --------
    >>> lesson(1).title.split(":")[0]
    'Lesson 1'
    """
    found = lesson_of(number)
    if out is None:
        return found
    place = Path(out)
    if place.suffix not in SUFFIXES:
        raise InputError(f"'{place.suffix}' is none of {', '.join(SUFFIXES)}", where=f"--out {place}")
    if place.suffix == ".html":
        text = lesson_page(found)
    else:
        text = notebook_of(found) if place.suffix == ".ipynb" else lessons()[number].read_text(encoding="utf-8")
    with replacing(place) as file:
        file.write(text)
    return found
