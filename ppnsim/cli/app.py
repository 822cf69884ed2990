"""The command ``ppnsim``: a table of its commands, each imported only when it is called.

A new command is a file with a function ``NAME_command``, and a line in `QUESTIONS`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ppnsim.cli.options.as_given import take_as_given
from ppnsim.cli.options.groups import OrderedCommand, spread
from ppnsim.cli.options.help import WIDEST, flowing
from ppnsim.cli.options.renamed import current_command
from ppnsim.errors import InputError
from ppnsim.version import VERSION

QUESTIONS: dict[str, dict[str, str]] = {
    "What does a design do?": {
        "run": "Simulate networks, exact to the cycle.",
        "report": "Write one HTML page that shows runs and plays them.",
        "draw": "Draw a network: processes with their numbers, channels with kind and depth.",
        "export": "Write a network as SDF3 XML, network JSON or TOML, or its run for waveform viewers and data frames.",
    },
    "Why does it take that long, and what would make it better?": {
        "explain": "Explain why a run takes as long as it does.",
        "lost": "Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.",
        "size": "Find the smallest FIFO depths: without deadlock, without loss, for a target, and the whole trade-off.",
        "sweep": "Run a network at many values of its parameters: a row for each. A deadlock also gets a row.",
    },
    "What does theory say, and where does it differ from the simulation?": {
        "estimate": "Estimate analytically how long a network, or an application on a platform, takes.",
        "compare": "Lay the predictions of models beside simulations, over a sweep, and explain the largest error.",
    },
    "What becomes of C and C++?": {
        "schedule": "Schedule the loops of a kernel as high-level synthesis does, and count the cycles.",
        "explore-directives": "Explore the directives of a kernel: pipelining, unrolling, array partitioning.",
        "profile": "Profile C kernels: throughput, parallelism and the process network that they become.",
        "explore-splits": "Explore which statements to split into more processes, how far, and at what price.",
        "derive": "Derive the process network of a C kernel and write it as network JSON or TOML.",
        "transform": "Rewrite a C kernel and write it as C that takes the place of the original.",
    },
    "What does a board bound?": {
        "roofline": "Tell what bounds a kernel on an FPGA: its operators, or which memory bank.",
        "memory": "Show the limits of a DRAM system, and simulate its curves of bandwidth and latency.",
        "opencl": "Predict an OpenCL kernel on an FPGA board, and say what to do next.",
        "platform": "List a platform, every parameter with its source, and draw it.",
    },
    "Where to begin?": {
        "styles": "Tell which pipeline style hardware has: Vitis HLS, FINN, hls4ml, XLS, Chisel, Dynamatic, Kahn.",
        "scenarios": "List the scenarios and the kernels (C, C++, OpenCL C) that come with ppnsim, or copy them.",
        "lesson": "Open one of ten lessons: a question, a prediction, the run, the picture, a surprise, an exercise.",
    },
}
"""Commands with their help, by the question that they answer."""

COMMANDS: dict[str, str] = {name: text for each in QUESTIONS.values() for name, text in each.items()}
"""Help by name of the command: the first paragraph of the function ``NAME_command`` in ``ppnsim.cli.NAME``."""

_SETTINGS: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
}


class _Lazy(TyperGroup):
    """The commands by name and help alone; the one that is called is imported."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, text in COMMANDS.items():
            self.add_command(TyperCommand(name, help=text))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what stands before the name of a command."""
        take_as_given(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, with all its options; a file alone is given to the command for it."""
        completing = ctx.resilient_parsing
        if not completing and args[0] not in COMMANDS:
            current = current_command(args[0])
            if current == args[:1] and _is_file(args[0]):
                args = import_module("ppnsim.cli.file_alone").command_line_of(args)
            else:
                args = [*current, *args[1:]]
        if not completing and args[0] == "help":
            raise InputError(
                "no such command: 'ppnsim --help' lists all, 'ppnsim COMMAND --help' explains one", where="help"
            )
        name, _, rest = super().resolve_command(ctx, args)
        return name, command_called(name) if name else None, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 as typer calls it
        """Write the commands under the questions that they answer, each with its whole sentence."""
        widest = max(map(len, COMMANDS))
        for question, commands in QUESTIONS.items():
            with formatter.section(question.removesuffix("?")):
                formatter.write_dl([(name.ljust(widest), text) for name, text in commands.items()])


def _is_file(argument: str) -> bool:
    """Return whether an argument in the place of a command names a file, or looks like one."""
    if argument.startswith("-"):
        return argument == "-"
    return Path(argument).exists() or bool(Path(argument).suffix)


@cache  # a process that calls commands one after the other, as tests do, makes each of them once
def command_called(name: str) -> Any:
    """Import a command and return it as typer's, with the options of its groups.

    Examples
    --------
    >>> command_called("draw").name
    'draw'
    """
    module = name.replace("-", "_")
    function = getattr(import_module(f"ppnsim.cli.{module}"), f"{module}_command")
    single = typer.Typer(add_completion=False, **_SETTINGS)
    single.command(name, cls=OrderedCommand, help=flowing(function.__doc__))(spread(function))
    return typer.main.get_command(single)


app = typer.Typer(
    name="ppnsim",
    cls=_Lazy,
    no_args_is_help=True,
    subcommand_metavar="COMMAND FILE... | FILE",
    help="Simulate process networks, exact to the cycle, and see where every cycle went.\n\n"
    "'ppnsim FILE' runs a file, or schedules a function of high-level synthesis without a dataflow region, and says "
    "what else can be asked of it; 'ppnsim COMMAND --help' has examples; 'ppnsim scenarios' lists files to run and to "
    "copy; 'ppnsim --install-completion' lets the shell complete commands and options.\n\n"
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
