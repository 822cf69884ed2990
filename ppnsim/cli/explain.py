"""``ppnsim explain``: why a run takes as long as it does, and what would make it shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.groups import Help
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


def explain_command(
    files: Files,
    *,
    options: NetworkOptions,
    top: Annotated[
        int, typer.Option("--top", metavar="N", help="Changes to try, each with a run of its own; 0 for none.")
    ] = 8,
    output: Annotated[Output, Help(plot="Draw the critical path: .svg, .png or .pdf.")],
) -> None:
    """Explain why a run takes as long as it does.

    Follows the run back from the firing that ends last, from each firing to the one that it waited for. The cycles on
    this critical path add up to the finish exactly, and the table says whose they are. The slack says how much later
    every other event could be. Changes that may help (a deeper FIFO, a smaller ii or latency) are tried, each by a run.
    Networks that repeat have a steady state: its period comes from the graph alone, with the circle of waits that sets
    it. A deadlock is explained as by `ppnsim run`, and gives exit code 3.

    Examples:

      ppnsim explain scenarios/networks/fork_join.toml

      ppnsim explain scenarios/networks/fork_join.toml --depth short_in=8 --depth short_out=8 --plot path.svg

      ppnsim explain a.json --top 30 --json -
    """
    if top < 0:
        raise InputError(f"{top} is below 0 changes", where="--top")

    def ask(file: str) -> tuple[Answer, int]:
        found = options.load(file)
        name = found.network.name
        try:
            with progress(name) as report, progress(name, "changes") as trials:
                told = ppnsim.explain(found, top=top, progress=report, trials=trials)
        except ppnsim.DeadlockError as error:
            raise answers.StuckSource(error.run, found.source) from None
        return told, INTERRUPTED if told.told.interrupted else 0

    answers.answer_each_file(files, output, ask)
