"""Shared resources (T5.1, T5.2): who gets a unit. The end of a cycle decides; the order of events does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simpy import Environment
from simpy.events import Event

from ppnsim.engines.des.channel import END_OF_CYCLE, Signal


@dataclass(slots=True)
class UnitRequest:
    """A firing that could start now if it had a unit during ``[now + read, now + read + ii)``."""

    process: int
    resource: str
    read: int
    ii: int
    granted: Signal


class Arbiter:
    """Gives units first come first served by start cycle, ties by the order in which processes are declared.

    When a cycle has come to rest, the first declared process that waits and finds a unit free starts; the cycle comes
    to rest again with whatever that start allows; then the next.
    """

    def __init__(self, env: Environment, units: Mapping[str, int]) -> None:
        self._env = env
        self._units = units
        self._taken: dict[str, list[tuple[int, int]]] = {name: [] for name in units}
        self._waiting: list[UnitRequest] = []
        self._decisions: set[int] = set()  # cycles for which one is scheduled

    def request(self, process: int, resource: str, read: int, ii: int) -> UnitRequest:
        """Ask for a unit; ``granted`` of the returned request happens in the cycle of the start."""
        request = UnitRequest(process, resource, read, ii, Signal(self._env))
        self._waiting.append(request)
        self._decide_in(0)
        return request

    def withdraw(self, request: UnitRequest) -> None:
        """Take back a request that has not been granted."""
        self._waiting.remove(request)

    def _decide_in(self, cycles: int) -> None:
        at = int(self._env.now) + cycles
        if at not in self._decisions:
            self._decisions.add(at)
            decision = Signal(self._env)
            decision.callbacks = [self._decide]
            decision.fire(cycles, END_OF_CYCLE)

    def _decide(self, _: Event) -> None:
        now = int(self._env.now)
        self._decisions.remove(now)
        for request in sorted(self._waiting, key=lambda waiting: waiting.process):
            if self._free_from(request, now) == now:
                self._waiting.remove(request)
                busy_from = now + request.read
                self._taken[request.resource].append((busy_from, busy_from + request.ii))
                request.granted.fire(0)
                break
        if self._waiting:
            self._decide_in(min(self._free_from(request, now) for request in self._waiting) - now)

    def _free_from(self, request: UnitRequest, now: int) -> int:
        """Return the first cycle from ``now`` on in which the request could be granted as things stand."""
        if not request.ii:
            return now  # held for no cycle at all
        taken = [busy for busy in self._taken[request.resource] if busy[1] > now]
        self._taken[request.resource] = taken
        units = self._units[request.resource]
        start = now
        while True:
            first, last = start + request.read, start + request.read + request.ii
            overlapping = [busy for busy in taken if busy[0] < last and first < busy[1]]
            if _most_at_once(overlapping, first) < units:
                return start
            # Nothing changes before one of the overlapping reservations has ended.
            start = min(end for _, end in overlapping) - request.read


def _most_at_once(busy: list[tuple[int, int]], first: int) -> int:
    """Return how many of the intervals hold at the same time at most, from cycle ``first`` on."""
    peaks = [max(begin, first) for begin, _ in busy]
    return max((sum(begin <= at < end for begin, end in busy) for at in peaks), default=0)
