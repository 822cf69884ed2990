"""The depths that the settings of a project give to streams (``config_dataflow``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ppnsim.c.declarations import StreamDeclarations
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.names import variable_of
from ppnsim.hls.project.model import Project
from ppnsim.hls.schedule.model import RegionChannel
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks.model import SourceStream
from ppnsim.source_networks.streams import streams_of

_DEFAULT = 2


def with_project_depths(
    program: LoopProgram, directives: Directives, project: Project, declarations: StreamDeclarations,
    sources: Mapping[str, str],
) -> tuple[Directives, tuple[str, ...]]:  # fmt: skip
    """Return directives that say the depths of `project_depths`, too, as if they stood in the source.

    ``config_dataflow -default_channel fifo`` makes FIFOs of arrays between tasks that no directive speaks of (R7.5).
    """
    statements = program.statements()
    passed = {each.array for one in statements for each in one.writes} & {
        each.array for one in statements for each in one.reads
    }
    depths = {array.name: directives.depths.get(array.name, array.stream) for array in program.arrays if array.stream}
    depths |= {name: depth for name, (depth, _) in directives.streamed.items()}
    fifos = {
        array.name: RegionChannel("fifo", array.name, variable_of(array, program.frames), array.position)
        for array in program.arrays if array.name in depths and array.name in passed
    }  # fmt: skip
    streams = streams_of(program, fifos, declarations, sources)
    directed = directives.depths.keys() | directives.streamed.keys()
    given, said = project_depths(depths, streams, project, directed, sources)
    streamed = {name: (given.get(name, depth), where) for name, (depth, where) in directives.streamed.items()}
    channels = (project.fifo_channels, project.override_depth or project.fifo_depth) if project.fifo_channels else None
    return replace(directives, depths={**directives.depths, **given}, streamed=streamed, fifo_channels=channels), said


def project_depths(
    known: Mapping[str, int], streams: Sequence[SourceStream], project: Project, directed: AbstractSet[str],
    sources: Mapping[str, str],
) -> tuple[dict[str, int], tuple[str, ...]]:  # fmt: skip
    """Return the depths that a project's settings give to FIFOs, and a sentence that says so if there are any.

    ``fifo_depth`` is for streams without a depth in their type and without a directive, ``override_depth`` for all.

    Parameters
    ----------
    known : the depth of each FIFO without the settings; an array of FIFOs is one.
    directed : the FIFOs whose depth a directive gives.
    sources : the text of each file.
    """
    depths: dict[str, int] = {}
    for stream in streams:
        of_its_own = bool(stream.pragmas) or not directed.isdisjoint(stream.channels) or _has_depth(stream, sources)
        for name in stream.channels:
            if project.override_depth:
                depths[name] = project.override_depth
            elif project.fifo_depth and not of_its_own and known[name] == _DEFAULT:
                depths[name] = project.fifo_depth
    if not depths:
        return {}, ()
    option = "override_user_fifo_depth" if project.override_depth else "fifo_depth"
    depth = next(iter(depths.values()))
    return depths, (f"{project.file}: config_dataflow -{option} gives {', '.join(depths)} a depth of {depth}",)


def _has_depth(stream: SourceStream, sources: Mapping[str, str]) -> bool:
    """Return whether the type of a declaration says a depth: ``hls::stream<int, 4>``."""
    if stream.declared is None or (text := sources.get(stream.declared.position.file)) is None:
        return False
    first, end = stream.declared.extent
    declared = text.encode()[first:end].decode(errors="replace").partition("stream<")[2]
    nested = 1
    for letter in declared:
        nested += {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
        if not nested:
            return False
        if letter == "," and nested == 1:
            return True
    return False
