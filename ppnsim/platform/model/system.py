"""A platform as a whole: its parts by name, its graph, its routes, and which of the two classes it belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.platform.model.nodes import Bus, Interconnect, NodeGroup
from ppnsim.platform.model.provenance import check_provenance
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Stage

if TYPE_CHECKING:
    import networkx as nx  # takes a while

Part = NodeGroup | Interconnect | Bus | MemoryGroup
_Part = TypeVar("_Part", bound=Part)
UNNS = "UNNS: uniform node, nonuniform system"
NNUS = "NNUS: nonuniform node, uniform system"


@dataclass(frozen=True, kw_only=True)
class System:
    """A platform; every part has a name of its own. Memories are listed and drawn, and no stage waits for them (P2.6).

    Raises
    ------
    InputError
        If a name is used twice, or a part names a node that does not exist.

    Examples
    --------
    >>> from ppnsim.platform.model.presets import src6
    >>> src6(nodes=2).route("host[0]", "map[1]"), src6().category[:4]
    (['host[0]', 'snap', 'map[1]'], 'UNNS')
    """

    name: str
    nodes: tuple[NodeGroup, ...]
    networks: tuple[Interconnect, ...] = ()
    buses: tuple[Bus, ...] = ()
    memories: tuple[MemoryGroup, ...] = ()

    def __post_init__(self) -> None:
        names = [part.name for part in self.parts]
        for part in self.parts:
            if names.count(part.name) > 1:
                words = f"two parts are called '{part.name}' (names are unique)"
                raise InputError(words, where=f"platform '{self.name}'")
            _check_name(part.name, "a part", f"platform '{self.name}'")
            check_provenance(part)
        for network in self.networks:
            for group in network.connects:
                self.group(group, network.where)
        for bus in self.buses:
            host, device = self.group(bus.host, bus.where), self.group(bus.device, bus.where)
            if device.count % host.count:
                words = f"{device.count} nodes '{device.name}' cannot be shared out to {host.count} nodes '{host.name}'"
                raise InputError(words, where=bus.where)
        for memory in self.memories:
            if memory.on is not None:
                self.group(memory.on, memory.where)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything that has a name."""
        return (*self.nodes, *self.networks, *self.buses, *self.memories)

    @property
    def category(self) -> str:
        """Which class of Figure 1 this is: devices behind the buses of hosts (NNUS), or all on one network (UNNS)."""
        return NNUS if self.buses else UNNS

    def group(self, name: str, where: str) -> NodeGroup:
        """Return a group of nodes; ``where`` speaks of it."""
        return _found(name, self.nodes, "node", where)

    def network(self, name: str, where: str) -> Interconnect:
        """Return a network."""
        return _found(name, self.networks, "network", where)

    def bus(self, name: str, where: str) -> Bus:
        """Return a bus."""
        return _found(name, self.buses, "bus", where)

    def host_of(self, device: str, bus: Bus) -> str:
        """Return the host of a device, both as instances.

        Devices are dealt out in blocks: with two of each host, the first two belong to ``host[0]``.
        """
        group, index = device.rstrip("]").split("[")
        per_host = self.group(group, bus.where).count // self.group(bus.host, bus.where).count
        return f"{bus.host}[{int(index) // per_host}]"

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """Nodes, networks and memories as vertices; buses and ports as edges; each holds its ``part``."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph(name=self.name)
        for group in self.nodes:
            graph.add_nodes_from(group.instances(), part=group)
        for network in self.networks:
            graph.add_node(network.name, part=network)
            for name in network.connects:
                for instance in self.group(name, network.where).instances():
                    graph.add_edge(instance, network.name, part=network)
        for bus in self.buses:
            for device in self.group(bus.device, bus.where).instances():
                graph.add_edge(self.host_of(device, bus), device, part=bus)
        for memory in self.memories:
            for instance in self._reaching(memory):
                graph.add_node(f"{instance}.{memory.name}", part=memory)
                graph.add_edge(instance, f"{instance}.{memory.name}", part=memory)
        return graph

    def _reaching(self, memory: MemoryGroup) -> list[str]:
        groups = self.nodes if memory.on is None else (self.group(memory.on, memory.where),)
        return [instance for group in groups for instance in group.instances()]

    def route(self, source: str, target: str) -> list[str]:
        """Return the vertices from one node to another.

        Raises
        ------
        InputError
            If one of them is unknown, or nothing leads there.
        """
        import networkx as nx

        for name in (source, target):
            if name not in self.graph:
                raise InputError(f"there is no node '{name}'{did_you_mean(name, self.graph)}")
        try:
            return list(nx.shortest_path(self.graph, source, target))
        except nx.NetworkXNoPath:
            raise InputError(f"no network or bus leads from '{source}' to '{target}'") from None

    def ranks(self, transfer: Collective) -> list[str]:
        """Return the nodes of a collective, its root first."""
        members = self.group(transfer.group, f"transfer '{transfer.name}'").instances()
        root = f"{transfer.root}[0]"
        return [root] + [each for each in members if each != root]


def check_application(system: System, application: Application) -> None:
    """Raise `InputError` if a stage names a part that the platform lacks or that its bus or network does not reach."""
    names = [stage.name for stage in application.stages]
    for stage in application.stages:
        _check_name(stage.name, "a stage", "application")
        if names.count(stage.name) > 1:
            raise InputError(f"two stages are called '{stage.name}' (names are unique)", where="application")
        device = system.group(stage.compute.on, f"{stage.where}: compute")
        device.frequency()
        for transfer in stage.transfers:
            where = f"{stage.where}: transfer '{transfer.name}'"
            if isinstance(transfer, BusTransfer):
                bus = system.bus(transfer.over, where)
                if bus.device != device.name:
                    words = f"bus '{bus.name}' leads from '{bus.host}' to '{bus.device}', not to '{device.name}'"
                    raise InputError(words, where=where)
                continue
            network = system.network(transfer.over, where)
            for name in (transfer.root, transfer.group):
                system.group(name, where)
                if name not in network.connects:
                    joined = ", ".join(f"'{each}'" for each in network.connects)
                    words = f"network '{network.name}' joins {joined}, and '{name}' is not reached"
                    raise InputError(words, where=where)
        _check_hosts(system, stage)


def _check_hosts(system: System, stage: Stage) -> None:
    """Check that data which a collective brings to hosts is not left there, far from the nodes that compute."""
    device = stage.compute.on
    hosts = {bus.host for bus in system.buses if bus.device == device}
    for transfer in stage.transfers:
        if isinstance(transfer, Collective) and transfer.group != device and transfer.group not in hosts:
            words = f"nobody leads from '{transfer.group}' to '{device}', which computes (a bus is needed)"
            raise InputError(words, where=f"{stage.where}: transfer '{transfer.name}'")


def _check_name(name: str, what: str, where: str) -> None:
    """Refuse names that could not be told from the paths and instances that they are part of."""
    if not name or not name.isprintable() or name != name.strip() or any(letter in name for letter in ".[]"):
        shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)
        rule = "names are of printable characters, without dots and brackets, and without spaces around"
        raise InputError(f"{what} is called '{shown}' ({rule})", where=where)


def _found(name: str, parts: Iterable[_Part], kind: str, where: str) -> _Part:
    known = {part.name: part for part in parts}
    if name not in known:
        raise InputError(f"there is no {kind} '{name}'{did_you_mean(name, known)}", where=where)
    return known[name]
