"""What a roofline is drawn of: an accelerator from a TOML file, or from a C source with what is said beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ppnsim.boards.board import Board
from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.boards.files import load_board
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.comparison.sizes import with_sizes
from ppnsim.errors import InputError, located
from ppnsim.files import load_as, no_option
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.structure.members import without_structs
from ppnsim.library.kernels import synthesised_kernel
from ppnsim.memory.model.presets import preset
from ppnsim.roofline.accelerator import Accelerator, MemorySpec, board_memories
from ppnsim.roofline.checks import check_accelerator
from ppnsim.roofline.default import MEMORY, QUANTA, Metric
from ppnsim.roofline.files.toml import RooflineFile
from ppnsim.roofline.kernel import kernel_accelerator, scheduled_point, walls_of
from ppnsim.roofline.walls import Wall
from ppnsim.source_networks.branch_cycles import hardware_on
from ppnsim.units import clock_period


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAccelerator:
    """What is said of the accelerator of a C source; None where nothing is said.

    Attributes
    ----------
    device : board or device, or a table of your own (.toml).
    clock : period or frequency, with its unit.
    memory : preset of the memory, if the board has none.
    quanta : bytes per cycle of every port.
    metric : what performance counts.
    source : ``function``, ``defines``, ``include``, ``settings`` of the source.
    """

    device: str | None = None
    clock: str | None = None
    memory: str | None = None
    quanta: int | None = None
    metric: Metric = "auto"
    source: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.source:
            if name not in GIVEN:
                raise no_option(name, list(GIVEN))

    def refuse(self, given: RooflineFile, source: Sequence[str]) -> None:
        """Refuse what the file itself answers, and what only sources have: the names of ``source`` that are given."""
        options: dict[str, object] = {"--clock": self.clock, "--memory": self.memory}
        if not given.kernel or given.device:
            options["--device"] = self.device
        if not given.kernel:
            options |= {"--quanta": self.quanta, "--metric": self.metric != "auto"}
        unfit = [name for name, value in options.items() if value not in (None, False)]
        if unfit := unfit + (list(source) if not given.kernel else []):
            raise InputError(f"{', '.join(unfit)} can only be used with C sources; this file says that itself")


VARIED = ("device", "clock", "memory", "quanta")
"""What is said of the accelerator of a C source, and can vary."""
GIVEN = {"function": "--function", "defines": "-D", "include": "-I", "settings": "--set"}


def accelerator_at(file: str, asked: SourceAccelerator, values: Mapping[str, Any]) -> Accelerator:
    """Return the accelerator of a file for values of what varies.

    That is a key of a TOML file, as ``argument.A.locality``; of a C source ``device``, ``clock``, ``memory``,
    ``quanta``, and its own macros and parameters.
    """
    said = {name: value for name, value in values.items() if name in VARIED}
    sizes = {name: value for name, value in values.items() if name not in said and "." not in name}
    keys = {name: value for name, value in values.items() if "." in name}
    if sizes and Path(file).suffix.lower() == ".toml" and not load_as(file, RooflineFile).kernel:
        words = "is no key of a table of this file, such as argument.A.locality, and it names no C source"
        raise InputError(f"'{next(iter(sizes))}' {words}", where="--vary")
    source = with_sizes(file, asked.source, sizes) if sizes else asked.source
    return accelerator_of(file, replace(asked, **said, source=source), keys)[0]


def accelerator_of(
    file: str, asked: SourceAccelerator, changes: Mapping[str, Any] | None = None
) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    """Return the accelerator of a file, with other values of its keys, the walls of its source, and remarks.

    Raises
    ------
    InputError
        If the file cannot be read, or says itself what is asked for.
    """
    if Path(file).suffix.lower() == ".toml":
        given = load_as(file, RooflineFile, changes=dict(changes or {}))
        asked.refuse(given, [GIVEN[name] for name, value in asked.source.items() if value])
        if not given.kernel:
            return given.accelerator, (), []
        own, said = given.settings, asked.source
        macros = dict(each.partition("=")[::2] if "=" in each else (each, "1") for each in own.define)
        source = {
            **said, "function": said.get("function") or own.function,
            "defines": {**macros, **(said.get("defines") or {})},
            "settings": {**own.set, **(said.get("settings") or {})},
        }  # fmt: skip
        return _of_source(given, replace(asked, device=given.device or asked.device, source=source))
    if changes:
        words = "is not of a C source: device, clock, memory, quanta and its macros and parameters are"
        raise InputError(f"'{next(iter(changes))}' {words}", where="--vary")
    dram = preset(asked.memory or MEMORY).dram
    only = MemorySpec(name="ddr" if dram.protocol.startswith("DDR") else "hbm", dram=dram, banks=dram.channels)
    board = load_board(asked.device, "--device") if asked.device and asked.memory is None else None
    base = Accelerator(
        name=Path(file).stem, clock_ns=clock_period(asked.clock or CLOCK), available={}, operators=(),
        memories=(board_memories(board) if board else ()) or (only,),
    )  # fmt: skip
    accelerator, walls, notes = _of_source(RooflineFile(accelerator=base, kernel=file), asked)
    return accelerator, walls, [*notes, *_taken(asked, board)]


def _taken(asked: SourceAccelerator, board: Board | None) -> Iterator[str]:
    """Yield what is taken because nobody said it."""
    said: list[tuple[object, str]] = [
        (asked.device, f"device {DEVICE}"), (asked.clock, f"clock {CLOCK}"),
        (asked.memory or (board and board_memories(board)), f"memory {MEMORY}"),
        (asked.quanta, f"ports of {QUANTA} bytes per cycle"),
    ]  # fmt: skip
    if taken := [words for value, words in said if not value]:
        yield f"taken, as nobody says another: {', '.join(taken)}"


def _of_source(given: RooflineFile, asked: SourceAccelerator) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:
    base = given.accelerator
    library = load_library(asked.device or DEVICE, float(base.clock_ns))
    program, directives = synthesised_kernel(given.kernel, policy=hardware_on(library), **asked.source)
    texts, numbers = sources_of(program), without_structs(program)
    accelerator = kernel_accelerator(
        base, numbers, library, marks=Pragmas(texts).results(), metric=asked.metric, counted=given.counted,
        given=given.given, quanta=asked.quanta or QUANTA,
    )  # fmt: skip
    with located(f"function '{program.name}'"):
        check_accelerator(accelerator)
    notes = []
    if asked.metric != "auto" and accelerator.metric != base.metric and base.points:
        accelerator = replace(accelerator, points=())
        notes.append(f"the designs of the file are left out: they count {base.metric}")
    walls, no_walls = walls_of(numbers)
    point, no_point = scheduled_point(accelerator, program, library, directives)
    if point is not None:
        if walls and walls[0].moved:
            point = replace(point, intensity=accelerator.work / walls[0].moved)
        accelerator = replace(accelerator, points=(point, *accelerator.points))
    return accelerator, walls, [*notes, *filter(None, (no_walls, no_point))]
