"""A rank as a SimPy process sees it: sends, receives and computations are events to be yielded."""

from __future__ import annotations

from collections.abc import Callable

from simpy import Environment

from ppnsim.engines.des.channel import Signal
from ppnsim.messages.run.lanes import PendingOperation
from ppnsim.messages.run.ranks import Ranks


class RankPort:
    """One of the ranks.

    An event happens when the operation is done in the sense of a schedule: a send when it has started (above the eager
    limit when its receive has been found), a receive when its message has been accepted, a computation at its end.

    Examples
    --------
    >>> from ppnsim.messages.model.loggp import LogGP
    >>> env = Environment()
    >>> ranks = Ranks(env, LogGP(latency=10, overhead=2, gap=5, per_byte=1), 2)
    >>> def worker(port):
    ...     yield port.receive(source=0, size=8)
    ...     yield port.compute(100)
    >>> _ = RankPort(env, ranks, 0).send(to=1, size=8)
    >>> _ = env.process(worker(RankPort(env, ranks, 1)))
    >>> env.run()
    >>> ranks.end(1)
    121
    """

    def __init__(self, env: Environment, ranks: Ranks, rank: int) -> None:
        self._env, self._ranks, self._rank = env, ranks, rank

    def send(self, *, to: int, size: int, context: int = 0) -> Signal:
        """Return the event of a message being sent."""
        signal, done = self._signal()
        self._ranks.send(self._rank, to=to, size=size, done=done, context=context)
        return signal

    def receive(self, *, source: int, size: int, context: int = 0) -> Signal:
        """Return the event of a message of this context being received."""
        signal, done = self._signal()
        self._ranks.receive(self._rank, source=source, size=size, done=done, context=context)
        return signal

    def compute(self, time: int) -> Signal:
        """Return the event of a computation being finished."""
        signal, done = self._signal()
        self._ranks.compute(self._rank, time, done=done)
        return signal

    def _signal(self) -> tuple[Signal, Callable[[PendingOperation, int], None]]:
        signal = Signal(self._env)
        return signal, lambda _, time: signal.fire(time - int(self._env.now))
