"""A DRAM system that SimPy processes talk to: ports with requests in order, and the bank queues behind them."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from simpy import Environment
from simpy.events import Event

from ppnsim.engines.des.channel import END_OF_CYCLE, Signal
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.run.bank_queue import BankQueue, Transaction
from ppnsim.units import edge


class MemoryRequest:
    """A request at a port: ``taken`` and ``done`` are clocks once they are known; ``completed`` happens at the latter.

    Parameters
    ----------
    bank, row : as `Dram.place` gives them.
    """

    __slots__ = ("access", "bank", "channel", "completed", "taken")

    def __init__(self, env: Environment, channel: int, bank: int, access: Transaction) -> None:
        self.channel, self.bank, self.access = channel, bank, access
        self.taken = -1
        self.completed = Signal(env)

    @property
    def done(self) -> int:
        """The clock of the completion, -1 before it is known."""
        return self.access.done


class RequestPort:
    """A port: its requests are taken in order, and one that is refused holds back those behind it.

    Parameters
    ----------
    gap : clocks from one request to the next at least, which is the rate of the port; 0 for none.
    """

    def __init__(self, memory: MemorySystem, gap: Fraction) -> None:
        self._memory = memory
        self._gap = gap
        self._allowed = Fraction(0)
        self.waiting: deque[MemoryRequest] = deque()

    def may_issue(self, now: int) -> bool:
        """Return whether a request waits and the port's rate lets it go."""
        return bool(self.waiting) and self._allowed <= now

    def issued(self, now: int) -> MemoryRequest:
        """Return the request that was taken now; a port on schedule keeps its fraction of a clock."""
        self._allowed = (now if now - self._allowed >= 1 else self._allowed) + self._gap
        return self.waiting.popleft()

    def request(self, bank: int, row: int, *, write: bool = False) -> MemoryRequest:
        """Ask for a burst; wait for its ``completed``."""
        return self._memory.ask(self, bank, row, write=write)


class MemorySystem:
    """The channels of a DRAM system in a SimPy environment.

    Clock k is at time k * tick, rounded half up, where ``tick`` is the period of the memory clock in the environment's
    time unit. Within a clock (M2.2): requesters issue, due completions return, channels issue commands, one queue
    move. What a process asks for in answer to a completion is therefore issued in the next clock. Ports take turns at
    being first.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> env = Environment()
    >>> memory = MemorySystem(env, preset("DDR4-2400").dram)
    >>> port = memory.port()
    >>> def reader():
    ...     for row in (0, 0, 1):
    ...         yield port.request(bank=0, row=row).completed
    ...         print(memory.clock_now)
    >>> _ = env.process(reader())
    >>> env.run()
    39
    62
    119
    """

    def __init__(self, env: Environment, dram: Dram, *, tick: Fraction | int = 1) -> None:
        self._env = env
        self.dram = dram.checked()
        self._tick = Fraction(tick)
        self._channels = [BankQueue(dram.delays) for _ in range(dram.channels)]
        self._ports: list[RequestPort] = []
        # Reads in the order of their commands, writes in that of their acceptance.
        self._under_way: tuple[deque[MemoryRequest], deque[MemoryRequest]] = (deque(), deque())
        self._asked: dict[int, MemoryRequest] = {}  # reads in a channel, by the identity of their access
        self._next = 0  # the next clock to run
        self._scheduled = False
        self.clock_now = 0

    def port(self, gap: Fraction = Fraction(0)) -> RequestPort:
        """Return a new port, with at least ``gap`` clocks from one request to the next."""
        self._ports.append(RequestPort(self, gap))
        return self._ports[-1]

    def ask(self, port: RequestPort, bank: int, row: int, *, write: bool) -> MemoryRequest:
        """Put a request behind those that wait at a port."""
        channel, within = divmod(bank, self.dram.total_banks)
        request = MemoryRequest(self._env, channel, bank, Transaction(within, row, write))
        port.waiting.append(request)
        if not self._scheduled:
            self._catch_up()
            self._schedule()
        return request

    def _catch_up(self) -> None:
        """Run the clocks that passed while the memory was idle: only refreshes can have happened in them."""
        first = max(self._clock_from(int(self._env.now)), self._next)
        while self._next < first:
            if all(channel.idle for channel in self._channels):
                every = self.dram.delays.refresh_every
                due = -(-max(self._next, 1) // every) * every
                self._next = min(due, first)
                if self._next == first:
                    return
            for channel in self._channels:
                channel.clock(self._next)
            self._next += 1

    def _clock_from(self, time: int) -> int:
        """Return the first clock whose rounded edge is not before a time."""
        clock = int(time / self._tick)
        return clock if edge(self._tick, clock) >= time else clock + 1

    def _schedule(self) -> None:
        self._scheduled = True
        clock = Signal(self._env)
        clock.callbacks = [self._clock]
        # Last of all at that time: requests made in this clock are seen in it.
        clock.fire(max(edge(self._tick, self._next) - int(self._env.now), 0), END_OF_CYCLE)

    def _clock(self, _: Event) -> None:
        now = self.clock_now = self._next
        self._take(now)
        for queue in self._under_way:
            while queue and queue[0].done <= now:
                queue.popleft().completed.fire(0)
        for channel in self._channels:
            for access in channel.clock(now):
                self._under_way[0].append(self._asked.pop(id(access)))
        self._next += 1
        self._scheduled = False
        if self._busy():
            self._schedule()

    def _take(self, now: int) -> None:
        ports = self._ports
        for offset in range(len(ports)):
            port = ports[(now + offset) % len(ports)]
            while port.may_issue(now) and self._channels[port.waiting[0].channel].take(port.waiting[0].access, now):
                request = port.issued(now)
                request.taken = now
                if request.access.write:
                    self._under_way[1].append(request)
                else:
                    self._asked[id(request.access)] = request

    def _busy(self) -> bool:
        return (
            any(port.waiting for port in self._ports)
            or any(self._under_way)
            or any(not channel.idle for channel in self._channels)
        )
