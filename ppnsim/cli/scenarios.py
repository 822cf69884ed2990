"""``ppnsim scenarios``: list the networks and kernels that come with ppnsim, and copy them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from ppnsim.cli.options.outputs import Json, check_place, console, write_json
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.shipped import copy_scenarios, shipped

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
_WHAT = {
    "scenario": "what to see", "platform": "what to see", "kernel": "what it computes", "roofline": "what it shows",
    "opencl": "what it computes", "hls": "what to see", "model": "what it predicts",
}  # fmt: skip


def scenarios_command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Only these.")] = None,
    copy: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy them into DIR, to run and to change.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there already.")] = False,
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
    known = {entry.name: (kind, entry) for kind, entries in shipped().items() for entry in entries}
    for name in names or []:
        if name not in known:
            raise InputError(f"no shipped scenario is called '{name}'{did_you_mean(name, known)}")
    chosen = [known[name] for name in names or known]
    if copy is not None:
        for path in copy_scenarios(copy, names or None, overwrite=force):
            terminal.print(f"copied {path}", markup=False)
    else:
        for kind, what in _WHAT.items():
            table = Table(kind, what, box=None, pad_edge=False)
            for its_kind, entry in chosen:
                if its_kind == kind:
                    table.add_row(escape(entry.name), escape(entry.title))
            if table.row_count:
                terminal.print(table)
                terminal.print(f"\n{_ADVICE[kind]}\n", markup=False)
    if json is not None:
        write_json([{"name": e.name, "kind": kind, "title": e.title, "path": str(e.path)} for kind, e in chosen], json)
