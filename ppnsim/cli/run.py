"""``ppnsim run``: simulate networks and show where every cycle went."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import DEADLOCK, INTERRUPTED, Files, Json, console, depths_of, for_each_file, progress
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from ppnsim.model.fix import Fix
    from ppnsim.model.network import Network
    from ppnsim.model.run import Run


class StyleName(StrEnum):
    """The pipeline styles that a run can force on all processes."""

    elastic = "elastic"
    flushable = "flushable"
    frozen = "frozen"


class ConventionName(StrEnum):
    """What the depth of a channel counts."""

    ppn = "ppn"
    sdf3 = "sdf3"


class EngineName(StrEnum):
    """The engines, and the choice left to ppnsim."""

    auto = "auto"
    des = "des"
    compiled = "compiled"


class PictureFormat(StrEnum):
    """The formats in which ``--out`` writes pictures."""

    png = "png"
    svg = "svg"
    pdf = "pdf"


Style = Annotated[StyleName | None, typer.Option("--style", help="Give every process this pipeline style.")]
Depth = Annotated[
    list[str],
    typer.Option(
        "--depth",
        metavar="[CHANNEL=]N",
        help="Depth of a channel, or of all channels, in tokens, or 'unbounded'; may be repeated.",
    ),
]
Iterations = Annotated[
    int | None,
    typer.Option("--iterations", metavar="N", help="Graph iterations to run of an SDF3 graph (.xml); default 1."),
]
Convention = Annotated[
    ConventionName | None,
    typer.Option(
        "--convention",
        help="What depths count: ppn takes a slot at the write and frees it after the read; sdf3 takes it at the start "
        "of the producer's firing and frees it at the end of the consumer's. Default: sdf3 for .xml, else ppn.",
    ),
]


def run_command(
    files: Files,
    style: Style = None,
    depth: Depth = [],  # noqa: B006
    iterations: Iterations = None,
    convention: Convention = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write result.json, timeline.csv, occupancy.csv and the pictures."),
    ] = None,
    engine: Annotated[
        EngineName,
        typer.Option(
            "--engine",
            help="des is SimPy, the definition; compiled is numba, for long runs (compiled once, in some seconds).",
        ),
    ] = EngineName.auto,
    fast_forward: Annotated[
        bool,
        typer.Option(
            "--fast-forward/--no-fast-forward", help="Leave out repetitions once the run is proved to be periodic."
        ),
    ] = True,
    self_check: Annotated[
        bool, typer.Option("--self-check", help="Run with and without fast-forward and compare every cycle.")
    ] = False,
    pictures: Annotated[PictureFormat, typer.Option("--pictures", help="Format of the pictures in --out.")] = (
        PictureFormat.png
    ),
    json: Json = None,
) -> None:
    """Simulate networks, exact to the cycle.

    Prints when each network finishes, where every cycle of every process went (starting, starved of whose data, blocked
    by who does not take it, ...), how full the channels got, and what holds it back. A deadlock is explained, with
    depths that break it (the smallest, where deeper FIFOs can never hurt), and gives exit code 3.

    JSON may also hold messages between ranks: "loggp" with L, o, g, G, O, S, and "schedule" with a list per rank of
    lists (send, recv or calc; bytes or time; peer; deps). Or flows that share links: "star" with hosts, bandwidth,
    latency, backbone, and "flows" with lists (from, to, bytes, start). Or traffic on a DRAM channel: "dram" with a
    configuration or a preset's name, and "traffic" with mode, pattern, Q, banks, burst, rate, wfrac, requests. --out
    then writes intervals or rates as CSV.

    TOML may also hold a network whose processes are placed on nodes with links between them, or a platform with an
    application of stages, whose nodes, buses and messages are then simulated (see ppnsim platform --help for both).

    Examples:

      ppnsim run scenarios/networks/predictor.toml

      ppnsim run scenarios/networks/fork_join.toml --depth short_in=8 --out result/

      ppnsim run a.json b.json --depth 2 --style frozen --json -

      ppnsim run h263decoder.xml --iterations 3 --depth 600
    """
    terminal = console(json)
    folders = _folders(out, files)

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.engines.run import check_fast_forward, run
        from ppnsim.report.result import run_result
        from ppnsim.report.text import print_run

        other = _other_input(
            terminal, file, folders.get(file), engine, pictures,
            {"--style": style, "--depth": depth, "--iterations": iterations, "--convention": convention,
             "--self-check": self_check},
        )  # fmt: skip
        if other is not None:
            return other
        network = network_of(file, style, depth, iterations, convention)
        began = time.perf_counter()
        with progress(network.name) as report:
            outcome = run(
                network, engine=engine.value, on_deadlock="return", progress=report, fast_forward=fast_forward
            )
            if self_check:
                check_fast_forward(outcome)
        seconds = time.perf_counter() - began
        fix, code = _fix(outcome)
        result = run_result(outcome, file=file, fix=fix)
        print_run(terminal, outcome, result, seconds=seconds)
        if out is not None and code != INTERRUPTED:
            try:
                _write(folders[file], outcome, result, pictures.value)
                terminal.print(f"written to {folders[file]}", markup=False)
            except KeyboardInterrupt:
                code = INTERRUPTED
        return result, code

    for_each_file(files, json, work)


def network_of(
    file: str,
    style: StyleName | None,
    depth: list[str],
    iterations: int | None = None,
    convention: ConventionName | None = None,
) -> Network:
    """Read a network file, change it as the command line says, and let its depths count what they are to count."""
    from ppnsim.files import load_network, usual_convention
    from ppnsim.model.convention import with_convention

    network = changed(load_network(file, iterations=iterations, convention="ppn"), style, depth)
    return with_convention(network, convention or usual_convention(file))


def load(file: str) -> Network:
    """Read a network file."""
    from ppnsim.files import load_network

    return load_network(file)


def changed(network: Network, style: StyleName | None, depth: list[str]) -> Network:
    """Return the network with the style and the depths of the command line."""
    if style is not None:
        network = network.with_style(style.value)
    for_all, by_name = depths_of(depth)
    if for_all:
        network = network.with_depths(lambda _: for_all[-1])
    return network.with_depths(by_name).checked()


def _other_input(
    terminal: Console, file: str, folder: Path | None, engine: EngineName, pictures: PictureFormat,
    options: dict[str, Any],
) -> tuple[dict[str, Any], int] | None:  # fmt: skip
    """Run a file that holds no plain network: a small JSON input, a network across nodes, a platform; None if it does.

    ``options`` are those that only networks know; what a kind of input cannot take is refused by name.
    """
    from ppnsim.cli.platform_cases import is_platform_file, run_case
    from ppnsim.cli.run_placed import changed_placement, load_placement, run_placement
    from ppnsim.cli.run_small import Request, run_small, small_input

    given = [name for name, value in options.items() if value]
    small = small_input(file)
    if small is not None:
        kind, data = small
        request = Request(
            file=file, data=data, terminal=terminal, folder=folder, engine=engine.value, pictures=pictures.value
        )
        return run_small(kind, request, network_options=given)
    if (placement := load_placement(file)) is not None:
        only = {name: options[name] for name in ("--iterations", "--convention", "--self-check")}
        only["--engine compiled"] = engine == EngineName.compiled
        placement = changed_placement(placement, options["--style"], options["--depth"], only)
        return run_placement(terminal, file, placement, folder, pictures.value)
    if is_platform_file(file):
        if given:
            raise InputError(f"{', '.join(given)} can only be used with networks; this file holds a platform")
        return run_case(terminal, file, folder, pictures.value)
    return None


def _fix(outcome: Run) -> tuple[Fix | None, int]:
    """Return the fix of a deadlock, None if there is none or its search was interrupted, and the exit code."""
    if not outcome.deadlocked:
        return None, 0
    from ppnsim.explore.explain.deadlock_fix import fix_deadlock

    try:
        return fix_deadlock(outcome), DEADLOCK
    except KeyboardInterrupt:
        return None, INTERRUPTED


def _folders(out: Path | None, files: list[str]) -> dict[str, Path]:
    """Return where each file's results go: ``out`` itself for one file, a folder below it for each of several."""
    if out is None:
        return {}
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a directory ({error.strerror})", where=f"--out {out}") from None
    if len(files) == 1:
        return dict.fromkeys(files, out)
    folders: dict[str, Path] = {}
    for file in files:
        stem, number = Path(file).stem, 1
        while out / (stem if number == 1 else f"{stem}-{number}") in folders.values():
            number += 1
        folders.setdefault(file, out / (stem if number == 1 else f"{stem}-{number}"))
    return folders


def _write(folder: Path, outcome: Run, result: dict[str, Any], suffix: str) -> None:
    from ppnsim.cli.common import write_json, written_to
    from ppnsim.plots.gantt import gantt
    from ppnsim.plots.network import draw_network
    from ppnsim.plots.occupancy import occupancy
    from ppnsim.plots.parallelism import parallelism
    from ppnsim.plots.save import save
    from ppnsim.report.tables import write_occupancy, write_timeline

    with written_to(folder):
        write_json(result, str(folder / "result.json"))
        write_timeline(outcome.timeline, folder / "timeline.csv")
        write_occupancy(outcome.timeline, folder / "occupancy.csv")
        save(gantt(outcome.timeline), folder / f"gantt.{suffix}")
        save(parallelism(outcome.timeline), folder / f"parallelism.{suffix}")
        save(draw_network(outcome.network, run=outcome), folder / f"network.{suffix}")
        if outcome.network.channels:
            save(occupancy(outcome.timeline), folder / f"occupancy.{suffix}")
