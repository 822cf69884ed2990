"""``ppnsim run``: simulate networks and show where every cycle went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Json, Output, TimeWindow, console
from ppnsim.cli.runners.request import RunRequest
from ppnsim.errors import InputError

RUNNERS = {
    "Network": "network.run",
    "SourceNetwork": "network.run_source",
    **dict.fromkeys(("TimedDesign", "Placement", "PlatformFile", "Messages", "Flows", "MemoryFile"), "others.run"),
}
"""By type of what a file holds: the function of (held, request) in `ppnsim.cli.runners`, imported when it is called."""


_FILES = frozenset(
    (".toml", ".json", ".xml", ".csv", ".parquet", ".png", ".svg", ".pdf", ".html", ".vcd", ".txt", ".md", ".c", ".cpp")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningOptions:
    """How a file is run, and what is shown of the run."""

    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Write result.json, timeline.csv, occupancy.csv and report.html."
        ),
    ] = None
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="PATH", help="Draw the run (.svg, .png, .pdf), or all pictures to a folder."),
    ] = None
    engine: Annotated[
        Literal["auto", "des", "compiled"],
        typer.Option("--engine", help="des is SimPy, the definition; compiled is machine code, for long runs."),
    ] = "auto"
    fast_forward: Annotated[
        bool,
        typer.Option(
            "--fast-forward/--no-fast-forward", help="Leave out repetitions once the run is proved to be periodic."
        ),
    ] = True
    self_check: Annotated[
        bool, typer.Option("--self-check", help="Run with and without fast-forward and compare every cycle.")
    ] = False
    window: TimeWindow = None
    pictures: Annotated[
        Literal["png", "svg", "pdf"] | None,
        typer.Option("--pictures", help="Format of the pictures in a folder of --plot, or draw them to --out."),
    ] = None


def run_command(
    files: Files,
    *,
    options: NetworkOptions,
    asked: RunningOptions,
    json: Json = None,
) -> None:
    """Simulate networks, exact to the cycle.

    Prints the finish of each network, the class of every cycle of every process (starting, starved and by whom, blocked
    and by whom, ...), the largest occupancy of every channel, and the bottleneck. A deadlock is explained, with depths
    that break it (the smallest, where deeper FIFOs can never hurt), and gives exit code 3.

    C++ with a dataflow region is scheduled, its tasks are processes and its streams channels. A function with pragmas
    or headers of high-level synthesis and no region is scheduled as one task (ppnsim schedule explains its cycles),
    unless --ii, --latency or --timing ask for its statements; any other C function is a process per statement. A
    deadlock then names lines of the source and the pragma to paste. A project (run_hls.tcl,
    hls_config.cfg) says top, sources, part, clock and directives.

    JSON may also hold messages between ranks: "loggp" with L, o, g, G, O, S, and "schedule" with a list per rank of
    lists (send, recv or calc; bytes or time; peer; deps). Or flows that share links: "star" with hosts, bandwidth,
    latency, backbone, and "flows" with lists (from, to, bytes, start). Or traffic on a DRAM channel: "dram" with a
    configuration or a preset's name, and "traffic" with mode, pattern, Q, banks, burst, rate, wfrac, requests. --out
    then writes intervals or rates as CSV.

    --out writes a page that shows and plays the run, as ppnsim report does; its pictures as files are those of --plot:
    the Gantt chart to a file, or to a folder gantt, network, occupancy and parallelism.png (of other files: what they
    have), in the format of --pictures.

    With --testbench, a C++ design whose data decides is compiled with the host's compiler and executed: its values
    are those of the testbench, its cycles those of the schedule. Exact also for read_nb, write_nb, empty and full.

    An m_axi argument of a task in a dataflow region is reached through a port: bursts, outstanding requests and the
    latency of the interface (64 cycles by default) act, and tasks on one bundle contend. With --memory, a DRAM is
    behind the ports; ppnsim memory lists them.

    TOML may also hold a network whose processes are placed on nodes with links between them, or a platform with an
    application of stages, whose nodes, buses and messages are then simulated (see ppnsim platform --help for both).

    Examples:

      ppnsim run scenarios/networks/predictor.toml

      ppnsim run scenarios/hls/subtract_mean.cpp --device xc7z020 --clock 10ns

      ppnsim run scenarios/networks/fork_join.toml --depth short_in=8 --out result/

      ppnsim run scenarios/networks/fork_join.toml --window 0:40 --plot gantt.svg

      ppnsim run a.json b.json --depth 2 --style frozen --json -

      ppnsim run h263decoder.xml --iterations 3 --depth 600

      ppnsim run scenarios/hls/add_vectors.cpp --memory DDR4-2400

      ppnsim run polling.cpp --testbench polling_test.cpp --device xcvu9p --clock 5ns
    """
    terminal, given = console(json), asdict(asked)
    out, plot = given.pop("out"), given.pop("plot")
    if plot is None and given["pictures"] is not None:
        plot = out
    folders, plots = _folders(out, files), _plots(plot, files, json, given)
    given["pictures"] = given["pictures"] or "png"

    def work(file: str) -> tuple[dict[str, Any], int]:
        request = RunRequest(
            file=file, terminal=terminal, folder=folders.get(file), plot=plots.get(file), first=file == files[0],
            options=options, **given,
        )  # fmt: skip
        held = options.load_any(file, *RUNNERS)
        return _runner(held)(held, request)

    for_each_file(files, json, work)


def _runner(held: object) -> Callable[[Any, RunRequest], tuple[dict[str, Any], int]]:
    """Return the function that runs what a file holds, from `RUNNERS`."""
    module, _, function = RUNNERS[type(held).__name__].partition(".")
    found: Callable[[Any, RunRequest], tuple[dict[str, Any], int]]
    found = getattr(import_module(f"ppnsim.cli.runners.{module}"), function)
    return found


def _plots(plot: Path | None, files: list[str], json: str | None, given: dict[str, Any]) -> dict[str, Path]:
    """Return where the picture of each file goes, or the folder of its pictures."""
    if plot is None:
        return {}
    if plot.is_dir() or (not plot.suffix and str(plot) != "-"):
        return _folders(plot, files, "--plot")
    if given["pictures"] is not None:
        raise InputError(f"changes nothing: the suffix of '{plot}' says it", where="--pictures")
    output = Output(plot=plot, json=json)
    output.check(files)
    return dict(zip(files, output.pictures(files), strict=True))


def _folders(out: Path | None, files: list[str], option: str = "--out") -> dict[str, Path]:
    """Return where each file's results go: ``out`` itself for one file, a folder below it for each of several."""
    if out is None:
        return {}
    if str(out) == "-":
        raise InputError("is to be a folder (--json - prints the results)", where=f"{option} -")
    if out.is_file() or (out.suffix.lower() in _FILES and not out.exists()):
        words = "is to be a folder and looks like a file: --json writes the results"
        others = "ppnsim export -o the network or its run, ppnsim size -o the network with sized depths"
        raise InputError(f"{words}, {others}", where=f"{option} {out}")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a directory ({error.strerror})", where=f"{option} {out}") from None
    if len(files) == 1:
        return dict.fromkeys(files, out)
    folders: dict[str, Path] = {}
    for file in files:
        stem, number = Path(file).stem, 1
        while out / (stem if number == 1 else f"{stem}-{number}") in folders.values():
            number += 1
        folders.setdefault(file, out / (stem if number == 1 else f"{stem}-{number}"))
    return folders
