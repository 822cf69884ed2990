"""``ppnsim lost``: useful and lost cycles of every process of a network, or of a scheduled kernel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import Json, console, for_each_file, progress
from ppnsim.cli.explain import stuck
from ppnsim.cli.lost_source import Request, lost_in_source
from ppnsim.cli.outputs import check_distinct
from ppnsim.cli.pictures import check_picture, save_picture
from ppnsim.cli.run import Convention, Depth, Iterations, Style, network_of
from ppnsim.cli.schedule import Device
from ppnsim.cli.source import Clock, Define, Function, Include, Set
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

Designs = Annotated[
    list[str],
    typer.Option(
        "--design",
        metavar="TEXT",
        help="C: auto (as the tool decides), none, 'pipeline LOOP' or 'unroll LOOP=FACTOR'; may be repeated.",
    ),
]
Learn = Annotated[
    str | None,
    typer.Option("--learn", metavar="NAME,...", help="C: learn formulas in these sizes, given with -D or --set."),
]
At = Annotated[
    list[str],
    typer.Option("--at", metavar="NAME=N,...", help="C: predict these sizes by the formulas; may be repeated."),
]
SizesToLearn = Annotated[
    str | None,
    typer.Option(
        "--sizes",
        metavar="N,...",
        help="C: sizes to learn from, at least 6. Without it, some for which no address is cheaper than for others;"
        " powers of two (16,32,...) give the formulas of powers of two.",
    ),
]


def lost_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Networks (TOML, network JSON, SDF3 XML), or C and C++ sources.", show_default=False
        ),
    ],
    style: Style = None,
    depth: Depth = [],  # noqa: B006
    iterations: Iterations = None,
    convention: Convention = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw the cycles of all processes: .svg, .png, .pdf.")
    ] = None,
    design: Designs = [],  # noqa: B006
    learn: Learn = None,
    at: At = [],  # noqa: B006
    sizes: SizesToLearn = None,
    device: Device = "xc7z020",
    clock: Clock = "10 ns",
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    json: Json = None,
) -> None:
    """Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.

    Useful is a cycle in which a firing starts. Lost are: initialisation (before the first start, own results awaited,
    draining after the last start), memory (the data of others missing), blocked (FIFOs full), control (the initiation
    interval), contention (shared resources) and idle (done before others). The parts of a process add up to the
    finish, cycle by cycle. A deadlock is explained as by `ppnsim run`, and gives exit code 3.

    A kernel is scheduled as by `ppnsim schedule`, once for every design. Useful is a cycle in which the busiest class
    of operators starts; lost are initialisation (operators that fill), memory (nothing else at work) and control.
    Formulas in the sizes are learned from small ones, checked on others, and predict large ones.

    Examples:

      ppnsim lost scenarios/networks/fork_join.toml

      ppnsim lost scenarios/networks/fork_join.toml --depth short_in=8 --plot lost.svg

      ppnsim lost a.json b.json --json -

      ppnsim lost scenarios/kernels/gemm.c --design none --design "unroll k=2" --design "pipeline k"

      ppnsim lost scenarios/kernels/gemm.c -D NI=8 -D NJ=8 -D NK=8 --design none --learn NI,NJ,NK --at NI=64,NJ=64,NK=64
    """
    terminal = console(json)
    check_picture(plot, "--plot", json, files=len(files))
    check_distinct({"--plot": plot}, files)
    request = Request(
        device=device, clock=clock, designs=design, learn=learn, at=at, sizes=sizes, function=function,
        define=define, include=include, settings=settings,
    )  # fmt: skip

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.c.given import SUFFIXES

        if Path(file).suffix in SUFFIXES:
            from ppnsim.hls.lost.report import bars_of

            options = {"--style": style, "--depth": depth, "--iterations": iterations, "--convention": convention}
            if unfit := [name for name, value in options.items() if value not in (None, [])]:
                raise InputError(f"{', '.join(unfit)} can only be used with networks; this file is a C source")
            result, code = lost_in_source(terminal, file, request)
            _draw(terminal, result["function"], bars_of(result), plot)
            return result, code
        if given := request.given():
            raise InputError(f"{', '.join(given)} can only be used with C sources; this file is none")
        from ppnsim.analysis.lost_cycles import lost_cycles
        from ppnsim.engines.run import run
        from ppnsim.report.lost_cycles import lost_result, print_lost

        network = network_of(file, style, depth, iterations, convention)
        with progress(network.name) as report:
            outcome = run(network, on_deadlock="return", progress=report)
        if outcome.deadlocked:
            return stuck(terminal, outcome, file)
        result = lost_result(outcome, lost_cycles(outcome), file=file)
        print_lost(terminal, result)
        _draw(terminal, outcome.network.name, result["processes"], plot)
        return result, 0

    for_each_file(files, json, work)


def _draw(terminal: Console, name: str, bars: Mapping[str, Mapping[str, int]], place: Path | None) -> None:
    """Draw the parts of each bar to a file, if one is given."""
    if place is None or not bars:
        return
    from ppnsim.plots.lost_cycles import lost_cycles

    save_picture(lost_cycles(name, bars), place, "--plot")
    terminal.print(f"drawn to {place}", markup=False)
