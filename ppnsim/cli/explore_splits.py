"""``ppnsim explore-splits``: the designs of a C kernel, from its present throughput to the limit of its data."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, for_each_file, of_kernels, progress
from ppnsim.cli.options.cycles import CycleOptions
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.source import InOut, Source, SourceOptions
from ppnsim.derive.derive import with_streams
from ppnsim.derive.designs.execution_graph import check_size
from ppnsim.derive.designs.exhaustive import Exhaustive
from ppnsim.derive.designs.report import ExploredSpace, design_space_result, print_design_space
from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import DesignWalk
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.errors import InputError
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceOptions:
    """Which designs are looked at."""

    keep: Annotated[
        list[str], typer.Option("--keep", metavar="STMT", help="Leave this statement one process; may be repeated.")
    ] = field(default_factory=list)
    max_processes: Annotated[
        int, typer.Option("--max-processes", metavar="N", help="Look at no design with more processes.")
    ] = 4096
    target: Annotated[
        int | None, typer.Option("--target", metavar="CYCLES", help="Stop when the finish is no later than this.")
    ] = None
    exhaustive: Annotated[
        bool,
        typer.Option(
            "--exhaustive", help="Look at every design of a small space, and tell how far the walk stays behind."
        ),
    ] = False


def explore_splits_command(
    file: Source,
    *,
    source: SourceOptions,
    cycles: CycleOptions,
    io: InOut = False,
    space: SpaceOptions,
    output: Annotated[Output, Help(plot="Draw the design space: .svg, .png or .pdf.")],
) -> None:
    """Explore which statements to split into more processes, how far, and at what price.

    The designs lie between absolute and unbounded throughput. Every design deals the executions of some statements
    out to more processes, by unfolding (in turn) or cutting (in blocks) over one or more of their loops, by divisors
    of the trip counts and powers of two. The walk takes, step by step, the change that gains most cycles per process.
    Statements whose executions wait for one another are not split; the table says so. The result also shows the
    designs of fixed rules, and for each point of the front the options with which `profile` and `derive` make it.

    Examples:

      ppnsim explore-splits scenarios/kernels/predictor.c --latency 3

      ppnsim explore-splits scenarios/kernels/atax_thesis.c --io --latency 3 --keep in_A --keep out_y --plot atax.svg

      ppnsim explore-splits kernel.c --target 1000 --max-processes 64 --json -
    """
    terminal = output.terminal()
    output.check()
    if space.target is not None and space.target < 1:
        raise InputError(f"{space.target} is below 1 cycle", where="--target")

    def work(path: str) -> tuple[dict[str, Any], int]:
        programs = list(source.kernels(path).programs)
        if output.plot is not None and len(programs) > 1:
            names = ", ".join(program.name for program in programs)
            words = f"holds {len(programs)} kernels, but only one can be drawn: choose it with --function ({names})"
            raise InputError(words)
        results = []
        for program in programs:
            explored = _explored(program, cycles, space, io=io)
            results.append(design_space_result(explored))
            print_design_space(terminal, explored)
            if output.plot is not None:
                output.save(_figure(explored.walk), terminal)
            if explored.interrupted:
                return of_kernels(path, results), INTERRUPTED
        return of_kernels(path, results), 0

    for_each_file([file], output.json, work)


def _explored(program: LoopProgram, cycles: CycleOptions, options: SpaceOptions, *, io: bool) -> ExploredSpace:
    """Explore the designs of a program; Ctrl-C ends the exploration early."""
    began = time.perf_counter()
    # The estimate takes no memory per execution, and refuses what executes nothing or leaves its arrays.
    check_size(program, estimate_program(program, io=io).executions)
    streamed = with_streams(program) if io else program
    streamed, latency_for_all, ii_for_all = cycles.timed(streamed)
    space = DesignSpace(
        streamed, keep=options.keep, ii=ii_for_all, latency=latency_for_all, max_processes=options.max_processes
    )
    walk = DesignWalk(space=space, target=options.target)
    everything = Exhaustive(space=space) if options.exhaustive else None
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
    return ExploredSpace(walk=walk, exhaustive=everything, seconds=seconds, interrupted=interrupted)


def _figure(walk: DesignWalk) -> Any:
    from ppnsim.derive.designs.pictures import design_space  # matplotlib takes a while to import

    def place(point: Point) -> tuple[int, int]:
        return point.processes, point.finish

    space = walk.space
    return design_space(
        space.program.name, start=place(space.start), unbounded=place(space.unbounded), bound=space.bound.finish,
        points=[place(point) for _, point in sorted(space.best.items())], walk=[place(point) for point in walk.steps],
        front=[place(point) for point in space.front()], busy=space.graph.busy,
        rules={name: place(point) for name, point in walk.by_rule.items()},
    )  # fmt: skip
