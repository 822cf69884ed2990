"""``ppnsim run``: simulate networks and show where every cycle went."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import Files, Json, console, depths_of, for_each_file
from ppnsim.cli.run_request import RunRequest
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.model.network import Network

RUNNERS = {
    "Network": "ppnsim.cli.run_network",
    "Placement": "ppnsim.cli.run_placed",
    "PlatformFile": "ppnsim.cli.run_platform",
    "Messages": "ppnsim.cli.run_messages",
    "Flows": "ppnsim.cli.run_flows",
    "MemoryFile": "ppnsim.cli.run_memory",
}
"""By type of what a file holds: the module with ``run(held, request)``, imported when such a file is run."""


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
        request = RunRequest(
            file=file, terminal=terminal, folder=folders.get(file), engine=engine.value, pictures=pictures.value,
            style=style, depth=depth, iterations=iterations, convention=convention, fast_forward=fast_forward,
            self_check=self_check,
        )  # fmt: skip
        held = load_plain(file, *RUNNERS, iterations=iterations)
        runner = import_module(RUNNERS[type(held).__name__])
        result: tuple[dict[str, Any], int] = runner.run(held, request)
        return result

    for_each_file(files, json, work)


def network_of(
    file: str,
    style: StyleName | None,
    depth: list[str],
    iterations: int | None = None,
    convention: ConventionName | None = None,
) -> Network:
    """Read a network file, change it as the command line says, and let its depths count what they are to count."""
    from ppnsim.files import load_network
    from ppnsim.formats.network import usual_convention
    from ppnsim.model.convention import with_convention

    network = changed(load_network(file, iterations=iterations, convention="ppn"), style, depth)
    return with_convention(network, convention or usual_convention(file))


def load_plain(file: str, *kinds: str, iterations: int | None) -> object:
    """Read a file; if it holds a network, its depths count tokens (convention ppn), as --depth does."""
    from ppnsim.files import load
    from ppnsim.formats.network import usual_convention

    convention = "ppn" if usual_convention(file) != "ppn" else None
    return load(file, *kinds, iterations=iterations, convention=convention)


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
