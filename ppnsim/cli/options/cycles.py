"""The options for latency and initiation interval of statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli.options.source import number_of
from ppnsim.derive import given
from ppnsim.derive.files import latencies
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.derive.given import Cycles, Latencies

Hazards = Annotated[
    bool, typer.Option("--hazards", help="Keep writes after earlier reads and writes (control flow architectures).")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleOptions:
    """What the command line says of the cycles of statements."""

    latency: Annotated[
        list[str],
        typer.Option(
            "--latency",
            metavar="[NAME=]N",
            help="Execute latency in cycles, of a statement, function, or all; NAME=@FILE: one for each execution.",
        ),
    ] = field(default_factory=list)
    ii: Annotated[
        list[str],
        typer.Option(
            "--ii", metavar="[NAME=]N", help="Initiation interval in cycles, of a statement, function, or all."
        ),
    ] = field(default_factory=list)
    timing: Annotated[
        str | None, typer.Option("--timing", metavar="FILE.toml", help="TOML with cycles: tables latency and ii.")
    ] = None

    def read(self) -> tuple[Latencies, Cycles, str | None]:
        """Return latencies, intervals and the file, as functions of the library take them."""
        return _latencies(self.latency), _per_name(self.ii, "--ii", least=1), self.timing


def _latencies(options: list[str]) -> dict[str, int | tuple[int, ...]]:
    """Return latencies of ``NAME=N``, of ``N`` (under ``*``), and of ``NAME=@FILE``, the later ones last."""
    named: dict[str, int | tuple[int, ...]] = {}
    for option in options:
        name, _, value = option.rpartition("=")
        listed = name and value.startswith("@")
        named |= {name: latencies.load_latencies(value[1:])} if listed else _per_name([option], "--latency", least=0)
    return named


def _per_name(options: list[str], where: str, *, least: int) -> dict[str, int]:
    named: dict[str, int] = {}
    for option in options:
        name, equals, value = option.rpartition("=")
        number = number_of(value, f"{where} {option}")
        if number < least:
            raise InputError(f"{number} is below {least} cycle{'' if least == 1 else 's'}", where=f"{where} {option}")
        named[name if equals else given.EVERY] = number
    return named
