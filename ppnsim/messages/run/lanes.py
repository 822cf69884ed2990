"""Operations that wait for a processor or a port, in the order of their creation."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from ppnsim.messages.run.agenda import Agenda


class PendingOperation:
    """A send, a receive or a computation; a send becomes its message.

    ``ready`` is the earliest time of its start, of a message that of its head's arrival; ``there`` the time at which
    all of a message has been received. ``done`` is called with the task and the time from which others may follow it.
    A message goes to a receive of its ``context``.
    """

    __slots__ = ("amount", "context", "done", "peer", "rank", "ready", "tag", "there")

    def __init__(self, rank: int, amount: int, peer: int, ready: int, done: Done, tag: int, context: int = 0) -> None:
        self.rank, self.amount, self.peer = rank, amount, peer
        self.ready, self.done, self.tag, self.context = ready, done, tag, context
        self.there = 0


Done = Callable[[PendingOperation, int], None]
Begin = Callable[[int, PendingOperation], None]


class RankResource:
    """A processor or one side of a port: ``free`` is the time from which it can be used."""

    __slots__ = ("free",)

    def __init__(self) -> None:
        self.free = 0


class Lane:
    """Operations that wait for the same processor and port, lowest number first; only the head is in the agenda."""

    __slots__ = ("_agenda", "_begin", "_entry", "_port", "_processor", "_waiting")

    def __init__(self, agenda: Agenda, processor: RankResource, port: RankResource, begin: Begin) -> None:
        self._agenda, self._processor, self._port, self._begin = agenda, processor, port, begin
        self._waiting: list[tuple[int, PendingOperation]] = []
        self._entry = (-1, -1)

    def start(self, now: int, number: int, task: PendingOperation) -> None:
        """Begin the task, or let it wait until its units are free."""
        if self._processor.free <= now and self._port.free <= now:
            self._begin(now, task)
            return
        heappush(self._waiting, (number, task))
        if self._waiting[0][0] == number:
            self._enter(number)

    def _enter(self, number: int) -> None:
        time = max(self._processor.free, self._port.free)
        self._entry = (time, number)
        self._agenda.at(time, number, self._look, None)

    def _look(self, now: int, number: int, _: None) -> None:
        if self._entry != (now, number):
            return  # a lower number has come since, or the head has begun
        if self._processor.free > now or self._port.free > now:
            self._enter(number)
            return
        self._entry = (-1, -1)
        self._begin(now, heappop(self._waiting)[1])
        if self._waiting:
            self._enter(self._waiting[0][0])
