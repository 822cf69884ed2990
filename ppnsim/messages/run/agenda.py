"""Actions in the order of (time, number): SimPy's clock with a tie rule of our own.

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
