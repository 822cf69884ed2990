"""``ppnsim transform``: a C kernel rewritten, as C that compiles and computes the same values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import ppnsim
from ppnsim.cli.common import for_each_file
from ppnsim.cli.options.groups import Without
from ppnsim.cli.options.outputs import Json, check_output, console, write_text
from ppnsim.cli.options.rewriting import RewritingOptions
from ppnsim.cli.options.source import Source, SourceOptions
from ppnsim.errors import InputError
from ppnsim.report import text

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
    terminal, steps = console(json), [" ".join(step) for step in rewriting.in_order(context)]
    if output is not None:
        _check(output, file)
        check_output(output, _WHERE, json)

    def work(path: str) -> tuple[dict[str, Any], int]:
        found = ppnsim.transform(path, rewrite=steps, **source.read())
        result = found.to_dict()
        if output is not None:
            write_text(found.c, output)
            statements = len(found.executions)
            text.plain_line(terminal, f"{found.program.name}: {statements} statements in {output}")
            return {**result, "output": str(output)}, 0
        if json != "-":
            typer.echo(found.c, nl=False)
        return result, 0

    for_each_file([file], json, work)


def _check(output: Path, source: str) -> None:
    if output.suffix not in (".c", ".cc", ".cpp", ".cxx", ".C", ".h", ".hh", ".hpp"):
        raise InputError(f"'{output}' is not a name for a C source (.c, .cpp)", where=_WHERE)
    if output.exists() and Path(source).exists() and output.samefile(source):
        raise InputError(f"'{output}' is the source itself; choose another name", where=_WHERE)
