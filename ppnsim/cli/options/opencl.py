"""The options of ``ppnsim opencl`` for the kernel file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli.options import completed
from ppnsim.cli.options.source import name_and_value, number_of
from ppnsim.errors import InputError
from ppnsim.library import opencl
from ppnsim.opencl import design as designs
from ppnsim.opencl.reader import hints

if TYPE_CHECKING:
    from ppnsim.library.opencl import KernelFile


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelOptions:
    """What the command line says of the kernel that is read."""

    design: Annotated[
        str | None,
        typer.Option(
            "--design", metavar="TEXT",
            help="Optimisations: SM, MC, PM, VT, UL8:loop, SIMD4, CU2, with + ; default: what the source asks for.",
        ),
    ] = None  # fmt: skip
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME=N", help="Value of a TOML parameter, an argument or a macro; repeatable."),
    ] = field(default_factory=list)
    function: Annotated[
        str | None, typer.Option("--function", metavar="NAME", help="The kernel of a source that has several.")
    ] = None
    sizes: Annotated[
        str | None, typer.Option("--global", metavar="N[,N[,N]]", help="Global work size of a source.")
    ] = None
    groups: Annotated[str | None, typer.Option("--local", metavar="N[,N[,N]]", help="Work-group size of a source.")] = (
        None
    )
    define: Annotated[
        list[str], typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro; may be repeated.")
    ] = field(default_factory=list)
    include: Annotated[list[str], typer.Option("-I", metavar="DIR", help="Look for headers here; may be repeated.")] = (
        field(default_factory=list)
    )
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="NAME|FILE",
            autocompletion=completed.boards,
            help="Board, or a TOML file whose table [board] counts.",
        ),
    ] = None

    def work_sizes(self) -> list[str]:
        """Return the names of the options for work sizes that are given."""
        return [name for name, value in (("--global", self.sizes), ("--local", self.groups)) if value is not None]

    def of(self, file: str) -> KernelFile:
        """Return a file with what the options say of it."""
        pairs = (name_and_value(each, "--set") for each in self.settings)
        source = hints.ReaderOptions(
            kernel=self.function, sizes=_sizes(self.sizes, "--global"), groups=_sizes(self.groups, "--local"),
            include=self.include, defines=dict(name_and_value(each, "-D", default="1") for each in self.define),
        )  # fmt: skip
        return opencl.KernelFile(
            file=file, design=None if self.design is None else designs.parse_design(self.design), reader=source,
            settings={name: number_of(value, f"--set {name}") for name, value in pairs}, board=self.device,
        )  # fmt: skip


def _sizes(text: str | None, option: str) -> tuple[int, ...]:
    """Return the sizes of an option, none if it is not given."""
    numbers = [] if text is None else [number_of(each, option) for each in text.split(",")]
    if len(numbers) > 3 or any(each < 1 for each in numbers):
        raise InputError(f"'{text}' is not one, two or three sizes from 1 on", where=option)
    return tuple(numbers)
