"""``ppnsim opencl``: an OpenCL kernel on an FPGA board predicted, tuned, swept and executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.opencl import KernelOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.prediction import Simulate
from ppnsim.comparison.run import subject
from ppnsim.explore.sweep import parameters
from ppnsim.library import opencl

if TYPE_CHECKING:
    from ppnsim.library.opencl import OpenclPrediction


def opencl_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A kernel in OpenCL C (.cl) or in TOML.", show_default=False)
    ],
    *,
    kernel: KernelOptions,
    tune: Annotated[bool, typer.Option("--tune", help="Follow the advisor until nothing more is worth doing.")] = False,
    combinations: Annotated[
        bool, typer.Option("--combinations", help="Also look at all combinations, and tell how far the path is off.")
    ] = False,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="NAME=VALUES",
            help="Predict for each value of a parameter (N=1024,4096, W=16:64:16); may be repeated: all combinations.",
        ),
    ] = [],  # noqa: B006
    simulate: Simulate = False,
    output: Annotated[Output, Help(plot="Draw the sweep, or the tuning path: .svg, .png or .pdf.")],
) -> None:
    """Predict an OpenCL kernel on an FPGA board, and say what to do next.

    The kernel is OpenCL C, or a hierarchy of basic blocks, loops and branches in TOML, which may also hold the board.
    A source says its work sizes by --global and --local, or by pragmas (#pragma ppnsim global_size(N, N)
    local_size(16, 16) argument(n = 1024) before the kernel); loops whose bounds are data need
    #pragma ppnsim tripcount(N) before them, and ifs may have share(0.25); before a statement reuse(N), vector(N),
    private and access(random) say of its accesses what the addresses do not. Attributes and #pragma unroll are the
    design to start from.

    Tells cycles and time, what bounds each block, and four potentials:
    B_comp (device not full), B_mem (transactions not full), B_balance (one block slower than all others), B_itpp (too
    few work items); and which optimisation helps against the most urgent one. Resources and clocks of a design are
    estimates from a table of assumptions, which the board may replace.

    Examples:

      ppnsim opencl scenarios/opencl/mm.toml --tune --plot path.svg

      ppnsim opencl scenarios/opencl/mm.toml --set N=32 --set T=16 --design SM+UL16:k --simulate

      ppnsim opencl scenarios/opencl/kmeans.cl --set P=4096 --design SM+MC+UL8:feature --simulate

      ppnsim opencl scenarios/opencl/vecadd.toml --set N=32768 --vary W=16,64,128,256 --simulate --json -
    """
    axes = [subject.plain_axis(each) for each in vary]
    for axis in axes:
        subject.check_whole_numbers(axis)
    parameters.check_axes(axes)

    def ask(file: str) -> tuple[OpenclPrediction, int]:
        with progress(file, "work items" if simulate else "combinations") as report:
            found = opencl.predicted(
                kernel.of(file), tune=tune, combinations=combinations, simulate=simulate, progress=report,
                vary={axis.name: [int(str(value)) for value in axis.values] for axis in axes},
            )  # fmt: skip
        return found, INTERRUPTED if found.answer.interrupted else 0

    answers.answer_each_file([file], output, ask)
