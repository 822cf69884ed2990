"""``ppnsim scenarios``: list the examples that come with ppnsim, and copy them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ppnsim.cli.common import Json, check_place, console, write_json
from ppnsim.errors import InputError, did_you_mean


def scenarios_command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Only these.")] = None,
    copy: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy them into DIR, to run and to change.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there already.")] = False,
    json: Json = None,
) -> None:
    """List the scenarios that come with ppnsim, or copy them.

    Examples:

      ppnsim scenarios

      ppnsim scenarios --copy . predictor fork_join
    """
    from rich.markup import escape
    from rich.table import Table

    from ppnsim.formats.shipped import copy_scenarios, shipped_scenarios

    terminal = console(json)
    check_place(json)
    known = {entry.name: entry for entry in shipped_scenarios()}
    for name in names or []:
        if name not in known:
            raise InputError(f"no shipped scenario is called '{name}'{did_you_mean(name, known)}")
    chosen = [known[name] for name in names or known]
    if copy is not None:
        for path in copy_scenarios(copy, names or None, overwrite=force):
            terminal.print(f"copied {path}", markup=False)
    else:
        table = Table("scenario", "what to see", box=None, pad_edge=False)
        for entry in chosen:
            table.add_row(escape(entry.name), escape(entry.title))
        terminal.print(table)
        terminal.print("\nrun one: ppnsim scenarios --copy . NAME, then ppnsim run NAME.toml", markup=False)
    if json is not None:
        write_json([{"name": entry.name, "title": entry.title, "path": str(entry.path)} for entry in chosen], json)
