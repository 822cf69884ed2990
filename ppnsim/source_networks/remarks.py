"""What is said of a source beside its network: what is left out, assumed, not there, or without an effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ppnsim.c.load import Kernels
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.hls.library.uncertainty import VIVADO
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.project.model import Project
from ppnsim.loops.position import Position
from ppnsim.loops.program import LoopProgram

NO_EFFECT = "no effect: "
"""How the sentence about a setting that has none begins."""


def remarks_on(project: Project) -> Iterator[str]:
    """Yield which solution of a project is read, what in it has no effect, and which files are not there."""
    if len(project.solutions) > 1:
        yield f"{project.file}: solution '{project.solution}' of {', '.join(project.solutions)}"
    if project.by_vivado and not project.pipeline_loops:
        yield f"{project.file}: Vivado HLS wrote it, which pipelines loops by directives only (rule R1.6)"
    yield from project.said
    yield from (f"{NO_EFFECT}{each}" for each in project.unknown)
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
    """Yield which pragmas of high-level synthesis there are: they say nothing of a network of statements."""
    for file, text in sources_of(program).items():
        found = (each.position.line for each in hls_pragmas(file, text) if each.name not in ("inline", "top"))
        if lines := dict.fromkeys(found):
            yield (
                f"no effect: '#pragma HLS' in {file}, line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}: the "
                "cycles of statements are those of --ii and --latency; ppnsim schedule follows the pragmas"
            )


def idle_pragmas(programs: Iterable[LoopProgram]) -> tuple[str, ...]:
    """Return what `remarks_on_pragmas` says of some programs, each sentence once."""
    return tuple(dict.fromkeys(words for program in programs for words in remarks_on_pragmas(program)))


def remarks_on_constants(names: Sequence[str], places: Mapping[str, Position]) -> Iterator[str]:
    """Yield which statements become no process because they only store a constant, and what makes them one."""
    if names:
        shown = ", ".join(f"{name} (line {places[name].line})" for name in names)
        yield (
            f"no process for {shown}: a constant in local memory is there at cycle 0; '#pragma ppnsim latency(1)' "
            "before the statement makes it a process"
        )


def remarks(kernels: Kernels) -> tuple[str, ...]:
    """Return what was left out of a source and what is assumed of it, a sentence each."""
    return (*(f"skipped {each.function}: {each.reason}" for each in kernels.skipped), *kernels.assumed)
