"""``ppnsim roofline``: what bounds an accelerator, its operators or its memory, and what would raise the bound."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, Json, console, for_each_file, progress
from ppnsim.cli.pictures import check_picture, save_picture
from ppnsim.cli.source import Define, Function, Include, Set, one_program_of
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.analysis.locality_walls import Wall
    from ppnsim.analysis.roofline import Roofline
    from ppnsim.explore.roofline_memory import SimulatedPort
    from ppnsim.platform.accelerator import Accelerator


class Metric(StrEnum):
    """What is counted."""

    auto = "auto"
    operations = "operations"
    flops = "flops"
    results = "results"


def roofline_command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Accelerators in TOML, or C sources.", show_default=False)
    ],
    device: Annotated[
        str, typer.Option("--device", metavar="NAME", help="Of a C source: device, or an operator table (.toml).")
    ] = "xcvu9p",
    clock: Annotated[str, typer.Option("--clock", metavar="TIME", help="Of a C source: clock.")] = "200 MHz",
    memory: Annotated[
        str, typer.Option("--memory", metavar="PRESET", help="Of a C source: memory (ppnsim memory lists them).")
    ] = "AWS-F1",
    quanta: Annotated[
        int, typer.Option("--quanta", metavar="BYTES", help="Of a C source: bytes per cycle of every port.")
    ] = 64,
    metric: Annotated[Metric, typer.Option("--metric", help="Of a C source: what performance counts.")] = Metric.auto,
    bank: Annotated[
        list[str],
        typer.Option("--bank", metavar="NAME", help="Show this bank by itself, and all named as one; may be repeated."),
    ] = [],  # noqa: B006
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run every port through the DRAM bank queue, beside its ceiling.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw the roofline: .svg, .png, .pdf.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="PATH", help="Draw clock against memory quanta: .svg, .png, .pdf.")
    ] = None,
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    json: Json = None,
) -> None:
    r"""Tell what bounds a kernel on an FPGA: its operators, or which memory bank.

    The compute bound follows from the kernel's operations and the device (80 % of it, as routing leaves). Every
    argument has a port on a memory bank; its ceilings are those of streams, of random and of data-dependent segments.
    Locality walls say what a scratchpad in front of each loop of a C source would save, and how large it is.

    A C source counts its operations, or the results that #pragma ppnsim result marks. A TOML file says more: banks,
    access patterns, queues, designs to compare, operators by hand.

    Equations 1 to 11 of the roofline paper (Siracusa et al. 2021).

    Examples:

      ppnsim roofline scenarios/rooflines/nbody.c --clock "156.25 MHz" --plot nbody.svg

      ppnsim roofline scenarios/rooflines/spmv.toml --simulate --bank "ddr[0]"

      ppnsim roofline scenarios/kernels/gemm.c --metric flops --memory U280-HBM --json -
    """
    terminal = console(json)
    _check(files, plot, chart, quanta, json)

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.analysis.roofline import roofline, selected
        from ppnsim.report.roofline import roofline_result
        from ppnsim.report.roofline_text import print_roofline

        accelerator, walls, notes = _read(
            file, device, clock, memory, quanta, metric, (function, define, include, settings)
        )
        found = roofline(accelerator)
        chosen = selected(found, bank, accelerator.work) if bank else None
        simulated, code = _simulated(accelerator, found) if simulate else ([], 0)
        result = roofline_result(
            accelerator, found, file=file, walls=walls, simulated=simulated, chosen=chosen, notes=notes
        )
        print_roofline(terminal, result)
        _draw(accelerator, result, bank, plot, chart)
        return result, code

    for_each_file(files, json, work)


def _check(files: list[str], plot: Path | None, chart: Path | None, quanta: int, json: str | None) -> None:
    for option, path in (("--plot", plot), ("--chart", chart)):
        check_picture(path, option, json, files=len(files))
    if not 1 <= quanta <= 4096:
        raise InputError(f"{quanta} must be from 1 to 4096 bytes", where="--quanta")


def _read(
    file: str, device: str, clock: str, memory: str, quanta: int, metric: Metric,
    options: tuple[str | None, list[str], list[str], list[str]],
) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:  # fmt: skip
    """Return the accelerator of a file, the walls of its source, and remarks."""
    from ppnsim.formats.roofline_toml import load_roofline
    from ppnsim.platform.accelerator import Accelerator, MemorySpec
    from ppnsim.platform.memory_presets import preset
    from ppnsim.units import clock_period

    function, define, include, settings = options
    if Path(file).suffix == ".toml":
        given = load_roofline(file)
        if not given.kernel:
            return given.accelerator, (), []
        more = given.settings
        own = [f"{name}={value}" for name, value in more.get("set", {}).items()]
        options = (function or more.get("function"), [*more.get("define", []), *define], include, [*own, *settings])
        return _of_source(given.accelerator, given.kernel, given.device or device, metric, options, given.given, quanta)
    dram = preset(memory).dram
    only = MemorySpec(name="ddr" if dram.protocol.startswith("DDR") else "hbm", dram=dram, banks=dram.channels)
    base = Accelerator(name=Path(file).stem, clock_ns=clock_period(clock), available={}, operators=(), memories=(only,))
    return _of_source(base, file, device, metric, options, frozenset(), quanta)


def _of_source(
    base: Accelerator, source: str, device: str, metric: Metric,
    options: tuple[str | None, list[str], list[str], list[str]], given: frozenset[str], quanta: int,
) -> tuple[Accelerator, tuple[Wall, ...], list[str]]:  # fmt: skip
    from ppnsim.analysis.kernel_roofline import kernel_accelerator, scheduled_point, walls_of
    from ppnsim.cli.schedule import sources_of
    from ppnsim.frontend.pragmas import Pragmas
    from ppnsim.hls.directives import read_directives
    from ppnsim.hls.library import load_library

    function, define, include, settings = options
    program = one_program_of(source, function=function, define=define, include=include, settings=settings)
    library = load_library(device, float(base.clock_ns))
    texts = sources_of(program)
    accelerator = kernel_accelerator(
        base, program, library, marks=Pragmas(texts).results(), metric=metric.value, given=given, quanta=quanta
    ).checked()
    walls, no_walls = walls_of(program)
    point, no_point = scheduled_point(accelerator, program, library, read_directives(texts, program))
    if point is not None:
        if walls and walls[0].moved:
            point = replace(point, intensity=accelerator.work / walls[0].moved)
        accelerator = replace(accelerator, points=(point, *accelerator.points))
    return accelerator, walls, [note for note in (no_walls, no_point) if note]


def _simulated(accelerator: Accelerator, found: Roofline) -> tuple[list[SimulatedPort], int]:
    """Simulate the ports; Ctrl-C keeps those that are there."""
    from ppnsim.explore.roofline_memory import simulated_ports

    done: list[SimulatedPort] = []
    try:
        with progress(accelerator.name, "ports") as report:
            done.extend(simulated_ports(accelerator, found.ports, progress=report))
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {len(done)} ports", err=True)
        return done, INTERRUPTED
    return done, 0


def _draw(
    accelerator: Accelerator, result: dict[str, Any], banks: list[str], plot: Path | None, chart: Path | None
) -> None:
    if plot is None and chart is None:
        return
    from ppnsim.analysis.roofline_memory import bank_of
    from ppnsim.plots.roofline import quanta_figure, roofline_figure

    if plot is not None:
        save_picture(roofline_figure(result, banks=banks), plot, "--plot")
    if chart is not None:
        models = {memory.name: bank_of(memory) for memory in accelerator.memories}
        memories = {name: (model.peak, model.width) for name, model in models.items()}
        quanta = sorted({argument.quanta for argument in accelerator.arguments} | {32, 64, 128})
        save_picture(quanta_figure(accelerator.name, memories, result["clock_MHz"], quanta), chart, "--chart")
