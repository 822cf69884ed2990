"""The options of ``ppnsim opencl`` for the kernel file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from ppnsim.cli.options.source import name_and_value, number_of
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.opencl.design import Design, parse_design
from ppnsim.opencl.files.board import load_opencl_board
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.reader.hints import ReaderOptions


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
        typer.Option("--device", metavar="NAME|FILE", help="Board, or a TOML file whose table [board] counts."),
    ] = None

    def asked(self) -> Design | None:
        """Return the design that is asked for, None for that of the file."""
        return None if self.design is None else parse_design(self.design)

    def load(self, path: str, more: Mapping[str, int] | None = None) -> OpenclFile:
        """Read a file as the options say; ``more`` gives the values of further parameters."""
        pairs = (name_and_value(each, "--set") for each in self.settings)
        values = {name: number_of(value, f"--set {name}") for name, value in pairs}
        source = ReaderOptions(
            kernel=self.function, sizes=_sizes(self.sizes, "--global"), groups=_sizes(self.groups, "--local"),
            include=self.include, defines=dict(name_and_value(each, "-D", default="1") for each in self.define),
        )  # fmt: skip
        found = load_as(path, OpenclFile, settings={**values, **(more or {})}, source=source)
        return found if self.device is None else replace(found, board=load_opencl_board(self.device))


def _sizes(text: str | None, option: str) -> tuple[int, ...]:
    """Return the sizes of an option, none if it is not given."""
    numbers = [] if text is None else [number_of(each, option) for each in text.split(",")]
    if len(numbers) > 3 or any(each < 1 for each in numbers):
        raise InputError(f"'{text}' is not one, two or three sizes from 1 on", where=option)
    return tuple(numbers)
