"""The options of ``ppnsim lost`` for the designs of a C source, and the sizes for which they are predicted."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any

import typer

from ppnsim.cli.options.source import name_and_value, number_of
from ppnsim.comparison.run import subject
from ppnsim.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignOptions:
    """Which designs of a C source are split, and for which sizes."""

    design: Annotated[
        list[str],
        typer.Option(
            "--design", metavar="TEXT",
            help="C: auto (as the tool decides), none, 'pipeline LOOP' or 'unroll LOOP=FACTOR'; may be repeated.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    learn: Annotated[
        str | None,
        typer.Option("--learn", metavar="NAME,...", help="C: learn formulas in these sizes, given with -D or --set."),
    ] = None
    at: Annotated[
        list[str],
        typer.Option("--at", metavar="NAME=N,...", help="C: predict these sizes by the formulas; may be repeated."),
    ] = field(default_factory=list)
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary", metavar="NAME=VALUES",
            help="C: learn formulas in this size and predict these values (NI=64:256:64); may be repeated: all "
            "combinations. What --learn and --at say one by one.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    sizes: Annotated[
        str | None,
        typer.Option(
            "--sizes", metavar="N,...",
            help="C: sizes to learn from, at least 6. Default: powers of two if --at has only such, else sizes at "
            "which all addresses cost the same; the two have different formulas.",
        ),
    ] = None  # fmt: skip

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [f"--{each.name}" for each in fields(self) if getattr(self, each.name) not in (None, [])]

    def values(self) -> dict[str, list[int]]:
        """Return the values of each size that varies."""
        found: dict[str, list[int]] = {}
        for axis in map(subject.plain_axis, self.vary):
            subject.check_whole_numbers(axis, least=1)
            found.setdefault(axis.name, []).extend(int(value) for value in axis.values)
        return found

    def read(self) -> dict[str, Any]:
        """Return the options that are given, as `ppnsim.lost` takes them."""
        learn = None if self.learn is None else [name.strip() for name in self.learn.split(",")]
        if learn is not None and "" in learn:
            raise InputError(f"'{self.learn}' names no size", where="--learn")
        read = {
            "designs": self.design, "learn": learn, "at": [_sizes(text) for text in self.at],
            "vary": self.values(),
            "sizes": None if self.sizes is None else [number_of(part, "--sizes") for part in self.sizes.split(",")],
        }  # fmt: skip
        return {name: value for name, value in read.items() if value}


def _sizes(text: str) -> dict[str, int]:
    """Return the sizes of ``NAME=N,...``."""
    sizes: dict[str, int] = {}
    for part in text.split(","):
        name, value = name_and_value(part.strip(), "--at")
        if name in sizes:
            raise InputError(f"'{text}' gives {name} twice", where="--at")
        sizes[name] = number_of(value, f"--at {name}")
    return sizes
