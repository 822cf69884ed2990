"""What a run of traffic on a memory returns, and what follows from its clocks (M7.4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Requests, Traffic

_SKIPPED = Fraction(1, 5)  # of the completions, at the start


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRun:
    """A run: for each request when the memory took it (an open loop: made it) and when it was completed, in clocks.

    Requests that were still under way at the end have -1.
    """

    dram: Dram
    traffic: Traffic
    requests: Requests
    taken: Int64Array
    done: Int64Array

    @property
    def _window(self) -> Int64Array:
        """Completed requests in order of completion, without the first fifth."""
        completed = np.flatnonzero(self.done >= 0)
        order = completed[np.argsort(self.done[completed], kind="stable")][: self.traffic.requests]
        return order[int(len(order) * _SKIPPED) - 1 :]

    @property
    def bandwidth_gbps(self) -> float:
        """Bandwidth over the last 80 % of completions in GB/s; of a narrow port only the bytes that it wanted count."""
        order = self._window
        clocks = int(self.done[order[-1]] - self.done[order[0]])
        port = self.traffic.port
        size = port.useful_bytes(self.dram) if port else self.dram.request_bytes
        return float(size * (len(order) - 1) / (clocks * self.dram.clock_ns)) if clocks else 0.0

    @property
    def latencies(self) -> Int64Array:
        """Clocks from the acceptance (an open loop: the arrival) to the completion, of the last 80 %."""
        order = self._window[1:]
        return self.done[order] - self.taken[order]

    @property
    def latency_ns(self) -> float:
        """Mean latency in ns."""
        return float(self.latencies.mean() * float(self.dram.clock_ns))

    @property
    def clocks(self) -> int:
        """Clock of the last completion."""
        return int(self.done.max())


def drawn(dram: Dram, traffic: Traffic) -> tuple[Requests, Int64Array]:
    """Return as many requests as a run can need, and when they arrive in an open loop (M7.2)."""
    if traffic.pattern == "chain":
        # Whole bursts: those under way, and what the completed ones need.
        count = (traffic.outstanding + -(-traffic.requests // traffic.burst) + 1) * traffic.burst
    else:
        held = dram.channels * (2 * dram.transaction_queue + dram.total_banks * dram.bank_queue)
        count = traffic.requests + (held if traffic.mode == "open" else traffic.outstanding)
    if traffic.mode == "closed":
        return traffic.draw(dram, count), np.zeros(0, dtype=np.int64)
    rate = traffic.rate.limit_denominator(10**9)
    arrival = np.arange(count, dtype=np.int64) * rate.denominator // rate.numerator + 1
    return traffic.draw(dram, count), arrival
