"""RTL black boxes: a JSON file gives latency, interval and directions of a C function (UG1399, JSON File)."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.errors import InputError

_DIRECTIONS = ("in", "out", "inout")
_PERFORMANCE = "rtl_performance"
_DIGITS, _SHOWN = 9, 40  # a number of cycles, and what a message shows of another text


@dataclass(frozen=True, slots=True)
class BlackBox:
    """A C function that RTL replaces.

    Attributes
    ----------
    function : its name in C.
    latency : cycles from its start to its results, 0 if it is combinational.
    ii : cycles from a start to the next one.
    ports : how it accesses each argument: ``in``, ``out`` or ``inout``.
    """

    function: str
    latency: int
    ii: int
    ports: Mapping[str, str] = field(default_factory=dict)

    @property
    def timing(self) -> StatementTiming:
        """The timing of a statement that calls it."""
        return StatementTiming(latency=self.latency, ii=self.ii)


def read_black_box(path: Path) -> BlackBox:
    """Return the black box that a JSON file describes.

    An ``II`` of 0 means that the module is not pipelined: it starts again after its latency.

    Raises
    ------
    InputError
        No JSON, no function, or a latency, an II or a direction that is none.
    """
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    try:
        found = json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", where=f"{path}:{error.lineno}:{error.colno}") from None
    except RecursionError:
        raise InputError("has too many brackets inside each other for a black box", where=str(path)) from None
    name = found.get("c_function_name") if isinstance(found, dict) else None
    if not isinstance(name, str) or not name:
        raise InputError("a black box needs the name of its C function as c_function_name", where=str(path))
    performance = found.get(_PERFORMANCE)
    given: Mapping[str, Any] = performance if isinstance(performance, dict) else {}
    latency, ii = (_cycles(given, each, path) for each in ("latency", "II"))
    return BlackBox(name, latency, ii or latency + 1, dict(_ports(found.get("c_parameters"), path)))


def not_there(boxes: Iterable[BlackBox], functions: Container[str]) -> Iterator[str]:
    """Yield the black boxes that replace none of the functions of a source.

    Examples
    --------
    >>> list(not_there([BlackBox("f", 3, 1)], {"f"}))
    []
    """
    for each in boxes:
        if each.function not in functions:
            yield (
                f"black box '{each.function}' replaces nothing: the sources have no function of this name; write the "
                "name in them as c_function_name"
            )


def _cycles(given: Mapping[str, Any], name: str, path: Path) -> int:
    """Return a number of cycles, which the vendor's files give as a text."""
    text = str(given.get(name, "")).strip()
    if not text.isdecimal() or len(text) > _DIGITS:
        said = f"'{text[:_SHOWN]}' as {name}" if text else f"no {name}"
        words = f"{_PERFORMANCE} has {said}; it is a whole number of cycles from 0 on, of at most {_DIGITS} digits"
        raise InputError(words, where=str(path))
    return int(text)


def _ports(given: object, path: Path) -> list[tuple[str, str]]:
    found = []
    for each in given if isinstance(given, list) else ():
        if not isinstance(each, dict):
            words = f"c_parameters has '{str(each)[:_SHOWN]}'; each is an object with c_name and c_port_direction"
            raise InputError(words, where=str(path))
        name, way = (str(each.get(key, "")) for key in ("c_name", "c_port_direction"))
        if way not in _DIRECTIONS:
            words = f"c_parameters: '{name}' has the c_port_direction '{way}'; it is {', '.join(_DIRECTIONS)}"
            raise InputError(words, where=str(path))
        found.append((name, way))
    return found
