"""``ppnsim serve``: the page of a file in the browser, which follows the file as it changes."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ppnsim.cli.options.network import File, NetworkOptions


def serve_command(
    file: File,
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="On this machine only; 0 = any free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    options: NetworkOptions,
) -> None:
    """Show the page of a file in the browser, and follow the file as it changes.

    The page is that of ppnsim report. When the file is saved, it is simulated again and the page reloads; while the
    file has a fault, the page shows the message. Only this machine can open it; Ctrl-C ends it.

    Example:

      ppnsim serve scenarios/networks/fork_join.toml
    """
    from ppnsim.cli.runners.report import entry_under  # pandas takes a while to import
    from ppnsim.library.serve import PageServer, serve_forever

    with PageServer(file, partial(entry_under, file, options), port=port) as server:
        serve_forever(server, open_browser=open_)
