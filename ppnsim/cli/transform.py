"""``ppnsim transform``: a C kernel rewritten, as C that compiles and computes the same values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import Json, check_output, console, for_each_file
from ppnsim.cli.rewriting import Cut, Interchange, Skew, Unfold, in_order, rewritten
from ppnsim.cli.source import Define, Function, Include, Set, one_program_of
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.loops.program import LoopProgram

_WHERE = "--output"


def transform_command(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A C or C++ source.", show_default=False)],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.c", help="Source to write; standard output without.")
    ] = None,
    function: Function = None,
    define: Define = [],  # noqa: B006
    include: Include = [],  # noqa: B006
    settings: Set = [],  # noqa: B006
    unfold: Unfold = [],  # noqa: B006
    cut: Cut = [],  # noqa: B006
    skew: Skew = [],  # noqa: B006
    interchange: Interchange = [],  # noqa: B006
    json: Json = None,
) -> None:
    """Rewrite a C kernel and write it as C that takes the place of the original.

    The file stays as it is but for the work of the kernel: each process of the transformed program is a statement of
    its own, under the name that stands behind it. Kernels that it calls become loops in it, parameters numbers. What
    -D says stands at the top, so that the text compiles without it.

    Examples:

      ppnsim transform scenarios/kernels/atax.c --unfold tmp_2=32 --cut y_2=2@j -o atax_unfolded.c

      ppnsim transform kernel.c --set n=32 -I include --function solve --unfold x=4 > unfolded.c
    """
    terminal, steps = console(json), in_order(context, unfold=unfold, cut=cut, skew=skew, interchange=interchange)
    if output is not None:
        _check(output, file)
        check_output(output, _WHERE, json)

    def work(source: str) -> tuple[dict[str, Any], int]:
        from ppnsim.loops.as_c.source import c_source
        from ppnsim.loops.dependences import firings

        program = one_program_of(source, function=function, define=define, include=include, settings=settings)
        program, _ = rewritten(program, steps, io=False)
        options = [f"--{name} {value}" for name, value in steps] + [f"--set {value}" for value in settings]
        text = c_source(program, _text(source), note=" ".join(("ppnsim transform", *options)))
        text = _defined(define) + text
        executions = firings(program)
        if output is not None:
            _write(text, output)
            terminal.print(f"{program.name}: {len(executions)} statements in {output}", markup=False)
        elif json != "-":
            typer.echo(text, nl=False)
        return _result(source, program, executions, output, text), 0

    for_each_file([file], json, work)


def _result(
    source: str, program: LoopProgram, executions: dict[str, int], output: Path | None, text: str
) -> dict[str, Any]:
    statements = [{"name": s.name, "executions": executions[s.name]} for s in program.statements()]
    place = {"output": str(output)} if output is not None else {}
    return {"file": source, "function": program.name, **place, "statements": statements, "c": text}


def _check(output: Path, source: str) -> None:
    if output.suffix not in (".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp"):
        raise InputError(f"'{output}' is no name for a C source (.c, .cpp)", where=_WHERE)
    if output.exists() and Path(source).exists() and output.samefile(source):
        raise InputError(f"'{output}' is the source itself; choose another name", where=_WHERE)


def _text(source: str) -> str:
    try:
        return Path(source).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", where=source) from None


def _write(text: str, output: Path) -> None:
    try:
        output.write_bytes(text.encode())
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(output)) from None


def _defined(options: list[str]) -> str:
    """Return the macros of ``-D`` as lines of C."""
    lines = []
    for option in options:
        name, equals, value = option.partition("=")
        lines.append(f"#ifndef {name.partition('(')[0]}\n#define {name} {value if equals else 1}\n#endif\n")
    return "".join(lines)
