"""What the schedules of all parts of a kernel share: its arrays, the device, the rules, the directives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.known import Known
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.loops.program import Array


@dataclass(frozen=True, slots=True)
class KernelContext:
    """What all parts of a kernel share.

    Attributes
    ----------
    written : arrays that the kernel stores to anywhere.
    storage : of the arrays that are not in block RAM.
    bound : operator and states that directives ask for the results that go to an array.
    limits : units of an operator that directives allow.
    known : what other schedules of the same program have found.
    """

    library: Library
    arrays: Mapping[str, Array]
    partitions: Mapping[str, Partition]
    written: frozenset[str]
    rules: Rules
    storage: Mapping[str, Storage] = field(default_factory=dict)
    bound: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    known: Known = field(default_factory=Known)

    def kept(self, kind: str) -> frozenset[str]:
        """Return the arrays that are kept as ``registers``, ``fifo``, ``bus``."""
        return frozenset(name for name, kept in self.storage.items() if kept.kind == kind)
