"""``ppnsim roofline``: what bounds an accelerator, its operators or its memory, and what would raise the bound."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_distinct, check_picture, save_picture
from ppnsim.cli.options.roofline import AcceleratorOptions
from ppnsim.cli.options.source import SourceOptions
from ppnsim.errors import InputError
from ppnsim.library.roofline import roofline


def roofline_command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Accelerators in TOML, or C sources.", show_default=False)
    ],
    *,
    asked: AcceleratorOptions,
    bank: Annotated[
        list[str],
        typer.Option("--bank", metavar="NAME", help="Show this bank by itself, and all named as one; may be repeated."),
    ] = [],  # noqa: B006
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run every port through the DRAM bank queue, beside its ceiling.")
    ] = False,
    chart: Annotated[
        Path | None,
        typer.Option("--plot-quanta", metavar="PATH", help="Draw clock against memory quanta: .svg, .png, .pdf."),
    ] = None,
    source: SourceOptions,
    output: Annotated[Output, Help(plot="Draw the roofline: .svg, .png, .pdf.")],
) -> None:
    """Tell what bounds a kernel on an FPGA: its operators, or which memory bank.

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
    terminal = output.terminal()
    _check(files, output, chart, asked.quanta)

    def work(file: str) -> tuple[dict[str, Any], int]:
        said = {name: value for name, value in source.read().items() if value}
        with progress(file, "ports") as report:
            found = roofline(
                file, device=asked.device, clock=asked.clock, memory=asked.memory, quanta=asked.quanta,
                metric=asked.metric, banks=bank, simulate=simulate, progress=report, **said,
            )  # fmt: skip
        found.print(terminal)
        if output.plot is not None:
            output.save(found.figure())
        if chart is not None:
            save_picture(found.chart(), chart, "--plot-quanta")
        return found.to_dict(), INTERRUPTED if found.interrupted else 0

    for_each_file(files, output.json, work)


def _check(files: list[str], output: Output, chart: Path | None, quanta: int | None) -> None:
    output.check(len(files))
    check_picture(chart, "--plot-quanta", output.json, files=len(files))
    check_distinct({"--plot": output.plot, "--plot-quanta": chart}, files)
    if quanta is not None and not 1 <= quanta <= 4096:
        raise InputError(f"{quanta} must be from 1 to 4096 bytes", where="--quanta")
