"""What a rank did, told interval by interval while it runs; idle time is told apart by what it waited for."""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.messages.run.record import Interval


class RankRecord:
    """The intervals of one rank, as `Interval` defines them."""

    __slots__ = ("_busy", "_cpu", "_in", "_latency", "_out")

    def __init__(self, latency: int) -> None:
        self._latency = latency
        self._busy = 0  # the processor's time is told up to here
        self._cpu: list[tuple[str, int, int]] = []
        self._out: list[tuple[str, int, int]] = []
        self._in: list[tuple[str, int, int]] = []

    def compute(self, now: int, ready: int, free: int, until: int) -> None:
        """Record a computation from ``now`` on, ready before, on a processor that is free from ``free`` on."""
        self._idle(now, max(ready, free))
        self._tell("compute", until)

    def send(self, now: int, ready: int, free: int, until: int, port: int) -> None:
        """Record a send that occupies the processor and the port until these times."""
        self._idle(now, max(ready, free))
        self._tell("send", until)
        self._out.append(("port out", now, port))

    def receive(self, now: int, arrived: int, free: int, overhead: int, until: int, port: int) -> None:
        """Record the acceptance of a message: its overhead, then its bytes."""
        self._tell("wait", min(now, arrived - self._latency))
        self._tell("latency", min(now, arrived))
        self._idle(now, max(arrived, free))
        self._tell("receive", overhead)
        self._tell("bytes", until)
        self._in.append(("port in", now, port))

    def close(self, free: int, there: int) -> None:
        """Record that the processor was held back until ``free``, and that a message was received at ``there``."""
        self._tell("wait", free)
        self._tell("bytes", there)

    def intervals(self, rank: int) -> Iterator[Interval]:
        """Yield all intervals, the processor's first; those of no length are left out."""
        for part in (self._cpu, self._out, self._in):
            for kind, start, end in part:
                if start < end:
                    yield Interval(rank, kind, start, end)

    def _idle(self, now: int, possible: int) -> None:
        """Record idle time up to ``now``: from ``possible`` on, only the port was missing."""
        self._tell("wait", min(now, possible))
        self._tell("gap", now)

    def _tell(self, kind: str, until: int) -> None:
        """Record what the processor did from where the record ends, if that is before ``until``."""
        if until > self._busy:
            self._cpu.append((kind, self._busy, until))
            self._busy = until
