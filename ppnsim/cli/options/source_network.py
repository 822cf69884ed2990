"""The options that say how a C or C++ source becomes a network, for every command on networks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim import files
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.cli.options import completed
from ppnsim.cli.options.cycles import CycleOptions, Hazards
from ppnsim.cli.options.hls import Flow, Release, Solution, TclArguments, Uncertainty, UnsafeMath
from ppnsim.cli.options.source import InOut, SourceOptions
from ppnsim.errors import InputError
from ppnsim.hls.project.suffixes import is_source
from ppnsim.hls.project.words import shell_words
from ppnsim.library import statements as of_program
from ppnsim.report import folding
from ppnsim.source_networks import model as sources

if TYPE_CHECKING:
    from ppnsim.library.rewriting import Step
    from ppnsim.loops.program import LoopProgram
    from ppnsim.model.network import Network
    from ppnsim.source_networks.model import SourceNetwork

_OF_STATEMENTS = ("latency", "ii", "timing", "io", "hazards")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNetworkOptions:
    """What the command line says of the function in a source, and of the hardware that it becomes."""

    source: SourceOptions = field(default_factory=SourceOptions)
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="NAME",
            autocompletion=completed.boards,
            help="Board or device that a source is scheduled for; default xc7z020.",
        ),
    ] = None
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help='Clock period or frequency: "10 ns" (the default), "200 MHz".'),
    ] = None
    clock_uncertainty: Uncertainty = None
    pragma: Annotated[
        list[str],
        typer.Option(
            "--pragma",
            metavar="'[LINE:] DIRECTIVE'",
            help="A directive as if #pragma HLS stood in the loop of that line, or in the function; may be repeated.",
        ),
    ] = field(default_factory=list)
    unsafe_math: UnsafeMath = False
    flow: Flow = None
    release: Release = None
    testbench: Annotated[
        str | None,
        typer.Option(
            "--testbench", metavar="FILE",
            help="A C++ file with main(): the design is compiled and executed, so that data decides (g++ or clang++). "
            "Of a project, 'project' is its own.",
        ),
    ] = None  # fmt: skip
    trace: Annotated[
        str | None,
        typer.Option("--trace", metavar="FILE", help="With --testbench, record what it does here; alone, read that."),
    ] = None
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="How long the testbench may take; default 120."),
    ] = None
    reports: Annotated[
        Path | None,
        typer.Option("--reports", metavar="DIR", help="Take II and latency of loops from synthesis reports in here."),
    ] = None
    tclargs: TclArguments = None
    solution: Solution = None
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", metavar="PRESET", autocompletion=completed.memories,
            help="DRAM behind m_axi ports: DDR4-2400, ... (see ppnsim memory); default: the latency of the interface.",
        ),
    ] = None  # fmt: skip
    cycles: CycleOptions = field(default_factory=CycleOptions)
    io: InOut = False
    hazards: Hazards = False

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        found = self.source.given()
        for part in (self, self.cycles):
            for each in fields(part):
                value = getattr(part, each.name)
                if each.name not in ("source", "cycles") and value not in (None, [], False):
                    found.append(f"--{each.name.replace('_', '-')}")
        return found

    def check(self, file: str) -> None:
        """Refuse options that say nothing of this file, instead of ignoring them."""
        if not is_source(file) and (given := self.given()):
            known = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
            raise InputError(f"{', '.join(given)} can only be used with C and C++ sources ({known}) and their projects")

    @property
    def executes(self) -> bool:
        """Whether data decides, which a testbench or its trace knows."""
        return self.testbench is not None or self.trace is not None

    def executed(self, file: str, kinds: Sequence[str]) -> object:
        """Read a design whose data decides, as one of these kinds (`ppnsim.cli.runners.executed`)."""
        # What compiles and executes is imported when it is asked for.
        return import_module("ppnsim.cli.runners.executed").executed(file, self, kinds)

    def load(
        self, file: str, statements: Callable[[LoopProgram], Network] | None = None, *, as_statements: bool = False
    ) -> SourceNetwork:  # fmt: skip
        """Read the network of a source, and tell the error stream what was taken for it.

        ``statements`` makes the network of a function without a dataflow region; None = `derive` with these options.
        With ``as_statements`` it does so of a function of high-level synthesis, too, which is one task otherwise.
        """
        if self.executes:
            found = self.executed(file, ("SourceNetwork",))
            assert isinstance(found, sources.SourceNetwork)
            return found
        found = files.load_as(
            file, sources.SourceNetwork, **self.source.read(), device=self.device, clock=self.clock,
            clock_uncertainty=self.clock_uncertainty, pragmas=self.pragma or None,
            unsafe_math=self.unsafe_math or None, flow=self.flow, release=self.release,
            reports=self.reports, arguments=shell_words(self.tclargs, "--tclargs") if self.tclargs else None,
            solution=self.solution, memory=self.memory, statements=statements or self.network_of,
            as_statements=as_statements or any(name[2:] in _OF_STATEMENTS for name in self.given()),
        )  # fmt: skip
        if found.made_of == "tasks" and (unfit := [name for name in self.given() if name[2:] in _OF_STATEMENTS]):
            words = "can only be used with a network of statements"
            raise InputError(f"{', '.join(unfit)} {words}; '{found.function}' is a dataflow region, which is scheduled")
        tell(found)
        return found

    def network_of(self, program: LoopProgram, steps: Sequence[Step] = (), most: int | None = None) -> Network:
        """Return the network of the statements of a program, rewritten step by step, of at most so many executions."""
        latency, ii, timing = self.cycles.read()
        return of_program.network_of(
            program, steps=steps, latency=latency, ii=ii, timing=timing, io=self.io, hazards=self.hazards,
            most=most,
        )  # fmt: skip


def tell(found: SourceNetwork) -> None:
    """Say on the error stream what was taken for a source, and what was assumed."""
    for note in found.notes:
        typer.echo(folding.told_on(sys.stderr, note), err=True)
    typer.echo(folding.told_on(sys.stderr, str(found)), err=True)
