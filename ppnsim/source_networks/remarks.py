"""What is said of a source beside its network: what is left out, assumed, not there, or without an effect."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ppnsim.c.load import Kernels
from ppnsim.hls.library.uncertainty import VIVADO
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.project.model import Project
from ppnsim.loops.program import LoopProgram

_OF_HARDWARE = re.compile(
    r"^\s*#\s*pragma\s+HLS\s+(pipeline|unroll|latency|dependence|array_\w+|allocation|loop_\w+)\b",
    re.IGNORECASE | re.MULTILINE,
)


def remarks_on(project: Project) -> Iterator[str]:
    """Yield which solution of a project is read, what in it has no effect, and which files are not there."""
    if len(project.solutions) > 1:
        yield f"{project.file}: solution '{project.solution}' of {', '.join(project.solutions)}"
    if project.by_vivado and not project.pipeline_loops:
        yield f"{project.file}: Vivado HLS wrote it, which pipelines loops by directives only (rule R1.6)"
    yield from project.said
    yield from (f"no effect: {each}" for each in project.unknown)
    for each in project.missing:
        needed = "; only '--testbench project' needs it" if each.testbench else ""
        yield f"warning: {each.where}: {each.words}{needed}"


def remarks_on_statements(project: Project | None) -> Iterator[str]:
    """Yield which settings of a project say nothing of a network of statements."""
    if project is None:
        return
    said = {
        "part": project.part, "directives": project.directives, "unsafe math": project.unsafe_math,
        "clock uncertainty": project.clock_uncertainty not in (None, VIVADO),
    }  # fmt: skip
    if given := [name for name, value in said.items() if value]:
        words = "the top function has no dataflow region, and its network of statements no schedule"
        yield f"no effect: {project.file}: {', '.join(given)} ({words})"


def remarks_on_pragmas(program: LoopProgram) -> Iterator[str]:
    """Yield that pragmas of loops and memories say nothing of a network of statements, if there are some."""
    if any(_OF_HARDWARE.search(text) for text in sources_of(program).values()):
        yield (
            "no effect: '#pragma HLS' of loops and arrays: the cycles of statements are those of --ii and --latency; "
            "ppnsim schedule follows the pragmas"
        )


def remarks(kernels: Kernels) -> tuple[str, ...]:
    """Return what was left out of a source and what is assumed of it, a sentence each."""
    return (*(f"skipped {each.function}: {each.reason}" for each in kernels.skipped), *kernels.assumed)
