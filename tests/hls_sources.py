"""Helpers of the tests of loop scheduling: a kernel from a few lines of C, and its schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ppnsim.frontend.load import load_programs
from ppnsim.hls.directives import Directives, read_directives
from ppnsim.hls.library import load_library
from ppnsim.hls.machine import Machine, scheduled
from ppnsim.hls.regions import Nest
from ppnsim.hls.rules import TOOL, Rules


def machine_of(folder: Path, body: str, **given: Any) -> Machine:
    """Return the schedule of ``body``; what is given becomes a parameter, ``A="double[40][40]"`` an array.

    ``pragmas``, ``rules``, ``clock`` (ns) and ``before`` (C before the kernel) are what they are called instead.
    """
    pragmas: tuple[str, ...] = given.pop("pragmas", ())
    rules: Rules = given.pop("rules", TOOL)
    clock: float = given.pop("clock", 10.0)
    before: str = given.pop("before", "")
    types: dict[str, str] = given
    parameters = ", ".join(f"{kind.partition('[')[0]} {name}{_shape(kind)}" for name, kind in types.items())
    text = f'#include "hls_math.h"\n{before}void kernel({parameters})\n{{\n{body}\n}}\n'
    path = folder / "kernel.cpp"
    path.write_text(text, encoding="utf-8")
    (program,) = load_programs(str(path), function="kernel")
    directives: Directives = read_directives({str(path): text}, program, pragmas)
    return scheduled(program, load_library("xc7z020", clock), directives, rules)


def nest_of(machine: Machine) -> Nest:
    """Return the only pipelined loop."""
    (nest,) = machine.nests
    return nest


def shape_of(machine: Machine) -> list[tuple[int, int]]:
    """Return II and depth of each pipelined loop in program order."""
    return [(nest.body.schedule.ii, nest.body.depth) for nest in machine.nests]


def _shape(kind: str) -> str:
    return "".join(f"[{part}" for part in kind.split("[")[1:])
