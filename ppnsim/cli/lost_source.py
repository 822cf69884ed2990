"""``ppnsim lost kernel.c``: useful and lost cycles of a kernel's designs, learned and predicted for larger sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

import typer
from rich.console import Console

from ppnsim.c.policy import HARDWARE
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options.hls import TargetOptions
from ppnsim.cli.options.source import SourceOptions, number_of
from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library
from ppnsim.hls.lost.designs import GENERAL, POWERS, LoopDesign, is_power, learned, split_at
from ppnsim.hls.lost.report import (
    DesignLosses,
    KernelLosses,
    SizePrediction,
    bars_of,
    losses_result,
    print_scheduled_losses,
)
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Where the cycles of a network or of a kernel went.

    Attributes
    ----------
    name : of the network or kernel.
    result : what goes to JSON.
    bars : cycles by part, of every process or design; what a picture shows.
    code : exit code.
    """

    name: str
    result: dict[str, Any]
    bars: Mapping[str, Mapping[str, int]]
    code: int = 0


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


def lost_in_source(
    terminal: Console, file: str, source: SourceOptions, target: TargetOptions, options: DesignOptions
) -> Losses:
    """Split the designs of a source's kernel, learn their formulas if sizes are named, print all; Ctrl-C keeps some."""
    designs = list(dict.fromkeys(LoopDesign.read(text) for text in options.design or ["auto"]))
    names = _names(options.learn, source)
    places = [_sizes(text, names) for text in options.at]
    bounds = _bounds(options.sizes, [size for each in places for size in each.values()])
    for option, value in (("--at", options.at), ("--sizes", options.sizes)):
        if value and not names:
            raise InputError("says what sizes to look at, but --learn names none", where=option)
    library = target.library()
    kernel = _Kernel(file, source)
    losses = KernelLosses(function=kernel.at({})[0].name, device=library.device.name, clock_ns=library.clock_ns)
    code = 0
    try:
        for design in designs:
            _add_design(losses.designs, kernel, library, design, names, places, bounds)
    except KeyboardInterrupt:
        typer.echo(f"interrupted in design '{design}'", err=True)
        code = INTERRUPTED
    print_scheduled_losses(terminal, losses)
    return Losses(name=losses.function, result=losses_result(losses, file=file), bars=bars_of(losses), code=code)


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel whose sizes are macros or parameters."""

    file: str
    source: SourceOptions

    def at(self, sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        """Return the kernel for some sizes, and its directives."""
        source = self.source
        macros, parameters = ([text.partition("=")[0] for text in each] for each in (source.define, source.settings))
        define = [text for text in source.define if text.partition("=")[0] not in sizes]
        settings = [text for text in source.settings if text.partition("=")[0] not in sizes]
        define += [f"{name}={size}" for name, size in sizes.items() if name in macros]
        settings += [f"{name}={size}" for name, size in sizes.items() if name in parameters]
        program = replace(source, define=define, settings=settings).one_program(self.file, policy=HARDWARE)
        return program, read_directives(sources_of(program), program)


def _add_design(
    losses: list[DesignLosses], kernel: _Kernel, library: Library, design: LoopDesign, names: Sequence[str],
    places: Sequence[Mapping[str, int]], bounds: Sequence[int],
) -> None:  # fmt: skip
    """Add the split of a design, then learn its formulas and predict; an interruption keeps what was found."""
    found = DesignLosses(design=design, split=split_at(kernel.at, library, design, {}))
    losses.append(found)
    if not names:
        return
    try:
        with progress(f"sizes of '{design}'", unit="schedules") as report:
            # How many it takes is known only when a formula holds.
            found.model = learned(
                kernel.at, library, design, names, bounds,
                report=lambda done: report(done, max(done, 2 ** (len(names) + 1))),
            )  # fmt: skip
    except InputError as error:  # what was found for other designs stays
        found.reason = str(error)
        return
    for sizes in places:
        predicted, reason = None, ""
        try:
            predicted = found.model.at(sizes)
        except InputError as error:  # as where a factor does not divide a size
            reason = str(error)
        scheduled = split_at(kernel.at, library, design, sizes)
        found.predictions.append(SizePrediction(sizes=sizes, predicted=predicted, scheduled=scheduled, reason=reason))


def _names(learn: str | None, source: SourceOptions) -> list[str]:
    """Return the sizes to learn formulas in; each must have a value, given with -D (a macro) or --set (a parameter)."""
    names = [] if learn is None else [name.strip() for name in learn.split(",")]
    known = [text.partition("=")[0] for text in (*source.define, *source.settings)]
    for name in names:
        if not name:
            raise InputError(f"'{learn}' names no size", where="--learn")
        if name not in known:
            raise InputError(f"'{name}' has no value: give it one with -D {name}=N or --set {name}=N", where="--learn")
        if names.count(name) > 1:
            raise InputError(f"'{name}' is named twice", where="--learn")
    return names


def _bounds(text: str | None, wanted: Sequence[int]) -> list[int]:
    """Return the sizes to learn from; the largest power that is tried is 3, and two more check it.

    If only powers of two are ``wanted``, the formulas are learned at such.
    """
    if text is None:
        return list(POWERS if wanted and all(map(is_power, wanted)) else GENERAL)
    bounds = [number_of(part, "--sizes") for part in text.split(",")]
    if min(bounds) < 1 or len(set(bounds)) < len(bounds):
        raise InputError(f"'{text}' must be different sizes from 1 on", where="--sizes")
    if len(bounds) < 6:
        raise InputError(f"{len(bounds)} sizes do not determine and check a formula (at least 6)", where="--sizes")
    return bounds


def _sizes(text: str, names: Sequence[str]) -> dict[str, int]:
    """Return the sizes that an option gives, for all that are learned."""
    sizes = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals or name not in names:
            known = ", ".join(names) or "none"
            raise InputError(f"'{part.strip()}' is not NAME=N with a name of --learn ({known})", where="--at")
        if name in sizes:
            raise InputError(f"'{text}' gives {name} twice", where="--at")
        sizes[name] = number_of(value, f"--at {name}")
        if sizes[name] < 1:
            raise InputError(f"{name} = {sizes[name]} executes nothing (sizes start at 1)", where="--at")
    if missing := [name for name in names if name not in sizes]:
        raise InputError(f"'{text}' gives no value for {', '.join(missing)}", where="--at")
    return {name: sizes[name] for name in names}
