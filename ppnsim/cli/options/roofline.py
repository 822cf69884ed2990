"""What ``ppnsim roofline`` draws, from a TOML file or a C source and the options that go with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from ppnsim.boards.files import load_board
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.cli.options.source import SourceOptions
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.structure.members import without_structs
from ppnsim.memory.model.presets import preset
from ppnsim.roofline.accelerator import Accelerator, MemorySpec, board_memories
from ppnsim.roofline.checks import check_accelerator
from ppnsim.roofline.files.toml import RooflineFile
from ppnsim.roofline.kernel import kernel_accelerator, scheduled_point, walls_of
from ppnsim.roofline.walls import Wall
from ppnsim.units import clock_period

DEFAULTS = {"--device": "xcvu9p", "--clock": "200 MHz", "--memory": "AWS-F1", "--quanta": "64"}
"""Defaults for a C source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceleratorOptions:
    """What the command line says of the accelerator of a C source; None where it does not."""

    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="NAME",
            show_default=DEFAULTS["--device"],
            help="Of a C source: board or device, or a table of your own (.toml).",
        ),
    ] = None
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help="Of a C source: clock.", show_default=DEFAULTS["--clock"]),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", metavar="PRESET", show_default=DEFAULTS["--memory"],
            help="Of a C source: memory (ppnsim memory lists them), if the board has none.",
        ),
    ] = None  # fmt: skip
    quanta: Annotated[
        int | None,
        typer.Option(
            "--quanta", metavar="BYTES", show_default=DEFAULTS["--quanta"],
            help="Of a C source: bytes per cycle of every port.",
        ),
    ] = None  # fmt: skip
    metric: Annotated[
        Literal["auto", "operations", "flops", "results"],
        typer.Option("--metric", help="Of a C source: what performance counts."),
    ] = "auto"

    def refuse(self, given: RooflineFile, source: SourceOptions) -> None:
        """Refuse options that the file itself answers, and options that only sources have."""
        options: dict[str, object] = {"--clock": self.clock, "--memory": self.memory}
        if not given.kernel or given.device:
            options["--device"] = self.device
        if not given.kernel:
            options |= {"--quanta": self.quanta, "--metric": self.metric != "auto"}
        unfit = [name for name, value in options.items() if value not in (None, False)]
        if unfit := unfit + (source.given() if not given.kernel else []):
            raise InputError(f"{', '.join(unfit)} can only be used with C sources; this file says that itself")


def accelerator_of(
    file: str, asked: AcceleratorOptions, source: SourceOptions
) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    """Return the accelerator of a file, the walls of its source, and remarks."""
    if Path(file).suffix.lower() == ".toml":
        given = load_as(file, RooflineFile)
        asked.refuse(given, source)
        if not given.kernel:
            return given.accelerator, (), []
        own = given.settings
        source = replace(
            source, function=source.function or own.function, define=[*own.define, *source.define],
            settings=[*(f"{name}={value}" for name, value in own.set.items()), *source.settings],
        )  # fmt: skip
        return _of_source(given, replace(asked, device=given.device or asked.device), source)
    dram = preset(asked.memory or DEFAULTS["--memory"]).dram
    only = MemorySpec(name="ddr" if dram.protocol.startswith("DDR") else "hbm", dram=dram, banks=dram.channels)
    board = load_board(asked.device, "--device") if asked.device and asked.memory is None else None
    base = Accelerator(
        name=Path(file).stem, clock_ns=clock_period(asked.clock or DEFAULTS["--clock"]), available={}, operators=(),
        memories=(board_memories(board) if board else ()) or (only,),
    )  # fmt: skip
    return _of_source(RooflineFile(accelerator=base, kernel=file), asked, source)


def _of_source(
    given: RooflineFile, asked: AcceleratorOptions, source: SourceOptions
) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    program = source.one_program(given.kernel, policy=HARDWARE)
    base = given.accelerator
    library = load_library(asked.device or DEFAULTS["--device"], float(base.clock_ns))
    texts, numbers = sources_of(program), without_structs(program)
    accelerator = kernel_accelerator(
        base, numbers, library, marks=Pragmas(texts).results(), metric=asked.metric, counted=given.counted,
        given=given.given, quanta=asked.quanta or int(DEFAULTS["--quanta"]),
    )  # fmt: skip
    check_accelerator(accelerator)
    notes = []
    if asked.metric != "auto" and accelerator.metric != base.metric and base.points:
        accelerator = replace(accelerator, points=())
        notes.append(f"the designs of the file are left out: they count {base.metric}")
    walls, no_walls = walls_of(numbers)
    point, no_point = scheduled_point(accelerator, program, library, read_directives(texts, program))
    if point is not None:
        if walls and walls[0].moved:
            point = replace(point, intensity=accelerator.work / walls[0].moved)
        accelerator = replace(accelerator, points=(point, *accelerator.points))
    return accelerator, walls, [*notes, *filter(None, (no_walls, no_point))]
