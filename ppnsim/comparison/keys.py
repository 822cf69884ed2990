"""What a source says of itself, for models that ask for it by name: numbers of its macros, keys of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ppnsim.c.suffixes import SUFFIXES
from ppnsim.comparison.sizes import said_in
from ppnsim.formats.decode import decode_toml, read_text
from ppnsim.platform.files.tables import with_preset

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)[ \t]*(.*)")
_NUMBER = re.compile(r"(\w+)[ \t]+\(?(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)[uUlL]*\)?")


def settings_in(path: str | Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file sets, and over it the macros and parameters that options of a source set."""
    return {**keys_of(path), **macros_of(path), **said_in(options)}


def macros_of(path: str | Path) -> dict[str, int]:
    """Return the macros of a C, C++ or OpenCL C file that are whole numbers, without those that conditions decide.

    ``#ifndef N`` around ``#define N 8`` is no condition: it lets ``-D N=4`` have the last word.
    """
    if Path(path).suffix not in (*SUFFIXES, ".cl") or not Path(path).is_file():
        return {}
    found: dict[str, int] = {}
    unclear: set[str] = set()
    around: list[str] = []
    for name, rest in _DIRECTIVE.findall(Path(path).read_text(encoding="utf-8", errors="replace")):
        word = re.match(r"\w*", rest)
        about = word[0] if word else ""
        if name in ("if", "ifdef", "ifndef"):
            around.append(about if name == "ifndef" else "")
        elif name in ("else", "elif") and around:
            around[-1] = ""
        elif name == "endif" and around:
            around.pop()
        elif name in ("define", "undef"):
            number = _NUMBER.fullmatch(re.split(r"/[/*]", rest)[0].strip())
            if name == "undef" or about in found or any(each != about for each in around):
                unclear.add(about)
            elif number:
                found[about] = int(number[2], 0)
            else:
                unclear.add(about)
    return {name: value for name, value in found.items() if name not in unclear}


def keys_of(path: str | Path) -> dict[str, Any]:
    """Return the numbers and texts of a file in TOML by the path of their keys, with those of its preset.

    An entry of a list goes by its name, or by its place; parameters of an OpenCL kernel go by their names alone.
    """
    if Path(path).suffix.lower() != ".toml" or not Path(path).is_file():
        return {}
    data = decode_toml(read_text(Path(path)))
    parameters = data.get("parameters") if "work_items" in data else None
    return dict(_leaves(parameters if isinstance(parameters, dict) else with_preset(data), ""))


def _leaves(held: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(held, list):
        held = {
            each.get("name", str(at)) if isinstance(each, Mapping) else str(at): each for at, each in enumerate(held)
        }
    if isinstance(held, Mapping):
        for name, each in held.items():
            yield from _leaves(each, f"{path}.{name}" if path else str(name))
    elif isinstance(held, int | float | str):
        yield path, held
