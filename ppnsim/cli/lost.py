"""``ppnsim lost``: useful and lost cycles of every process of a network, or of a scheduled kernel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import ppnsim
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.designs import DesignOptions
from ppnsim.cli.options.groups import Help, Without
from ppnsim.cli.options.hls import TargetOptions
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.source import SourceOptions
from ppnsim.errors import InputError
from ppnsim.library.place import may_have_a_region

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer
    from ppnsim.library.subject import NetworkFile


def lost_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            show_default=False,
            help="Networks (TOML, network JSON, SDF3 XML), C and C++ sources, projects (run_hls.tcl, hls_config.cfg).",
        ),
    ],
    *,
    options: Annotated[NetworkOptions, Without("source")],
    designs: DesignOptions,
    target: TargetOptions,
    source: SourceOptions,
    output: Annotated[Output, Help(plot="Draw the cycles of all processes: .svg, .png, .pdf.")],
) -> None:
    """Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.

    Useful is a cycle in which a firing starts. Lost are: initialisation (before the first start, own results awaited,
    draining after the last start), starved (the data of others missing), blocked (FIFOs full), control (the initiation
    interval), contention (shared resources) and idle (done before others). The parts of a process add up to the
    finish, cycle by cycle. A deadlock is explained as by `ppnsim run`, and gives exit code 3.

    A kernel is scheduled as by `ppnsim schedule`, once for every design. Useful is a cycle in which the busiest class
    of operators starts; lost are initialisation (operators that fill), memory (nothing else at work) and control.
    Formulas in the sizes are learned from small ones, checked on others, and predict large ones: from powers of two for
    powers of two, whose addresses are cheaper. The tasks of a dataflow region are split as the processes of a network.

    Examples:

      ppnsim lost scenarios/networks/fork_join.toml

      ppnsim lost scenarios/networks/fork_join.toml --depth short_in=8 --plot lost.svg

      ppnsim lost a.json b.json --json -

      ppnsim lost scenarios/kernels/gemm.c --design none --design "unroll k=2" --design "pipeline k"

      ppnsim lost scenarios/kernels/gemm.c -D NI=8 -D NJ=8 -D NK=8 --design none --learn NI,NJ,NK --at NI=64,NJ=64,NK=64
    """

    def ask(file: str) -> tuple[Answer, int]:
        if Path(file).suffix in SUFFIXES:
            given: str | NetworkFile = file
            more = {**source.read(), "device": target.device, "clock": target.clock}
            more["clock_uncertainty"] = target.clock_uncertainty
            if options.given():
                given, more = _region(file, options, designs, more), {}
            more |= designs.read() if isinstance(given, str) else {}
        else:
            if unfit := [*designs.given(), *target.given(), *source.given()]:
                raise InputError(f"{', '.join(unfit)} can only be used with C sources; this file is not a C source")
            given, more = options.load(file), {}
        with progress(file, "firings or schedules") as report:
            found = ppnsim.lost(given, progress=report, **more)
        return found, INTERRUPTED if found.designs is not None and found.designs.interrupted else 0

    answers.answer_each_file(files, output, ask)


def _region(file: str, options: NetworkOptions, designs: DesignOptions, more: dict[str, Any]) -> NetworkFile:
    """Return the tasks of a dataflow region with the depths of the command line; nothing else of a source has any."""
    depths = ("--depth", "--depths")
    if unfit := [name for name in options.given() if name not in depths]:
        raise InputError(f"{', '.join(unfit)} can only be used with networks; this file is a C source")
    held = ppnsim.load(file, "SourceNetwork", **more) if may_have_a_region(file) and not designs.given() else None
    if held is None or not held.has_region:
        what = f"what {designs.given()[0]} schedules" if designs.given() else "this kernel"
        raise InputError(f"{options.given()[0]} is of networks and dataflow regions: {what} has no FIFOs")
    return options.applied(held, file)
