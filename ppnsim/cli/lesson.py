"""``ppnsim lesson``: one of the ten lessons, as a page that opens or as a notebook."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import ppnsim
from ppnsim.cli.options.groups import GIVEN
from ppnsim.cli.options.outputs import check_output, console
from ppnsim.errors import InputError
from ppnsim.library import lesson as lessons


def lesson_command(
    context: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Number of the lesson; without it, all are listed.")
    ] = None,
    *,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="PATH", help="A page .html, a notebook .ipynb, or the text .md."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open a page in the browser.")] = True,
) -> None:
    """Open one of ten lessons: a question, a prediction, the run, the picture, a surprise, an exercise.

    A page (lesson_N.html if no other file is named) has been run with the ppnsim that is installed; its pictures play.
    A notebook is for Jupyter and comes without results: run it cell by cell.

    Examples:

      ppnsim lesson

      ppnsim lesson 3

      ppnsim lesson 3 -o lesson.ipynb && jupyter lab lesson.ipynb
    """
    asked = "open_" in context.meta[GIVEN]
    place = output or Path(f"lesson_{number}.html")
    if asked and (number is None or place.suffix != ".html"):
        what = "the list of lessons" if number is None else f"'{place}'"
        raise InputError(f"is about a page (.html), and {what} is none", where="--open" if open_ else "--no-open")
    if number is None:
        if output is not None:
            raise InputError("says where one lesson goes: name its number", where=f"--out {output}")
        ppnsim.lesson().print(console(None))
        typer.echo("'ppnsim lesson 1' makes a page of the first one and opens it in the browser", err=True)
        return
    if place.suffix in lessons.SUFFIXES:
        check_output(place, "--out", None)
    typer.echo(f"{ppnsim.lesson(number, place).title}: written to {place}")
    if place.suffix == ".html" and open_:
        webbrowser.open(place.resolve().as_uri())
