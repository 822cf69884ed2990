"""``ppnsim scenarios``: list the examples that come with ppnsim, and copy them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ppnsim.cli.common import Json, console, write_json


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
    chosen = [entry for entry in shipped_scenarios() if not names or entry.name in names]
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
