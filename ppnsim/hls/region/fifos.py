"""How the FIFOs of regions were used in a run: tokens held, cycles full and empty, and who waited for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.hls.schedule.model import RegionNetwork
from ppnsim.model.metrics import occupancy
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of


@dataclass(frozen=True, slots=True)
class FifoUse:
    """A FIFO in a run of the network.

    Attributes
    ----------
    held : the most tokens at a time.
    full, empty : cycles of the run in which it held as many tokens as it can, or none.
    writer_waited, reader_waited : cycles in which its writer stood still for room, its reader for a token.
    """

    name: str
    source: str
    target: str
    depth: int
    held: int
    full: int
    empty: int
    writer_waited: int
    reader_waited: int


def fifo_uses(region: RegionNetwork, outcome: Run) -> list[FifoUse]:
    """Return the use of each FIFO, in the order of the network."""
    summary, timeline = summary_of(outcome), outcome.timeline
    end = timeline.stopped
    found = []
    for name in region.of_kind("fifo"):
        channel = region.network.channel(name)
        cycles, held = occupancy(timeline, name)
        lengths = np.diff(np.append(np.minimum(cycles, end), end))
        depth = channel.depth or 0
        found.append(
            FifoUse(
                name, channel.source, channel.target, depth, summary.occupancy[name],
                int(lengths[held >= depth].sum()), int(lengths[held == 0].sum()),
                summary.processes[channel.source].cycles.blocked.get(name, 0),
                summary.processes[channel.target].cycles.starved.get(name, 0),
            )
        )  # fmt: skip
    return found
