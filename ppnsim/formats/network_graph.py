"""Networks as graphs of networkx and back: nodes and edges have the keys of network JSON as attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import networkx as nx

from ppnsim.errors import InputError
from ppnsim.formats.network_json import dump_network, parse_network
from ppnsim.kinds import shown
from ppnsim.model.network import Network

if TYPE_CHECKING:
    Graph = nx.DiGraph[Any] | nx.MultiDiGraph[Any]
    MultiGraph = nx.MultiDiGraph[str]
else:  # outside of its stubs networkx has no parameters of types, and `from_networkx` says itself what it takes
    Graph, MultiGraph = Any, nx.MultiDiGraph


def to_networkx(network: Network) -> MultiGraph:
    """Return a network as a directed multigraph: a node for each process, an edge for each channel, keyed by its name.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> graph = to_networkx(chain(firings=4, length=2, depth=2))
    >>> graph.nodes["p0"], graph.edges["p0", "p1", "c0"]
    ({'firings': 4, 'latency': 3}, {'depth': 2})
    """
    data = dump_network(network)
    graph: MultiGraph = nx.MultiDiGraph()
    graph.graph.update({key: value for key, value in data.items() if key not in ("processes", "channels")})
    graph.graph["order"] = [channel["name"] for channel in data["channels"]]
    for process in data["processes"]:
        graph.add_node(process.pop("name"), **process)
    for channel in data["channels"]:
        graph.add_edge(channel.pop("from"), channel.pop("to"), key=channel.pop("name"), **channel)
    return graph


def from_networkx(graph: Graph) -> Network:
    """Return the network of a directed graph, whose attributes are the keys of network JSON.

    Parameters
    ----------
    graph : nodes have ``firings``, ``ii``, ``latency``, ...; edges ``depth``, ``initial``, ``produce``, ...; the graph
        ``name``, ``clock`` (with a unit), ``style``, ``resources``. The key of an edge that is a text is the channel's
        name.

    Raises
    ------
    InputError
        If an attribute is not such a key, or the network breaks a rule.

    Examples
    --------
    >>> graph = nx.DiGraph(clock="200 MHz")
    >>> graph.add_node("a", firings=4)
    >>> graph.add_node("b", firings=4, latency=3)
    >>> graph.add_edge("a", "b", depth=2)
    >>> from_networkx(graph).channel("a->b").depth
    2
    """
    if not isinstance(graph, nx.DiGraph):
        words = "is not a directed graph: write networkx.DiGraph() or networkx.MultiDiGraph()"
        raise InputError(f"{shown(graph)} {words}", where="from_networkx")
    several = isinstance(graph, nx.MultiDiGraph)
    edges: Iterable[tuple[Any, ...]] = graph.edges(keys=True, data=True) if several else graph.edges(data=True)  # type: ignore[call-overload]
    channels: list[dict[str, Any]] = []
    for source, target, *key, said in edges:
        named = {"name": key[0]} if key and isinstance(key[0], str) else {}
        channels.append({**named, "from": str(source), "to": str(target), **said})
    about = dict(graph.graph)
    # Edges come node by node; the order in which channels are declared breaks ties.
    order = {name: place for place, name in enumerate(about.pop("order", []))}
    channels.sort(key=lambda channel: order.get(channel.get("name", ""), len(order)))
    processes = [{"name": str(name), **said} for name, said in graph.nodes(data=True)]
    return parse_network({**about, "processes": processes, "channels": channels})
