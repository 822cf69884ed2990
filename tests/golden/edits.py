"""Files with one value changed, left out or added at a time: what is refused in which words, what is taken as what."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from ppnsim.errors import PpnsimError
from ppnsim.formats.network import parse_scenario
from ppnsim.memory.files.json import parse_memory
from ppnsim.messages.files.json import parse_flows, parse_messages
from ppnsim.opencl.files.kernel import parse_opencl
from ppnsim.placed.files.toml import parse_placement
from ppnsim.platform.files.toml import parse_platform
from ppnsim.roofline.checks import check_accelerator
from ppnsim.roofline.files.toml import read as read_roofline
from ppnsim.roofline.laws import roofline

_ROOT = Path(__file__).parents[2]
_FILES = "tests/golden/files"
Way = tuple[str | int, ...]


def _network(data: Any) -> object:
    made = parse_scenario(data)
    return made.name, made.clock_ns, made.processes, made.channels, dict(made.resources)


class _Whole:
    """An object with all its fields, where its own repr is a line for people."""

    def __init__(self, made: Any) -> None:
        said = ", ".join(f"{each.name}={getattr(made, each.name)!r}" for each in fields(made))
        self.told = f"{type(made).__name__}({said})"

    def __repr__(self) -> str:
        return self.told


def _memory(data: Any) -> object:
    return _Whole(parse_memory(data))


def _placed(data: Any) -> object:
    made = parse_placement(data)
    return _Whole(made), made.network.processes, made.network.channels


def _roofline(data: Any) -> object:
    accelerator = read_roofline(data, Path("roofline.toml")).accelerator
    check_accelerator(accelerator)
    return accelerator, roofline(accelerator)


_EDITED: Mapping[str, tuple[Callable[[Any], object], str]] = {
    "edits_actors": (_network, f"{_FILES}/actors.toml"),
    "edits_flows": (parse_flows, f"{_FILES}/flows.json"),
    "edits_ddr": (_memory, f"{_FILES}/ddr.json"),
    "edits_hbm": (_memory, f"{_FILES}/hbm.json"),
    "edits_messages": (parse_messages, f"{_FILES}/messages.json"),
    "edits_network": (_network, f"{_FILES}/rules.toml"),
    "edits_opencl": (parse_opencl, f"{_FILES}/hierarchy.toml"),
    "edits_placed": (_placed, f"{_FILES}/ports.toml"),
    "edits_platform": (parse_platform, f"{_FILES}/platform.toml"),
    "edits_roofline": (_roofline, f"{_FILES}/walls.toml"),
    "edits_traffic": (_memory, f"{_FILES}/traffic.json"),
}


def edits() -> list[str]:
    """Return the names of the edited files."""
    return list(_EDITED)


def told_of_edits(name: str) -> str:
    """Return what is said of a file and of each edit of it; what is taken is told by a number that it makes."""
    parse, file = _EDITED[name]
    text = (_ROOT / file).read_text(encoding="utf-8")
    data = tomllib.loads(text) if file.endswith(".toml") else json.loads(text)
    lines = [f"as it is: {_said(parse, data)}"]
    for way, value in _changes(data, ()):
        edited = _edited(data, way, value)
        shown = "left out" if value is _GONE else repr(value)
        lines.append(f"{'.'.join(map(str, way))} = {shown}: {_said(parse, edited)}")
    return "\n".join(lines) + "\n"


_GONE = object()


def _changes(data: Any, way: Way) -> Iterator[tuple[Way, object]]:
    """Yield the place of each value with what is put there."""
    if way:
        yield from ((way, other) for other in _others(data))
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*way, key), _GONE
            yield from _changes(value, (*way, key))
        yield (*way, "nosuch"), 1
    elif isinstance(data, list):
        for index, value in enumerate(data[:2]):
            yield from _changes(value, (*way, index))


def _others(value: Any) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value, 2)
        case int() | float():
            return tuple(each for each in (0, 1, -1, value + 1, 0.5, 10**20, "x") if each != value)
        case str():
            return (*((value[:-1],) if len(value) > 1 else ()), "", 3)
        case list():
            return ([], [*value, *value[:1]])
    return ({},)


def _edited(data: Any, way: Way, value: object) -> Any:
    made = inside = deepcopy(data)
    for each in way[:-1]:
        inside = inside[each]
    if value is _GONE:
        del inside[way[-1]]
    else:
        inside[way[-1]] = value
    return made


def _said(parse: Callable[[Any], object], data: Any) -> str:
    try:
        return f"taken, {sha256(repr(parse(data)).encode()).hexdigest()[:10]}"
    except PpnsimError as refused:
        return " / ".join(str(refused).splitlines())
