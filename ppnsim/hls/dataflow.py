"""From statements to a data-flow graph: values, loads and stores, each location forwarded where it is known (R2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ppnsim.affine.expressions import Condition, Not
from ppnsim.affine.program import Access, Array, Operation, Statement
from ppnsim.hls.aliases import surely_apart
from ppnsim.hls.counting import condition_iterators
from ppnsim.hls.expressions import BIT, value_of
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.locations import Step
from ppnsim.hls.types import Format


@dataclass(slots=True)
class Memory:
    """What is in flight to one array: stores not yet overwritten, and loads, with their nodes."""

    stores: list[tuple[Access, int]] = field(default_factory=list)
    loads: list[tuple[Access, int]] = field(default_factory=list)


@dataclass(slots=True)
class Flow:
    """The graph of straight-line code while it is built.

    ``known``: the node with the value of a location. ``address``: (state, ns) from which on the address of an access is
    there. ``port``: the memory that an access goes to.
    ``argument``: what a loop body takes from around it becomes an input through this. ``muxed``: locations whose
    loads may take the last value stored instead, ``muxes``: where they do, by load.
    """

    library: Library
    arrays: Mapping[str, Array]
    graph: Graph = field(default_factory=Graph)
    known: dict[Access, int] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    address: Callable[[Access], tuple[int, float]] = lambda _: (0, 0.0)
    port: Callable[[Access], str] = lambda access: access.array
    argument: Callable[[Operation, Statement], int | None] = lambda *_: None
    strictly_apart: Callable[[Access, Access], bool] = lambda *_: False
    muxed: set[Access] = field(default_factory=set)
    muxes: dict[int, int] = field(default_factory=dict)
    _branches: dict[tuple[Condition, ...], dict[Access, int]] = field(default_factory=dict)
    same: dict[tuple[object, ...], int] = field(default_factory=dict)

    def step(self, step: Step) -> None:
        """Add a statement."""
        statement = step.statement
        if statement.value is None or not statement.writes:
            if statement.value is not None:
                self.value(statement.value, statement)
            return
        target = statement.writes[0]
        to = self.format(target)
        chosen = self._enter(step.conditions)
        node = self.converted(self.value(statement.value, statement, to.whole), to)
        if chosen is not None:
            # The values of the branch before are what this one is an alternative to.
            self.known = {**chosen, **{a: n for a, n in self.known.items() if a not in chosen}}
        for condition in step.conditions if chosen is None else step.conditions[-1:]:
            node = self._under(condition, target, node, to)
        self.store(target, node)
        for access in statement.writes[1:]:
            self.store(access, node)

    def _enter(self, conditions: tuple[Condition, ...]) -> dict[Access, int] | None:
        """Remember what is known before a branch; go back to that for its ``else`` and return what was known after."""
        if not conditions:
            return None
        last, prefix = conditions[-1], conditions[:-1]
        if isinstance(last, Not) and (*prefix, last.part) in self._branches:
            after, start = self.known, self._branches[*prefix, last.part]
            loaded = {a: n for a, n in after.items() if a not in start and self.graph.nodes[n].kind == "load"}
            self.known = {**start, **loaded}
            return after
        self._branches.setdefault(conditions, dict(self.known))
        return None

    def _under(self, condition: Condition, target: Access, node: int, to: Format) -> int:
        """Return the value of a location after a statement that may not have been executed."""
        test = self.condition(condition)
        if (old := self.known.get(target)) is None and not target.subscripts:
            old = self.load(target)
        if old is None:
            return node
        at = self.graph.nodes[node]
        if at.name == "select" and old in at.operands:
            # One multiplexer takes both: its condition and this one.
            return self.op("select", to, (test, *at.operands))
        return self.op("select", to, (test, node, old))

    def format(self, access: Access) -> Format:
        """Return the number format of an array's elements."""
        return Format.of(self.arrays[access.array].type)

    def op(
        self, name: str, format_: Format, operands: tuple[int, ...], where: str = "", wide: Format | None = None
    ) -> int:
        """Add an operator, or return the one that computes the same; ``wide`` decides its delay."""
        key = (name, format_, operands)
        if key not in self.same:
            found = self.library.operator(name, wide or format_, where)
            self.same[key] = self.graph.add(
                "op",
                name,
                format_,
                operands,
                states=found.states,
                delay=found.delay,
                entry=found.entry,
                unit=found.unit,
                wide=wide or format_,
            )
        return self.same[key]

    def constant(self, text: str, format_: Format) -> int:
        """Return the node of a number."""
        key = ("constant", text, format_)
        if key not in self.same:
            self.same[key] = self.graph.add("input", text, format_)
            self.graph.nodes[-1].unit = "constant"
        return self.same[key]

    def condition(self, condition: Condition) -> int:
        """Return the comparison of iterators that a condition is."""
        counter = self.input("".join(sorted(condition_iterators(condition))), Format("integer", 32))
        return self.op("cmp", BIT, (counter, self.constant(str(condition), BIT)), wide=Format("integer", 32))

    def input(self, name: str, format_: Format) -> int:
        """Return a value that is there from the start."""
        key = ("input", name, format_)
        if key not in self.same:
            self.same[key] = self.graph.add("input", name, format_)
        return self.same[key]

    def load(self, access: Access) -> int:
        """Return the value of a location: what is known of it, or a load of its array."""
        if access in self.known:
            return self.known[access]
        format_ = self.format(access)
        if not access.subscripts and not access.random:
            return self.known.setdefault(access, self.input(str(access), format_))
        node = self.graph.add(
            "load", str(access), format_, delay=self.library.ns("ram"), port=self.port(access), access=access,
            ready=self.address(access), states=1,
        )  # fmt: skip
        memory = self.memory.setdefault(access.array, Memory())
        for other, stored in memory.stores:
            if not surely_apart(other, access):
                self.graph.order(stored, node, 1)
        memory.loads.append((access, node))
        if access in self.muxed:
            self.muxes[node] = mux = self.op("select", format_, (node,))
            node = mux
        if not access.random:
            self.known[access] = node
        return node

    def store(self, access: Access, value: int) -> None:
        """Give a location a value; a store before it that nobody could have loaded is dropped."""
        for other in [o for o in self.known if o.array == access.array and o != access]:
            if not surely_apart(other, access):
                del self.known[other]
        if not access.random:
            self.known[access] = value
        if not access.subscripts and not access.random:
            return
        memory = self.memory.setdefault(access.array, Memory())
        self.drop(access)
        node = self.graph.add(
            "store", str(access), self.format(access), (value,), delay=self.library.ns("ram"), port=self.port(access),
            access=access, ready=self.address(access),
        )  # fmt: skip
        for other, loaded in memory.loads:
            if not surely_apart(other, access):
                self.graph.order(loaded, node, 0)
        for other, stored in memory.stores:
            if not surely_apart(other, access) and not self.strictly_apart(other, access):
                self.graph.order(stored, node, 1)
        memory.stores.append((access, node))

    def drop(self, access: Access) -> None:
        """Remove the last store to a location if no load after it may need it."""
        memory = self.memory.get(access.array, Memory())
        for place, (other, node) in enumerate(memory.stores):
            if other == access and not any(
                later > node and not surely_apart(where, access) for where, later in memory.loads
            ):
                self.graph.nodes[node].kind = "dead"
                del memory.stores[place]
                return

    def converted(self, node: int, to: Format) -> int:
        """Return a value in another format; between fixed-point formats that is wiring."""
        at = self.graph.nodes[node]
        if at.unit == "constant":
            return self.constant(at.name, to)
        if at.format.real != to.real or (to.real and at.format.bits != to.bits):
            return self.op("cast", to if to.real else at.format, (node,))
        return node

    def narrowed(self, node: int, to: Format) -> int:
        """Return what is left of a fixed-point value in the format of the location that it was put into."""
        at = self.graph.nodes[node]
        if at.unit == "constant" or at.format == to or to.real or at.format.real:
            return node
        return self.wire("cut", node, to)

    def wire(self, name: str, node: int, to: Format) -> int:
        """Return a value in another format, which takes no time."""
        key = (name, to, node)
        if key not in self.same:
            self.same[key] = self.graph.add("op", name, to, (node,))
        return self.same[key]

    def value(self, tree: Operation, statement: Statement, whole: int | None = None) -> int:
        """Return the node of an expression of which ``whole`` bits before the point are wanted (None: all)."""
        if (given := self.argument(tree, statement)) is not None:
            return given
        return value_of(self, tree, statement, whole)
