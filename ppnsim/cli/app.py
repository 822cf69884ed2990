"""The command ``ppnsim``: its commands, collected."""

from __future__ import annotations

from typing import Annotated

import typer

from ppnsim.cli import (
    derive,
    draw,
    dse,
    estimate,
    explain,
    explore,
    export,
    lost,
    memory,
    opencl,
    profile,
    roofline,
    run,
    scenarios,
    schedule,
    size,
    sweep,
    transform,
)
from ppnsim.cli.platform import platform_command
from ppnsim.cli.predict import compare_command, predict_command
from ppnsim.cli.rewriting import OrderedCommand

app = typer.Typer(
    name="ppnsim",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Simulate process networks, exact to the cycle, and see where every cycle went.\n\n"
    "Start with [bold]ppnsim scenarios[/bold], which lists examples to run and to copy. "
    "Exit codes: 0 done, 1 internal error, 2 bad input, 3 deadlock, 130 interrupted.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from ppnsim import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    del version  # its callback has answered


app.command("run")(run.run_command)
app.command("explain")(explain.explain_command)
app.command("estimate")(estimate.estimate_command)
app.command("draw")(draw.draw_command)
app.command("export")(export.export_command)
app.command("profile", cls=OrderedCommand)(profile.profile_command)
app.command("derive", cls=OrderedCommand)(derive.derive_command)
app.command("transform", cls=OrderedCommand)(transform.transform_command)
app.command("explore")(explore.explore_command)
app.command("size")(size.size_command)
app.command("sweep")(sweep.sweep_command)
app.command("lost")(lost.lost_command)
app.command("memory")(memory.memory_command)
app.command("opencl")(opencl.opencl_command)
app.command("schedule")(schedule.schedule_command)
app.command("dse")(dse.dse_command)
app.command("roofline")(roofline.roofline_command)
app.command("platform")(platform_command)
app.command("predict")(predict_command)
app.command("compare")(compare_command)
app.command("scenarios")(scenarios.scenarios_command)
