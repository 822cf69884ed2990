"""The options that rewrite a loop program, applied in the order of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Annotated

import typer

from ppnsim.cli.options.groups import GIVEN
from ppnsim.cli.options.source import number_of
from ppnsim.derive.derive import with_streams
from ppnsim.errors import InputError
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.rewrite.interchange import interchange
from ppnsim.loops.rewrite.merge import merge
from ppnsim.loops.rewrite.partition import cut, unfold
from ppnsim.loops.rewrite.skew import skew

_PRODUCT = re.compile(r"(?P<minus>-)?(?:(?P<before>-?\d+)\*)?(?P<iterator>[A-Za-z_]\w*)(?:\*(?P<after>-?\d+))?")

Step = tuple[str, str]  # the option and what it was given


@dataclass(frozen=True, slots=True, kw_only=True)
class RewritingOptions:
    """The rewritings that the command line asks for."""

    unfold: Annotated[
        list[str],
        typer.Option(
            "--unfold", metavar="STMT=N[@LOOP]", help="Deal a statement's iterations out to N processes in turn."
        ),
    ] = field(default_factory=list)
    cut: Annotated[
        list[str],
        typer.Option("--cut", metavar="STMT[=N][@LOOP]", help="Cut a statement's iterations into N (2) blocks."),
    ] = field(default_factory=list)
    skew: Annotated[
        list[str],
        typer.Option(
            "--skew", metavar="STMT@LOOP=N*OUTER", help="Let a loop around a statement count along with N * OUTER."
        ),
    ] = field(default_factory=list)
    interchange: Annotated[
        list[str],
        typer.Option(
            "--interchange", metavar="STMT@OUTER,INNER", help="Put the inner one of two loops outside, if legal."
        ),
    ] = field(default_factory=list)
    merge: Annotated[
        list[str], typer.Option("--merge", metavar="[NAME=]A,B[,C]", help="Let one process execute several statements.")
    ] = field(default_factory=list)

    def in_order(self, context: typer.Context) -> list[Step]:
        """Return the rewritings in the order of the command line."""
        values = {each.name: iter(getattr(self, each.name)) for each in fields(self)}
        return [(name, next(values[name])) for name in context.meta[GIVEN] if name in values]


def rewritten(program: LoopProgram, steps: Iterable[Step], *, io: bool) -> tuple[LoopProgram, bool]:
    """Return the program rewritten step by step, and whether arrays still have to be streamed in and out.

    Streams are statements that can be rewritten too (``in_x``, ``out_y``), so they are put in first.
    """
    steps = list(steps)
    if not steps:
        return program, io
    program = with_streams(program) if io else program
    for name, option in steps:
        program = _apply(program, name, option)
    return program, False


def _apply(program: LoopProgram, name: str, option: str) -> LoopProgram:
    where = f"--{name} {option}"
    if name in ("unfold", "cut"):
        rest, _, iterator = option.partition("@")
        statement, equals, value = rest.partition("=")
        if not statement or (name == "unfold" and not equals):
            raise InputError(f"'{rest}' is not STMT=N", where=f"--{name}")
        number = number_of(value, where) if equals else 2
        return (unfold if name == "unfold" else cut)(program, statement, number, iterator=iterator or None)
    if name == "merge":
        new, equals, names = option.rpartition("=")
        return merge(program, names.split(","), name=new if equals else None)
    statement, at, rest = option.rpartition("@")
    if name == "interchange":
        loops = rest.split(",")
        if not at or len(loops) != 2:
            raise InputError(f"'{option}' is not STMT@OUTER,INNER", where=f"--{name}")
        return interchange(program, statement, *loops)
    iterator, _, product = rest.partition("=")
    found = _PRODUCT.fullmatch(product.replace(" ", ""))
    if not at or found is None:
        raise InputError(f"'{option}' is not STMT@LOOP=N*OUTER", where=f"--{name}")
    factor = int(found["before"] or 1) * int(found["after"] or 1) * (-1 if found["minus"] else 1)
    return skew(program, statement, iterator, found["iterator"], factor)
