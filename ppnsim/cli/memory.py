"""``ppnsim memory``: the limits of a DRAM system, and its curves beside the analytic laws."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_distinct, check_output, check_place, write_json
from ppnsim.errors import InputError
from ppnsim.library.memory import memory as limits_of
from ppnsim.library.memory import memory_presets
from ppnsim.memory.report import COLUMNS


class SweepName(StrEnum):
    """The sweeps."""

    frequency = "frequency"
    locality = "locality"
    outstanding = "outstanding"
    concurrency = "concurrency"
    banks = "banks"
    all = "all"


def memory_command(
    memory: Annotated[
        str | None,
        typer.Argument(metavar="[PRESET|FILE]", help="A preset, or a JSON file that holds 'dram'.", show_default=False),
    ] = None,
    *,
    sweep: Annotated[
        list[SweepName],
        typer.Option("--vary", metavar="NAME", help="What varies (below, or all); may be repeated."),
    ] = [],  # noqa: B006
    requests: Annotated[int, typer.Option("--requests", metavar="N", help="Requests of every point.")] = 10_000,
    csv_path: Annotated[
        Path | None, typer.Option("--csv", metavar="PATH", help="Write the points of the sweeps as CSV.")
    ] = None,
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
    terminal = output.terminal()
    _check(memory, sweep, requests, csv_path, output)
    if memory is None:
        _list(terminal, output.json)
        return

    def work(file: str) -> tuple[dict[str, Any], int]:
        with progress(file, "points") as report:
            found = limits_of(file, vary=[each.value for each in sweep], requests=requests, progress=report)
        found.print(terminal)
        rows = found.rows()
        if csv_path is not None and sweep:
            _write_csv(csv_path, rows)
        if output.plot is not None and rows:
            output.save(found.figure())
        return found.to_dict(), INTERRUPTED if found.interrupted else 0

    for_each_file([memory], output.json, work)


def _check(memory: str | None, sweep: list[SweepName], requests: int, csv_path: Path | None, output: Output) -> None:
    """Refuse options that could not be followed, before any work is done."""
    for option, path in (("--csv", csv_path), ("--plot", output.plot)):
        if path is not None and not sweep:
            raise InputError(f"'{path}' would be empty: points come from --vary", where=option)
    if csv_path is not None:
        check_output(csv_path, "--csv", output.json)
    output.check()
    check_distinct({"--json": output.json, "--csv": csv_path, "--plot": output.plot}, [memory] if memory else [])
    if sweep and memory is None:
        raise InputError("needs a preset or a file (ppnsim memory lists the presets)", where="--vary")
    if not 100 <= requests <= 10_000_000:
        raise InputError(f"{requests} must be from 100 to 10000000 requests", where="--requests")


def _list(terminal: Console, json: str | None) -> None:
    check_place(json)
    found = memory_presets()
    found.print(terminal)
    if json is not None:
        write_json(found.to_dict(), json)


def _write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path)) from None
