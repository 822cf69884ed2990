"""``ppnsim lost``: useful and lost cycles of every process of a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import Files, Json, console, for_each_file, progress
from ppnsim.cli.explain import stuck
from ppnsim.cli.run import Convention, Depth, Iterations, Style, network_of
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.model.run import Run

_FORMATS = (".svg", ".png", ".pdf")


def lost_command(
    files: Files,
    style: Style = None,
    depth: Depth = [],  # noqa: B006
    iterations: Iterations = None,
    convention: Convention = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw the cycles of all processes: .svg, .png, .pdf.")
    ] = None,
    json: Json = None,
) -> None:
    """Split the cycles of every process into useful and lost ones.

    Useful is a cycle in which a firing starts. Lost are: initialisation (before the first start, own results awaited,
    draining after the last start), memory (the data of others missing), blocked (FIFOs full), control (the initiation
    interval), contention (shared resources) and idle (done before others). The parts of a process add up to the
    finish, cycle by cycle. A deadlock is explained as by `ppnsim run`, and gives exit code 3.

    Examples:

      ppnsim lost scenarios/fork_join.toml

      ppnsim lost scenarios/fork_join.toml --depth short_in=8 --plot lost.svg

      ppnsim lost a.json b.json --json -
    """
    terminal = console(json)
    if plot is not None and plot.suffix.lower() not in _FORMATS:
        raise InputError(f"'{plot.suffix}' is none of {', '.join(_FORMATS)}", where=f"--plot {plot}")
    if plot is not None and len(files) > 1:
        raise InputError(f"{len(files)} files, and one is drawn", where=f"--plot {plot}")

    def work(file: str) -> tuple[dict[str, Any], int]:
        from ppnsim.analysis.lost_cycles import lost_cycles
        from ppnsim.engines.run import run
        from ppnsim.report.lost_cycles import lost_result, print_lost

        network = network_of(file, style, depth, iterations, convention)
        with progress(network.name) as report:
            outcome = run(network, on_deadlock="return", progress=report)
        if outcome.deadlocked:
            return stuck(terminal, outcome, file)
        result = lost_result(outcome, lost_cycles(outcome), file=file)
        print_lost(terminal, result)
        if plot is not None:
            _draw(outcome, result, plot)
            terminal.print(f"drawn to {plot}", markup=False)
        return result, 0

    for_each_file(files, json, work)


def _draw(outcome: Run, result: dict[str, Any], place: Path) -> None:
    from ppnsim.plots.lost_cycles import lost_cycles
    from ppnsim.plots.save import save

    try:
        save(lost_cycles(outcome.network.name, result["processes"]), place)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"--plot {place}") from None
