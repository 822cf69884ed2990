"""``ppnsim FILE``: what a file is run with, and what else can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import join

import typer

from ppnsim import files
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.errors import InputError
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.place import may_have_a_region
from ppnsim.source_networks.hls_marks import marked


def command_line_of(arguments: Sequence[str]) -> list[str]:
    """Return the command line for a file alone, and tell the error stream which other commands take the file.

    Raises
    ------
    InputError
        If the file cannot be read, or is of no kind that a command takes.
    """
    file = arguments[0]
    first, *others = _not_refused(file, files.commands_for(file), _of_function(arguments))
    shown = ", ".join(f"ppnsim {each}" for each in others)
    taken = join(["ppnsim", first, *arguments])
    typer.echo(taken + (f"   (other questions to it: {shown})" if others else ""), err=True)
    return [first, *arguments]


def _of_function(arguments: Sequence[str]) -> dict[str, str]:
    """Return the function that the line chooses, as `ppnsim.load` takes it; {} if it chooses none."""
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--function" and (equals or place + 1 < len(arguments)):
            return {"function": value if equals else arguments[place + 1]}
    return {}


def _not_refused(file: str, commands: Sequence[str], function: dict[str, str]) -> tuple[str, ...]:
    """Return the commands that take this file: some take no source with streams, and one no dataflow region.

    A function of high-level synthesis without a region is scheduled first: its network is one task.
    """
    if not is_source(file):
        return tuple(commands)
    refused: set[str] = set()
    first = list[str]()
    if Path(file).suffix in SUFFIXES:
        try:
            files.load(file, "Kernels", **function)
        except InputError:
            refused |= {"profile", "derive", "transform", "explore-splits"}
    try:
        found = files.load(file, "SourceNetwork", **function)
    except InputError:  # of several functions a schedule tells all; else the command says why
        first += ["schedule"] if marked([file]) and not may_have_a_region(file) else []
    else:
        refused |= {"explore-directives"} if found.has_region else set()
        first += ["schedule"] if found.whole else []
    return tuple(each for each in dict.fromkeys((*first, *commands)) if each not in refused)
