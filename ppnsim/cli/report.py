"""``ppnsim report``: one HTML page that shows runs and plays them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import DEADLOCK, for_each_file
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Json, TimeWindow, check_distinct, check_output, console
from ppnsim.cli.runners import report as entries_of
from ppnsim.errors import InputError
from ppnsim.library import report as pages
from ppnsim.library import serve as serving
from ppnsim.report import text


def report_command(
    files: Files,
    *,
    output: Annotated[Path | None, typer.Option("-o", "--out", metavar="PATH", help="The page, .html.")] = None,
    window: TimeWindow = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Show the page in the browser, and follow the file as it changes.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="Of --serve: on this machine only; 0 = any free one."
        ),
    ] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Of --serve: open the browser.")] = True,
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

    A deadlock is shown like any run, and gives exit code 3. --window is what the picture over time begins with; of a
    picture that was made before, it is all that it shows. Several files become one page with a list to choose from.

    --serve shows the page in the browser: when the file is saved, it is simulated again and the page reloads; while the
    file has a fault, the page shows the message. Only this machine can open it; Ctrl-C ends it.

    Examples:

      ppnsim report scenarios/networks/fork_join.toml -o report.html

      ppnsim report scenarios/networks/*.toml --style frozen -o frozen.html

      ppnsim report scenarios/networks/fork_join.toml --serve
    """
    terminal = console(json)
    if output is not None:
        pages.page_place(output)
        check_output(output, "--out", json)
    _check(files, output, serve=serve)
    entries: list[dict[str, Any]] = []

    def work(file: str) -> tuple[dict[str, Any], int]:
        entry = entries_of.entry_under(file, options, window)
        entries.append(entry)
        written = {} if output is None else {"output": str(output)}
        of_source = {"start_to_done": entry["start_to_done"]} if "start_to_done" in entry else {}
        code = DEADLOCK if entry["deadlock"] else 0
        return {"file": file, "name": entry["name"], "finish": entry.get("finish"), **of_source, **written}, code

    if output is not None:
        try:
            for_each_file(files, json, work)
        except typer.Exit as end:
            if not serve or end.exit_code not in (0, DEADLOCK):
                raise
        finally:
            # What could be read is shown, also where another file has a fault.
            if entries:
                pages.page_of_entries(entries, output)
                text.plain_line(terminal, f"written to {output}")
    if serve:
        entry = partial(entries_of.entry_under, files[0], options, window)
        with serving.PageServer(files[0], entry, port=port) as server:
            serving.serve_forever(server, open_browser=open_)


def _check(files: Files, output: Path | None, *, serve: bool) -> None:
    """Refuse a page that goes nowhere or over its source, and several files to be followed."""
    if output is None and not serve:
        raise InputError("is needed for the page (.html), or --serve to show it in the browser", where="--out")
    check_distinct({"--out": output}, files)
    if serve and len(files) > 1:
        raise InputError(f"{len(files)} files, but only one can be followed", where="--serve")
