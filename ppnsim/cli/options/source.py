"""The options of every command on C sources; what reads a source is not imported for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from ppnsim.errors import InputError

Source = Annotated[str, typer.Argument(metavar="FILE", help="A C or C++ source.", show_default=False)]
Scheduled = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", show_default=False, help="C or C++ sources, or projects (run_hls.tcl, hls_config.cfg)."
    ),
]  # fmt: skip
Sources = Annotated[list[str], typer.Argument(metavar="FILE...", help="C or C++ sources.", show_default=False)]
Clock = Annotated[str, typer.Option("--clock", metavar="TIME", help='Clock period or frequency: "10 ns", "200 MHz".')]
InOut = Annotated[bool, typer.Option("--io", help="Stream array parameters in through sources and out through sinks.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """What the command line says of a C source: which kernel, with which macros and parameters."""

    function: Annotated[str | None, typer.Option("--function", metavar="NAME", help="Only this kernel.")] = None
    define: Annotated[
        list[str], typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro; may be repeated.")
    ] = field(default_factory=list)
    include: Annotated[list[str], typer.Option("-I", metavar="DIR", help="Look for headers here; may be repeated.")] = (
        field(default_factory=list)
    )
    settings: Annotated[
        list[str], typer.Option("--set", metavar="NAME=N", help="Value of a parameter of the kernel; may be repeated.")
    ] = field(default_factory=list)

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        options = {"--function": self.function, "-D": self.define, "-I": self.include, "--set": self.settings}
        return [name for name, value in options.items() if value not in (None, [])]

    def read(self) -> dict[str, Any]:
        """Return the options as `ppnsim.load` takes them."""
        pairs = (name_and_value(each, "--set") for each in self.settings)
        return {
            "function": self.function, "include": self.include,
            "defines": dict(name_and_value(option, "-D", default="1") for option in self.define),
            "settings": {name: number_of(value, f"--set {name}") for name, value in pairs},
        }  # fmt: skip


def name_and_value(option: str, where: str, default: str | None = None) -> tuple[str, str]:
    """Return the two sides of NAME=VALUE; a missing value is the default, if there is one."""
    name, equals, value = option.partition("=")
    if not name or (not equals and default is None):
        raise InputError(f"'{option}' is not NAME=VALUE", where=where)
    return name, value if equals else default or ""


def number_of(text: str, where: str) -> int:
    """Return a whole number of an option."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"'{text}' is not a whole number", where=where) from None
