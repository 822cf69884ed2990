"""A function of high-level synthesis without a dataflow region, as a network: one task, which is all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.policy import TIMED
from ppnsim.errors import InputError
from ppnsim.hls.known_ends import with_known_ends
from ppnsim.hls.numbers import with_numbers
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.reports.model import Head
from ppnsim.hls.reports.read import read_reports
from ppnsim.hls.unused import REMOVED, said_of_removed, without_unused
from ppnsim.loops.program import LoopProgram
from ppnsim.model.elements import Process
from ppnsim.model.network import Network
from ppnsim.source_networks.branch_cycles import read_for
from ppnsim.source_networks.chosen import only
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.of_callers import Callers
from ppnsim.source_networks.region import loops_of
from ppnsim.source_networks.remarks import remarks
from ppnsim.source_networks.scheduling import Scheduling
from ppnsim.source_networks.source import Source
from ppnsim.source_networks.target import Target


def whole_function(source: Source, pragmas: Sequence[str], target: Target) -> SourceNetwork:
    """Return the network of a function without a dataflow region: one task, with the cycles of its schedule.

    Its finish is what `ppnsim.schedule` says, start to done (R5.9).

    Raises
    ------
    InputError
        If the function has no schedule, or a memory is to be put behind its ports, which only a region's tasks have.
    """
    if target.memory is not None:
        words = "has no '#pragma HLS dataflow', so it is one task, whose buses have the latency of their interface"
        raise InputError(f"{words}: leave --memory {target.memory} away", where=source.path)
    project, said = target.project, None if target.reports is None else read_reports(target.reports)
    head = said.head if said is not None else Head()
    target, ran = target.beside(head, *([project.file] if project is not None else []), source.path)
    source = replace(source, defines=target.macros(source.defines))
    library = target.library(head)
    if said is not None:
        said.head.check_clock(library.clock_ns, str(target.reports))
    kernels = source.kernels(read_for(TIMED, target, head, pragmas, source.placed))
    program = with_known_ends(only(kernels.programs, kernels.tops))
    callers = Callers.of(kernels, target.flow, project.top if project is not None else "")
    beside = [frame for each in kernels.programs for frame in each.frames]
    told = list[str]()
    asked = Scheduling(target, library, pragmas, said, project, source, callers, beside=beside)
    machine, _ = asked.machine(program, "usual", told.append)
    if machine.cycles == 0:
        reason = "takes 0 cycles: what it does is logic in one state, or never runs; ppnsim schedule has its area"
        raise InputError(f"function '{program.name}' {reason}", where=source.path)
    kept = replace(kernels, assumed=_kept(kernels.assumed, program, machine.said))
    words = (
        f"function '{program.name}' has no '#pragma HLS dataflow': it is one task, with the cycles of its schedule, "
        "which ppnsim schedule explains; --ii, --latency or --timing make a network of its statements"
    )
    task = Process.scheduled(name=program.name, steps=machine.cycles)
    return SourceNetwork(
        network=Network(name=program.name, processes=[task], channels=[], clock_ns=library.clock_ns),
        file=source.path, function=program.name, made_of="tasks", whole=True, device=library.device.name,
        places={program.name: program.frames[0].position} if program.frames else {},
        loops={program.name: tuple(loops_of(program, machine.nests))},
        guessed=any(loop.assumed for loop in all_loops(program.body)),
        notes=(*source.notes, *ran, *remarks(kept), *told, *machine.said, words),
    )  # fmt: skip


def _kept(assumed: Sequence[str], program: LoopProgram, said: Sequence[str]) -> tuple[str, ...]:
    """Return what is assumed of a program, but not of its loops that the schedule removed, which it says."""
    if not any(each.startswith(REMOVED) for each in said):
        return tuple(assumed)
    gone = said_of_removed(assumed, program, without_unused(with_numbers(program)))
    return tuple(each for each in assumed if each not in gone)
