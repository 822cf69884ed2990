"""``ppnsim memory``: the limits of a DRAM system, and its curves beside the analytic laws."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.cli.common import INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.outputs import Output, check_distinct, check_output, check_place, write_json
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import PRESETS, Preset, preset
from ppnsim.memory.report import COLUMNS, curve_row, memory_result, print_curve, print_memory, print_presets
from ppnsim.memory.run.curves import SWEEPS, CurvePoint, memory_curve


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
        dram, preset, notes = _memory(file)
        result = memory_result(dram, preset, file=file) | {"notes": notes}
        if not sweep:
            print_memory(terminal, dram, preset, file=file)
        for note in notes:
            terminal.print(f"note: {note}", markup=False)
        if not sweep:
            return result, 0
        points, code = _swept(terminal, dram, sweep, requests)
        result["points"] = rows = [curve_row(point) for point in points]
        if csv_path is not None:
            _write_csv(csv_path, rows)
        if output.plot is not None and points:
            output.save(_figure(file, points))
        return result, code

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
    print_presets(terminal)
    if json is not None:
        write_json([memory_result(each.dram, each, file=name) for name, each in PRESETS.items()], json)


def _memory(name: str) -> tuple[Dram, Preset | None, list[str]]:
    """Return the memory of a preset or of a file."""
    if Path(name).suffix != ".json" and not Path(name).is_file():
        found = preset(name)
        return found.dram, found, []
    held = load_as(name, MemoryFile)
    return held.dram, None, list(held.notes)


def _swept(terminal: Console, dram: Dram, wanted: list[SweepName], requests: int) -> tuple[list[CurvePoint], int]:
    """Run the sweeps and print each once it is complete; Ctrl-C keeps the points that are there."""
    points: list[CurvePoint] = []
    for name in SWEEPS if SweepName.all in wanted else dict.fromkeys(each.value for each in wanted):
        own: list[CurvePoint] = []
        try:
            with progress(name, "points") as report:
                own.extend(memory_curve(dram, name, requests=requests, progress=report))
        except KeyboardInterrupt:
            typer.echo(f"interrupted in sweep {name}", err=True)
            return points + own, INTERRUPTED
        finally:
            if own:
                print_curve(terminal, name, own)
        points += own
    return points, 0


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path)) from None


def _figure(name: str, points: list[CurvePoint]) -> Any:
    from ppnsim.memory.pictures import memory_figure  # matplotlib takes a while to import

    return memory_figure(Path(name).stem, points)
