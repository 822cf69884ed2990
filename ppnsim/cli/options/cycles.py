"""The options for latency and initiation interval, and how their values reach the statements."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from ppnsim.cli.options.source import number_of
from ppnsim.derive.cycles import Latencies
from ppnsim.derive.files.timing import TimingFile, load_latencies
from ppnsim.errors import InputError, did_you_mean
from ppnsim.files import load_as
from ppnsim.loops.program import LoopProgram, Statement

Hazards = Annotated[
    bool, typer.Option("--hazards", help="Keep writes after earlier reads and writes (control flow architectures).")
]

_ALL = "*"


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

    def timed(self, program: LoopProgram) -> tuple[LoopProgram, int, int]:
        """Return the program with the cycles of the command line, and those for all other statements (`timed_each`).

        For commands that take one latency per statement.
        """
        program, for_all, ii_for_all = self.timed_each(program)
        if not isinstance(for_all, int):
            words = "a latency for each execution cannot be used here, only one per statement"
            raise InputError(words, where=self.timing or "--latency")
        return program, for_all, ii_for_all

    def timed_each(self, program: LoopProgram) -> tuple[LoopProgram, Latencies, int]:
        """Return the program with latencies and intervals, and those for all other statements or each execution.

        What the command line says of a statement wins over the file, that over a pragma in the source, and this over
        the number for all.
        """
        said = load_as(self.timing, TimingFile) if self.timing is not None else TimingFile()
        latencies = {**said.latency, **_latencies(self.latency)}
        intervals = {**said.ii, **_per_name(self.ii, "--ii", least=1)}
        known = {name for statement in program.statements() for name in (statement.name, statement.function) if name}
        for option, named, in_file in (("--latency", latencies, said.latency), ("--ii", intervals, said.ii)):
            for name in named:
                if name not in known and name != _ALL:
                    where = str(self.timing) if name in in_file else option
                    words = f"no statement or function is called '{name}'{did_you_mean(name, known)}"
                    raise InputError(words, where=where)
        each: dict[str, int | tuple[int, ...]] = {}

        def change(statement: Statement) -> Statement:
            names = (statement.name, statement.function)
            given = next((latencies[name] for name in names if name in latencies), statement.latency)
            if given is not None and not isinstance(given, int):
                each[statement.name] = given
                given = None
            own = next((intervals[name] for name in names if name in intervals), statement.ii)
            return replace(statement, latency=given, ii=own)

        changed, for_all = program.replaced(change), latencies.get(_ALL, 1)
        assert isinstance(for_all, int)
        return changed, {_ALL: for_all, **each} if each else for_all, intervals.get(_ALL, 1)


def _latencies(options: list[str]) -> dict[str, int | tuple[int, ...]]:
    """Return latencies of ``NAME=N``, of ``N`` (under ``*``), and of ``NAME=@FILE``, the later ones last."""
    named: dict[str, int | tuple[int, ...]] = {}
    for option in options:
        name, _, value = option.rpartition("=")
        listed = name and value.startswith("@")
        named |= {name: load_latencies(value[1:])} if listed else _per_name([option], "--latency", least=0)
    return named


def _per_name(options: list[str], where: str, *, least: int) -> dict[str, int]:
    named: dict[str, int] = {}
    for option in options:
        name, equals, value = option.rpartition("=")
        number = number_of(value, f"{where} {option}")
        if number < least:
            raise InputError(f"{number} is below {least} cycle{'' if least == 1 else 's'}", where=f"{where} {option}")
        named[name if equals else _ALL] = number
    return named
