"""One design of a kernel: the directives on its loops and arrays, and the resulting cycles and area."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppnsim.hls.dse.loops import Levels
from ppnsim.hls.structure.partitions import Partition

KINDS = ("lut", "ff", "dsp", "bram")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A design: ``levels`` of loops and ``partitions`` of arrays, and the result.

    ``area`` is by resource, as a share of the device; ``loops`` are the cycles of each loop, with all that is in it.
    """

    levels: Levels
    partitions: Mapping[str, Partition]
    cycles: int
    loops: Levels
    area: Mapping[str, float]

    @property
    def share(self) -> float:
        """The largest share of a resource."""
        return max(self.area.values())

    @property
    def fits(self) -> bool:
        """Whether the device has all resources that the design needs."""
        return self.share <= 1
