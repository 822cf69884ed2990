"""``ppnsim scenarios``: list the networks and kernels that come with ppnsim, and copy them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import ppnsim
from ppnsim.cli.options import completed
from ppnsim.cli.options.outputs import Json, check_place, console, write_json
from ppnsim.formats import shipped
from ppnsim.report import text

_ADVICE = {
    "scenario": "run one: ppnsim scenarios --copy . NAME, then ppnsim run NAME.toml",
    "platform": "compare one: ppnsim scenarios --copy . NAME, then ppnsim compare NAME.toml",
    "kernel": "profile one: ppnsim scenarios --copy . NAME.c, then ppnsim profile NAME.c",
    "roofline": "draw one: ppnsim scenarios --copy . nbody.toml nbody.c, then ppnsim roofline nbody.toml --plot r.svg",
    "opencl": "predict one: ppnsim scenarios --copy . mm.cl, then ppnsim opencl mm.cl --tune",
    "hls": "run one: ppnsim scenarios --copy . subtract_mean.cpp, then ppnsim run subtract_mean.cpp",
    "model": "try one: ppnsim scenarios --copy . predictor.c predictor.py, then ppnsim compare predictor.c --latency 3 "
    "--model predictor.py --vary X=2:5 --vary Y=2:6",
}


def scenarios_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", autocompletion=completed.scenarios, help="Only these.")
    ] = None,
    copy: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy them into DIR, to run and to change.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that are there already and were changed.")
    ] = False,
    json: Json = None,
) -> None:
    """List the scenarios and the kernels (C, C++, OpenCL C) that come with ppnsim, or copy them.

    Without names, --copy takes all scenarios; kernels go by their file names.

    Examples:

      ppnsim scenarios

      ppnsim scenarios --copy . predictor fork_join

      ppnsim scenarios --copy . atax.c && ppnsim profile atax.c --io --latency 3
    """
    terminal = console(json)
    check_place(json)
    found = ppnsim.scenarios(*(names or []))
    if copy is not None:
        for path in shipped.copy_scenarios(copy, names or None, overwrite=force):
            text.plain_line(terminal, f"copied {path}")
    else:
        for kind, advice in _ADVICE.items():
            if found.print_kind(terminal, kind):
                text.plain_line(terminal, f"\n{advice}\n")
    if json is not None:
        write_json(found.to_dict(), json)
