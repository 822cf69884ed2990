"""What the interval is at least, by ports and units and by dependences, which also delay their targets (R3.3)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence

from ppnsim.c.blocks import in_words
from ppnsim.hls.graph.exclusive import NONE, Ways, ports_taken
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.graph.passes import UNITS
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.scheduler import EPSILON, Schedule, finished

_LOOKS = 4
"""Most nodes that are visited for each node of the graph; after them, the bound of the circuits so far is returned."""


def resource_ii(graph: Graph, rules: Rules) -> tuple[int, str]:
    """Return the least initiation interval that ports and limited units allow, and the limiting resource."""
    found = _port_intervals(graph, rules)
    found += [(node.interval, f"{UNITS} {node.name}") for node in graph.nodes if node.interval > 1]
    ii, name = max(found, key=lambda each: each[0], default=(1, ""))
    return (ii, name if name.startswith(UNITS) else f"ports of {in_words(name)}") if ii > 1 else (1, "")


def other_ports(graph: Graph, rules: Rules, bound: str) -> tuple[tuple[str, int], ...]:
    """Return the other arrays that ports alone give an interval above 1, longest first, if ports of one are the bound.

    With more ports for that one alone, an interval would be that of the next one.
    """
    if not bound.startswith("ports of "):
        return ()
    found: dict[str, int] = {}
    for ii, name in sorted(_port_intervals(graph, rules), key=lambda each: (-each[0], each[1])):
        array = in_words(name).partition("[")[0]
        if ii > 1 and array != bound.removeprefix("ports of ").partition("[")[0]:
            found.setdefault(array, ii)
    return tuple(found.items())


def _port_intervals(graph: Graph, rules: Rules) -> list[tuple[int, str]]:
    """Return for each memory the interval that its ports allow."""
    accesses: dict[tuple[str, float], list[Ways]] = {}
    for node in graph.nodes:
        for port in node.ports if node.kind != "dead" else ():
            accesses.setdefault((port, node.most), []).append(node.ways if rules.exclusive else NONE)
    return [
        (math.ceil(ports_taken(ways) / (most or rules.ports.get(name, rules.default_ports))), name)
        for (name, most), ways in accesses.items()
    ]


def circuit_ii(graph: Graph, sequence: Sequence[int], height: Sequence[float]) -> int:
    """Return a lower bound on the initiation interval: the interval of the longest circuit with one back edge.

    The bound counts whole states only, not the time in them, so the least interval may be larger.

    Parameters
    ----------
    sequence : the nodes in topological order, each after the nodes that it waits for.
    height : ns of the longest path from each node to the end: long circuits are followed first.

    Examples
    --------
    >>> from ppnsim.hls.library.types import BIT
    >>> graph = Graph()
    >>> first = graph.add("phi", "x", BIT)
    >>> last = graph.add("op", "add", BIT, (first,), states=7)
    >>> graph.back.append(BackEdge(last, first, 2, "value", ""))
    >>> circuit_ii(graph, (first, last), (70.0, 70.0))
    4
    """
    place = {n: at for at, n in enumerate(sequence) if graph.nodes[n].kind != "dead"}
    of_source: dict[tuple[int, int], list[BackEdge]] = {}
    for edge in graph.back:
        if edge.source in place and edge.target in place:
            taken = 1 if edge.kind == "ram" else finished(graph.nodes[edge.source], 0)[0]
            of_source.setdefault((edge.source, taken), []).append(edge)
    least, left = 1, _LOOKS * len(graph.nodes)
    spans = {
        key: max((height[e.target] - height[e.source]) / e.distance for e in each) for key, each in of_source.items()
    }
    for (source, taken), edges in sorted(of_source.items(), key=lambda each: -spans[each[0]]):
        if left <= 0:
            break
        longest = {source: taken}
        left -= _follow(graph, longest, sequence, place, min(place[edge.target] for edge in edges))
        least = max(least, *(-(-longest.get(edge.target, 0) // edge.distance) for edge in edges))
    return least


def _follow(
    graph: Graph, longest: dict[int, int], sequence: Sequence[int], place: Mapping[int, int], begin: int
) -> int:  # fmt: skip
    """Add up the states on the longest path to each node, back to a place; return the number of nodes visited.

    ``longest`` starts with the node alone: the states that it takes itself.
    """
    left, looked = [-place[n] for n in longest], 0
    while left and -left[0] > begin:
        n = sequence[-heapq.heappop(left)]
        looked += 1
        states = longest[n]
        before = [(each, finished(graph.nodes[each], 0)[0]) for each in graph.nodes[n].operands]
        for earlier, apart in (*before, *graph.after.get(n, ())):
            if earlier not in longest and earlier in place:
                heapq.heappush(left, -place[earlier])
                longest[earlier] = states + apart
            elif earlier in place and longest[earlier] < states + apart:
                longest[earlier] = states + apart
    return looked


def required_start(schedule: Schedule, edge: BackEdge) -> tuple[int, float] | None:
    """Return the earliest start that a back edge allows its target; None if the target starts no earlier (R3.3)."""
    state, at = schedule.result[edge.source]
    issued, when = schedule.issue[edge.target]
    if edge.kind == "ram":
        need: tuple[int, float] = (schedule.issue[edge.source][0] + 1 - edge.distance * schedule.ii, 0.0)
    elif edge.kind == "register":
        need = (state + (at > 0) - edge.distance * schedule.ii, 0.0)
    else:
        need = (state - edge.distance * schedule.ii, at if edge.kind == "value" else 0.0)
    if need[0] < issued or (need[0] == issued and need[1] <= when + EPSILON):
        return None
    return need
