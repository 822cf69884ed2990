"""Locations in a graph: a value is forwarded where it is known, else it is loaded (R2.2, R5.7)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.graph.fifos import Fifos
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.values import Values
from ppnsim.hls.graph.words import Words
from ppnsim.loops.program import Access


@dataclass(frozen=True, slots=True)
class Memories:
    """The loads and stores of a body.

    ``reused`` are locations whose loads may take the last value stored instead (R4.3); ``muxes`` are the multiplexers
    that choose between the two, by load.
    """

    values: Values
    ports: Ports
    order: MemoryOrder
    words: Words
    fifos: Fifos
    reused: frozenset[Access] = frozenset()
    muxes: dict[int, int] = field(default_factory=dict)

    def load(self, access: Access, index: tuple[int, ...] = ()) -> int:
        """Return the value of a location: what is known of it, or a load of its array.

        ``index`` are the nodes of subscripts that are data.
        """
        if (fifo := self.ports.fifo(access)) is not None:
            return self._taken(access, fifo)
        if (value := self.values.find(access, index)) is not None:
            return value
        if not access.subscripts and not access.random:
            return self.values.scalar(access)
        operators = self.values.operators
        if (word := self.words.loaded(access)) is not None:
            beside = operators.wire(f"word {access}", word, operators.format(access))
            return self.values.known.setdefault(access, beside)
        node = self.ports.load(access, index)
        self.words.load(access, node)
        self.order.load(access, node)
        if access in self.reused:
            self.muxes[node] = operators.op("select", operators.format(access), (node,))
            node = self.muxes[node]
        self.values.know(access, node, index)
        return node

    def store(self, access: Access, value: int, index: tuple[int, ...] = ()) -> None:
        """Give a location a value; an earlier store to it is dropped if no load can need it.

        ``index`` are the nodes of subscripts that are data.
        """
        if (fifo := self.ports.fifo(access)) is not None:
            self.fifos.put(fifo, value)
            return
        self.values.overwrite(access)
        self.words.overwrite(access.array)
        # What is stored only if data says so waits for that, unless a multiplexer has waited already.
        sure = access in self.values.known or not access.subscripts
        tests = () if sure else self.values.tests()
        if not access.random or not tests:
            self.values.know(access, value, index)
        if not access.subscripts and not access.random:
            return
        if tests:
            self.values.branches.open[-1].unsure.add(access)
        elif not access.random:
            self.order.drop(access)
        node, graph = self.ports.store(access, (value, *index, *tests)), self.order.graph
        if (first := self.words.store(access, node)) is not None:
            graph.nodes[node].port = ""  # the word is written once, with all its elements
            graph.order(first, node, 0)
        self.order.store(access, node)

    def _taken(self, access: Access, fifo: Access) -> int:
        """Return a token of a FIFO; an array that comes as a FIFO gives each element once."""
        if access == fifo or access.random:
            return self.fifos.take(fifo)
        if access not in self.values.known:
            self.values.known[access] = self.fifos.take(fifo)
        return self.values.known[access]
