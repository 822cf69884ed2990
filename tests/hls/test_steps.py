"""When loops of every kind take tokens and put them, step for step, and how long their functions take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.errors import PpnsimError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.accesses import clocked
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.program import LoopProgram
from ppnsim.model.step_lists import StepList
from tests.golden.records import unlike

_FILES = Path(__file__).parents[1] / "golden" / "files"


def steps() -> str:
    """Return the steps of some functions."""
    with chdir(_FILES):
        return "".join(f"{line}\n" for each in load_programs("steps.cpp", policy=HARDWARE) for line in _told(each))


def _told(program: LoopProgram) -> Iterator[str]:
    program = without_structs(program)
    try:
        machine = schedule_kernel(program, load_library("xc7z020", 10), read_directives(sources_of(program), program))
        found = clocked(machine)
    except PpnsimError as refused:
        yield f"{program.name}: {refused}"
        return
    yield f"{program.name}: {machine.cycles} cycles, {found.cycles} until its end, starts {_listed(found.starts)}"
    for nest in machine.nests:
        figures = f"II {nest.body.schedule.ii}, depth {nest.body.depth}, {nest.iterations} times {nest.cycles}"
        yield f"  {nest.name}: {figures}"
    for side in sorted(found.times):
        yield f"  {' '.join(side)}: {_listed(found.times[side])}"


def _listed(entries: object) -> str:
    return " ".join(map(str, StepList(entries).expand().tolist()))  # type: ignore[arg-type]


def test_tokens_are_taken_and_put_as_recorded() -> None:
    assert unlike("steps") == []
