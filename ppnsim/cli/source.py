"""Options that every command on C sources shares, and how they reach the loop program."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from ppnsim.affine.program import LoopProgram, Statement

Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="C or C++ sources.", show_default=False)]
Function = Annotated[str | None, typer.Option("--function", metavar="NAME", help="Only this kernel.")]
Define = Annotated[list[str], typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro; may be repeated.")]
Include = Annotated[list[str], typer.Option("-I", metavar="DIR", help="Look for headers here; may be repeated.")]
Set = Annotated[
    list[str], typer.Option("--set", metavar="NAME=N", help="Value of a parameter of the kernel; may be repeated.")
]
LatencyOption = Annotated[
    list[str],
    typer.Option("--latency", metavar="[NAME=]N", help="Execute latency in cycles, of a statement, function, or all."),
]
IiOption = Annotated[
    list[str],
    typer.Option("--ii", metavar="[NAME=]N", help="Initiation interval in cycles, of a statement, function, or all."),
]
InOut = Annotated[bool, typer.Option("--io", help="Stream array parameters in through sources and out through sinks.")]


Unfold = Annotated[
    list[str],
    typer.Option("--unfold", metavar="STMT=N[@LOOP]", help="Deal a statement's iterations out to N processes in turn."),
]
Cut = Annotated[
    list[str], typer.Option("--cut", metavar="STMT[=N][@LOOP]", help="Cut a statement's iterations into N (2) blocks.")
]


def programs_of(
    file: str, *, function: str | None, define: list[str], include: list[str], settings: list[str]
) -> list[LoopProgram]:
    """Return the loop programs of a source file."""
    from ppnsim.frontend.load import load_programs

    defines = dict(_split(option, "-D", default="1") for option in define)
    values = {name: _number(value, f"--set {name}") for name, value in (_split(each, "--set") for each in settings)}
    return load_programs(file, function=function, defines=defines, include=include, settings=values)


def rewritten(program: LoopProgram, unfoldings: list[str], cuts: list[str], *, io: bool) -> tuple[LoopProgram, bool]:
    """Return the program with statements unfolded and cut, and whether arrays still have to be streamed in and out.

    Streams are statements that can be unfolded too (``in_x``, ``out_y``), so they are put in first.
    """
    if not unfoldings and not cuts:
        return program, io
    from ppnsim.frontend.derive import with_streams
    from ppnsim.transform.cut import cut
    from ppnsim.transform.unfold import unfold

    program = with_streams(program) if io else program
    for option in unfoldings:
        name, value, iterator = _part(option, "--unfold", None)
        program = unfold(program, name, _number(value, f"--unfold {option}"), iterator=iterator)
    for option in cuts:
        name, value, iterator = _part(option, "--cut", "2")
        program = cut(program, name, _number(value, f"--cut {option}"), iterator=iterator)
    return program, False


def _part(option: str, where: str, default: str | None) -> tuple[str, str, str | None]:
    """Return statement, number and loop of ``STMT=N@LOOP``."""
    rest, _, iterator = option.partition("@")
    name, value = _split(rest, where, default=default)
    return name, value, iterator or None


def timed(program: LoopProgram, latency: list[str], ii: list[str]) -> tuple[LoopProgram, int, int]:
    """Return the program with the latencies and intervals of the command line, and those for all other statements.

    What the command line says of a statement wins over a pragma in the source, which wins over the number for all.
    """
    latency_for_all, latencies = _per_name(latency, "--latency", least=0)
    ii_for_all, iis = _per_name(ii, "--ii", least=1)
    known = {name for statement in program.statements() for name in (statement.name, statement.function) if name}
    for option, named in (("--latency", latencies), ("--ii", iis)):
        for name in named:
            if name not in known:
                raise InputError(
                    f"no statement or function is called '{name}'{did_you_mean(name, known)}", where=option
                )

    def change(statement: Statement) -> Statement:
        names = (statement.name, statement.function)
        return replace(
            statement,
            latency=next((latencies[name] for name in names if name in latencies), statement.latency),
            ii=next((iis[name] for name in names if name in iis), statement.ii),
        )

    return program.replaced(change), latency_for_all, ii_for_all


def _per_name(options: list[str], where: str, *, least: int) -> tuple[int, dict[str, int]]:
    for_all, named = 1, {}
    for option in options:
        name, equals, value = option.rpartition("=")
        number = _number(value, f"{where} {option}")
        if number < least:
            raise InputError(f"{number} is below {least} cycle{'' if least == 1 else 's'}", where=f"{where} {option}")
        if equals:
            named[name] = number
        else:
            for_all = number
    return for_all, named


def _split(option: str, where: str, default: str | None = None) -> tuple[str, str]:
    name, equals, value = option.partition("=")
    if not name or (not equals and default is None):
        raise InputError(f"'{option}' is not NAME=VALUE", where=where)
    return name, value if equals else default or ""


def _number(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"'{text}' is not a whole number", where=where) from None
