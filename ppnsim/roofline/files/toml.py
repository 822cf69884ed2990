"""Accelerators from TOML: what `ppnsim roofline FILE.toml` draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from ppnsim.boards.board import RESOURCES
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.plain_tables import (
    check_keys,
    check_sizes,
    check_table,
    names_of,
    number_of,
    numbers_of,
    table_of,
    tables_of,
    text_of,
)
from ppnsim.formats.values import shown
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.types import Format
from ppnsim.memory.model.presets import preset
from ppnsim.roofline.accelerator import (
    Accelerator,
    Argument,
    DesignPoint,
    MemorySpec,
    OperatorUse,
    Pattern,
    board_memories,
)
from ppnsim.units import clock_period

_TOP = ("name", "device", "clock", "allowance", "metric", "resources", "operator", "memory", "argument", "point",
        "kernel")  # fmt: skip
_MEMORY = ("preset", "banks", "peak_GBps", "width", "random_per_us", "dependent_per_us", "latency_ns")
_ARGUMENT = tuple(each.name for each in fields(Argument) if each.name != "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineFile:
    """A file: the accelerator as far as it says, and the C source that says the rest ("" for none).

    ``settings`` are the source's: ``function``, ``define``, ``set``. ``given`` are the arguments with ``bytes``,
    ``counted`` the operators of the source that its metric counts.
    """

    accelerator: Accelerator
    device: str = ""
    kernel: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    counted: tuple[str, ...] = ()


def read(data: dict[str, Any], path: Path) -> RooflineFile:
    """Return what a decoded file says; files that it names are looked for beside it first.

    Raises
    ------
    InputError
        If a key or a value is none that it may hold.
    """
    check_keys(data, _TOP, "")
    check_sizes(data)
    if "clock" not in data:
        raise InputError('clock is missing (as "225 MHz")')
    if isinstance(data["clock"], bool) or not isinstance(data["clock"], str | float | int):
        raise InputError(f'clock = {shown(data["clock"])} is no clock (as "225 MHz" or "4 ns")')
    clock = clock_period(data["clock"])
    device = text_of(data, "device", "", "")
    library = _library(_beside(device, path), float(clock)) if device else None
    available = library.device.available if library else {}
    available |= numbers_of(table_of(data, "resources", ""), RESOURCES, "resources")
    metric = table_of(data, "metric", "")
    check_keys(metric, ("name", "results", "operators"), "metric")
    kernel = _kernel(table_of(data, "kernel", ""))
    source = kernel.get("file", "")
    if bool(source) == bool(data.get("operator")):
        raise InputError("either kernel.file or [[operator]] says what is computed, and only one of them")
    counted = names_of(metric, "operators", "metric")
    if counted and "results" in metric:
        raise InputError("either results or operators say what is counted, and only one of them", where="metric")
    listed = data.get("operator", [])
    operators = tuple(
        _operator(each, number, library, counted) for number, each in enumerate(tables_of(listed, "operator"), start=1)
    )
    known = [use.name for use in operators]
    for name in counted if listed else ():
        if name not in known:
            raise InputError(f"operators: there is no operator '{name}'{did_you_mean(name, known)}", where="metric")
    for name in known:
        if known.count(name) > 1:
            raise InputError("is there twice: add up their counts, or give them two names", where=f"operator '{name}'")
    arguments = table_of(data, "argument", "")
    for name, each in arguments.items():
        if not source and isinstance(each, dict) and "bytes" not in each:
            raise InputError("bytes is missing (0 for one that moves nothing)", where=f"argument '{name}'")
    accelerator = Accelerator(
        name=text_of(data, "name", "", path.stem), clock_ns=clock, available=available, operators=operators,
        memories=tuple(_memory(name, each) for name, each in table_of(data, "memory", "").items())
        or (board_memories(library.device) if library else ()),
        arguments=tuple(_argument(name, each) for name, each in arguments.items()),
        results=number_of(metric, "results", "metric") if "results" in metric else None,
        metric=text_of(metric, "name", "metric", "operations"),
        allowance=number_of(data, "allowance", "") if "allowance" in data else 0.8,
        points=tuple(_point(each, n) for n, each in enumerate(tables_of(data.get("point", []), "point"), start=1)),
    )  # fmt: skip
    return RooflineFile(
        accelerator=accelerator, device=device, kernel=_beside(source, path), settings=kernel,
        given=frozenset(name for name, each in arguments.items() if "bytes" in each), counted=tuple(counted),
    )  # fmt: skip


def _library(device: str, clock_ns: float) -> Library:
    try:
        return load_library(device, clock_ns)
    except InputError as error:
        raise InputError(str(error).removeprefix("--device: "), where="device") from None


def _kernel(table: dict[str, Any]) -> dict[str, Any]:
    """Return the source and its settings, in the kinds that they must have."""
    check_keys(table, ("file", "function", "define", "set"), "kernel")
    for key in ("file", "function"):
        text_of(table, key, "kernel", "")
    names_of(table, "define", "kernel")
    for name, value in table_of(table, "set", "kernel.").items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{name} = {shown(value)} must be a whole number", where="kernel.set")
    return table


def _beside(name: str, path: Path) -> str:
    """Return a file's name as seen from the file that names it; other names as they are."""
    return str(path.parent / name) if name and (path.parent / name).is_file() else name


def _operator(table: Any, number: int, library: Library | None, counted: list[str]) -> OperatorUse:
    where = f"operator {number}"
    check_table(table, where)
    check_keys(table, ("name", "type", "count", *RESOURCES), where)
    name, type_ = text_of(table, "name", where), text_of(table, "type", where, "")
    title = f"{name} {type_}".strip()
    where = f"operator '{title}'"
    cost = numbers_of({key: table[key] for key in RESOURCES if key in table}, RESOURCES, where)
    if not cost:
        if library is None or not type_:
            raise InputError("needs lut, ff, dsp or bram, or a type of the device's operator table", where=where)
        found = library.operator(name, Format.of(type_, where), where)
        cost = {kind: getattr(found, kind) for kind in RESOURCES}
    return OperatorUse(
        name=title, count=number_of(table, "count", where), cost=cost, counted=not counted or title in counted
    )  # fmt: skip


def _memory(name: str, table: Any) -> MemorySpec:
    where = f"memory '{name}'"
    check_table(table, where)
    check_keys(table, _MEMORY, where)
    dram = None
    if "preset" in table:
        try:
            dram = preset(text_of(table, "preset", where)).dram
        except InputError as error:
            raise InputError(f"preset: {error}", where=where) from None
    values = numbers_of({key: table[key] for key in _MEMORY[1:] if key in table}, _MEMORY[1:], where)
    for key in ("banks", "width"):
        if values.get(key, 1.0) != int(values.get(key, 1.0)):
            raise InputError(f"{key} = {values[key]:g} must be a whole number", where=where)
    return MemorySpec(
        name=name, dram=dram, banks=int(values.get("banks", dram.channels if dram else 1)),
        peak=values.get("peak_GBps"), width=int(values["width"]) if "width" in values else None,
        random=_per_ns(values.get("random_per_us")), dependent=_per_ns(values.get("dependent_per_us")),
        latency=values.get("latency_ns"),
    )  # fmt: skip


def _per_ns(per_us: float | None) -> float | None:
    return None if per_us is None else per_us / 1000


def _argument(name: str, table: Any) -> Argument:
    where = f"argument '{name}'"
    check_table(table, where)
    check_keys(table, _ARGUMENT, where)
    values: dict[str, Any] = {}
    for key in ("bank", "quanta", "locality", "outstanding", "chains"):
        if key in table:
            if isinstance(table[key], bool) or not isinstance(table[key], int):
                raise InputError(f"{key} = {shown(table[key])} must be a whole number", where=where)
            values[key] = table[key]
    if "bytes" in table:
        values["bytes"] = number_of(table, "bytes", where)
    pattern = cast("Pattern", text_of(table, "pattern", where, "stream"))
    return Argument(name=name, memory=text_of(table, "memory", where), pattern=pattern, **values)


def _point(table: Any, number: int) -> DesignPoint:
    where = f"point {number}"
    check_table(table, where)
    check_keys(table, ("name", "performance", "intensity"), where)
    return DesignPoint(
        name=text_of(table, "name", where), performance=number_of(table, "performance", where) / 1e9,
        intensity=number_of(table, "intensity", where) if "intensity" in table else None,
    )  # fmt: skip
