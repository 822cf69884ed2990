"""A process network placed on the nodes of a platform: clocks, links between nodes, and packets.

Processes of one node talk through FIFOs as ever. A channel between two nodes is a FIFO at the reader's side: its depth
are credits at the writer's, tokens travel in packets as LogGP messages, and a credit comes back one L after the read.

Source: N1.1, N2.1 to N2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.model.network import Channel, Network
from ppnsim.placed.model.links import ClockedNode, Link, check_ends, token_bytes
from ppnsim.placed.model.memory_ports import MemoryPort, check_ports, with_ports
from ppnsim.platform.model.provenance import check_provenance

if TYPE_CHECKING:
    import networkx as nx  # takes a while


class PacketNeverFills(InputError):
    """A packet is larger than the FIFO that it comes from, so its writer would wait for ever."""


@dataclass(frozen=True, kw_only=True, repr=False)
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
    nodes: tuple[ClockedNode, ...]
    links: tuple[Link, ...]
    node_of: Mapping[str, str]
    packet: Mapping[str, int] = field(default_factory=dict)
    memories: tuple[MemoryGroup, ...] = ()
    ports: tuple[MemoryPort, ...] = ()

    def __repr__(self) -> str:
        return f"<Placement: network '{self.network.name}' on {', '.join(node.name for node in self.nodes)}>"

    def __post_init__(self) -> None:
        if self.network.convention != "ppn":
            words = f"{self.network.convention} can only be used with networks that are not placed on nodes"
            raise InputError(words, where="convention")
        known = {node.name for node in self.nodes}
        _check_unique("node", [node.name for node in self.nodes])
        _check_unique("link", [link.name for link in self.links])
        for node in self.nodes:
            if node.period < 1:
                raise InputError(f"a period of {float(node.period)} ps is below 1 ps", where=f"node '{node.name}'")
        for link in self.links:
            check_ends(link, known)
        processes = {process.name for process in self.network.processes}
        for process, place in self.node_of.items():
            if process not in processes:
                raise InputError(f"no process is called '{process}'{did_you_mean(process, processes)}", where="place")
            if place not in known:
                hint = did_you_mean(place, known)
                raise InputError(f"process '{process}' is on '{place}', which is not a node{hint}", where="place")
        for name in sorted(processes - set(self.node_of)):
            raise InputError(f"process '{name}' is on no node (every process needs one)", where="place")
        if self.network.resources and len(set(self.node_of.values())) > 1:
            raise InputError("shared resources are for networks on one node", where="place")
        self._check_channels()
        _check_unique("memory", [memory.name for memory in self.memories])
        for memory in self.memories:
            if memory.on is not None and memory.on not in known:
                raise InputError(f"'{memory.on}' is not a node{did_you_mean(memory.on, known)}", where=memory.where)
        for part in (*self.nodes, *self.links, *self.memories):
            check_provenance(part, {"on": "node"})
        check_ports(self.network, self.memories, self.ports, self.node_of)

    @cached_property
    def running(self) -> Network:
        """The network with a channel for every memory port: what runs."""
        return with_ports(self.network, self.memories, self.ports)

    def node(self, name: str) -> ClockedNode:
        """Return the node called ``name``."""
        return next(node for node in self.nodes if node.name == name)

    def processes_on(self, node: str) -> list[str]:
        """Return the names of the processes on a node."""
        return [process.name for process in self.network.processes if self.node_of[process.name] == node]

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
        raise InputError(self._no_link(a, b), where=channel.where)

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """Nodes as vertices, links as edges between them."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(node.name for node in self.nodes)
        graph.add_edges_from(link.ends for link in self.links)
        return graph

    def _no_link(self, a: str, b: str) -> str:
        """Return what to do about two nodes that no link joins: no node forwards (N2.4)."""
        import networkx as nx

        if not nx.has_path(self.graph, a, b):
            way_out = "declare one, or place both processes on one node"
            return f"no link joins '{a}' and '{b}', and no way leads there over other nodes ({way_out})"
        _, *between, _ = nx.shortest_path(self.graph, a, b)
        hops = "two hops" if len(between) == 1 else f"{len(between) + 1} hops"
        over = ", ".join(f"'{node}'" for node in between)
        there = "a process there that passes" if len(between) == 1 else "processes there that pass"
        return f"no link joins '{a}' and '{b}' (over {over} it would be {hops}: put {there} the tokens on)"

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
                self._check_sizes(channel)

    def _check_sizes(self, channel: Channel) -> None:
        """Refuse messages of a size that the table of their link lacks, the last one's included."""
        tokens, written = self.packet.get(channel.name, 1), self.network.counts[channel.name].written
        for count in {min(tokens, written), written % tokens} - {0}:
            try:
                self.link_of(channel).byte_gap(count * token_bytes(channel))
            except InputError as error:
                raise InputError(f"a packet of {count} tokens: {error}", where=channel.where) from None


def one_node(network: Network) -> Placement:
    """Return a network on a single node with its own clock: it runs as it would by itself."""
    node = ClockedNode(name="node", period=Fraction(network.clock_ns).limit_denominator(10**6) * 1000)
    node_of = {process.name: "node" for process in network.processes}
    return Placement(network=network, nodes=(node,), links=(), node_of=node_of)


def _check_unique(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{kind} '{name}' is declared twice (names are unique)")
        seen.add(name)
