"""The options of commands that schedule kernels as high-level synthesis does, and the files that they read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ppnsim.cli.options.source import Clock
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import LoopProgram
from ppnsim.units import clock_ns


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


def sources_of(program: LoopProgram) -> dict[str, str]:
    """Return the text of each file that a program's loops and functions are in."""
    loops = {loop.position.file for loop in all_loops(program.body)}
    files = sorted((loops | {frame.position.file for frame in program.frames}) - {""})
    return {file: Path(file).read_text(encoding="utf-8", errors="replace") for file in files}
