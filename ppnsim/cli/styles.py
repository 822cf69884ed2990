"""``ppnsim styles``: which pipeline style hardware has."""

from __future__ import annotations

import ppnsim
from ppnsim.cli.options.outputs import Json, check_place, console, write_json


def styles_command(json: Json = None) -> None:
    """Tell which pipeline style hardware has: Vitis HLS, FINN, hls4ml, XLS, Chisel, Dynamatic, Kahn.

    Each name of the table can stand wherever a style can: --style hls, --vary "*.style=stp,flp,frp", style = "finn" in
    a file. What a tool's documentation says is told apart from what is assumed. The page scenarios/guide/styles.md
    has the sources, and what to do when the style is not known.

    Examples:

      ppnsim styles

      ppnsim run scenarios/networks/fork_join.toml --style hls
    """
    check_place(json)
    found = ppnsim.styles()
    found.print(console(json))
    if json is not None:
        write_json(found.to_dict(), json)
