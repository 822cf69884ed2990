"""A channel between two nodes (N2.1 to N2.3): two faces, each in its node's cycles, and messages over a link between.

The writer's face takes tokens as long as there are credits; a packet leaves as one LogGP message when it is full, or
when nothing is left to be written. What arrives is seen at the reader's next clock edge. What the reader releases comes
back as credits one L later, at the writer's next clock edge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import ceil

from simpy import Environment

from ppnsim.engines.des.channel import RecordingChannel
from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.placed.model.links import Link
from ppnsim.placed.run.clock import NodeClock, at


@dataclass
class LinkDirection:
    """One direction of a link at run time; when its send and receive side are free again, in picoseconds.

    ``sent`` collects (channel, bytes, ready, started, arrived, accepted) of every message.
    """

    link: Link
    sender_free: int = 0
    send_gap: int = 0
    receiver_free: int = 0
    receive_gap: int = 0
    sent: list[tuple[str, int, int, int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.costs = MessageCosts(self.link)

    def start(self, ready: int, size: int) -> int:
        """Return when a message starts that is ready now, and keep its place."""
        cost = self.costs[size]
        begun = max(ready, self.sender_free, self.send_gap)
        self.sender_free = begun + cost.sending
        self.send_gap = begun + cost.port_out
        return begun

    def accept(self, arrived: int, size: int) -> tuple[int, int]:
        """Return when a message that arrives now is accepted, and when all of it is there."""
        cost = self.costs[size]
        accepted = max(arrived, self.receiver_free, self.receive_gap)
        done = accepted + cost.receiving
        self.receiver_free = done
        self.receive_gap = accepted + cost.port_in
        return accepted, done


class WriterFace(RecordingChannel):
    """What the producer sees: credits come back as releases, tokens go into packets."""

    def __init__(self, clock: NodeClock, bridge: Bridge, forward: int) -> None:
        super().__init__(clock, forward=forward, release=0)  # type: ignore[arg-type]
        self._bridge = bridge

    def put(self, count: int, now: int) -> None:
        """Take tokens that are written in this cycle; they leave when they could be read next door."""
        super().put(count, now)
        self._bridge.written(count)


class ReaderFace(RecordingChannel):
    """What the consumer sees: tokens that have arrived; what it releases goes back as credits."""

    def __init__(self, clock: NodeClock, bridge: Bridge, release: int) -> None:
        super().__init__(clock, forward=0, release=release)  # type: ignore[arg-type]
        self._bridge = bridge

    def free(self, count: int, now: int) -> None:
        """Release slots in this cycle."""
        super().free(count, now)
        self._bridge.freed(count)


class Bridge:
    """One channel between two nodes.

    Parameters
    ----------
    writer, reader : clocks of the two nodes.
    direction : of the link that its messages share with other channels.
    forward, release : the channel's own, in cycles of the writer and of the reader.
    packet : tokens in a message.
    token_bytes : bytes of a token on the link, at least 1.
    tokens : written over the whole run, so that the last packet need not be full.
    """

    def __init__(
        self, name: str, writer: NodeClock, reader: NodeClock, direction: LinkDirection, *, forward: int, release: int,
        packet: int, token_bytes: int, tokens: int,
    ) -> None:  # fmt: skip
        self._name, self._direction = name, direction
        self._base: Environment = writer.base
        self._writer, self._reader = writer, reader
        self._packet, self._bytes, self._left = packet, token_bytes, tokens
        self._filling = 0
        self.writer_face = WriterFace(writer, self, forward)
        self.reader_face = ReaderFace(reader, self, release)

    def written(self, count: int) -> None:
        """Put tokens into packets; each full one leaves `forward` cycles after its last token was written."""
        for _ in range(count):
            self._filling += 1
            self._left -= 1
            if self._filling == self._packet or not self._left:
                size = self._filling
                self._filling = 0
                self._writer.at(self._writer.now + self.writer_face.forward, partial(self._send, size))

    def freed(self, count: int) -> None:
        """Send credits back: there one L after the slots are free."""
        free = self._reader.edge(self._reader.now + self.reader_face.release) + ceil(self._direction.link.latency)
        cycle = self._writer.first_edge_from(free)
        self._writer.at(cycle, partial(RecordingChannel.free, self.writer_face, count, cycle))

    def _send(self, tokens: int) -> None:
        now, size = int(self._base.now), tokens * self._bytes
        started = self._direction.start(now, size)
        at(self._base, started + self._direction.costs[size].head, partial(self._arrive, tokens, now, started))

    def _arrive(self, tokens: int, ready: int, started: int) -> None:
        now, size = int(self._base.now), tokens * self._bytes
        accepted, done = self._direction.accept(now, size)
        self._direction.sent.append((self._name, size, ready, started, now, accepted))
        cycle = self._reader.first_edge_from(done)
        self._reader.at(cycle, partial(RecordingChannel.put, self.reader_face, tokens, cycle))
