"""``ppnsim dse``: which loops to pipeline and unroll and which arrays to partition, by Algorithm 1."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, Json, check_output, console, for_each_file, progress
from ppnsim.cli.schedule import Clock, Device
from ppnsim.cli.source import Define, Function, Include, Set, Sources, one_program_of
from ppnsim.errors import InputError

_FORMATS = (".svg", ".png", ".pdf")


def dse_command(
    files: Sources,
    device: Device = "xc7vx690t",
    clock: Clock = "10 ns",
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Try all designs too (small spaces), and tell the distance.")
    ] = False,
    most: Annotated[int, typer.Option("--most", metavar="N", help="Designs that --exhaustive tries at most.")] = 2000,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw area and cycles of the steps: .svg, .png, .pdf.")
    ] = None,
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    json: Json = None,
) -> None:
    """Explore the directives of a kernel: pipelining, unrolling, array partitioning.

    Algorithm 1 of the roofline paper (Siracusa et al. 2021): optimise the innermost loop of the bottleneck, first by
    pipelining it, then by unrolling it by the next divisor of its trip count; partition the arrays by the distinct
    offsets of the accesses; step back when the device is full. Directives in the source are not looked at.

    Examples:

      ppnsim dse scenarios/kernels/mvt.c -D N=16 -D DATA_TYPE=float

      ppnsim dse scenarios/kernels/gesummv.c -D N=8 --exhaustive --plot walk.svg --json walk.json
    """
    from ppnsim.hls.library import load_library
    from ppnsim.units import clock_ns

    terminal = console(json)
    if plot is not None:
        if plot.suffix.lower() not in _FORMATS:
            raise InputError(f"'{plot.suffix}' is none of {', '.join(_FORMATS)}", where=f"--plot {plot}")
        if len(files) > 1:
            raise InputError(f"{len(files)} files, and one is drawn", where=f"--plot {plot}")
        check_output(plot, "--plot", json)
    if most < 1:
        raise InputError(f"{most} must be at least 1", where="--most")
    library = load_library(device, clock_ns(clock))

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.explore.hls_designs import Designs, Evaluated
        from ppnsim.explore.hls_dse import exhaustive as try_all
        from ppnsim.explore.hls_dse import explore_directives
        from ppnsim.report.hls_dse import dse_result, print_dse

        began = time.monotonic()
        program = one_program_of(file, function=function, define=define, include=include, settings=settings)
        designs = Designs(program, library)
        with progress(program.name, "designs") as report:
            found = explore_directives(designs, progress=report)
        every: list[Evaluated] = []
        complete = found.complete
        if exhaustive and complete:
            with progress(f"{program.name}, all", "designs") as report:
                every, complete = try_all(designs, most=most, progress=report)
        # An optimum of some of the designs would be none.
        known = every if complete else []
        result = dse_result(designs, found, file=file, every=known, seconds=time.monotonic() - began)
        print_dse(terminal, result)
        if plot is not None:
            _draw(result, plot)
        return result, 0 if complete else INTERRUPTED

    for_each_file(files, json, work)


def _draw(result: dict[str, Any], path: Path) -> None:
    from ppnsim.plots.hls_dse import dse_figure
    from ppnsim.plots.save import save

    try:
        save(dse_figure(result), path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"--plot {path}") from None
