"""``ppnsim opencl``: an OpenCL kernel on an FPGA board predicted, tuned, swept and executed."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.opencl import KernelOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.source import number_of
from ppnsim.errors import InputError
from ppnsim.opencl.design import Design, applied
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.report import (
    OpenclAnswer,
    PathStep,
    SweepPoint,
    opencl_result,
    print_best,
    print_path,
    print_prediction,
    print_sweep,
)
from ppnsim.opencl.run import OpenclRun
from ppnsim.opencl.run import simulate as execute
from ppnsim.opencl.tune import advise, best_design, look
from ppnsim.opencl.tune import tune as tuning_steps


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
    sweep: Annotated[
        str | None, typer.Option("--vary", metavar="NAME=A,B,...", help="Predict for several values of a parameter.")
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Execute the kernel too, work item by work item, and compare.")
    ] = False,
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
    terminal = output.terminal()
    output.check()

    def work(path: str) -> tuple[dict[str, Any], int]:
        asked, read = kernel.asked(), kernel.load(path)
        chosen = asked or read.design
        now = look(read.kernel, read.board, chosen)
        answer = OpenclAnswer(kernel=read.kernel, now=now, advice=advise(read.kernel, read.board, now))
        if simulate and sweep is None:
            answer.run = _executed(read, chosen)
        print_prediction(terminal, answer)
        try:
            if tune or combinations:
                _tuned(terminal, read, answer, everything=combinations, simulate=simulate)
            if sweep is not None:
                _swept(terminal, kernel, path, sweep, asked, answer, simulate=simulate)
        except KeyboardInterrupt:
            answer.interrupted = True
        if output.plot is not None:
            output.save(_picture(answer, sweep), terminal)
        return opencl_result(answer, path), INTERRUPTED if answer.interrupted else 0

    for_each_file([file], output.json, work)


def _tuned(terminal: Any, read: OpenclFile, answer: OpenclAnswer, *, everything: bool, simulate: bool) -> None:
    """Add the tuning path, executed if asked for, and with ``everything`` the best of all combinations."""
    answer.path = [PathStep(step) for step in tuning_steps(read.kernel, read.board, answer.now.design)]
    for step in answer.path if simulate else ():
        step.run = _executed(read, step.predicted.design)
    print_path(terminal, read.kernel.name, answer.path)
    if everything:
        with progress(read.kernel.name, "combinations") as report:
            answer.best = best_design(read.kernel, read.board, answer.now, progress=report)
        print_best(terminal, answer)


def _swept(
    terminal: Any, kernel: KernelOptions, path: str, sweep: str, design: Design | None, answer: OpenclAnswer, *,
    simulate: bool,
) -> None:  # fmt: skip
    """Add a point for every value of a swept parameter; Ctrl-C keeps those that are there."""
    name, equals, listed = sweep.partition("=")
    if not equals or not name or not listed:
        raise InputError(f"'{sweep}' is not NAME=A,B,...", where="--vary")
    points: list[SweepPoint] = []
    answer.sweep = points
    try:
        for text in listed.split(","):
            value = number_of(text, f"--vary {name}")
            read = kernel.load(path, {name: value})
            now = look(read.kernel, read.board, design or read.design)
            executed = _executed(read, now.design).cycles if simulate else None
            cycles, itpp = float(now.prediction.cycles), float(now.potentials.itpp)
            points.append(SweepPoint(value=value, cycles=cycles, executed=executed, itpp=itpp))
    finally:
        if points:
            print_sweep(terminal, name, points)


def _executed(read: OpenclFile, design: Design) -> OpenclRun:
    with progress(read.kernel.name, "work items") as report:
        return execute(applied(read.kernel, design), read.board, progress=report)


def _picture(answer: OpenclAnswer, sweep: str | None) -> Any:
    from ppnsim.opencl.pictures import path_points, tuning_path, work_item_sweep  # matplotlib takes a while to import

    if sweep is not None and answer.sweep:
        return work_item_sweep(answer.kernel.name, sweep.partition("=")[0], answer.sweep)
    path = [answer.now] if answer.path is None else [step.predicted for step in answer.path]
    return tuning_path(answer.kernel.name, path_points(path))
