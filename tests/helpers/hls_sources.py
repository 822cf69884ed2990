"""Helpers of the tests of loop scheduling: kernels from lines of C or ``sources/hls``, and their schedules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.model import ScheduledNest, StateMachine
from ppnsim.library.schedule import KernelSchedules, schedule

# A call of a library or a name of one: the headers take clang twenty times as long as a kernel of plain C.
_NEEDS_HEADERS = re.compile(
    r"\b(?!(?:for|if|while|switch|sizeof|kernel|return)\b)[A-Za-z_]\w* *\((?!\*)"
    r"|ap_|hls|half|std::|\w_t\b|\b[A-Z][A-Z_]{2,}\b"
)


def machine_of(folder: Path, body: str, **given: Any) -> StateMachine:
    """Return the schedule of ``body``; what is given becomes a parameter, ``A="double[40][40]"`` an array.

    ``pragmas``, ``rules``, ``clock`` (ns), ``device`` and ``before`` (C before the kernel) are not parameters.
    """
    pragmas: tuple[str, ...] = given.pop("pragmas", ())
    rules: Rules = given.pop("rules", TOOL)
    clock: float = given.pop("clock", 10.0)
    before: str = given.pop("before", "")
    device: str = given.pop("device", "xc7z020")
    types: dict[str, str] = given
    parameters = ", ".join(f"{kind.partition('[')[0]} {name}{_shape(kind)}" for name, kind in types.items())
    code = f"{before}void kernel({parameters})\n{{\n{body}\n}}\n"
    path = written(folder, ('#include "hls_math.h"\n' if _NEEDS_HEADERS.search(code) else "\n") + code)
    (program,) = load_programs(str(path), function="kernel", policy=HARDWARE)
    directives: Directives = read_directives(sources_of(program), program, pragmas)
    return schedule_kernel(program, load_library(device, clock), directives, rules)


def schedule_of(path: Path, function: str | None = None, *, rules: Rules = TOOL, **settings: int) -> StateMachine:
    """Return the schedule of a source as ``ppnsim schedule`` reads it; of the kernel ``function`` if there are more.

    ``settings`` are the values of its parameters.
    """
    found = load_programs(str(path), function=function, settings=settings, policy=HARDWARE)
    (program,) = [each for each in found if function in (None, each.name)]
    directives = read_directives(sources_of(program), program)
    return schedule_kernel(program, load_library("xc7z020", 10), directives, rules)


def written(folder: Path, text: str, name: str = "kernel.cpp") -> Path:
    """Return a file with a text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def loops_of(machine: StateMachine) -> list[tuple[str, int, str, int]]:
    """Return name, II, what bounds it, and depth of each pipelined loop in program order."""
    return [
        (nest.name, nest.body.schedule.ii, nest.body.schedule.bound,
         nest.body.depth)
        for nest in machine.nests
    ]  # fmt: skip


def nest_of(machine: StateMachine) -> ScheduledNest:
    """Return the only pipelined loop."""
    (nest,) = machine.nests
    return nest


def shape_of(machine: StateMachine) -> list[tuple[int, int]]:
    """Return II and depth of each pipelined loop in program order."""
    return [(nest.body.schedule.ii, nest.body.depth) for nest in machine.nests]


def _shape(kind: str) -> str:
    return "".join(f"[{part}" for part in kind.split("[")[1:])


def scheduled(folder: Path, text: str, name: str = "k.cpp", function: str = "f") -> KernelSchedules:
    """Return the answer of the library about a function of a source."""
    return schedule(written(folder, text, name), function=function)


def iterations(found: KernelSchedules) -> list[int]:
    """Return how often each pipelined loop runs."""
    return [loop["iterations"] for loop in found.to_dict()["loops"]]
