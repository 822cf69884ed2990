"""The command ``ppnsim``: a table of its commands, each imported only when it is called.

A new command is a file with a function ``NAME_command``, and a line in `COMMANDS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ppnsim.cli.options.groups import OrderedCommand, flowing, spread
from ppnsim.version import VERSION

COMMANDS: dict[str, str] = {
    "run": "Simulate networks, exact to the cycle.",
    "explain": "Explain why a run takes as long as it does.",
    "estimate": "Estimate throughput analytically, for comparison with a run.",
    "draw": "Draw a network: processes with their numbers, channels with kind and depth.",
    "export": "Write a network as SDF3 XML, network JSON or TOML, or its run for waveform viewers and data frames.",
    "report": "Write one HTML page that shows runs and plays them.",
    "serve": "Show the page of a file in the browser, and follow the file as it changes.",
    "profile": "Profile C kernels: throughput, parallelism and the process network that they become.",
    "derive": "Derive the process network of a C kernel and write it as network JSON or TOML.",
    "transform": "Rewrite a C kernel and write it as C that takes the place of the original.",
    "explore": "Explore the designs between absolute and unbounded throughput: what to split, how far, at what price.",
    "size": "Find the smallest FIFO depths: without deadlock, without loss, for a target, and the trade-off between.",
    "sweep": "Run a network at many values of its parameters: a row for each. A deadlock also gets a row.",
    "lost": "Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.",
    "memory": "Show the limits of a DRAM system, and simulate its curves of bandwidth and latency.",
    "opencl": "Predict an OpenCL kernel on an FPGA board, and say what to do next.",
    "schedule": "Schedule the loops of a kernel as high-level synthesis does, and count the cycles.",
    "dse": "Explore the directives of a kernel: pipelining, unrolling, array partitioning.",
    "roofline": "Tell what bounds a kernel on an FPGA: its operators, or which memory bank.",
    "platform": "List a platform, every parameter with its source, and draw it.",
    "predict": "Predict an application on a platform with RATSS's equations, without simulating it.",
    "compare": "Predict and simulate, and lay the two side by side, term by term.",
    "lesson": "Open one of ten lessons: a question, a prediction, the run, the picture, a surprise, an exercise.",
    "scenarios": "List the scenarios and the kernels (C, C++, OpenCL C) that come with ppnsim, or copy them.",
}
"""Help by name of the command: the first paragraph of the function ``NAME_command`` in ``ppnsim.cli.NAME``."""

_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": "rich",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class _Lazy(TyperGroup):
    """The commands by name and help alone; the one that is called is imported."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, text in COMMANDS.items():
            self.add_command(TyperCommand(name, help=text))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, with all its options."""
        name, _, rest = super().resolve_command(ctx, args)
        command = getattr(import_module(f"ppnsim.cli.{name}"), f"{name}_command")
        single = typer.Typer(**_SETTINGS)
        single.command(name, cls=OrderedCommand, help=flowing(command.__doc__))(spread(command))
        return name, typer.main.get_command(single), rest


app = typer.Typer(
    name="ppnsim",
    cls=_Lazy,
    no_args_is_help=True,
    help="Simulate process networks, exact to the cycle, and see where every cycle went.\n\n"
    "Start with [bold]ppnsim scenarios[/bold], which lists examples to run and to copy. "
    "Exit codes: 0 done, 1 internal error, 2 bad input, 3 deadlock, 130 interrupted.",
    **_SETTINGS,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(VERSION)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    del version  # its callback has answered
