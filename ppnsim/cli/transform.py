"""``ppnsim transform``: a C kernel rewritten, as C that compiles and computes the same values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.groups import Without
from ppnsim.cli.options.outputs import Json, check_output, console, write_text
from ppnsim.cli.options.rewriting import RewritingOptions
from ppnsim.cli.options.source import Source, SourceOptions
from ppnsim.errors import InputError
from ppnsim.library.rewriting import rewritten
from ppnsim.loops.as_c.source import c_source
from ppnsim.loops.dependences import firings
from ppnsim.loops.program import LoopProgram

_WHERE = "--out"


def transform_command(
    context: typer.Context,
    file: Source,
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT.c", help="Source to write; standard output without.")
    ] = None,
    source: SourceOptions,
    rewriting: Annotated[RewritingOptions, Without("merge")],
    json: Json = None,
) -> None:
    """Rewrite a C kernel and write it as C that takes the place of the original.

    Only the body of the kernel changes: each process of the transformed program is a statement of its own, with its
    name in a comment behind it. Called kernels become loops of the body, and parameters become numbers. The macros of
    -D stand at the top, so that the text compiles without the option.

    Examples:

      ppnsim transform scenarios/kernels/atax.c --unfold tmp_2=32 --cut y_2=2@j -o atax_unfolded.c

      ppnsim transform kernel.c --set n=32 -I include --function solve --unfold x=4 > unfolded.c
    """
    terminal, steps = console(json), rewriting.in_order(context)
    if output is not None:
        _check(output, file)
        check_output(output, _WHERE, json)

    def work(path: str) -> tuple[dict[str, Any], int]:
        program, _ = rewritten(source.one_program(path), steps, io=False)
        options = [f"--{name} {value}" for name, value in steps] + [f"--set {value}" for value in source.settings]
        text = c_source(program, _text(path), note=" ".join(("ppnsim transform", *options)))
        text = _defined(source.define) + text
        executions = firings(program)
        if output is not None:
            write_text(text, output)
            terminal.print(f"{program.name}: {len(executions)} statements in {output}", markup=False)
        elif json != "-":
            typer.echo(text, nl=False)
        return _result(path, program, executions, output, text), 0

    for_each_file([file], json, work)


def _result(
    source: str, program: LoopProgram, executions: dict[str, int], output: Path | None, text: str
) -> dict[str, Any]:
    statements = [{"name": s.name, "executions": executions[s.name]} for s in program.statements()]
    place = {"output": str(output)} if output is not None else {}
    return {"file": source, "function": program.name, **place, "statements": statements, "c": text}


def _check(output: Path, source: str) -> None:
    if output.suffix not in (".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp"):
        raise InputError(f"'{output}' is not a name for a C source (.c, .cpp)", where=_WHERE)
    if output.exists() and Path(source).exists() and output.samefile(source):
        raise InputError(f"'{output}' is the source itself; choose another name", where=_WHERE)


def _text(source: str) -> str:
    try:
        return Path(source).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", where=source) from None


def _defined(options: list[str]) -> str:
    """Return the macros of ``-D`` as lines of C."""
    lines = []
    for option in options:
        name, equals, value = option.partition("=")
        lines.append(f"#ifndef {name.partition('(')[0]}\n#define {name} {value if equals else 1}\n#endif\n")
    return "".join(lines)
