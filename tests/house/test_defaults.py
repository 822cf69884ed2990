"""Numbers that names have, public or not: defaults of parameters and fields, and constants, as recorded.

A default is a promise to whoever leaves it out: none changes without a line of the record that changes with it
(``python -m tests.golden defaults``).
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from tests.golden.told import TOLD

ROOT = Path(__file__).parents[2] / "ppnsim"
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if path.stem != "__main__")


def _shown(value: object) -> str | None:
    """Return a number, or what is made of numbers, as text; None of anything else."""
    if isinstance(value, Enum):
        return _shown(value.value)
    if isinstance(value, bool | int | float | Fraction | np.number):
        return str(value)
    if isinstance(value, tuple | list | set | frozenset):
        parts = [_shown(each) or "." for each in value]
        parts = sorted(parts) if isinstance(value, set | frozenset) else parts
        return f"({', '.join(parts)})" if set(parts) - {"."} else None
    if isinstance(value, Mapping):
        cells = {str(name): _shown(each) for name, each in value.items() if isinstance(name, str | int | float)}
        return ", ".join(f"{name}: {each}" for name, each in cells.items() if each is not None) or None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _shown({each.name: getattr(value, each.name) for each in dataclasses.fields(value)})
    return None


def _of_function(name: str, function: FunctionType) -> Iterator[tuple[str, object]]:
    for each in inspect.signature(inspect.unwrap(function)).parameters.values():
        default = getattr(each.default, "default", each.default)  # of an option of the command line
        yield f"{name}({each.name})", default


def _of_class(name: str, made: type) -> Iterator[tuple[str, object]]:
    if dataclasses.is_dataclass(made):
        yield from ((f"{name}.{each.name}", each.default) for each in dataclasses.fields(made))
    for key, default in getattr(made, "_field_defaults", {}).items():
        yield f"{name}.{key}", default
    for key, field in (getattr(made, "model_fields", None) or {}).items():
        yield f"{name}.{key}", field.default
    yield from _of_members(f"{name}.", vars(made))


def _of_members(
    prefix: str, members: Mapping[str, Any], module: ModuleType | None = None
) -> Iterator[tuple[str, object]]:
    for key, value in members.items():
        if key == "model_config":  # of the classes of pydantic
            continue
        if key.startswith("__") and not (key == "__init__" and "__dataclass_fields__" not in members):
            continue
        value = getattr(value, "__func__", value)  # of a class method
        if isinstance(value, FunctionType | type) and module is not None and value.__module__ != module.__name__:
            continue
        if isinstance(value, FunctionType):
            yield from _of_function(f"{prefix}{key}", value)
        elif isinstance(value, type):
            yield from _of_class(f"{prefix}{key}", value)
        elif key.strip("_").isupper():
            yield f"{prefix}{key}", value


def numbers(file: str) -> list[str]:
    """Return the numbers that a file has by name, those that it imports apart."""
    name = f"ppnsim/{file}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module = import_module(name)
    tree = set(inspect.getsource(module).split())
    found = {}
    for place, value in _of_members("", vars(module), module):
        if place.partition("(")[0].partition(".")[0] in tree or "(" in place or "." in place:
            found[place] = _shown(value)
    return [f"{file} {place} = {value}" for place, value in found.items() if value is not None]


def defaults() -> str:
    """Return the numbers of all files."""
    return "".join(f"{line}\n" for file in FILES for line in numbers(file))


def _recorded() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (TOLD / "defaults.txt").read_text(encoding="utf-8").splitlines():
        found.setdefault(line.partition(" ")[0], []).append(line)
    return found


RECORDED = _recorded()


@pytest.mark.parametrize("file", RECORDED)
def test_numbers_are_as_recorded(file: str) -> None:
    assert numbers(file) == RECORDED[file], "if it is meant: python -m tests.golden defaults"
