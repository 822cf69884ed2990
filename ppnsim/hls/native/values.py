"""Values of straight-line code as a data-flow graph, made directly from the syntax tree (R2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.hls.graph.graph import BackEdge
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.hls.native.arrays import Partitions, apart, same_along, set_ports
from ppnsim.hls.native.lanes import is_lane
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.program import Access

_WHOLE = Format("integer", 32)
STORED = " stored in the iteration before"
"""Last words of a bound that is set by a memory whose elements may be the same."""


def format_of(of: CType) -> Format:
    """Return the number format of a type; a struct has the bits of all its members."""
    if of.kind in ("integer", "real"):
        return Format.of(of.text)
    return Format("struct", max(1, of.bits), 0, False)


@dataclass(slots=True)
class ArrayAccesses:
    """The loads and stores of an array so far.

    ``partitions`` are its memories, ``index`` has the subscripts of its accesses, the first dimension first, and
    ``known`` are loads by the nodes of their subscripts and the number of stores before them.
    """

    partitions: Sequence[Partition] = ()
    index: dict[int, tuple[int, ...]] = field(default_factory=dict)
    loads: list[int] = field(default_factory=list)
    stores: list[int] = field(default_factory=list)
    known: dict[tuple[tuple[int, ...], int], int] = field(default_factory=dict)

    @property
    def registers(self) -> bool:
        """Whether each element is a register."""
        return any(each.registers for each in self.partitions)


class TaskValues:
    """The values of variables while code is read; values of another iteration or part come from registers (R11.3).

    ``carried`` are the variables that an iteration passes on to the next one.
    """

    def __init__(self, library: Library, carried: frozenset[Variable], partitions: Partitions) -> None:
        self.operators = Operators(library, {})
        self.graph = self.operators.graph
        self.carried, self.partitions = carried, partitions
        self.known: dict[Variable, int] = {}
        self.phis: dict[Variable, int] = {}
        self.alias: dict[Variable, SyntaxNode] = {}
        self.memories: dict[Variable, ArrayAccesses] = {}
        self.guards: list[int] = []
        self.branch: list[tuple[int, bool]] = []

    def root(self, node: SyntaxNode) -> Variable | None:
        """Return the variable that contains a place; a function's parameter is followed to its argument."""
        while node.kind in ("index", "member", "cast", "unary", "bits") and node.children:
            node = node.children[0]
        if node.variable is not None and node.variable in self.alias:
            return self.root(self.alias[node.variable])
        return node.variable

    def indices(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the subscripted places in a place, and in the argument of a function's parameter."""
        found = [each for each in node.walk() if each.kind == "index"]
        names = [each.variable for each in node.walk() if each.kind == "name" and each.variable in self.alias]
        return found + [index for name in names if name for index in self.indices(self.alias[name])]

    def guard(self) -> tuple[int, ...]:
        """Return the tests that decide whether the code here is executed."""
        return tuple(self.guards[-1:])

    def read(self, variable: Variable) -> int:
        """Return the value of a variable."""
        if variable not in self.known:
            kind = "phi" if variable in self.carried else "input"
            node = self.graph.add(kind, variable.name, format_of(variable.type.base()))
            self.known[variable] = node
            if kind == "phi":
                self.phis[variable] = node
        return self.known[variable]

    def close(self, inner: tuple[Variable, int] | None = None) -> None:
        """Connect the values at the end of an iteration to those at the start of the next one (R4).

        ``inner`` is the iterator of the innermost loop and its number of values: an element that it chooses is accessed
        again only after that many iterations.
        """
        for variable, phi in self.phis.items():
            if (last := self.known[variable]) != phi:
                reason = f"'{variable.name}' of the iteration before"
                self.graph.back.append(BackEdge(last, phi, 1, "register", reason))
        for memory in self.memories.values():
            set_ports(self.graph, memory.index, () if memory.registers else memory.partitions)
            for store in memory.stores:
                for other in () if memory.registers else (*memory.loads, *memory.stores):
                    chosen = self.phis.get(inner[0]) if inner is not None else None
                    alike = chosen is not None and same_along(
                        self.graph, memory.index[store], memory.index[other], chosen
                    )
                    far = inner[1] if inner is not None and alike else 1
                    name = self.graph.nodes[store].name
                    self.graph.back.append(BackEdge(store, other, far, "ram", f"'{name}'{STORED}"))

    def place(self, node: SyntaxNode) -> tuple[Variable, tuple[SyntaxNode, ...]] | None:
        """Return the array and the subscripts of an element in a memory, None for a variable."""
        subscripts: list[SyntaxNode] = []
        inner = node.bare
        while inner.kind in ("index", "member"):
            subscripts += inner.children[1:] if inner.kind == "index" and not is_lane(inner) else ()
            inner = inner.children[0].bare
        if not subscripts:
            return None
        variable = self.root(inner)
        if variable is None:
            refuse(node.position, f"'{node}' is not an element of a named array")
        return variable, tuple(reversed(subscripts))

    def load(self, variable: Variable, index: tuple[int, ...], to: Format) -> int:
        """Return an element of an array."""
        memory = self._memory(variable)
        same = (index, len(memory.stores))
        if same in memory.known:
            return memory.known[same]
        node = self._moved("load", variable, memory, index, to, states=0 if memory.registers else 1)
        for store in memory.stores:
            if not apart(self.graph, memory.index[store], index):
                self.graph.order(store, node, 1)
        memory.index[node] = index
        memory.loads.append(node)
        memory.known[same] = node
        return node

    def store(self, variable: Variable, index: tuple[int, ...], value: int, to: Format) -> None:
        """Store an element of an array."""
        memory = self._memory(variable)
        node = self._moved("store", variable, memory, (value, *index, *self.guard()), to, states=0)
        for states, before in ((1, memory.stores), (0, memory.loads)):
            for earlier in before:
                if not apart(self.graph, memory.index[earlier], index):
                    self.graph.order(earlier, node, states)
        memory.index[node] = index
        memory.stores.append(node)

    def _memory(self, variable: Variable) -> ArrayAccesses:
        return self.memories.setdefault(variable, ArrayAccesses(self.partitions.get(variable, ())))

    def _moved(
        self, kind: str, variable: Variable, memory: ArrayAccesses, operands: tuple[int, ...], to: Format, *,
        states: int,
    ) -> int:  # fmt: skip
        library = self.operators.library
        return self.graph.add(
            kind, variable.name, to, operands, states=states, access=Access(variable.name, random=True),
            delay=library.ns("mux") if memory.registers else library.ns("ram"),
            port="" if memory.registers else variable.name,
        )  # fmt: skip
