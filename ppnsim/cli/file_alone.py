"""``ppnsim FILE``: what a file is run with, and what else can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import join

import typer

from ppnsim import files


def command_line_of(arguments: Sequence[str]) -> list[str]:
    """Return the command line for a file alone, and tell the error stream which other commands take the file.

    Raises
    ------
    InputError
        If the file cannot be read, or is of no kind that a command takes.
    """
    file = arguments[0]
    first, *others = files.commands_for(file)
    shown = ", ".join(f"ppnsim {each}" for each in others)
    taken = join(["ppnsim", first, *arguments])
    typer.echo(taken + (f"   (other questions to it: {shown})" if others else ""), err=True)
    return [first, *arguments]
