"""The network of a dataflow region, with its streams and its tasks placed in the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.declarations import stream_declarations
from ppnsim.hls.library.library import load_library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.region.network import region_network
from ppnsim.hls.rules import TOOL
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.streams import accesses_of, streams_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a dataflow region is scheduled for."""

    device: str
    clock_ns: float
    unsafe_math: bool = False


def region_of(
    program: LoopProgram, directives: Directives, target: Target, *, path: str, defines: Mapping[str, str],
    include: Sequence[str], notes: tuple[str, ...],
) -> SourceNetwork | None:  # fmt: skip
    """Return the network of the dataflow regions of a program; None if it has none.

    Raises
    ------
    InputError
        See `region_network`.
    """
    library = load_library(target.device, target.clock_ns)
    region = region_network(program, library, directives, replace(TOOL, balance=target.unsafe_math))
    if region is None:
        return None
    declarations = stream_declarations(path, defines=defines, include=include)
    fifos = {name: region.channels[name] for name in region.of_kind("fifo")}
    return SourceNetwork(
        network=region.network, file=path, function=program.name, made_of="tasks", device=target.device,
        streams=streams_of(program, fifos, declarations, sources_of(program)),
        places={name: task.position for name, task in region.tasks.items()},
        declared={name: channel.position for name, channel in region.channels.items()},
        accesses=accesses_of(program, region.channels),
        notes=(*notes, *(f"ignored: {each}" for each in directives.ignored)),
    )  # fmt: skip
