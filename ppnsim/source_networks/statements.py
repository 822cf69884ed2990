"""The network of a function's statements: a process for each, a channel for each flow between them."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.boards.default import CLOCK
from ppnsim.loops.dependences import folded
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network
from ppnsim.source_networks.chosen import only
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.remarks import remarks, remarks_on_constants, remarks_on_pragmas, remarks_on_statements
from ppnsim.source_networks.source import Source
from ppnsim.source_networks.target import Target
from ppnsim.units import clock_ns


def statement_network(source: Source, target: Target, statements: Callable[[LoopProgram], Network]) -> SourceNetwork:
    """Return the network of a function without a dataflow region."""
    kernels = source.network_kernels()
    program = only(kernels.programs, kernels.tops)
    network = statements(program)
    places = {each.owner: each.position for each in reversed(program.statements())}
    gone = sorted(name for name in folded(program) if name not in {process.name for process in network.processes})
    return SourceNetwork(
        network=network.replace(clock_ns=clock_ns(target.clock or CLOCK)), file=source.path, function=program.name,
        made_of="statements", places=places,
        notes=(
            *source.notes, *remarks_on_statements(target.project), *remarks_on_pragmas(program), *remarks(kernels),
            *remarks_on_constants(gone, places),
        ),
    )  # fmt: skip
