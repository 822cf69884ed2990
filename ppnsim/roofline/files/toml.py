"""Accelerators from TOML: what `ppnsim roofline FILE.toml` draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.complaints import validated
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.types import Format
from ppnsim.platform.files.tables import with_value
from ppnsim.roofline.accelerator import Accelerator, Argument, OperatorUse, board_memories
from ppnsim.roofline.files.schema import OperatorKeys, RooflineToml, SourceKeys


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RooflineFile:
    """A file: the accelerator as far as it says, and the C source that says the rest ("" for none).

    ``settings`` are those of the source. ``given`` are the arguments with ``bytes``, ``counted`` the operators of the
    source that its metric counts.
    """

    accelerator: Accelerator
    device: str = ""
    kernel: str = ""
    settings: SourceKeys = field(default_factory=SourceKeys)
    given: frozenset[str] = frozenset()
    counted: tuple[str, ...] = ()

    def __repr__(self) -> str:
        arguments = [f"{each.name} in {each.memory}" for each in self.accelerator.arguments]
        said = [f"accelerator '{self.accelerator.name}'", *arguments, *filter(None, [Path(self.kernel).name])]
        return f"<RooflineFile: {', '.join(said)}>"


def read(data: object, path: Path, *, changes: Mapping[str, Any] | None = None) -> RooflineFile:
    """Return what a decoded file says; files that it names are looked for beside it first.

    ``changes`` are values by path of keys, ``argument.a.quanta`` to 64, in place of the file's.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that the operators break.
    """
    for key, value in (changes or {}).items():
        data = with_value(cast("dict[str, Any]", data), key, value)
    file = validated(RooflineToml, data)
    library = _library(_beside(file.device, path), float(file.clock)) if file.device else None
    available = dict(library.device.available) if library else {}
    operators = tuple(_operator(each, library, file.metric.operators) for each in file.operator)
    _check_names([use.name for use in operators], file.metric.operators)
    memories = tuple(keys.build(name) for name, keys in file.memory.items())
    accelerator = Accelerator(
        name=file.name or path.stem, clock_ns=file.clock, available=available | file.resources.cost(),
        operators=operators,
        memories=memories or (board_memories(library.device) if library else ()),
        arguments=tuple(Argument(name=name, **keys.given()) for name, keys in file.argument.items()),
        results=file.metric.results, metric=file.metric.name, allowance=file.allowance,
        points=tuple(keys.build() for keys in file.point), device=library.device.name if library else "",
    )  # fmt: skip
    given = frozenset(name for name, keys in file.argument.items() if keys.bytes is not None)
    return RooflineFile(
        accelerator=accelerator, device=file.device, kernel=_beside(file.kernel.file, path), settings=file.kernel,
        given=given, counted=file.metric.operators,
    )  # fmt: skip


def _library(device: str, clock_ns: float) -> Library:
    try:
        return load_library(device, clock_ns)
    except InputError as error:
        raise InputError(str(error).removeprefix("--device: "), where="device") from None


def _beside(name: str, path: Path) -> str:
    """Return a file's name as seen from the file that names it; other names as they are."""
    return str(path.parent / name) if name and (path.parent / name).is_file() else name


def _operator(keys: OperatorKeys, library: Library | None, counted: Sequence[str]) -> OperatorUse:
    title = f"{keys.name} {keys.type}".strip()
    where = f"operator '{title}'"
    cost = keys.cost()
    if not cost:
        if library is None or not keys.type:
            raise InputError("needs lut, ff, dsp or bram, or a type of the device's operator table", where=where)
        found = library.operator(keys.name, Format.of(keys.type, where), where)
        cost = {kind: getattr(found, kind) for kind in RESOURCES}
    return OperatorUse(name=title, count=keys.count, cost=cost, counted=not counted or title in counted)


def _check_names(operators: Sequence[str], counted: Sequence[str]) -> None:
    """Refuse operators with one name, and a metric that counts what is not listed; a source lists none."""
    for name in counted if operators else ():
        if name not in operators:
            raise InputError(f"operators: there is no operator '{name}'{did_you_mean(name, operators)}", where="metric")
    for name in operators:
        if operators.count(name) > 1:
            raise InputError("is there twice: add up their counts, or give them two names", where=f"operator '{name}'")
