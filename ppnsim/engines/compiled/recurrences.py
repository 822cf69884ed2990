"""A program as recurrences: for every step of every process, which earlier passings its firings wait for.

All rules that a cycle can wait for (T2, T3) have one form. Firing n of step v passes at the earliest at
``x_u(index(n)) + weight`` for each of its *edges* u -> v: a token edge points at the firing that writes the token, a
slot edge at the firing that releases it, and in an elastic process the steps before, the firing before and the firing
that makes room in the pipeline are edges too. Frozen and flushable processes walk through their own steps as one actor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.program import InputPort, OutputPort, ProcessProgram, Program

_PIECE = 2**14


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """``x_target(n) >= x_source(index(n)) + weight(n)``; no bound where the index is negative.

    ``index`` is the number d of ``n - d``, or a table of indices, shape ``(firings,)``; ``weight`` is cycles, or a
    table of them. Source and target are numbers of nodes; ``tokens_of`` or ``slots_of`` is the number of the channel
    whose token or slot the edge waits for, -1 where it waits for its own process.
    """

    source: int
    target: int
    index: int | Int64Array
    weight: int | Int64Array
    tokens_of: int = -1
    slots_of: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Recurrences:
    """Nodes (a step of a process each), the edges into each of them, and the actors that evaluate them.

    Attributes
    ----------
    first : number of each process's first node; its steps follow, with one number more at the end.
    firings : of each node, int64.
    edges : grouped by target; an elastic node's edge from its own firing before comes first.
    """

    program: Program
    first: tuple[int, ...]
    firings: Int64Array
    edges: tuple[tuple[Edge, ...], ...]

    @classmethod
    def of(cls, program: Program) -> Recurrences:
        """Return the recurrences of a program with its depths."""
        first = np.cumsum([0, *(lowered.steps.count for lowered in program.processes)]).tolist()
        into: list[list[Edge]] = [[] for _ in range(first[-1])]
        ports = _Ports(program, first)
        for number, lowered in enumerate(program.processes):
            accesses = [ports.edges(lowered, first[number] + step, step) for step in range(lowered.steps.count)]
            # The order of a frozen or flushable process is not an edge: such a process is walked.
            if lowered.steps.stops is not None:
                inner = [[Edge(first[number], first[number], 1, lowered.steps.stops.gaps), *accesses[0]]]
            elif lowered.process.style == "elastic":
                inner = _elastic(lowered, first[number], accesses)
            else:
                inner = accesses
            for node, edges in enumerate(inner, start=first[number]):
                into[node] = edges
        firings = per_node(first, [lowered.passings for lowered in program.processes])
        return cls(program, tuple(first), firings, tuple(map(tuple, into)))

    def per_node(self, of_process: Sequence[int]) -> Int64Array:
        """Return numbers of processes as numbers of their nodes."""
        return per_node(self.first, of_process)


def per_node(first: Sequence[int], of_process: Sequence[int]) -> Int64Array:
    """Return a number of each process for each of its nodes, int64; see `Recurrences.first`.

    Examples
    --------
    >>> per_node([0, 2, 5], [10, 20]).tolist()
    [10, 10, 20, 20, 20]
    """
    return np.repeat(np.array(of_process, dtype=np.int64), np.diff(first))


class _Ports:
    """Where the tokens and slots of each channel come from: the other end's node, and its counts."""

    def __init__(self, program: Program, first: list[int]) -> None:
        self._program = program
        writers, readers = program.writers().items(), program.readers().items()
        self._writer = {channel: (first[process] + port.step, port) for channel, (process, port) in writers}
        self._reader = {channel: (first[process] + port.step, port) for channel, (process, port) in readers}

    def edges(self, lowered: ProcessProgram, node: int, step: int) -> list[Edge]:
        """Return the token and slot edges into one step of a process."""
        return [
            *(self._token(node, port) for port in lowered.inputs if port.step == step),
            *(edge for port in lowered.outputs if port.step == step for edge in self._slot(node, port)),
        ]

    def _token(self, node: int, port: InputPort) -> Edge:
        network = self._program.network
        source, writer = self._writer[port.channel]
        forward = network.forward(network.channels[port.channel].name)
        return Edge(source, node, index_of(port.need, writer.count), forward, tokens_of=port.channel)

    def _slot(self, node: int, port: OutputPort) -> Iterator[Edge]:
        network, depth = self._program.network, self._program.depths[port.channel]
        if depth is not None:
            source, reader = self._reader[port.channel]
            release = network.release(network.channels[port.channel].name)
            yield Edge(source, node, index_of(port.slot(depth), reader.freed), release, slots_of=port.channel)


def index_of(wanted: Int64Array, counts: Int64Array) -> int | Int64Array:
    """Return the firing at which a running count first exceeds ``wanted[n]``, as n - d where it has that form.

    ``counts`` are the tokens (slots) that each firing of the other end adds; a negative ``wanted`` is there from the
    beginning, and one that never comes gets the number of firings, which none reaches.
    """
    one_each = counts.strides == (0,) and int(counts[0]) == 1  # as `Sequence.each` says it
    if (one_each or (counts == 1).all()) and _counts_up(wanted):
        return -int(wanted[0])
    index = np.searchsorted(np.cumsum(counts), wanted, side="right").astype(np.int64)
    index[wanted < 0] = -1
    return index


def _counts_up(values: Int64Array) -> bool:
    """Return whether each value is one more than the one before: looked at in pieces, which need no new memory."""
    if int(values[-1]) - int(values[0]) != len(values) - 1:
        return False
    pieces = (values[at : at + _PIECE + 1] for at in range(0, len(values), _PIECE))
    return all((piece[1:] - piece[:-1] == 1).all() for piece in pieces)


def _elastic(lowered: ProcessProgram, first: int, accesses: list[list[Edge]]) -> list[list[Edge]]:
    """Return the edges of an elastic process: its own order, and its tokens and slots."""
    process, steps = lowered.process, lowered.steps
    behind = 1 if process.ii else 0
    own = [Edge(first + k, first + k, 1, behind if k else process.ii) for k in range(steps.count)]
    offsets = np.atleast_2d(steps.offsets.T).T
    order = np.argsort(offsets[:, 0], kind="stable")
    if (np.diff(offsets[order], axis=0) > 0).all():
        nodes = [[own[k], *accesses[k]] for k in range(steps.count)]
        for before, after in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
            gap = offsets[after] - offsets[before]
            weight = gap if len(gap) > 1 else int(gap[0])
            nodes[after].append(Edge(first + before, first + after, 0, weight))
        if steps.capacity is not None:
            nodes[0].append(Edge(first + int(order[-1]), first, steps.capacity, 0))
        return nodes
    return _shuffled(first, offsets, own, accesses, steps.capacity)


def _shuffled(
    first: int, offsets: Int64Array, own: list[Edge], accesses: list[list[Edge]], capacity: int | None
) -> list[list[Edge]]:
    """Return the edges where a latency per firing makes steps change places, or fall together, in some firings.

    An edge then counts in some firings only. Steps that fall together pass as one: each waits for what any of them
    waits for.
    """
    firings = offsets.shape[1]
    everywhere = np.arange(firings, dtype=np.int64)
    nodes = []
    for k, mine in enumerate(offsets):
        edges = [own[k], *accesses[k]]
        for other, theirs in enumerate(offsets):
            if (earlier := theirs < mine).any():
                edges.append(Edge(first + other, first + k, np.where(earlier, everywhere, -1), mine - theirs))
            if other != k and (together := theirs == mine).any():
                edges += [_masked(edge, first + k, together) for edge in (own[other], *accesses[other])]
        nodes.append(edges)
    if capacity is not None:
        last = offsets.max(axis=0)
        oldest = everywhere - capacity
        room = []
        for other, theirs in enumerate(offsets):
            ends = (oldest >= 0) & (theirs == last)[np.maximum(oldest, 0)]
            room.append(Edge(first + other, first, np.where(ends, oldest, -1), 0))
        nodes[0] += room
        starts_with = offsets == 0
        for k in range(1, len(offsets)):
            nodes[k] += [_masked(edge, first + k, starts_with[k]) for edge in room if starts_with[k].any()]
    return nodes


def _masked(edge: Edge, target: int, where: Int64Array) -> Edge:
    """Return an edge for another target, that counts in some of its firings only."""
    index = np.arange(len(where)) - edge.index if isinstance(edge.index, int) else edge.index
    return replace(edge, target=target, index=np.where(where, index, -1).astype(np.int64))
