"""Options that every command on C sources shares, and how they reach the loop program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.c.load import Kernels
    from ppnsim.loops.program import LoopProgram

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="C or C++ sources.", show_default=False)]
Function = Annotated[str | None, typer.Option("--function", metavar="NAME", help="Only this kernel.")]
Define = Annotated[list[str], typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro; may be repeated.")]
Include = Annotated[list[str], typer.Option("-I", metavar="DIR", help="Look for headers here; may be repeated.")]
Set = Annotated[
    list[str], typer.Option("--set", metavar="NAME=N", help="Value of a parameter of the kernel; may be repeated.")
]
LatencyOption = Annotated[
    list[str],
    typer.Option(
        "--latency",
        metavar="[NAME=]N",
        help="Execute latency in cycles, of a statement, function, or all; NAME=@FILE gives one for each execution.",
    ),
]
IiOption = Annotated[
    list[str],
    typer.Option("--ii", metavar="[NAME=]N", help="Initiation interval in cycles, of a statement, function, or all."),
]
Clock = Annotated[str, typer.Option("--clock", metavar="TIME", help='Clock period or frequency: "10 ns", "200 MHz".')]
InOut = Annotated[bool, typer.Option("--io", help="Stream array parameters in through sources and out through sinks.")]


def programs_of(
    file: str, *, function: str | None, define: list[str], include: list[str], settings: list[str]
) -> list[LoopProgram]:
    """Return the loop programs of a source file; what is left out of it goes to standard error."""
    return list(kernels_of(file, function=function, define=define, include=include, settings=settings).programs)


def kernels_of(
    file: str, *, function: str | None, define: list[str], include: list[str], settings: list[str],
    hardware: bool = False,
) -> Kernels:  # fmt: skip
    """Return the loop programs of a source file and the functions that are left out, which are also told."""
    from ppnsim.c.load import load_kernels

    defines = dict(name_and_value(option, "-D", default="1") for option in define)
    pairs = (name_and_value(each, "--set") for each in settings)
    values = {name: number_of(value, f"--set {name}") for name, value in pairs}
    found = load_kernels(file, function=function, defines=defines, include=include, settings=values, hardware=hardware)
    for each in found.skipped:
        typer.echo(f"skipped {each.function}: {each.reason}", err=True)
    return found


def one_program_of(
    file: str, *, function: str | None, define: list[str], include: list[str], settings: list[str],
    hardware: bool = False,
) -> LoopProgram:  # fmt: skip
    """Return the loop program of a source file that must hold one kernel, or of the one asked for."""
    programs = kernels_of(
        file, function=function, define=define, include=include, settings=settings, hardware=hardware
    ).programs
    if len(programs) > 1:
        names = ", ".join(program.name for program in programs)
        raise InputError(f"holds {len(programs)} kernels: choose one with --function ({names})")
    return programs[0]


def name_and_value(option: str, where: str, default: str | None = None) -> tuple[str, str]:
    """Return the two sides of NAME=VALUE; a missing value is the default, if there is one."""
    name, equals, value = option.partition("=")
    if not name or (not equals and default is None):
        raise InputError(f"'{option}' is not NAME=VALUE", where=where)
    return name, value if equals else default or ""


def number_of(text: str, where: str) -> int:
    """Return a whole number of an option."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"'{text}' is not a whole number", where=where) from None
