"""``ppnsim memory``: the limits of a DRAM system, and its curves beside the analytic laws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options import completed
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_place, write_json
from ppnsim.errors import InputError
from ppnsim.library import memory as memories

if TYPE_CHECKING:
    from ppnsim.library.memory import MemoryLimits


def memory_command(
    memory: Annotated[
        str | None,
        typer.Argument(
            metavar="[PRESET|FILE]",
            autocompletion=completed.memories,
            show_default=False,
            help="A preset, or a JSON file that holds 'dram'.",
        ),
    ] = None,
    *,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="NAME[=VALUES]",
            help="Simulate the curve of this (below, or all), at values (banks=1,2,4, outstanding=1:32) or usual ones.",
        ),
    ] = [],  # noqa: B006
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Simulate all curves, where --vary names none of them.")
    ] = False,
    requests: Annotated[int, typer.Option("--requests", metavar="N", help="Requests of every point.")] = 10_000,
    output: Annotated[Output, Help(plot="Draw the sweeps: .svg, .png, .pdf.")],
) -> None:
    """Show the limits of a DRAM system, and simulate its curves of bandwidth and latency.

    Without arguments: the presets. With a preset or a file: its parameters with their sources, and its ceilings
    (stream; random, with the limit that binds; unloaded latencies). Each sweep puts the simulated bank queue of one
    channel beside the analytic law. Where the two differ, the sweep names the assumption that fails: the point is
    simulated again without one limit at a time.

      frequency    a port of Q bytes per cycle over the kernel's clock   Eq. 8
      locality     bytes in one place: random, data-dependent            Eq. 9, 10
      outstanding  requests under way: random, stream                    Little
      concurrency  data-dependent chains side by side                    Eq. 11
      banks        how many banks random reads are spread over           tRC, tFAW

    (equations of the roofline paper, Siracusa et al. 2021)

    Examples:

      ppnsim memory DDR4-2400

      ppnsim memory U280-HBM --vary locality --vary concurrency --plot hbm.svg

      ppnsim memory my_dram.json --vary all --csv curves.csv --json -
    """
    _check(memory, vary, requests, output, simulate=simulate)
    if memory is None:
        found = ppnsim.memory_presets()
        found.print(output.terminal())
        if output.json is not None:
            write_json(found.to_dict(), output.json)
        return
    wanted = [memories.ALL] if simulate and not vary else vary

    def ask(file: str) -> tuple[MemoryLimits, int]:
        with progress(file, "points") as report:
            found = ppnsim.memory(file, vary=wanted, requests=requests, progress=report)
        return found, INTERRUPTED if found.interrupted else 0

    answers.answer_each_file([memory], output, ask)


def _check(memory: str | None, vary: list[str], requests: int, output: Output, *, simulate: bool) -> None:
    """Refuse options that could not be followed, before any work is done."""
    check_place(output.json)
    if not vary and not simulate:
        for option, path in (("--csv", output.csv), ("--plot", output.plot)):
            if path is not None:
                raise InputError(f"'{path}' would be empty: points come from --vary or --simulate", where=option)
    if memory is None:
        for option, value in (("--vary", vary), ("--simulate", simulate)):
            if value:
                raise InputError("needs a preset or a file (ppnsim memory lists the presets)", where=option)
    if not 100 <= requests <= 10_000_000:
        raise InputError(f"{requests} must be from 100 to 10000000 requests", where="--requests")
