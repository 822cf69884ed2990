"""The options of commands that schedule kernels as high-level synthesis does."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Literal

import typer

from ppnsim.cli.options import completed

TclArguments = Annotated[
    str | None, typer.Option("--tclargs", metavar="'A B'", help="Arguments of a project's Tcl script.")
]
Solution = Annotated[
    str | None, typer.Option("--solution", metavar="NAME", help="Solution of a project; default the first.")
]
Flow = Annotated[
    Literal["vivado", "vitis"] | None,
    typer.Option("--flow", help="What the tool makes: an IP, or a kernel; its AXI buses have latency 0, or 64."),
]
Release = Annotated[
    str | None,
    typer.Option(
        "--release",
        metavar="YEAR.N",
        help="Of the tool, such as 2022.2: one before 2023.2 flattens fewer nests; one before 2020.1, Vivado HLS, "
        "pipelines by directives only; default that of a log or report of the tool around the source, "
        "else the one that the rules of the device were found with.",
    ),
]
Uncertainty = Annotated[
    str | None,
    typer.Option(
        "--clock-uncertainty",
        metavar="TIME|%",
        help="What the tool keeps of each period, 0.5ns or 27%; default 27%, of Vivado HLS 12.5%.",
    ),
]
UnsafeMath = Annotated[
    bool, typer.Option("--unsafe-math", help="Also balance chains of floating point, which changes their results.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """What a kernel is scheduled for; what is not given comes from a project or from reports, else the default."""

    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="NAME",
            autocompletion=completed.boards,
            help="Board, device or part (u280, xczu9eg-ffvb1156-2-e), or a table of your own (.toml); default xc7z020.",
        ),
    ] = None
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help='Clock period or frequency, "200 MHz"; default "10 ns".'),
    ] = None

    clock_uncertainty: Uncertainty = None

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [f"--{each.name.replace('_', '-')}" for each in fields(self) if getattr(self, each.name) is not None]
