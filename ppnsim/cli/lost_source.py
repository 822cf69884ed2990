"""``ppnsim lost kernel.c``: useful and lost cycles of a kernel's designs, learned and predicted for larger sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.schedule import sources_of
from ppnsim.cli.source import number_of, one_program_of
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from ppnsim.hls.library.library import Library
    from ppnsim.hls.lost.designs import LoopDesign
    from ppnsim.hls.pragmas.directives import Directives
    from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line says of a source."""

    device: str
    clock: str
    designs: list[str]
    learn: str | None
    at: list[str]
    sizes: str | None
    function: str | None
    define: list[str]
    include: list[str]
    settings: list[str]

    def given(self) -> list[str]:
        """Return the options that only sources know."""
        options = {
            "--design": self.designs, "--learn": self.learn, "--at": self.at, "--sizes": self.sizes,
            "--function": self.function, "-D": self.define, "-I": self.include, "--set": self.settings,
        }  # fmt: skip
        return [name for name, value in options.items() if value not in (None, [])]


def lost_in_source(terminal: Console, file: str, request: Request) -> tuple[dict[str, Any], int]:
    """Split the designs of a source's kernel, learn their formulas if sizes are named, print all; Ctrl-C keeps some."""
    from ppnsim.hls.library.library import load_library
    from ppnsim.hls.lost.designs import LoopDesign
    from ppnsim.hls.lost.report import print_scheduled_losses
    from ppnsim.units import clock_ns

    designs = list(dict.fromkeys(LoopDesign.read(text) for text in request.designs or ["auto"]))
    names = _names(request)
    bounds = _bounds(request.sizes)
    places = [_sizes(text, names) for text in request.at]
    for option, value in (("--at", request.at), ("--sizes", request.sizes)):
        if value and not names:
            raise InputError("says what sizes to look at, but --learn names none", where=option)
    library = load_library(request.device, clock_ns(request.clock))
    kernel = _Source(file, request)
    result: dict[str, Any] = {
        "file": file, "function": kernel.at({})[0].name, "device": library.device.name, "clock_ns": library.clock_ns,
        "designs": [],
    }  # fmt: skip
    code = 0
    try:
        for design in designs:
            _add_design(result["designs"], kernel, library, design, names, places, bounds)
    except KeyboardInterrupt:
        typer.echo(f"interrupted in design '{design}'", err=True)
        code = INTERRUPTED
    print_scheduled_losses(terminal, result)
    return result, code


@dataclass(frozen=True, slots=True)
class _Source:
    """A kernel whose sizes are macros or parameters."""

    file: str
    request: Request

    def at(self, sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        """Return the kernel for some sizes, and its directives."""
        from ppnsim.hls.pragmas.read import read_directives

        request = self.request
        macros, parameters = ([text.partition("=")[0] for text in each] for each in (request.define, request.settings))
        define = [text for text in request.define if text.partition("=")[0] not in sizes]
        settings = [text for text in request.settings if text.partition("=")[0] not in sizes]
        define += [f"{name}={size}" for name, size in sizes.items() if name in macros]
        settings += [f"{name}={size}" for name, size in sizes.items() if name in parameters]
        program = one_program_of(
            self.file, function=request.function, define=define, include=request.include, settings=settings,
            hardware=True,
        )  # fmt: skip
        return program, read_directives(sources_of(program), program)


def _add_design(
    results: list[dict[str, Any]], kernel: _Source, library: Library, design: LoopDesign, names: Sequence[str],
    places: Sequence[Mapping[str, int]], bounds: Sequence[int],
) -> None:  # fmt: skip
    """Add the split of a design to the results, then what is learned of it as far as that comes."""
    from ppnsim.hls.lost.designs import learned, split_at
    from ppnsim.hls.lost.report import split_result

    result: dict[str, Any] = {"design": str(design), **split_result(split_at(kernel.at, library, design, {}))}
    results.append(result)
    if not names:
        return
    try:
        with progress(f"sizes of '{design}'", unit="schedules") as report:
            # How many it takes is known only when a formula holds.
            model = learned(
                kernel.at, library, design, names, bounds,
                report=lambda done: report(done, max(done, 2 ** (len(names) + 1))),
            )  # fmt: skip
    except InputError as reason:  # what was found for other designs stays
        result |= {"formulas": None, "reason": str(reason), "predictions": []}
        return
    result["formulas"] = {part: str(formula) for part, formula in model.formulas.items()}
    result["explored"], result["checked"] = model.explored, model.checked
    result["predictions"] = []
    for sizes in places:
        found: dict[str, Any] = {"sizes": dict(sizes)}
        try:
            found["predicted"] = split_result(model.at(sizes))
        except InputError as reason:  # as where a factor does not divide a size
            found |= {"predicted": None, "reason": str(reason)}
        found["scheduled"] = split_result(split_at(kernel.at, library, design, sizes))
        result["predictions"].append(found)


def _names(request: Request) -> list[str]:
    """Return the sizes to learn formulas in; each must have a value on the command line, which says what it is."""
    names = [] if request.learn is None else [name.strip() for name in request.learn.split(",")]
    known = [text.partition("=")[0] for text in (*request.define, *request.settings)]
    for name in names:
        if not name:
            raise InputError(f"'{request.learn}' names no size", where="--learn")
        if name not in known:
            raise InputError(f"'{name}' has no value: give it one with -D {name}=N or --set {name}=N", where="--learn")
        if names.count(name) > 1:
            raise InputError(f"'{name}' is named twice", where="--learn")
    return names


def _bounds(text: str | None) -> list[int]:
    """Return the sizes to learn from; the largest power that is tried is 3, and two more check it."""
    from ppnsim.hls.lost.designs import GENERAL

    if text is None:
        return list(GENERAL)
    bounds = [number_of(part, "--sizes") for part in text.split(",")]
    if min(bounds) < 1 or len(set(bounds)) < len(bounds):
        raise InputError(f"'{text}' are not sizes from 1 on, each of them once", where="--sizes")
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
