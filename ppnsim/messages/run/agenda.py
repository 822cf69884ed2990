"""Actions in the order of (time, number), and operations that wait for a processor or a port in that order.

SimPy settles ties by the order of scheduling. Here an event that has to wait keeps the number that it was given when it
was created, so that of two events that become possible together the older one goes first (L1.7).
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from simpy import Environment

Action = Callable[[int, int, Any], None]


class Agenda:
    """Actions at times to come; each is called with the time, its number, and its argument.

    Examples
    --------
    >>> env = Environment()
    >>> agenda, seen = Agenda(env), []
    >>> first, second = agenda.number(), agenda.number()
    >>> agenda.at(5, second, lambda time, number, what: seen.append(what), "new")
    >>> agenda.at(5, first, lambda time, number, what: seen.append(what), "old")
    >>> env.run()
    >>> seen
    ['old', 'new']
    """

    __slots__ = ("_alarm", "_awake", "_entries", "_env", "_numbers", "_pushed")

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._entries: list[tuple[int, int, int, Action, Any]] = []
        self._numbers = self._pushed = 0
        self._alarm: int | None = None  # the earliest time for which SimPy is to call us
        self._awake = False

    def number(self) -> int:
        """Return the number of a new event."""
        self._numbers += 1
        return self._numbers

    def at(self, time: int, number: int, action: Action, argument: Any) -> None:
        """Let ``action`` happen at ``time``, which is not in the past."""
        self._pushed += 1  # two entries of one event may meet; they do the same, but tuples must compare
        heappush(self._entries, (time, number, self._pushed, action, argument))
        if not self._awake and (self._alarm is None or time < self._alarm):
            self._set_alarm(time)

    def _set_alarm(self, time: int) -> None:
        self._alarm = time
        timeout = self._env.timeout(time - self._env.now)
        timeout.callbacks.append(self._wake)

    def _wake(self, _: object) -> None:
        """Call all actions that are due now, those included that become due meanwhile."""
        entries, now = self._entries, int(self._env.now)
        self._awake = True
        while entries and entries[0][0] <= now:
            _, number, _, action, argument = heappop(entries)
            action(now, number, argument)
        self._awake = False
        if self._alarm is not None and self._alarm <= now:
            self._alarm = None
        if entries and (self._alarm is None or entries[0][0] < self._alarm):
            self._set_alarm(entries[0][0])


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
