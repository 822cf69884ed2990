"""Links of a platform at run time: buses and networks under their sharing policies, all in whole ticks.

A tick is the largest fraction of a second of which every time of the run is a multiple, so nothing is rounded. Only
fair sharing rounds: an end moves up to the next tick (P2.1).

Source: P1.1 to P1.4, L3.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from fractions import Fraction
from math import lcm

from simpy import Environment, Event, Resource

from ppnsim.messages.model.loggp import Duration, LogGP
from ppnsim.messages.model.schedule import RankOperation
from ppnsim.messages.run.flows import FairLinks
from ppnsim.messages.run.ranks import RankPort, Ranks
from ppnsim.platform.model.nodes import Bus, BusDirection, Interconnect


def now(env: Environment) -> int:
    """Return the time in ticks, which SimPy only knows as a number."""
    return int(env.now)


class Ticks:
    """Seconds as whole ticks.

    Examples
    --------
    >>> ticks = Ticks([Fraction(1, 4), Fraction(1, 6)])
    >>> ticks.of(Fraction(1, 4)), ticks.seconds(24)
    (3, Fraction(2, 1))
    """

    def __init__(self, times: Iterable[Duration]) -> None:
        self.per_second = lcm(1, *(time.denominator for time in times))

    def of(self, time: Duration) -> int:
        """Return a time in ticks."""
        ticks = Fraction(time) * self.per_second
        assert ticks.denominator == 1, "every time of a run is known to the constructor"
        return ticks.numerator

    def seconds(self, ticks: int) -> Fraction:
        """Return ticks in seconds."""
        return Fraction(ticks, self.per_second)


Steps = Generator[Event, object, None]
Record = Callable[[str, str, str, int, int], None]


class BusLine:
    """One bus line: a medium that both directions and all its devices share."""

    def __init__(self, env: Environment, bus: Bus, ticks: Ticks, name: str, record: Record) -> None:
        self._env, self._bus, self._ticks, self._name, self._record = env, bus, ticks, name, record
        self._medium = Resource(env)
        self._fair = FairLinks(env, [Fraction(1)], whole=True)
        self.transfers = 0

    def train(self, way: BusDirection, blocks: Sequence[int], what: str) -> Steps:
        """Move blocks one by one; the delay is paid once or for each, as the bus says."""
        delay, gaps = self._ticks.of(way.delay), {size: way.gap(size) for size in set(blocks)}
        for number, size in enumerate(blocks):
            pays = delay if number == 0 or self._bus.latency == "per transfer" else 0
            yield from self._block(pays, self._ticks.of(gaps[size] * size), what)
            self.transfers += 1

    def _block(self, delay: int, busy: int, what: str) -> Steps:
        env, exclusive = self._env, self._bus.sharing == "exclusive"
        if delay and not exclusive:
            self._record(self._name, "bus delay", what, now(env), now(env) + delay)
            yield env.timeout(delay)
        if self._bus.sharing == "fair":
            began = now(env)
            yield self._fair.transfer([0], busy)
            self._record(self._name, "bus bytes", what, began, now(env))
            return
        with self._medium.request() as turn:
            yield turn
            if delay and exclusive:
                self._record(self._name, "bus delay", what, now(env), now(env) + delay)
                yield env.timeout(delay)
            self._record(self._name, "bus bytes", what, now(env), now(env) + busy)
            yield env.timeout(busy)


class NetworkLine:
    """A network: LogGP ranks, or a star of links that flows share fairly."""

    def __init__(
        self, env: Environment, network: Interconnect, members: Sequence[str], ticks: Ticks,
        record: Record,
    ) -> None:  # fmt: skip
        self._env, self.network, self._ticks, self._record = env, network, ticks, record
        self.members = {name: index for index, name in enumerate(members)}
        link = LogGP(
            latency=ticks.of(network.latency), overhead=ticks.of(network.overhead), gap=ticks.of(network.gap),
            per_byte=ticks.of(network.per_byte), receiving=network.receiving, sharing=network.sharing,
            efficiency=network.efficiency, clamp=network.clamp,
        )  # fmt: skip
        self.ranks = Ranks(env, link, len(members))
        self._ports = [RankPort(env, self.ranks, index) for index in range(len(members))]
        ports = [Fraction(1)] * (2 * len(members))
        self._fair = FairLinks(env, ports, whole=True) if network.sharing == "fair" else None
        self._contexts: dict[str, int] = {}  # of what is sent: transfers that are under way together stay apart
        self._mail: dict[tuple[int, int, str], list[Event]] = {}
        self._taken: dict[tuple[int, int, str], int] = {}
        self.messages = 0

    def perform(self, operations: Sequence[RankOperation], names: Sequence[str], rank: int, what: str) -> Steps:
        """Do what a schedule has for a rank, ``names`` being the nodes of its ranks; end when all of it is done."""
        members = [self.members[name] for name in names]
        own = members[rank]
        done: list[Event] = []
        for operation in operations:
            before = [done[dep] for dep in operation.deps]
            peer = None if operation.peer is None else members[operation.peer]
            done.append(self._env.process(self._operation(operation, own, peer, before, what)))
        yield self._env.all_of(done)

    def _operation(
        self, operation: RankOperation, own: int, peer: int | None, before: Sequence[Event], what: str
    ) -> Steps:
        yield self._env.all_of(before)
        port, size = self._ports[own], operation.amount
        context = self._contexts.setdefault(what, len(self._contexts))
        if peer is None:
            yield port.compute(size)
        elif self._fair is not None:
            yield from self._flow(operation, own, peer, what)
        elif operation.kind == "send":
            self.messages += 1
            yield port.send(to=peer, size=size, context=context)
        else:
            yield port.receive(source=peer, size=size, context=context)
            if self.network.receiving == "full":
                yield port.compute(0)  # the event was the acceptance: the processor is free at the last byte

    def _flow(self, operation: RankOperation, own: int, peer: int, what: str) -> Steps:
        assert self._fair is not None
        env, began = self._env, now(self._env)
        if operation.kind == "recv":
            yield self._letter((peer, own, what), taken=True)
            return
        self.messages += 1
        arrived = self._letter((own, peer, what), taken=False)
        names = list(self.members)
        work = self._ticks.of(self.network.byte_gap(operation.amount) * operation.amount)
        yield self._fair.transfer([own, len(names) + peer], work, delay=self._ticks.of(self.network.latency))
        for port in (f"{names[own]} out", f"{names[peer]} in"):
            self._record(port, "bytes", what, began, now(env))
        arrived.succeed()

    def _letter(self, key: tuple[int, int, str], *, taken: bool) -> Event:
        """Return the event of the next message of a pair, of its sending or of its receiving side."""
        source, target, what = key
        side = key if taken else (source, ~target, what)
        number = self._taken[side] = self._taken.get(side, -1) + 1
        mail = self._mail.setdefault(key, [])
        while len(mail) <= number:
            mail.append(self._env.event())
        return mail[number]
