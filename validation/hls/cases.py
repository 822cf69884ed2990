"""The synthesised kernels: data, our schedule of each, and the scores of a set of rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ppnsim.c.load import load_programs
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.loops.program import LoopProgram

DATA = Path(__file__).parent
KERNELS = Path(__file__).parent.parent.parent / "scenarios" / "kernels"


@dataclass(frozen=True, slots=True)
class Loop:
    """A pipelined loop of a case: ``line`` is that of the tool's source and only orders them."""

    line: int
    ii: int
    depth: int
    iterations: int


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel as the tool synthesised it: ``cycles`` of its RTL, ``report`` is the tool's own estimate of them."""

    name: str
    type: str
    sizes: Mapping[str, int]
    cycles: int
    report: int
    loops: tuple[Loop, ...]

    @property
    def kernel(self) -> str:
        """Name of the kernel, as in scenarios/kernels."""
        return self.name.split("/")[1].replace("-", "_")

    @property
    def medium(self) -> bool:
        """Whether it has the sizes of PolyBench's MEDIUM data set."""
        return "medium" in self.name


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases of the data file."""
    loaded: dict[str, Any] = json.loads((DATA / "vitis_polybench.json").read_text(encoding="utf-8"))
    return tuple(_case(each) for each in loaded["cases"])


def _case(entry: dict[str, Any]) -> Case:
    loops = [
        Loop(int(re.findall(r"_(\d+)_\d+", loop["name"])[-1]), loop["ii"], loop["depth"], loop["trip_total"])
        for loop in entry["loops"]
    ]
    loops.sort(key=lambda loop: loop.line)
    return Case(
        entry["id"], entry["type"], entry["sizes"], entry["cycles_rtl"], entry["csynth_latency"], tuple(loops)
    )  # fmt: skip


@cache
def further() -> tuple[tuple[Case, tuple[int, ...]], ...]:
    """Return the kernels whose depths are not known, each with the sorted IIs of its loops."""
    loaded: dict[str, Any] = json.loads((DATA / "hls_medium.json").read_text(encoding="utf-8"))
    return tuple(
        (
            Case(f"{e['family']}__medium/{e['kernel']}", e["type"], e["sizes"], e["cycles_rtl"], 0, ()),
            tuple(e["ii"]),
        )
        for e in loaded["cases"]
    )


@cache
def program(name: str) -> LoopProgram:
    """Return the loop program of a case: our kernel in its type and sizes."""
    every = (*cases(), *(case for case, _ in further()))
    case = next(each for each in every if each.name == name)
    source = str(KERNELS / f"{case.kernel}.c")
    defines = {"VALUE": case.type, "KERNEL": f'"{source}"'} | {key: str(size) for key, size in case.sizes.items()}
    return load_programs(str(DATA / "kernel.cpp"), function=f"kernel_{case.kernel}", defines=defines)[0]


@cache
def library() -> Library:
    """Return the operators of all cases."""
    return load_library("xc7z020", 10.0)


def schedule(
    case: Case, rules: Rules = TOOL, operators: Library | None = None
) -> tuple[StateMachine, tuple[Loop, ...]]:
    """Return our schedule of a case, and its loops in the order of the source."""
    machine = schedule_kernel(program(case.name), operators or library(), None, rules)
    loops = [
        Loop(nest.body.pipeline.loops[-1].position.line, nest.body.schedule.ii, nest.body.depth, nest.iterations)
        for nest in machine.nests
    ]
    return machine, tuple(sorted(loops, key=lambda loop: loop.line))


@dataclass(frozen=True, slots=True)
class Score:
    """How well a set of rules does: loops with the right II and depth, kernels within 2 and 10 per cent."""

    loops: int = 0
    ii: int = 0
    depth: int = 0
    near: int = 0
    kernels: int = 0
    within_2: int = 0
    within_10: int = 0


def score(rules: Rules = TOOL, operators: Library | None = None) -> Score:
    """Return the score of a set of rules over all cases; a loop that is not there counts as wrong."""
    total = Score()
    for case in cases():
        machine, ours = schedule(case, rules, operators)
        pairs = list(zip(case.loops, ours, strict=True)) if len(ours) == len(case.loops) else []
        error = abs(machine.cycles / case.cycles - 1)
        total = Score(
            total.loops + len(case.loops), total.ii + sum(a.ii == b.ii for a, b in pairs),
            total.depth + sum(a.depth == b.depth for a, b in pairs),
            total.near + sum(abs(a.depth - b.depth) <= 1 for a, b in pairs),
            total.kernels + 1, total.within_2 + (error <= 0.02), total.within_10 + (error <= 0.1),
        )  # fmt: skip
    return total


def variants() -> dict[str, tuple[Rules, Library | None]]:
    """Return the rules without each one of them."""
    device = library().device
    device = replace(device, timing=replace(device.timing, uncertainty=0.0))
    found: dict[str, tuple[Rules, Library | None]] = {"all rules": (TOOL, None)}
    found["no chaining (R3.1)"] = replace(TOOL, chaining=False), None
    found["all of the clock for logic (R2)"] = TOOL, replace(library(), device=device)
    found["no adders with three inputs (R2)"] = replace(TOOL, ternary=False), None
    found["no reuse registers (R4.3)"] = replace(TOOL, reuse=False), None
    found["no dependences through memory (R4)"] = replace(TOOL, memory=False), None
    found["every correct proof counts (R4.5)"] = replace(TOOL, exact=True), None
    found["any number of ports (R3.2)"] = replace(TOOL, default_ports=float("inf")), None
    found["one port (R3.2)"] = replace(TOOL, default_ports=1), None
    found["no shared operators (R2.3)"] = replace(TOOL, sharing=False), None
    found["addresses take one adder (R2.4)"] = replace(TOOL, addresses=False), None
    found["no unrolling (R1.3)"] = replace(TOOL, unroll=False), None
    found["no flattening (R1.4)"] = replace(TOOL, flatten=False), None
    found["stores stay in the loop (R1.2)"] = replace(TOOL, sink=False), None
    return found
