"""Ranks joined by LogGP links, as a SimPy component that schedules and processes alike can drive.

A rank has a processor and a full-duplex port, each free from some time on. Sending needs the processor and the sending
side of the port, accepting a message the processor and the receiving side, computing the processor. What must wait
does so in a lane of its rank, in the order of the numbers that it was given when it was created.

Source: the rules L1; checked against LogGOPSim in ``validation`` (L1.4 has the one difference).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import ceil

from simpy import Environment

from ppnsim.engines.des.channel import Signal
from ppnsim.errors import InputError
from ppnsim.messages.model.loggp import LogGP, MessageCosts
from ppnsim.messages.run.agenda import Agenda, Done, Lane, PendingOperation, RankResource
from ppnsim.messages.run.record import RankRecord


class Ranks:
    """``count`` ranks, every two of them joined by a link of these parameters.

    Examples
    --------
    >>> env = Environment()
    >>> ranks = Ranks(env, LogGP(latency=10, overhead=2, gap=5, per_byte=1), 2)
    >>> said = []
    >>> ranks.send(0, to=1, size=8, done=lambda task, time: said.append(("sent", time)))
    >>> ranks.receive(1, source=0, size=8, done=lambda task, time: said.append(("received", time)))
    >>> env.run()
    >>> said, ranks.end(1)
    ([('sent', 0), ('received', 12)], 21)
    """

    def __init__(self, env: Environment, link: LogGP, count: int, *, record: bool = True) -> None:
        self.link = link
        self.messages = self.sent = 0
        self.posted: dict[tuple[int, int, int], deque[PendingOperation]] = {}
        self.accepted: dict[tuple[int, int, int], deque[PendingOperation]] = {}
        self._costs = MessageCosts(link)
        self.records = [RankRecord(ceil(link.latency)) for _ in range(count)] if record else []
        self._env = env
        self._agenda = agenda = Agenda(env)
        self._processors = [RankResource() for _ in range(count)]
        self._out, self._in = [RankResource() for _ in range(count)], [RankResource() for _ in range(count)]
        always = RankResource()
        self._sends = [Lane(agenda, *units, self._send) for units in zip(self._processors, self._out, strict=True)]
        self._arrivals = [Lane(agenda, *units, self._accept) for units in zip(self._processors, self._in, strict=True)]
        self._computes = [Lane(agenda, processor, always, self._compute) for processor in self._processors]
        self._there = [0] * count

    def send(
        self, rank: int, *, to: int, size: int, done: Done, ready: int | None = None, tag: int = 0, context: int = 0
    ) -> None:
        """Send ``size`` bytes once ``ready``, now if None; done at its start, or above the eager limit at its match."""
        self._create(self._sends[rank].start, PendingOperation(rank, size, to, self._from(ready), done, tag, context))

    def receive(
        self, rank: int, *, source: int, size: int, done: Done, ready: int | None = None, tag: int = 0, context: int = 0
    ) -> None:
        """Post a receive, which occupies nothing; done once a message of ``source`` has been accepted for it."""
        self._create(self._post, PendingOperation(rank, size, source, self._from(ready), done, tag, context))

    def compute(self, rank: int, time: int, *, done: Done, ready: int | None = None, tag: int = 0) -> None:
        """Occupy the processor; ``done`` is called at the start already, with the time of the end."""
        self._create(self._computes[rank].start, PendingOperation(rank, time, rank, self._from(ready), done, tag))

    def end(self, rank: int) -> int:
        """Return the time until which the rank is known to be occupied."""
        return max(self._processors[rank].free, self._there[rank])

    def close(self) -> None:
        """Record the idle time before the end of each rank."""
        for rank, record in enumerate(self.records):
            record.close(self._processors[rank].free, self._there[rank])

    def _from(self, ready: int | None) -> int:
        return int(self._env.now) if ready is None else ready

    def _create(self, action: Callable[[int, int, PendingOperation], None], task: PendingOperation) -> None:
        self._agenda.at(task.ready, self._agenda.number(), action, task)

    def _send(self, now: int, task: PendingOperation) -> None:
        rank, size = task.rank, task.amount
        cost = self._costs[size]
        until, port = now + cost.sending, now + cost.port_out
        if self.records:
            self.records[rank].send(now, task.ready, self._processors[rank].free, until, port)
        self._processors[rank].free, self._out[rank].free = until, port
        self.messages += 1
        self.sent += size
        task.ready = now + cost.head
        self._create(self._arrivals[task.peer].start, task)
        if self.link.is_eager(size):
            task.done(task, now)

    def _accept(self, now: int, message: PendingOperation) -> None:
        rank, cost = message.peer, self._costs[message.amount]
        message.there = now + cost.receiving
        busy = message.there if self.link.receiving == "full" else now + cost.overhead
        port = now + cost.port_in
        if self.records:
            overhead = min(busy, now + cost.sending)
            self.records[rank].receive(now, message.ready, self._processors[rank].free, overhead, busy, port)
        self._processors[rank].free = busy
        self._in[rank].free = port
        self._there[rank] = max(self._there[rank], message.there)
        waiting = self.posted.get((message.rank, rank, message.context))
        if waiting:
            self._match(now, message, waiting.popleft())
        else:
            self.accepted.setdefault((message.rank, rank, message.context), deque()).append(message)

    def _post(self, now: int, _: int, receive: PendingOperation) -> None:
        pair = (receive.peer, receive.rank, receive.context)
        arrived = self.accepted.get(pair)
        if arrived:
            self._match(now, arrived.popleft(), receive)
        else:
            self.posted.setdefault(pair, deque()).append(receive)

    def _match(self, now: int, message: PendingOperation, receive: PendingOperation) -> None:
        if message.amount != receive.amount:
            words = f"rank {receive.rank} receives {receive.amount} bytes from rank {message.rank}, but gets a message"
            raise InputError(f"{words} of {message.amount}", where=f"schedule[{receive.rank}][{receive.tag}]")
        until = now if self.link.receiving == "full" else max(now, message.there)
        if self.link.is_eager(message.amount):
            receive.done(receive, until)
            return
        processor, port = self._processors[message.rank], self._out[message.rank]
        processor.free, port.free = max(processor.free, now), max(port.free, now)
        # What follows at either end is created rank by rank.
        for task, time in sorted(((message, now), (receive, until)), key=lambda end: end[0].rank):
            task.done(task, time)

    def _compute(self, now: int, task: PendingOperation) -> None:
        until = now + task.amount
        if self.records:
            self.records[task.rank].compute(now, task.ready, self._processors[task.rank].free, until)
        self._processors[task.rank].free = until
        # Its end is fixed from here on, so what follows gets its number now: of what becomes possible at that very
        # time, it goes before messages that are sent meanwhile. LogGOPSim does the same.
        task.done(task, until)


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
