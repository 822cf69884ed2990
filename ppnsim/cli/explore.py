"""``ppnsim explore``: from what a C kernel reaches as it is towards what its data allow, and what that costs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, Json, console, for_each_file, progress
from ppnsim.cli.pictures import check_picture, save_picture
from ppnsim.cli.source import Define, Function, IiOption, Include, InOut, LatencyOption, Set, programs_of
from ppnsim.cli.timing import TimingOption, timed
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.derive.designs.space import Point
    from ppnsim.derive.designs.walk import DesignWalk
    from ppnsim.loops.program import LoopProgram


def explore_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A C or C++ source.", show_default=False)],
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    latency: LatencyOption = [],  # noqa: B006
    ii: IiOption = [],  # noqa: B006
    timing: TimingOption = None,
    io: InOut = False,
    keep: Annotated[
        list[str],
        typer.Option("--keep", metavar="STMT", help="Leave this statement one process; may be repeated."),
    ] = [],  # noqa: B006
    max_processes: Annotated[
        int, typer.Option("--max-processes", metavar="N", help="Look at no design with more processes.")
    ] = 4096,
    target: Annotated[
        int | None, typer.Option("--target", metavar="CYCLES", help="Stop when the finish is no later than this.")
    ] = None,
    exhaustive: Annotated[
        bool,
        typer.Option(
            "--exhaustive", help="Look at every design of a small space, and tell how far the walk stays behind."
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw the design space: .svg, .png or .pdf.")
    ] = None,
    json: Json = None,
) -> None:
    """Explore the designs between absolute and unbounded throughput: what to split, by how much, at what price.

    Every design deals the executions of some statements out to more processes, by unfolding (in turn) or cutting (in
    blocks) over one or more of their loops, by divisors of the trip counts and powers of two. The walk takes, step by
    step, the change that gains most cycles per process. Statements whose executions wait for one another anyway are
    not tried; the table says so. Designs by rule are shown beside it, and for each point of the front the options with
    which `profile` and `derive` make it.

    Examples:

      ppnsim explore scenarios/kernels/predictor.c --latency 3

      ppnsim explore scenarios/kernels/atax_thesis.c --io --latency 3 --keep in_A --keep out_y --plot atax.svg

      ppnsim explore kernel.c --target 1000 --max-processes 64 --json -
    """
    terminal = console(json)
    check_picture(plot, "--plot", json)
    if target is not None and target < 1:
        raise InputError(f"{target} is below 1 cycle", where="--target")

    def work(source: str) -> tuple[list[dict[str, Any]], int]:
        from ppnsim.derive.designs.report import print_design_space

        programs = programs_of(source, function=function, define=define, include=include, settings=settings)
        if plot is not None and len(programs) > 1:
            names = ", ".join(program.name for program in programs)
            raise InputError(f"holds {len(programs)} kernels, one is drawn: choose it with --function ({names})")
        results = []
        for program in programs:
            result, walk = _explored(
                program, latency, ii, timing, io=io, keep=keep, max_processes=max_processes, target=target,
                exhaustive=exhaustive,
            )  # fmt: skip
            results.append(result)
            print_design_space(terminal, result)
            if plot is not None:
                _draw(walk, plot)
                terminal.print(f"drawn to {plot}", markup=False)
            if result["interrupted"]:
                return results, INTERRUPTED
        return results, 0

    for_each_file([file], json, work, as_list=True)


def _explored(
    program: LoopProgram, latency: list[str], ii: list[str], timing: str | None, *, io: bool, keep: list[str],
    max_processes: int, target: int | None, exhaustive: bool,
) -> tuple[dict[str, Any], DesignWalk]:  # fmt: skip
    """Return what was found, also if Ctrl-C ended it early, and the walk itself."""
    from ppnsim.derive.derive import with_streams
    from ppnsim.derive.designs.execution_graph import check_size
    from ppnsim.derive.designs.exhaustive import Exhaustive
    from ppnsim.derive.designs.report import design_space_result
    from ppnsim.derive.designs.space import DesignSpace
    from ppnsim.derive.designs.walk import DesignWalk
    from ppnsim.derive.estimate.estimate import estimate_program

    began = time.perf_counter()
    # The estimate takes no memory per execution, and refuses what executes nothing or leaves its arrays.
    check_size(program, estimate_program(program, io=io).executions)
    streamed = with_streams(program) if io else program
    streamed, latency_for_all, ii_for_all = timed(streamed, latency, ii, timing)
    space = DesignSpace(streamed, keep=keep, ii=ii_for_all, latency=latency_for_all, max_processes=max_processes)
    walk = DesignWalk(space=space, target=target)
    everything = Exhaustive(space=space) if exhaustive else None
    interrupted = False
    try:
        with progress(program.name, "cycles gained") as report:
            walk.run(report)
        if everything is not None:
            with progress(program.name, "designs") as report:
                everything.run(report)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - began
    return design_space_result(walk, everything, seconds=seconds, interrupted=interrupted), walk


def _draw(walk: DesignWalk, path: Path) -> None:
    from ppnsim.derive.designs.pictures import design_space

    def place(point: Point) -> tuple[int, int]:
        return point.processes, point.finish

    space = walk.space
    figure = design_space(
        space.program.name, start=place(space.start), unbounded=place(space.unbounded), bound=space.bound.finish,
        points=[place(point) for _, point in sorted(space.best.items())], walk=[place(point) for point in walk.steps],
        front=[place(point) for point in space.front()], busy=space.graph.busy,
        rules={name: place(point) for name, point in walk.by_rule.items()},
    )  # fmt: skip
    save_picture(figure, path, "--plot")
