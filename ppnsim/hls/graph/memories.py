"""Memory accesses of a body: a load takes a known value where there is one, and else becomes a node (R2.2, R5.7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ppnsim.hls.graph.exclusive import Ways, exclude
from ppnsim.hls.graph.fifos import Fifos
from ppnsim.hls.graph.loaded_words import Words
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.places import place_of
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.graph.speculation import ALL_EARLY, Speculation
from ppnsim.hls.graph.values import Values
from ppnsim.hls.structure.element_runs import REQUEST
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access


@dataclass(frozen=True, slots=True)
class Memories:
    """The loads and stores of a body.

    ``reused`` are locations whose loads may take the last stored value instead (R4.3); ``muxes`` are the multiplexers
    that choose between the two, by load. ``transfers`` are the loads and stores over a bus, with the conditions around.
    ``partial`` are locations that only some iterations store, under conditions on iterators, by array, with the tests
    and the stored value.
    ``choices`` are the locations among which an address chooses, if each of them is in a memory of its own.
    ``speculation`` says which tests around a load it waits for.
    ``waits`` are the tests of the same iteration for which a load waits, since they may end the loop (R4.10).
    """

    values: Values
    ports: Ports
    order: MemoryOrder
    words: Words
    fifos: Fifos
    reused: frozenset[Access] = frozenset()
    muxes: dict[int, int] = field(default_factory=dict)
    transfers: dict[int, tuple[Condition, ...]] = field(default_factory=dict)
    partial: dict[str, dict[Access, tuple[tuple[int, ...], int]]] = field(default_factory=dict)
    choices: Callable[[Access], tuple[Access, ...]] = lambda _: ()
    speculation: Speculation = ALL_EARLY
    waits: list[int] = field(default_factory=list)

    def load(self, access: Access, index: tuple[int, ...] = ()) -> int:
        """Return the value of a location: its known value, or a load of its array.

        ``index`` are the nodes of data-dependent subscripts.
        """
        if (fifo := self.ports.fifo(access)) is not None:
            if access == fifo or access.random:
                return self.fifos.access("take", fifo)
            if access not in self.values.known:  # an array that is a FIFO delivers each element, or word, once
                if (known := self._beside(access)) is None:
                    self.words.load(access, known := self.fifos.access("take", fifo))
                self.values.known[access] = known
            return self.values.known[access]
        if self.is_volatile(access):
            return self.fresh(access, index)
        if access in self.partial.get(access.array, ()) and self.values.branches.value(access) is None:
            return self._either(access)
        place = self.place(access, index)
        if (value := self.values.find(place, index)) is not None:
            self._meet(value)
            return value
        if not access.subscripts and not access.random:
            if (asked := self.fifos.poll(access)) is not None:
                self.values.know(access, asked)
                return asked
            return self.values.scalar(access)
        if (beside := self._beside(access, index)) is not None:
            self.values.know(place, beside, index)
            return beside
        if (chosen := self._chosen(access)) is not None:
            self.values.know(place, chosen, index)
            return chosen
        return self.fresh(access, index)

    def place(self, access: Access, index: tuple[int, ...]) -> Access:
        """Return an element with the values that choose it as subscripts, as far as these are known (R2.2)."""
        if not access.random or self.ports.fifo(access) is not None or self.is_volatile(access):
            return access
        return place_of(self.values.operators.graph, access, index)

    def is_volatile(self, access: Access) -> bool:
        """Return whether an element is volatile: each of its loads and stores stays in hardware (R1.2)."""
        return self.values.operators.arrays[access.array].volatile and bool(access.subscripts or access.random)

    def _chosen(self, access: Access) -> int | None:
        """Return an element that data chooses, if the values of all its possible locations are known (R6.1)."""
        operators = self.values.operators
        found = [self.values.find(each) for each in self.choices(access)]
        values = [value for value in found if value is not None]
        if not values or len(values) < len(found):
            return None
        for value in values:
            self._meet(value)
        while len(values) > 1:  # a lookup table with six inputs is a multiplexer of four values
            groups = [tuple(values[at : at + 4]) for at in range(0, len(values), 4)]
            values = [operators.op("select", operators.format(access), each, kind=str(access)) for each in groups]
        return values[0]

    def _beside(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return an element of a word that is already loaded."""
        operators, word = self.values.operators, self.words.loaded(access, index)
        if word is None:
            return None
        self._meet(word)
        return operators.wire(f"word {access}", operators.format(access), word, *self.words.choosing(access, index))

    def fresh(self, access: Access, index: tuple[int, ...] = ()) -> int:
        """Return a new load of a location, even if its value is known."""
        operators = self.values.operators
        at, chosen = self.ports.addressed(index, access, self.words.across(access))
        node = self._load(access, at)
        self.words.load(access, node, index)
        self.order.load(access, node)
        self._in_turn(access, node)
        if access in self.reused:
            self.muxes[node] = node = operators.op("select", operators.format(access), (node,))
        node = self.ports.choice(access, node, chosen)
        self.values.know(self.place(access, index), node, index)
        return node

    def _either(self, access: Access) -> int:
        """Return a location that only some iterations store: their stored value, or the loaded value (R5.8).

        The load and the store exclude each other, so that neither waits for the other.
        """
        tests, value = self.partial[access.array].pop(access)
        operators, old = self.values.operators, self._beside(access)
        if old is None:
            old = self._load(access, ())
            self.words.load(access, old)
            self.order.load(access, old, alone=True)
            if access in self.reused:
                self.muxes[old] = old = operators.op("select", operators.format(access), (old,))
        for test in tests:
            value = operators.op("select", operators.format(access), (test, value, old))
        self.values.know(access, value)
        return value

    def store(self, access: Access, value: int, index: tuple[int, ...] = (), raw: int | None = None) -> None:
        """Give a location a value; an earlier store to it is dropped if no load can need it.

        ``index`` are the nodes of data-dependent subscripts; ``raw`` is the value inside the branch (R5.8).
        """
        if (fifo := self.ports.fifo(access)) is not None:
            self.fifos.put(fifo, access, value)
            return
        if not access.subscripts and not access.random:
            self.values.assign(access, value)
            return
        place = self.place(access, index)
        self.values.overwrite(place)
        self._forget(access)
        self.words.overwrite(access, index)
        # A store under a condition on data waits for the condition, unless a multiplexer has already waited for it.
        sure = place in self.values.known or not access.subscripts
        tests = () if sure else self.values.tests()
        dropped = None
        if not place.random or not tests:
            self.values.know(place, value, index)
        if tests:
            self.values.branches.open[-1].unsure.add(place)
        elif not place.random:
            self.values.branches.settle(place)
            dropped = self._replaced(access, place)
            if dropped is None and raw is not None and self.ports.is_memory(access):
                value, tests = raw, self.values.tests()
        node, graph = self.ports.store(access, (value, *index), tests), self.order.graph
        first, ways = None if self.is_volatile(access) else self.words.store(access, node, index), self._ways()
        graph.nodes[node].ways = ways if dropped is None else ways & graph.nodes[dropped].ways  # it replaces both
        if first is not None and (self.ports.is_transfer(access) or not exclude(ways, graph.nodes[first].ways)):
            self._join(node, first, ways)
        else:
            self._transferred(access, node)
        self.order.store(access, node)
        self._in_turn(access, node)

    def _in_turn(self, access: Access, node: int) -> None:
        """Let an access to a volatile element follow the earlier ones: over a bus, after their elements and responses.

        Loads follow each other in the states of their requests (R1.2).
        """
        if not self.is_volatile(access):
            return
        states = self.order.graph.nodes[node].states if self.order.graph.nodes[node].kind == "load" else 0
        if not self.ports.is_transfer(access):
            self.order.volatile(node, states, 0)
        elif states:
            self.order.volatile(node, states, 1)
        else:
            states = REQUEST + self.ports.response(access)
            self.order.volatile(node, states, states)

    def _join(self, node: int, first: int, ways: Ways) -> None:
        """Make a store part of the store of another element in its word: the word is written once."""
        graph = self.order.graph
        graph.nodes[node].port = ""
        graph.order(first, node, 0)
        if not exclude(ways, graph.nodes[first].ways):
            self._meet(first)

    def _forget(self, access: Access) -> None:
        """Forget values that some iterations have stored and that a store may change; most are in other arrays."""
        if same := self.partial.get(access.array):
            for other in self.values.meeting(access):
                same.pop(other, None)

    def _load(self, access: Access, index: tuple[int, ...]) -> int:
        node = self.ports.load(access, (*index, *self.waits), self._enabling(access))
        self.order.graph.nodes[node].ways = self._ways()
        self._transferred(access, node)
        return node

    def _replaced(self, access: Access, place: Access) -> int | None:
        """Drop and return the store that a new one replaces; in an arm of a chain only one of that arm (R5.8)."""
        if self.is_volatile(access):
            return None
        is_arm = any(self.speculation.is_arm(access, each.condition) for each in self.values.branches.open)
        return self.order.drop(access, place if access.random else None, self._ways() if is_arm else None)

    def _enabling(self, access: Access) -> tuple[int, ...]:
        """Return the tests on data for which a load from a memory waits (R4.16)."""
        if not self.ports.is_memory(access):
            return ()
        around = (each.condition for each in self.values.branches.open)
        return tuple([self.values.condition(each) for each in around if self.speculation.waits(access, each)])

    def _transferred(self, access: Access, node: int) -> None:
        if self.ports.is_transfer(access):
            self.transfers[node] = tuple(branch.condition for branch in self.values.branches.open)

    def _ways(self) -> Ways:
        """Return the ways of branches that contain the statement."""
        values = self.values
        if not values.branches.open:  # the usual case
            return values.places.of(())
        return values.places.of([(each.condition, values.tested(each.condition)) for each in values.branches.open])

    def _meet(self, value: int) -> None:
        """Let a load that another statement also uses be executed on the ways of both statements."""
        nodes = self.order.graph.nodes
        while nodes[value].kind == "op" and (len(nodes[value].operands) == 1 or nodes[value].name.startswith("word ")):
            # a part of the loaded value
            value = nodes[value].operands[0]
        if nodes[value].ways:
            nodes[value].ways &= self._ways()
