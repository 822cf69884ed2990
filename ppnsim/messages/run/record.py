"""What running a message schedule gives: when each rank ended, what it did meanwhile, and who waits in a deadlock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

# What occupies a rank's processor, or leaves it idle; together they fill the time from 0 to the end of the rank.
CPU_KINDS = ("compute", "send", "receive", "bytes", "gap", "latency", "wait")
PORT_KINDS = ("port out", "port in")


class Interval(NamedTuple):
    """A stretch of a rank's time, from ``start`` to ``end`` exclusive.

    ``compute``, ``send`` and ``receive`` (o and O) occupy the processor, and so do the ``bytes`` (G) of a message that
    is received. It is idle while a message is under way (``latency``: the last L before an arrival), while the next
    operation is ready but its side of the port is not (``gap``), and else (``wait``). ``port out`` and ``port in`` are
    the port's, beside the processor's.
    """

    rank: int
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An operation that a deadlock keeps from being done; ``reason`` says what is missing."""

    rank: int
    index: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeadlock:
    """A schedule that cannot end: ``at`` is the time of the last thing that happened."""

    at: int
    done: int
    operations: int
    waiting: tuple[Waiting, ...]

    def __str__(self) -> str:
        lines = [f"deadlock at time {self.at} after {self.done} of {self.operations} operations:"]
        lines += [f"  rank {each.rank}  schedule[{each.rank}][{each.index}] {each.reason}" for each in self.waiting]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRun:
    """A finished, or deadlocked, run of a schedule; times in the unit of its parameters.

    Attributes
    ----------
    completion : the latest end of a rank, None in a deadlock.
    rank_end : when each rank's processor was last occupied, or a message was last received by its DMA engine.
    messages, sent : messages and bytes that were sent.
    unreceived : messages that arrived but were asked for by no receive.
    intervals : by rank and start, the ports' after the processor's; empty if they were not recorded.
    """

    completion: int | None
    rank_end: tuple[int, ...]
    messages: int
    sent: int
    unreceived: int
    intervals: tuple[Interval, ...]
    deadlock: MessageDeadlock | None = None


def shares(intervals: Iterable[Interval], ranks: int) -> list[dict[str, int]]:
    """Return for each rank how much of its time each kind took, all kinds of the processor in their order.

    Examples
    --------
    >>> shares([Interval(0, "send", 0, 15), Interval(0, "wait", 15, 20), Interval(1, "send", 0, 9)], 2)[0]["wait"]
    5
    """
    took = [dict.fromkeys(CPU_KINDS, 0) for _ in range(ranks)]
    for each in intervals:
        if each.kind not in PORT_KINDS:
            took[each.rank][each.kind] += each.end - each.start
    return took


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
