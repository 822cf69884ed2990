"""The options of commands that schedule kernels as high-level synthesis does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ppnsim.cli.options.source import Clock
from ppnsim.hls.library.library import Library, load_library
from ppnsim.units import clock_ns

UnsafeMath = Annotated[
    bool, typer.Option("--unsafe-math", help="Also balance chains of floating point, which changes their results.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """What a kernel is scheduled for."""

    device: Annotated[
        str, typer.Option("--device", metavar="NAME", help="Board or device, or a table of your own (.toml).")
    ] = "xc7z020"
    clock: Clock = "10 ns"

    def library(self) -> Library:
        """Return the operators of the device at this clock."""
        return load_library(self.device, clock_ns(self.clock))
