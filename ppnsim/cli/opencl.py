"""``ppnsim opencl``: an OpenCL kernel on an FPGA board predicted, tuned, swept and executed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.groups import Help
from ppnsim.cli.opencl_input import KernelOptions
from ppnsim.cli.outputs import Output
from ppnsim.cli.source import number_of
from ppnsim.errors import InputError
from ppnsim.opencl.design import Design, parse_design
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.optimise import applied
from ppnsim.opencl.report import print_best, print_opencl, print_path, print_sweep, tuned_result
from ppnsim.opencl.run import simulate as execute
from ppnsim.opencl.tune import Tuned, advise, look
from ppnsim.opencl.tune import combinations as all_designs
from ppnsim.opencl.tune import tune as tuning_steps


def opencl_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A kernel in OpenCL C (.cl) or in TOML.", show_default=False)
    ],
    *,
    design: Annotated[
        str | None,
        typer.Option(
            "--design",
            metavar="TEXT",
            help="Optimisations: SM, MC, PM, VT, UL8:loop, SIMD4, CU2, with + ; default: what the source asks for.",
        ),
    ] = None,
    kernel: KernelOptions,
    tune: Annotated[bool, typer.Option("--tune", help="Follow the advisor until nothing more is worth doing.")] = False,
    combinations: Annotated[
        bool, typer.Option("--combinations", help="Also look at all combinations, and tell how far the path is off.")
    ] = False,
    sweep: Annotated[
        str | None, typer.Option("--sweep", metavar="NAME=A,B,...", help="Predict for several values of a parameter.")
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

      ppnsim opencl scenarios/opencl/vecadd.toml --set N=32768 --sweep W=16,64,128,256 --simulate --json -
    """
    terminal = output.terminal()
    output.check()

    def work(path: str) -> tuple[dict[str, Any], int]:
        asked = None if design is None else parse_design(design)
        read = kernel.load(path)
        chosen = asked or read.design
        now = look(read.kernel, read.board, chosen)
        following = advise(read.kernel, read.board, now)
        result: dict[str, Any] = {"file": path, "name": read.kernel.name, "work_items": read.kernel.work_items}
        result |= tuned_result(now)
        result["simulated"] = _executed(read, chosen) if simulate and sweep is None else None
        result["advice"] = None if following is None else tuned_result(following)
        result |= {"tuning": None, "combinations": None, "sweep": None, "interrupted": False}
        print_opencl(terminal, result)
        try:
            if tune or combinations:
                _tuned(terminal, read, now, result, everything=combinations, simulate=simulate)
            if sweep is not None:
                _swept(terminal, partial(kernel.load, path), sweep, asked, result, simulate=simulate)
        except KeyboardInterrupt:
            result["interrupted"] = True
        if output.plot is not None:
            output.save(_picture(result, sweep), terminal)
        return result, INTERRUPTED if result["interrupted"] else 0

    for_each_file([file], output.json, work)


def _tuned(
    terminal: Any, read: OpenclFile, start: Tuned, result: dict[str, Any], *, everything: bool, simulate: bool
) -> None:
    """Add the tuning path, executed if asked for, and with ``everything`` the best of all combinations."""
    path = list(tuning_steps(read.kernel, read.board, start.design))
    result["tuning"] = [{**tuned_result(step), "simulated": None} for step in path]
    for step, row in zip(path, result["tuning"], strict=True) if simulate else ():
        row["simulated"] = _executed(read, step.design)
    print_path(terminal, read.kernel.name, result["tuning"])
    if not everything:
        return
    designs = all_designs(read.kernel)
    best, fitting = start, 0
    with progress(read.kernel.name, "combinations") as report:
        for number, each in enumerate(designs):
            made = look(read.kernel, read.board, each)
            fitting += made.told.fits
            if made.told.fits and (made.seconds < best.seconds or not best.told.fits):
                best = made
            report(number, len(designs))
    behind = result["tuning"][-1]["seconds"] / float(best.seconds) - 1
    result["combinations"] = {
        "looked_at": len(designs), "fit": fitting, "best": tuned_result(best), "path_behind": behind,
    }  # fmt: skip
    print_best(terminal, result["combinations"])


def _swept(
    terminal: Any, load: Callable[[dict[str, int]], OpenclFile], sweep: str, design: Design | None,
    result: dict[str, Any], *, simulate: bool,
) -> None:  # fmt: skip
    """Add a row for every value of a swept parameter; Ctrl-C keeps those that are there."""
    name, equals, listed = sweep.partition("=")
    if not equals or not name or not listed:
        raise InputError(f"'{sweep}' is not NAME=A,B,...", where="--sweep")
    rows: list[dict[str, Any]] = []
    result["sweep"] = rows
    try:
        for text in listed.split(","):
            value = number_of(text, f"--sweep {name}")
            read = load({name: value})
            told = look(read.kernel, read.board, design or read.design)
            executed = _executed(read, design or read.design) if simulate else None
            rows.append(
                {
                    "value": value, "cycles": float(told.told.cycles), "itpp": float(told.left.itpp),
                    "simulated": None if executed is None else executed["cycles"],
                }
            )  # fmt: skip
    finally:
        if rows:
            print_sweep(terminal, name, rows)


def _executed(read: OpenclFile, design: Design) -> dict[str, Any]:
    with progress(read.kernel.name, "work items") as report:
        run = execute(applied(read.kernel, design), read.board, progress=report)
    return {"cycles": run.cycles, "transactions": run.transactions, "banks": run.busy, "executions": run.executions}


def _picture(result: dict[str, Any], sweep: str | None) -> Any:
    from ppnsim.opencl.pictures import tuning_path, work_item_sweep  # matplotlib takes a while to import

    if sweep is not None and result["sweep"]:
        rows = [(row["value"], row["cycles"], row["simulated"], row["itpp"]) for row in result["sweep"]]
        return work_item_sweep(result["name"], sweep.partition("=")[0], rows)
    path = result["tuning"] or [result]
    steps = [(each["design"], each["potentials"], path[0]["seconds"] / each["seconds"]) for each in path]
    return tuning_path(result["name"], steps)
