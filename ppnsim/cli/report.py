"""``ppnsim report``: one HTML page that shows runs and plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Json, check_distinct, check_output, console
from ppnsim.errors import InputError


def report_command(
    files: Files,
    *,
    output: Annotated[Path, typer.Option("-o", "--out", metavar="PATH", help="The page, .html.")],
    options: NetworkOptions,
    json: Json = None,
) -> None:
    """Write one HTML page that shows runs and plays them.

    The page needs nothing but a browser, no network. It shows the network, every firing over time, where every cycle
    went and why, FIFO occupancies, the critical path, estimates beside the run, and what it was made from. It plays:
    step or run through the cycles, and move a slider for a depth, an initiation interval or a latency, which simulates
    the network anew in the page. Of a network too large for that it shows a picture and runs made before; of one
    placed on nodes who waited for whom; of a platform with an application its simulation beside the equations, term by
    term.

    A deadlock is shown like any run. Several files become one page with a list to choose from.

    Examples:

      ppnsim report scenarios/networks/fork_join.toml -o report.html

      ppnsim report scenarios/networks/*.toml --style frozen -o frozen.html
    """
    terminal = console(json)
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"'{output.suffix}' is not .html", where=f"--out {output}")
    check_output(output, "--out", json)
    check_distinct({"--out": output}, files)
    from ppnsim.cli.runners.report import entry_under  # pandas takes a while to import
    from ppnsim.library.report import write_page

    entries: list[dict[str, Any]] = []

    def work(file: str) -> tuple[dict[str, Any], int]:
        entry = entry_under(file, options)
        entries.append(entry)
        return {"file": file, "name": entry["name"], "finish": entry.get("finish"), "output": str(output)}, 0

    try:
        for_each_file(files, json, work)
    finally:
        # What could be read is shown, also where another file has a fault.
        if entries:
            write_page(entries, output)
            terminal.print(f"written to {output}", markup=False)
