"""A finished run as a graph of moments: which passing could not come before which, and by how many cycles.

A moment is what passes together: a step of a firing of an elastic process (steps at one offset are one), a pipeline
step of a frozen one, a start or everything due in one beat of a flushable one. An edge is a rule (T2, T3, T5):
``cycle(target) >= cycle(source) + weight``. It is tight if that holds with equality; the tight ones say why.

Elastic and frozen processes are described by their edges completely. For a flushable process and a shared resource the
graph holds what follows from this run: a due access that was held moves the beats after it, a unit is free when its
holder gives it back. That explains a run exactly, but does not say what another run would do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ppnsim.analysis.firing_waits import Kind
from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventGraph:
    """Moments and the edges between them; all arrays are int64.

    Attributes
    ----------
    timeline : of the run.
    moment : per process, the moment in which firing n passes step k, shape ``(steps, firings)``.
    first : of each process, its first moment; the others follow.
    cycle : of each moment.
    source, target, weight : of each edge.
    kind, part : of each edge; the part is the number of a process, channel or resource, as the kind says.
    source_firing, target_firing : of each edge.
    source_step : of each edge inside a process.
    """

    timeline: Timeline
    moment: Mapping[str, Int64Array]
    first: Int64Array
    cycle: Int64Array
    source: Int64Array
    target: Int64Array
    weight: Int64Array
    kind: NDArray[np.int8]
    part: NDArray[np.int32]
    source_firing: Int64Array
    target_firing: Int64Array
    source_step: Int64Array

    def process_of(self, moment: int) -> str:
        """Return the process that a moment belongs to."""
        return self.timeline.network.processes[int(np.searchsorted(self.first, moment, side="right")) - 1].name

    @property
    def tight(self) -> NDArray[np.bool_]:
        """Which edges hold with equality."""
        equal: NDArray[np.bool_] = self.cycle[self.source] + self.weight == self.cycle[self.target]
        return equal


def names_of(network: Network, kind: Kind) -> tuple[str, ...]:
    """Return the names that the parts of edges of this kind number."""
    if kind == Kind.RESOURCE:
        return tuple(network.resources)
    return tuple(part.name for part in (network.channels if kind in (Kind.TOKEN, Kind.SLOT) else network.processes))
