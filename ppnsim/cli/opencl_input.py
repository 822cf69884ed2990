"""What the options of ``ppnsim opencl`` say of the file that is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli.source import name_and_value, number_of
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.opencl.files.kernel import OpenclFile

Settings = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="NAME=N", help="Value of a parameter of the TOML, a scalar argument or a macro; repeatable."
    ),
]
KernelName = Annotated[
    str | None, typer.Option("--kernel", metavar="NAME", help="The kernel of a source that has several.")
]
Sizes = Annotated[str | None, typer.Option("--global", metavar="N[,N[,N]]", help="Global work size of a source.")]
Groups = Annotated[str | None, typer.Option("--local", metavar="N[,N[,N]]", help="Work-group size of a source.")]
BoardFile = Annotated[
    str | None, typer.Option("--board", metavar="FILE", help="TOML file whose table \\[board] counts.")
]
Reading = Callable[[str, dict[str, int]], "OpenclFile"]


def reader(
    settings: list[str], kernel: str | None, sizes: str | None, groups: str | None, define: list[str],
    include: list[str], board: str | None,
) -> Reading:  # fmt: skip
    """Return what reads a file as the options say, with the values of some parameters more."""
    from ppnsim.files import load_as
    from ppnsim.opencl.files.kernel import OpenclFile
    from ppnsim.opencl.files.toml import load_board
    from ppnsim.opencl.reader.launch import ReaderOptions

    pairs = (name_and_value(each, "--set") for each in settings)
    values = {name: number_of(value, f"--set {name}") for name, value in pairs}
    source = ReaderOptions(
        kernel=kernel, sizes=_sizes(sizes, "--global"), groups=_sizes(groups, "--local"), include=include,
        defines=dict(name_and_value(each, "-D", default="1") for each in define),
    )  # fmt: skip

    def read(path: str, more: dict[str, int]) -> OpenclFile:
        found = load_as(path, OpenclFile, settings={**values, **more}, source=source)
        return found if board is None else replace(found, board=load_board(board))

    return read


def _sizes(text: str | None, option: str) -> tuple[int, ...]:
    """Return the sizes of an option, none if it is not given."""
    numbers = [] if text is None else [number_of(each, option) for each in text.split(",")]
    if len(numbers) > 3 or any(each < 1 for each in numbers):
        raise InputError(f"'{text}' is not one, two or three sizes from 1 on", where=option)
    return tuple(numbers)
