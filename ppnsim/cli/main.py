"""The command ``ppnsim``: collects the commands and turns every outcome into its exit code."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ppnsim.cli import draw, estimate, run, scenarios

app = typer.Typer(
    name="ppnsim",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Simulate process networks, exact to the cycle, and see where every cycle went.\n\n"
    "Start with [bold]ppnsim scenarios[/bold], which lists examples to run and to copy. "
    "Exit codes: 0 done, 1 internal error, 2 bad input, 3 deadlock, 130 interrupted.",
)


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        from ppnsim import __version__

        typer.echo(__version__)
        raise typer.Exit


app.command("run")(run.run_command)
app.command("estimate")(estimate.estimate_command)
app.command("draw")(draw.draw_command)
app.command("scenarios")(scenarios.scenarios_command)


def main() -> None:
    """Run the command line; the exit codes are those of `ppnsim.errors`."""
    from ppnsim.errors import PpnsimError

    try:
        app(standalone_mode=True)
    except PpnsimError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of a pipe has seen enough; writing to it again at exit would complain.
        sys.stderr.close()
        sys.exit(0)
