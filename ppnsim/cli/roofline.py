"""``ppnsim roofline``: what bounds an accelerator, its operators or its memory, and what would raise the bound."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_distinct, check_picture, save_picture
from ppnsim.cli.options.roofline import AcceleratorOptions, accelerator_of
from ppnsim.cli.options.source import SourceOptions
from ppnsim.errors import InputError
from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.answer import RooflineAnswer, roofline_result
from ppnsim.roofline.ceilings import bank_of
from ppnsim.roofline.laws import Roofline, roofline, selected
from ppnsim.roofline.report import print_roofline
from ppnsim.roofline.run import SimulatedPort, simulated_ports


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
        accelerator, walls, notes = accelerator_of(file, asked, source)
        if chart is not None and not accelerator.memories:
            raise InputError("there is no memory to draw", where="--plot-quanta")
        if simulate and not any(accelerator.memory(each.memory).dram for each in accelerator.arguments):
            notes.append("nothing to simulate: no argument is on a memory with a preset")
        found = roofline(accelerator)
        chosen = selected(found, bank, accelerator.work) if bank else None
        simulated, code = _simulated(accelerator, found) if simulate else ([], 0)
        answer = RooflineAnswer(
            file=file, accelerator=accelerator, found=found, simulated=tuple(simulated), chosen=chosen,
            walls=tuple(wall for wall in walls if wall.moved), notes=tuple(notes),
        )  # fmt: skip
        print_roofline(terminal, answer)
        _draw(answer, bank, output, chart)
        return roofline_result(answer), code

    for_each_file(files, output.json, work)


def _check(files: list[str], output: Output, chart: Path | None, quanta: int | None) -> None:
    output.check(len(files))
    check_picture(chart, "--plot-quanta", output.json, files=len(files))
    check_distinct({"--plot": output.plot, "--plot-quanta": chart}, files)
    if quanta is not None and not 1 <= quanta <= 4096:
        raise InputError(f"{quanta} must be from 1 to 4096 bytes", where="--quanta")


def _simulated(accelerator: Accelerator, found: Roofline) -> tuple[list[SimulatedPort], int]:
    """Simulate the ports; Ctrl-C keeps those that are there."""
    done: list[SimulatedPort] = []
    try:
        with progress(accelerator.name, "ports") as report:
            done.extend(simulated_ports(accelerator, found.ports, progress=report))
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {len(done)} ports", err=True)
        return done, INTERRUPTED
    return done, 0


def _draw(answer: RooflineAnswer, banks: list[str], output: Output, chart: Path | None) -> None:
    if output.plot is None and chart is None:
        return
    from ppnsim.roofline.pictures import quanta_figure, roofline_figure  # matplotlib takes a while to import

    if output.plot is not None:
        output.save(roofline_figure(answer, banks=banks))
    if chart is not None:
        accelerator = answer.accelerator
        models = {memory.name: bank_of(memory) for memory in accelerator.memories}
        memories = {name: (model.peak, model.width) for name, model in models.items()}
        quanta = sorted({argument.quanta for argument in accelerator.arguments} | {32, 64, 128})
        save_picture(
            quanta_figure(accelerator.name, memories, 1000 * accelerator.frequency, quanta), chart, "--plot-quanta"
        )
