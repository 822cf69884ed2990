"""``ppnsim explore-splits``: the designs of a C kernel, from its present throughput to the limit of its data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.cycles import CycleOptions
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.source import InOut, Source, SourceOptions
from ppnsim.errors import InputError
from ppnsim.library import kernels
from ppnsim.library.place import tell
from ppnsim.source_networks import remarks


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
    output.check([file])
    if space.target is not None and space.target < 1:
        raise InputError(f"{space.target} is below 1 cycle", where="--target")

    def work(path: str) -> tuple[dict[str, Any], int]:
        programs = list(kernels.kernels_of(path, **source.read()).programs)
        for sentence in remarks.idle_pragmas(programs):
            tell(sentence)
        if output.plot is not None and len(programs) > 1:
            names = ", ".join(program.name for program in programs)
            words = f"holds {len(programs)} kernels, but only one can be drawn: choose it with --function ({names})"
            raise InputError(words)
        results: list[dict[str, Any]] = []
        latency, ii, timing = cycles.read()
        for program in programs:
            with progress(program.name, "cycles gained") as report:
                found = ppnsim.explore_splits(
                    program, latency=latency, ii=ii, timing=timing, io=io, keep=space.keep, target=space.target,
                    max_processes=space.max_processes, exhaustive=space.exhaustive, progress=report,
                )  # fmt: skip
            results.append(found.to_dict())
            found.print(terminal)
            add(program.name, found)
            if output.plot is not None:
                output.save(found.figure(), terminal)
            if found.space.interrupted:
                return kernels.of_kernels(path, results), INTERRUPTED
        return kernels.of_kernels(path, results), 0

    with answers.table_of(output, [file]) as add:
        for_each_file([file], output.json, work)
