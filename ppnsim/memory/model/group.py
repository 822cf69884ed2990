"""A DRAM system as a part of a platform: whose memory it is, and where its parameters come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.memory.model.dram import Dram


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryGroup:
    """Memory of a node, or of each node of a group, with all its channels.

    Attributes
    ----------
    on : the node or the group; None = every node of the platform reaches it.
    dram : its channels.
    preset : the preset under what a file changes of it; "" for none.
    provenance : where parameters come from, by their key.
    """

    name: str
    on: str | None = None
    dram: Dram
    preset: str = field(default="", compare=False, repr=False)
    provenance: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def where(self) -> str:
        """How an error names it."""
        return f"memory '{self.name}'"
