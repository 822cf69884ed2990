"""``ppnsim explore-directives``: which loops to pipeline and unroll and which arrays to partition, by Algorithm 1."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.c.policy import HARDWARE
from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.hls import TargetOptions, UnsafeMath
from ppnsim.cli.options.outputs import Output, check_output
from ppnsim.cli.options.source import SourceOptions, Sources
from ppnsim.errors import InputError
from ppnsim.hls.dse.designs import RULES, DesignRows, Designs
from ppnsim.hls.dse.exhaustive import all_designs, designs_in
from ppnsim.hls.dse.report import Explored, dse_result, print_dse
from ppnsim.hls.dse.walk import explore_directives
from ppnsim.hls.library.library import Library
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.program import LoopProgram


def explore_directives_command(
    files: Sources,
    *,
    target: TargetOptions,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="PATH", help="Designs as .csv or .parquet; those in it are not redone."),
    ] = None,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Also try all designs (small spaces), and tell the distance.")
    ] = False,
    most: Annotated[int, typer.Option("--most", metavar="N", help="Designs that --exhaustive tries at most.")] = 2000,
    unsafe_math: UnsafeMath = False,
    source: SourceOptions,
    output: Annotated[Output, Help(plot="Draw area and cycles of the steps: .svg, .png, .pdf.")],
) -> None:
    """Explore the directives of a kernel: pipelining, unrolling, array partitioning.

    Algorithm 1 of the roofline paper (Siracusa et al. 2021): optimise the innermost loop of the bottleneck, first by
    pipelining it, then by unrolling it by the next divisor of its trip count; partition the arrays by the distinct
    offsets of the accesses; step back when the device is full. Directives in the source are not looked at.

    Each design has a key, the hash of all that decides it. An exploration that was stopped, with Ctrl-C or hard, goes
    on where it was when it is given the same --out again.

    Examples:

      ppnsim explore-directives scenarios/kernels/mvt.c -D N=16 -D DATA_TYPE=float

      ppnsim explore-directives scenarios/kernels/gesummv.c -D N=8 --exhaustive --plot walk.svg --json walk.json

      ppnsim explore-directives scenarios/kernels/gemm.c -D NI=32 -D NJ=32 -D NK=32 --out designs.csv
    """
    terminal, plot = output.terminal(), output.plot
    output.check(len(files))
    if out is not None:
        check_output(out, "--out", output.json)
        if plot is not None and plot.resolve() == out.resolve():
            raise InputError(f"'{out}' is also given to --plot", where="--out")
    if most < 1:
        raise InputError(f"{most} must be at least 1", where="--most")
    library = target.library()

    def work(file: str) -> tuple[dict[str, Any], int]:
        began = time.monotonic()
        program = source.one_program(file, policy=HARDWARE)
        found = _explored(
            without_structs(program), library, out, balance=unsafe_math, most=most if exhaustive else None
        )
        seconds = time.monotonic() - began
        print_dse(terminal, found, seconds=seconds)
        if plot is not None:
            from ppnsim.hls.pictures import dse_figure  # matplotlib takes a while to import

            output.save(dse_figure(program.name, found.walk, found.front))
        return dse_result(found, file=file, seconds=seconds), 0 if found.complete else INTERRUPTED

    for_each_file(files, output.json, work)


def _explored(program: LoopProgram, library: Library, out: Path | None, *, balance: bool, most: int | None) -> Explored:
    """Follow Algorithm 1; with ``most``, also try all designs if there are at most that many."""
    with ExitStack() as stack:
        rows = stack.enter_context(DesignRows(out)) if out is not None else None
        designs = Designs(program, library, replace(RULES, balance=balance), rows)
        if most is not None:
            designs_in(designs, most=most)  # refused before any work is done
        with progress(program.name, "designs") as report:
            walk = explore_directives(designs, progress=report)
        if most is None or not walk.complete:
            return Explored(designs=designs, walk=walk)
        with progress(f"{program.name}, all", "designs") as report:
            every = all_designs(designs, most=most, progress=report)
        return Explored(designs=designs, walk=walk, every=every)
