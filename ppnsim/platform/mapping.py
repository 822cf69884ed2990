"""A process network placed on the nodes of a platform: clocks, links between nodes, and packets.

Processes of one node talk through FIFOs as ever. A channel between two nodes is a FIFO at the reader's side: its depth
are credits at the writer's, tokens travel in packets as LogGP messages, and a credit comes back one L after the read.

Source: the time base and the credits of PLATFORM.md, section "A network across nodes".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.network import Channel, Network
from ppnsim.platform.memory_ports import Memory, MemoryPort, check_ports, with_ports


def edge(period: Fraction, cycle: int) -> int:
    """Return when a cycle of a clock starts: k periods, rounded half up to a whole picosecond.

    Examples
    --------
    >>> [edge(Fraction(10_000, 3), cycle) for cycle in range(4)]
    [0, 3333, 6667, 10000]
    """
    # In whole numbers: fractions take five times as long, and this is asked for every event.
    return (2 * cycle * period.numerator + period.denominator) // (2 * period.denominator)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A device with one clock; ``period`` in picoseconds."""

    name: str
    period: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A full-duplex link between two nodes, with LogGP's parameters: picoseconds, and picoseconds per byte.

    Messages of one direction follow each other g + (s - 1) G apart, whatever channel they belong to, in the order in
    which they are ready; ties go to the channel declared first.
    """

    name: str
    ends: tuple[str, str]
    latency: int
    overhead: int = 0
    gap: int = 0
    per_byte: Fraction = Fraction(0)

    def bytes_after_first(self, size: int) -> int:
        """Return (s - 1) G in picoseconds, rounded up."""
        return -int(-(size - 1) * self.per_byte // 1)

    def taken(self, size: int) -> int:
        """Return how long a message of ``size`` bytes keeps its port from the next one: max(o, g + (s - 1) G)."""
        return max(self.overhead, self.gap + self.bytes_after_first(size))


class PacketNeverFills(InputError):
    """A packet is larger than the FIFO that it comes from, so its writer would wait for ever."""


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where a network runs.

    Attributes
    ----------
    network : the network; its ``clock_ns`` is not used.
    nodes, links : of the platform.
    node_of : node of each process.
    packet : tokens in a message, by channel between nodes; 1 where it is not named.
    memories, ports : DRAM, and what processes read from it and write to it.

    Raises
    ------
    InputError
        If a process is not placed, a node, a channel, a link or a memory is not there, or a packet is larger than its
        FIFO.
    """

    network: Network
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    node_of: Mapping[str, str]
    packet: Mapping[str, int] = field(default_factory=dict)
    memories: tuple[Memory, ...] = ()
    ports: tuple[MemoryPort, ...] = ()

    def __post_init__(self) -> None:
        known = {node.name for node in self.nodes}
        _check_unique("node", [node.name for node in self.nodes])
        _check_unique("link", [link.name for link in self.links])
        for node in self.nodes:
            if node.period < 1:
                raise InputError(f"a period of {float(node.period)} ps is below 1 ps", where=f"node '{node.name}'")
        for link in self.links:
            _check_link(link, known)
        processes = {process.name for process in self.network.processes}
        for process, place in self.node_of.items():
            if process not in processes:
                raise InputError(f"no process is called '{process}'{did_you_mean(process, processes)}", where="place")
            if place not in known:
                hint = did_you_mean(place, known)
                raise InputError(f"process '{process}' is on '{place}', which is no node{hint}", where="place")
        for name in sorted(processes - set(self.node_of)):
            raise InputError(f"process '{name}' is on no node (every process needs one)", where="place")
        if self.network.resources and len(set(self.node_of.values())) > 1:
            raise InputError("shared resources are for networks on one node", where="place")
        self._check_channels()
        _check_unique("memory", [memory.name for memory in self.memories])
        for memory in self.memories:
            if memory.node is not None and memory.node not in known:
                raise InputError(f"'{memory.node}' is no node{did_you_mean(memory.node, known)}", where=memory.where)
        check_ports(self.network, self.memories, self.ports, self.node_of)

    @cached_property
    def running(self) -> Network:
        """The network with a channel for every memory port: what runs."""
        return with_ports(self.network, self.memories, self.ports)

    def node(self, name: str) -> Node:
        """Return the node called ``name``."""
        return next(node for node in self.nodes if node.name == name)

    def crosses(self, channel: Channel) -> bool:
        """Return whether a channel goes from one node to another."""
        return self.node_of[channel.source] != self.node_of[channel.target]

    def link_of(self, channel: Channel) -> Link:
        """Return the link that a crossing channel takes: the first declared between its nodes."""
        ends = {self.node_of[channel.source], self.node_of[channel.target]}
        for link in self.links:
            if set(link.ends) == ends:
                return link
        a, b = self.node_of[channel.source], self.node_of[channel.target]
        raise InputError(f"no link joins '{a}' and '{b}'{self._way_round(a, b)}", where=channel.where)

    def _way_round(self, a: str, b: str) -> str:
        """Name a node between two that no link joins, if there is one: nothing is forwarded there."""
        pairs = [set(link.ends) for link in self.links]
        for node in self.nodes:
            if {a, node.name} in pairs and {node.name, b} in pairs:
                return f" (over '{node.name}' it would be two hops: put a process there that passes the tokens on)"
        return " (declare one, or place both processes on one node)"

    def _check_channels(self) -> None:
        names = {channel.name for channel in self.network.channels}
        for name, tokens in self.packet.items():
            if name not in names:
                raise InputError(f"no channel is called '{name}'{did_you_mean(name, names)}", where="packet")
            if tokens < 1:
                raise InputError(f"{tokens} tokens in a packet (at least 1)", where=f"packet of '{name}'")
        for channel in self.network.channels:
            if self.crosses(channel):
                self.link_of(channel)
                tokens = self.packet.get(channel.name, 1)
                if channel.depth is not None and tokens > channel.depth:
                    reason = f"a packet of {tokens} tokens never fills with {channel.depth} credits"
                    raise PacketNeverFills(reason, where=channel.where)


@dataclass(frozen=True, slots=True)
class Message:
    """One message over a link; times in picoseconds.

    ``ready``: its packet was full; ``started``: the port was free; ``arrived``: its head was there; ``accepted``: the
    receiving port was free.
    """

    channel: str
    link: str
    source: str
    target: str
    size: int
    ready: int
    started: int
    arrived: int
    accepted: int


def one_node(network: Network) -> Placement:
    """Return a network on a single node with its own clock: it runs as it would by itself."""
    node = Node(name="node", period=Fraction(network.clock_ns).limit_denominator(10**6) * 1000)
    return Placement(
        network=network, nodes=(node,), links=(), node_of={process.name: "node" for process in network.processes}
    )


def _check_link(link: Link, known: set[str]) -> None:
    where = f"link '{link.name}'"
    for end in link.ends:
        if end not in known:
            raise InputError(f"'{end}' is no node{did_you_mean(end, known)}", where=where)
    if link.ends[0] == link.ends[1]:
        raise InputError(f"both ends are '{link.ends[0]}' (a link joins two nodes)", where=where)
    for key in ("latency", "overhead", "gap", "per_byte"):
        if getattr(link, key) < 0:
            raise InputError(f"{key} = {getattr(link, key)} is negative", where=where)


def _check_unique(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{kind} '{name}' is declared twice (names are unique)")
        seen.add(name)
