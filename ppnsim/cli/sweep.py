"""``ppnsim sweep``: a network at many values of its parameters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options import at_sizes
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.network import File, NetworkOptions
from ppnsim.cli.options.outputs import Output, check_distinct, check_output
from ppnsim.errors import InputError
from ppnsim.explore.sweep import sizes
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library import subject
from ppnsim.library import sweep as sweeps
from ppnsim.placed.model import placement
from ppnsim.source_networks import model as sources

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOptions:
    """What is swept, and where it runs."""

    vary: Annotated[
        list[str],
        typer.Option(
            "--vary", metavar="NAME.PARAMETER=VALUES",
            help="What varies: a process or channel, or a pattern for several that share the value; or a macro of a "
            "source, N=16:64. Values like 1:64, 1:64:8, 1,2,4, unbounded. May be repeated: all combinations are run.",
        ),
    ]  # fmt: skip
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="PATH", help="Rows as .csv or .parquet; known ones stay.")
    ] = None
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="Run N combinations drawn at random, not all.")
    ] = None
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of --samples.")] = 0
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help="Processes at a time; default: as many as cores.")
    ] = None
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="Run on this Dask cluster (tcp://host:8786).")
    ] = None
    part: Annotated[
        str, typer.Option("--part", metavar="K/N", help="Run every N-th point from the K-th on, to share a sweep.")
    ] = "1/1"
    merge: Annotated[
        list[Path], typer.Option("--merge", metavar="PATH", help="Also take the rows of this file; may be repeated.")
    ] = field(default_factory=list)
    occupancy: Annotated[
        bool, typer.Option("--occupancy", help="Add a column per channel: the most tokens that it held.")
    ] = False

    def check(self, json_path: str | None) -> None:
        """Raise `InputError` before any work is done if an option cannot be followed."""
        if self.out is not None:
            check_output(self.out, "--out", json_path)
        if self.jobs is not None and self.jobs < 1:
            raise InputError(f"{self.jobs} is below 1 process", where="--jobs")

    def read(self) -> dict[str, Any]:
        """Return the options as `ppnsim.sweep` takes them."""
        return {
            "vary": self.vary, "out": self.out, "samples": self.samples, "seed": self.seed, "jobs": self.jobs,
            "dask": self.dask, "part": _part(self.part), "merge": self.merge, "occupancy": self.occupancy,
        }  # fmt: skip


def sweep_command(
    file: File,
    *,
    asked: SweepOptions,
    options: NetworkOptions,
    output: Annotated[Output, Help(plot="Draw finish over the parameters: .svg, .png, .pdf.")],
) -> None:
    """Run a network at many values of its parameters: a row for each. A deadlock also gets a row.

    Parameters: firings, ii, latency, read, write, style of processes; depth, forward, release, initial, produce,
    consume, width, from_offset, to_offset of channels; units of resources; clock. Of a network across nodes also: node
    of processes (or mapping=all: every placement), packet of channels, latency, overhead, gap, bandwidth of links,
    clock of nodes, outstanding of processes with memory ports. Of a C or C++ source also its macros and integer
    parameters, as N=16:64: the source is read again for each value, and scheduled again for each clock.

    Each row has a key, the hash of all that decides it. A sweep that was stopped, with Ctrl-C or hard, goes on where
    it was when it is given the same file again; files of two machines become one with --merge. A point that breaks a
    rule is refused, told at the end, and tried again by the next sweep; the others are run. Only where no point obeys
    the rules is the exit code 2.

    Examples:

      ppnsim sweep scenarios/networks/fork_join.toml --vary short_in.depth=1:12 --vary split.ii=1,2,4 --plot sweep.svg

      ppnsim sweep net.toml --vary "c*.depth=1:64" --vary mult.ii=1:8 --samples 100 --seed 1 -o rows.csv

      ppnsim sweep scenarios/kernels/gemm.c -D NJ=4 -D NK=4 --vary NI=2:8

      ppnsim sweep scenarios/networks/two_fpgas.toml --vary across.packet=1,2,4,8,16 --vary across.depth=16,32,64,128

      ppnsim sweep net.toml --vary c1.depth=1:4000 --part 2/2 -o rows.csv --merge from_the_other_machine.csv
    """
    asked.check(output.json)
    check_distinct({"--out": asked.out, "--csv": output.csv, "--plot": output.plot}, [file])

    def ask(path: str) -> tuple[Answer, int]:
        if is_source(path) and any(sizes.is_size(text, clock=True) for text in asked.vary):
            options.source.check(path)
            with progress(path, "points") as report:
                sized = at_sizes.SourceAtSizes(file=path, options=options)
                found = ppnsim.sweep(sized, progress=report, **asked.read())
            sweeps.tell_memories(sized.read[0], found.sweep.axes)
            return replace(found, file=path), INTERRUPTED if found.swept.interrupted else 0
        held = options.load_any(path, "Network", "Placement")
        with progress(path, "points") as report:
            if isinstance(held, placement.Placement):
                held = replace(held, network=options.changed(held.network))
                found = ppnsim.sweep(held, progress=report, **asked.read())
            else:
                assert isinstance(held, ppnsim.Network | sources.SourceNetwork)
                source = held if isinstance(held, sources.SourceNetwork) else None
                given = subject.NetworkFile(network=options.changed(held), source=source, file=path)
                found = ppnsim.sweep(given, progress=report, **asked.read())
        return replace(found, file=path), INTERRUPTED if found.swept.interrupted else 0

    answers.answer_each_file([file], output, ask)


def _part(text: str) -> tuple[int, int]:
    k, _, n = text.partition("/")
    if not all(number.isascii() and number.isdecimal() and len(number) < 10 for number in (k, n)):
        raise InputError(f"'{text}' is not a part K/N (like 1/2)", where="--part")
    return int(k), int(n)
