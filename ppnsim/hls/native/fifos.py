"""Streams between tasks in simulated time: the tokens and slots that are available in a cycle."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.hls.native.model import ExecutedStream
from ppnsim.hls.native.places import AccessKind


class TimedFifo:
    """A simulated stream; a token can be read, or a slot reused, in the cycle after the access that provides it."""

    def __init__(self, record: ExecutedStream) -> None:
        self.record = record

    def tokens(self, cycle: int) -> int:
        """Return how many tokens can be read in a cycle."""
        return self.record.initial + _before(self.record.writes, cycle) - len(self.record.reads)

    def slots(self, cycle: int) -> int | None:
        """Return how many tokens can be written in a cycle, None for any number."""
        record = self.record
        if record.depth is None:
            return None
        return record.depth - record.initial - len(record.writes) + _before(record.reads, cycle)

    def allows(self, reads: int, writes: int, cycle: int) -> bool:
        """Return whether these numbers of tokens can be read and written in a cycle."""
        slots = self.slots(cycle) if writes else None
        return (not reads or self.tokens(cycle) >= reads) and (slots is None or slots >= writes)

    def move(self, reads: int, writes: int, cycle: int) -> None:
        """Read and write tokens in a cycle; accesses of earlier cycles have been made before."""
        self.record.reads += [cycle] * reads
        self.record.writes += [cycle] * writes

    def answer(self, kind: AccessKind, cycle: int) -> int:
        """Return the answer to a non-blocking access in a cycle."""
        slots = self.slots(cycle)
        match kind:
            case "read_nb":
                return int(self.tokens(cycle) > 0)
            case "empty":
                return int(self.tokens(cycle) <= 0)
            case "size":
                return max(0, self.tokens(cycle))
            case "write_nb":
                return int(slots is None or slots > 0)
            case _:
                return int(slots is not None and slots <= 0)


def _before(cycles: Sequence[int], cycle: int) -> int:
    """Return how many of some ascending cycles are before a cycle; only the last ones can be later."""
    count = len(cycles)
    while count and cycles[count - 1] >= cycle:
        count -= 1
    return count
