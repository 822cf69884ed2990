"""The options that rewrite a loop program, applied in the order of the command line."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli.options.groups import GIVEN

if TYPE_CHECKING:
    from ppnsim.library.rewriting import Step


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
