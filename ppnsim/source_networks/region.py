"""The network of a dataflow region, with its streams and its tasks placed in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ppnsim.c.declarations import stream_declarations
from ppnsim.errors import InputError, located
from ppnsim.hls.advice import advice
from ppnsim.hls.kernel import control_cycles
from ppnsim.hls.library.library import Library
from ppnsim.hls.loop_names import labels_of, loop_names
from ppnsim.hls.pragmas.directives import Directives, LoopTiming, Scope, all_loops, direct_loops, scope_of
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.data_ended_loops import overtaken, with_brought_trips
from ppnsim.hls.region.network import region_network
from ppnsim.hls.reports import read as folders
from ppnsim.hls.reports.match import Matched, matched
from ppnsim.hls.reports.model import Head
from ppnsim.hls.schedule.buses import BusPort
from ppnsim.hls.schedule.machine import of_release
from ppnsim.hls.schedule.model import RegionNetwork, ScheduledNest
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.unmet_directives import unmet
from ppnsim.loops.program import LoopProgram, Node, Position
from ppnsim.memory.model import presets
from ppnsim.model.network import Network
from ppnsim.placed.run import behind_ports
from ppnsim.source_networks.fixed_modes import said_of_modes
from ppnsim.source_networks.model import SourceLoop, SourceNetwork
from ppnsim.source_networks.ports import port_notes
from ppnsim.source_networks.settings import with_project_depths
from ppnsim.source_networks.streams import accesses_of, grouped, streams_of
from ppnsim.source_networks.target import Target

if TYPE_CHECKING:
    from ppnsim.memory.model.dram import Dram


def region_of(
    program: LoopProgram, directives: Directives, target: Target, *, path: str, defines: Mapping[str, str],
    include: Sequence[str], linked: Sequence[str], notes: tuple[str, ...],
) -> SourceNetwork | None:  # fmt: skip
    """Return the network of the dataflow regions of a program; None if it has none.

    Raises
    ------
    InputError
        See `region_network`, and `matched` if there are reports.
    """
    sources = sources_of(program)
    directives, said = target.buses.directed(directives), None
    if target.reports is not None:
        said = matched(folders.read_reports(target.reports), program, sources, directives)
        directives = said.directives
    library = target.library(said.reports.head if said is not None else Head())
    with located("--memory"):
        dram = presets.preset(target.memory).dram if target.memory is not None else None
    declarations = stream_declarations(path, defines=defines, include=include, linked=linked)
    if target.project is not None:
        directives, more = with_project_depths(program, directives, target.project, declarations, sources)
        notes = (*notes, *more)
    fitting, brought = with_brought_trips(without_structs(program), directives)
    region = region_network(
        fitting, library, directives, target.rules, piece=dram.request_bytes if dram else 0, outside=target.outside
    )  # fmt: skip
    if region is None:
        return None
    fifos = {name: region.channels[name] for name in region.of_kind("fifo")}
    streams = streams_of(program, fifos, declarations, sources)
    network, stuck = (region.network, False) if dram is None else _behind(region, dram, path)
    return SourceNetwork(
        network=grouped(network, streams), file=path, function=program.name, made_of="tasks",
        device=library.device.name, streams=streams,
        places={name: task.position for name, task in region.tasks.items()} | _port_places(region.buses.ports),
        loops={name: tuple(loops_of(program, task.machine.nests)) for name, task in region.tasks.items()},
        declared={name: channel.position for name, channel in region.channels.items()},
        accesses=accesses_of(fitting, region.channels),
        ports=region.buses.ports, memory=target.memory or "",
        late=region.late, control=control_cycles(directives, of_release(target.rules, library)),
        rams=of_release(target.rules, library).recent or bool(directives.timings),
        holds_for=_iterations_assumed(fitting, brought), guessed=any(loop.assumed for loop in all_loops(program.body)),
        endless=any(task.endless for task in region.tasks.values()),
        notes=(
            *_kept(notes, fitting), *_annotated(fitting, (*notes, *brought)), *_assumed(library, directives),
            *_unmet(program, region, directives), *region.said, *brought, *said_of_modes(program, sources),
            *(() if target.outside else region.runs_once()),
            *port_notes(region.buses, target.memory or "", stuck=stuck),
            *(_reported(said, program) if said is not None else ()),
        ),
    )  # fmt: skip


def _kept(notes: Sequence[str], fitting: LoopProgram) -> Iterator[str]:
    """Yield the sentences that what tasks bring to others does not refute."""
    refuted = overtaken(notes, fitting)
    return (each for each in notes if each not in refuted)


def _annotated(fitting: LoopProgram, notes: Sequence[str]) -> Iterator[str]:
    """Yield how often loops that data ends run, where no other sentence says it: an annotation in them does."""
    lines = {loop.position.line: loop for loop in all_loops(fitting.body) if loop.assumed}
    for line, loop in lines.items():
        trips = constant_trips(replace(loop, assumed=False))
        if not any(re.search(rf"\bline {line}\b", each) for each in notes):
            often = "as often" if trips is None else f"{trips} times,"
            yield f"the loop in line {line} runs {often} as is annotated in it: what ends it is data or a parameter"


def _iterations_assumed(fitting: LoopProgram, brought: Sequence[str]) -> str:
    """Return which loops data or parameters end, in words; not those that take what another task surely brings."""
    ended = {loop.position.line for loop in all_loops(fitting.body) if loop.assumed and not loop.endless}
    lines = sorted(line for line in ended if not any(f"(line {line}) runs" in each for each in brought))
    if not lines:
        return ""
    where = f"loop in line {lines[0]}" if len(lines) == 1 else f"loops in lines {', '.join(map(str, lines))}"
    return f"the assumed or annotated iterations of the {where}"


def loops_of(program: LoopProgram, nests: Sequence[ScheduledNest]) -> Iterator[SourceLoop]:
    """Yield the loops of a task with what sets their intervals; whether unrolling them helps is not known here."""
    for name, nest in zip(loop_names(program, nests), nests, strict=True):
        words = advice(nest) if nest.body.schedule.ii > 1 else "one iteration each cycle"
        entered = f", entered {nest.visits} times: it is not flattened with those around it" if nest.visits > 1 else ""
        yield SourceLoop(name, nest.line, nest.cycles, f"{words}{entered}")


def _behind(region: RegionNetwork, dram: Dram, path: str) -> tuple[Network, bool]:
    """Return the network with a DRAM behind its ports, and whether its depths deadlock."""
    for name, reason in region.buses.without.items():
        raise InputError(f"no memory can be put behind '{name}': {reason}", where=path)
    if not region.buses.ports:
        words = "no task accesses an argument with '#pragma HLS interface m_axi', so there is nothing behind --memory"
        raise InputError(words, where=path)
    return behind_ports.with_memory(region.network, region.buses.ports, dram)


def _port_places(ports: Sequence[BusPort]) -> dict[str, Position]:
    return {process.name: port.place for port in ports for process in (port.memory, port.bus)}


def _assumed(library: Library, directives: Directives) -> Iterator[str]:
    """Yield what is assumed of the device, and the directives without an effect."""
    if library.device.assumed:
        yield library.device.assumed
    if library.said:
        yield library.said
    for each in directives.ignored:
        yield f"ignored: {each}"


def _unmet(program: LoopProgram, region: RegionNetwork, directives: Directives) -> Iterator[str]:
    """Yield the directives that the schedules of the tasks do not meet."""
    nests = [nest for task in region.tasks.values() for nest in task.machine.nests]
    for each in (*directives.idle_streams(network=True), *unmet(program, nests, None, directives)):
        yield f"ignored: {each}"


def _reported(said: Matched, program: LoopProgram) -> Iterator[str]:
    """Yield which loops have the timing of the reports, and which that of the schedule."""
    yield from said.assumed
    yield from (f"no loop of the source is {each}" for each in said.unused)
    timed = {scope: timing for timings in said.directives.timings.values() for timing in timings
             for scope in timing.loops}  # fmt: skip
    yield from _origins(program.body, timed, labels_of(program))


def _origins(
    body: Sequence[Node], timed: Mapping[Scope, LoopTiming], known: Mapping[tuple[str, int], str]
) -> Iterator[str]:
    """Yield where the timing of each loop comes from; loops in a reported pipeline are unrolled."""
    for loop in direct_loops(body):
        timing = timed.get(scope_of(loop))
        origin = f"as reported ({timing.where})" if timing is not None else "scheduled, not in the reports"
        line = loop.position.line
        yield f"loop {known.get((loop.iterator, line), loop.iterator)} (line {line}): {origin}"
        inner = direct_loops(loop.body)
        if timing is None or any(scope_of(each) in timed for each in inner):
            yield from _origins(loop.body, timed, known)
