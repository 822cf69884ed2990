"""``ppnsim explore-directives``: which loops to pipeline and unroll and which arrays to partition, by Algorithm 1."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.hls import TargetOptions, UnsafeMath
from ppnsim.cli.options.outputs import Output, check_distinct, check_output
from ppnsim.cli.options.source import SourceOptions, Sources

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


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
    most: Annotated[
        int | None, typer.Option("--most", metavar="N", help="Designs that --exhaustive tries at most; default 2000.")
    ] = None,
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
    if out is not None:
        check_output(out, "--out", output.json)
        check_distinct({"--plot": output.plot, "--csv": output.csv, "--out": out}, files)

    def ask(file: str) -> tuple[Answer, int]:
        with progress(file, "designs") as report:
            found = ppnsim.explore_directives(
                file, **source.read(), device=target.device, clock=target.clock,
                clock_uncertainty=target.clock_uncertainty, out=out, exhaustive=exhaustive, most=most,
                unsafe_math=unsafe_math, progress=report,
            )  # fmt: skip
        return found, 0 if found.explored.complete else INTERRUPTED

    answers.answer_each_file(files, output, ask)
