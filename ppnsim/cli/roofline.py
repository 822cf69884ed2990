"""``ppnsim roofline``: what bounds an accelerator, its operators or its memory, and what would raise the bound."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_distinct, check_picture, save_picture
from ppnsim.cli.options.prediction import Simulate, Vary
from ppnsim.cli.options.roofline import AcceleratorOptions
from ppnsim.cli.options.source import SourceOptions
from ppnsim.comparison import compare
from ppnsim.comparison.run import memory
from ppnsim.errors import InputError
from ppnsim.library import accelerator as accelerators
from ppnsim.library import compare as answered

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


QuantaPlot = Annotated[
    Path | None,
    typer.Option("--plot-quanta", metavar="PATH", help="Draw clock against memory quanta: .svg, .png, .pdf."),
]


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
    vary: Vary = [],  # noqa: B006
    simulate: Simulate = False,
    chart: QuantaPlot = None,
    source: SourceOptions,
    output: Annotated[Output, Help(plot="Draw the roofline: .svg, .png, .pdf.")],
) -> None:
    """Tell what bounds a kernel on an FPGA: its operators, or which memory bank.

    The compute bound follows from the kernel's operations and the device (80 % of it, as routing leaves). Every
    argument has a port on a memory bank; its ceilings are those of streams, of random and of data-dependent segments.
    Locality walls say what a scratchpad in front of each loop of a C source would save, and how large it is.

    A C source counts its operations, or the results that #pragma ppnsim result marks. A TOML file says more: banks,
    access patterns, queues, designs to compare, operators by hand.

    --simulate runs the traffic of every port through the queue of its DRAM bank, beside its ceiling. --vary does so for
    values of a key of the file (argument.A.locality=64,128), or of device, clock, memory, quanta, macros and parameters
    of a C source; without --simulate it tells the ceilings.

    Equations 1 to 11 of the roofline paper (Siracusa et al. 2021).

    Examples:

      ppnsim roofline scenarios/rooflines/nbody.c --device xcvu9p --clock "156.25 MHz" --plot nbody.svg

      ppnsim roofline scenarios/rooflines/spmv.toml --simulate --bank "ddr[0]"

      ppnsim roofline scenarios/kernels/gemm.c --metric flops --memory U280-HBM --json -
    """
    check_picture(chart, "--plot-quanta", output.json, files=len(files))
    check_distinct({"--plot": output.plot, "--csv": output.csv, "--plot-quanta": chart}, files)
    _check_quanta(asked.quanta)
    said = {name: value for name, value in source.read().items() if value}
    if vary and (unfit := [option for option, value in (("--bank", bank), ("--plot-quanta", chart)) if value]):
        raise InputError(f"{', '.join(unfit)} can only be used without --vary, which compares the ports")

    def ask(file: str) -> tuple[Answer, int]:
        with progress(file, "points" if vary else "ports") as report:
            if vary:
                accelerator = accelerators.SourceAccelerator(
                    device=asked.device, clock=asked.clock, memory=asked.memory, quanta=asked.quanta,
                    metric=asked.metric, source=said,
                )  # fmt: skip
                ports = memory.PortSubject(
                    name=file, vary=vary, load=partial(accelerators.accelerator_at, file, accelerator)
                )
                compared = compare.compare_subject(
                    ports, compare.models_of((), ports.kind), progress=report, simulate=simulate
                )
                return answered.ComparedModels(comparison=compared), INTERRUPTED if compared.interrupted else 0
            found = ppnsim.roofline(
                file, device=asked.device, clock=asked.clock, memory=asked.memory, quanta=asked.quanta,
                metric=asked.metric, banks=bank, simulate=simulate, progress=report, **said,
            )  # fmt: skip
        if chart is not None:
            save_picture(found.chart(), chart, "--plot-quanta")
        return found, INTERRUPTED if found.interrupted else 0

    answers.answer_each_file(files, output, ask)


def _check_quanta(quanta: int | None) -> None:
    """Bytes of a memory quantum are from 1 to 4096."""
    if quanta is not None and not 1 <= quanta <= 4096:
        raise InputError(f"{quanta} must be from 1 to 4096 bytes", where="--quanta")
