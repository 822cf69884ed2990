"""What ``ppnsim roofline`` draws, from a TOML file or a C source and the options that go with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ppnsim.c.policy import HARDWARE
from ppnsim.cli.source import SourceOptions
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.roofline.accelerator import Accelerator
    from ppnsim.roofline.files.toml import RooflineFile
    from ppnsim.roofline.walls import Wall

DEFAULTS = {"--device": "xcvu9p", "--clock": "200 MHz", "--memory": "AWS-F1", "--quanta": "64"}
"""Of a C source, where the command line does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line says of a source; None where it does not."""

    device: str | None
    clock: str | None
    memory: str | None
    quanta: int | None
    metric: str
    source: SourceOptions

    def refuse(self, given: RooflineFile) -> None:
        """Refuse what a file says itself, and what only a source can be asked for."""
        options: dict[str, object] = {"--clock": self.clock, "--memory": self.memory}
        if not given.kernel or given.device:
            options["--device"] = self.device
        if not given.kernel:
            options |= {"--quanta": self.quanta, "--metric": self.metric != "auto"}
        unfit = [name for name, value in options.items() if value not in (None, False)]
        if unfit := unfit + (self.source.given() if not given.kernel else []):
            raise InputError(f"{', '.join(unfit)} can only be used with C sources; this file says that itself")


def accelerator_of(file: str, request: Request) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    """Return the accelerator of a file, the walls of its source, and remarks."""
    from ppnsim.boards.files import load_board
    from ppnsim.files import load_as
    from ppnsim.memory.model.presets import preset
    from ppnsim.roofline.accelerator import Accelerator, MemorySpec, board_memories
    from ppnsim.roofline.files.toml import RooflineFile
    from ppnsim.units import clock_period

    if Path(file).suffix == ".toml":
        given = load_as(file, RooflineFile)
        request.refuse(given)
        if not given.kernel:
            return given.accelerator, (), []
        own, asked = given.settings, request.source
        source = replace(
            asked, function=asked.function or own.function, define=[*own.define, *asked.define],
            settings=[*(f"{name}={value}" for name, value in own.parameters.items()), *asked.settings],
        )  # fmt: skip
        request = replace(request, device=given.device or request.device, source=source)
        return _of_source(given, request)
    dram = preset(request.memory or DEFAULTS["--memory"]).dram
    only = MemorySpec(name="ddr" if dram.protocol.startswith("DDR") else "hbm", dram=dram, banks=dram.channels)
    board = load_board(request.device, "--device") if request.device and request.memory is None else None
    base = Accelerator(
        name=Path(file).stem, clock_ns=clock_period(request.clock or DEFAULTS["--clock"]), available={}, operators=(),
        memories=(board_memories(board) if board else ()) or (only,),
    )  # fmt: skip
    return _of_source(RooflineFile(accelerator=base, kernel=file), request)


def _of_source(given: RooflineFile, request: Request) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    from ppnsim.c.pragmas.read import Pragmas
    from ppnsim.cli.hls import sources_of
    from ppnsim.hls.library.library import load_library
    from ppnsim.hls.pragmas.read import read_directives
    from ppnsim.hls.structure.members import without_structs
    from ppnsim.roofline.kernel import kernel_accelerator, scheduled_point, walls_of

    program = request.source.one_program(given.kernel, policy=HARDWARE)
    base = given.accelerator
    library = load_library(request.device or DEFAULTS["--device"], float(base.clock_ns))
    texts, numbers = sources_of(program), without_structs(program)
    accelerator = kernel_accelerator(
        base, numbers, library, marks=Pragmas(texts).results(), metric=request.metric, counted=given.counted,
        given=given.given, quanta=request.quanta or int(DEFAULTS["--quanta"]),
    ).checked()  # fmt: skip
    notes = []
    if request.metric != "auto" and accelerator.metric != base.metric and base.points:
        accelerator = replace(accelerator, points=())
        notes.append(f"the designs of the file are left out: they count {base.metric}")
    walls, no_walls = walls_of(numbers)
    point, no_point = scheduled_point(accelerator, program, library, read_directives(texts, program))
    if point is not None:
        if walls and walls[0].moved:
            point = replace(point, intensity=accelerator.work / walls[0].moved)
        accelerator = replace(accelerator, points=(point, *accelerator.points))
    return accelerator, walls, [*notes, *filter(None, (no_walls, no_point))]
