"""The pipeline steps of a process (T1.3): where its ports act, and how many firings fit in between.

A firing passes its steps in order: step 0 (start), RL = read + latency (end of execution), and wherever else a port
has been put. With one latency for all firings a step is a number of cycles after the start. With a latency per firing
(T1.5), inputs keep their distance from the start and outputs keep theirs from the firing's own RL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.model.schedule import Stops


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The steps of one process. Steps are numbered 0 .. count-1; step 0 is the start of the firing.

    Attributes
    ----------
    offsets : cycles after the start, int64, shape ``(count,)``, or ``(count, firings)`` for a latency per firing.
    write_step : number of the step RL.
    port : step number of each channel end, by ``("in", channel)`` and ``("out", channel)``.
    latencies : execute latency, int64, shape ``(1,)`` or ``(firings,)``.
    read, write : read and write latency of the process.
    capacity : firings between start and last step at most, C = max(1, ceil(L / ii)); None for ii = 0 (no limit).
    stops : of a scheduled process, which has one step, passed at each of its stops; else None.
    """

    offsets: Int64Array
    write_step: int
    port: Mapping[tuple[str, str], int]
    latencies: Int64Array
    read: int
    write: int
    capacity: int | None
    stops: Stops | None = None

    @property
    def count(self) -> int:
        """How many different steps there are."""
        return len(self.offsets)

    @property
    def varies(self) -> bool:
        """Whether the latency differs from firing to firing."""
        return self.offsets.ndim == 2

    @property
    def deepest(self) -> int:
        """L: the last step of the longest firing, in cycles after its start."""
        return int(self.offsets.max())

    @property
    def ending_steps(self) -> list[int]:
        """The steps after whose last one a firing ends ``write`` cycles later: RL and all outputs."""
        return sorted({self.write_step} | {step for (side, _), step in self.port.items() if side == "out"})

    def executes(self, firings: int) -> int:
        """Return the cycles in which the first ``firings`` execute, all added up."""
        return int(self.latencies[:firings].sum()) if self.varies else firings * int(self.latencies[0])

    def places(self, firings: int, ii: int) -> Int64Array:
        """Return the step of a frozen pipeline in which each firing passes each step, shape ``(count, firings)``."""
        if self.stops is not None:
            return self.stops.places[None]
        return self.offsets[:, None] + ii * np.arange(firings, dtype=np.int64)

    def offsets_of(self, step: int, firings: int) -> Int64Array:
        """Return the offset of ``step`` for every firing, shape ``(firings,)``."""
        return np.broadcast_to(self.offsets[step], (firings,))


def steps_of_schedule(stops: Stops, ports: Iterable[tuple[str, str]]) -> Steps:
    """Return the steps of a scheduled process: one, at which all its ports act."""
    zero, one = (read_only(np.array([value], dtype=np.int64)) for value in (0, 1))
    return Steps(
        offsets=zero, write_step=0, port=dict.fromkeys(ports, 0), latencies=one, read=0, write=1, capacity=None,
        stops=stops,
    )  # fmt: skip
