"""Small kernels of each kind of dependence: what they are estimated to take, and their networks, figure for figure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from typing import Any

from ppnsim.analysis import throughput
from ppnsim.c.load import load_programs
from ppnsim.derive.derive import derive
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from ppnsim.errors import PpnsimError
from ppnsim.formats.network_json import dump_network
from ppnsim.loops.program import LoopProgram
from tests.golden.records import unlike

_FILES = Path(__file__).parents[1] / "golden" / "files"
_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"latency": 0, "ii": 0},
    {"latency": 4, "ii": 3},
    {"latency": 2, "io": True},
    {"latency": 3, "hazards": True},
    {"ii": 2, "hazards": True, "io": True},
    {"latency": {"f": [1, 5, 0, 2, 3, 1], "g": 2, "*": 3}},
)


def kernels() -> str:
    """Return the estimates and the networks of some kernels."""
    with chdir(_FILES):
        found = load_programs("kernels.c")
        return "".join(f"{line}\n" for program in found for line in _told(program))


def _told(program: LoopProgram) -> Iterator[str]:
    yield program.name
    for options in _OPTIONS:
        yield f"  {options}"
        try:
            yield from _estimated(estimate_program(program, **options))
        except PpnsimError as refused:
            yield f"    refused: {refused}"
    for options in ({"latency": 2}, {"io": True, "hazards": True}):
        try:
            network = derive(program, **options)
        except PpnsimError as refused:
            yield f"  no network: {refused}"
            continue
        absolute, unbounded = throughput.absolute(network), throughput.unbounded(network)
        yield f"  network {options}: {absolute.finish} and {unbounded.finish} cycles"
        written = dump_network(network)
        yield from (f"    {_short(json.dumps(each))}" for each in (*written["processes"], *written["channels"]))


def _estimated(found: ProgramEstimate) -> Iterator[str]:
    for word, each in (("absolute", found.absolute), ("unbounded", found.unbounded)):
        yield f"    {word} {each.finish} {each.average:.6g} {each.maximum}{each.reason}, folded {found.folded}"
    for one in found.statements:
        cycles = f"{one.ii} {one.latency} {one.latencies}, {one.first_execute} to {one.last_execute}"
        loops = ", ".join(
            f"{each.iterator} {each.first}..{each.last} by {each.step}: {each.entries} {each.iterations} {each.fewest} "
            f"{each.most}{' assumed' if each.assumed else ''}"
            for each in one.loops
        )
        yield f"    {one.position.line} {one.kind} {one.name} of {one.process}: {one.executions} {cycles}; {loops}"
    yield from (f"    {each}" for each in found.calls)


def _short(line: str) -> str:
    return line if len(line) < 200 else f"{line[:150]} ... {sha256(line.encode()).hexdigest()[:12]}"


def test_kernels_are_estimated_and_derived_as_recorded() -> None:
    assert unlike("kernels") == []
