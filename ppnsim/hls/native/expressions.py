"""The expressions of a task as a data-flow graph, including accesses to streams."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.hls.graph import arithmetic
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import BIT
from ppnsim.hls.native.arrays import Partitions
from ppnsim.hls.native.lanes import is_lane
from ppnsim.hls.native.operators import function_of, operation, quotient
from ppnsim.hls.native.order import TAKES, PlacedAccess, StreamOrder
from ppnsim.hls.native.places import Places, StreamAccess, access_of, extent_of
from ppnsim.hls.native.values import TaskValues, format_of
from ppnsim.loops.program import Access

_PRINTING = frozenset(("printf", "fprintf", "puts", "putchar"))


@dataclass(frozen=True, slots=True)
class TaskSource:
    """The data that all parts of a task share; ``latencies`` are minimum latencies of functions, in states."""

    library: Library
    functions: Mapping[str, Function]
    places: Places
    partitions: Partitions
    latencies: Mapping[str, int] = field(default_factory=dict)
    ordered: bool = True
    """Whether an access waits one state for earlier tests that may end the loop."""
    unrolled: set[int] = field(default_factory=set)
    """The loops that have been completely unrolled so far."""


class TaskExpressions(ABC):
    """The values of expressions in program order; ``tests`` decide whether the loop around them ends."""

    def __init__(
        self, source: TaskSource, carried: frozenset[Variable], alias: Mapping[Variable, SyntaxNode],
        path: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.source = source
        self.path = list(path)  # the calls and the copies of unrolled loops around the code
        self._begin(carried, alias)

    def _begin(self, carried: frozenset[Variable], alias: Mapping[Variable, SyntaxNode]) -> None:
        """Start with an empty graph."""
        self.values = TaskValues(self.source.library, carried, self.source.partitions)
        self.values.alias.update(alias)
        self.operators, self.graph = self.values.operators, self.values.graph
        self.order = StreamOrder(self.graph)
        self.tests: list[int] = []
        self.waits = 0

    @abstractmethod
    def inlined(self, node: SyntaxNode, function: Function) -> int:
        """Return the result of a function that is inlined at its call."""

    def value(self, node: SyntaxNode) -> int:
        """Return the node of an expression."""
        if (access := access_of(node)) is not None:
            return self._access(access)
        match node.kind:
            case "integer":
                return self.operators.constant(str(node.value), format_of(node.type))
            case "real" | "string":
                return self.operators.constant(node.text, format_of(node.type))
            case "assign":
                return self._assign(node)
            case "choice":
                test, *sides = (self.value(child) for child in node.children)
                return arithmetic.chosen(self.operators, operation(node, "?:"), test, *sides)
            case "call":
                return self._call(node)
            case "cast":
                value = self.value(node.children[0])
                plain = node.type.kind in ("integer", "real")
                return self.operators.converted(value, format_of(node.type)) if plain else value
            case "binary":
                return self._binary(node)
            case "unary":
                return self._unary(node)
            case "name" | "index" | "member":
                return self._place(node)
            case "bits" | "join" | "reduce":
                nodes = tuple(map(self.value, node.children))
                return arithmetic.bits_of(self.operators, operation(node, node.kind), nodes)
            case "list" | "empty":
                nodes = tuple(map(self.value, node.children))
                return self.operators.wire("join", format_of(node.type), *nodes)
        raise InputError(f"'{node}' in a task that is executed", where=str(node.position))

    def _binary(self, node: SyntaxNode) -> int:
        left, right = (self.value(child) for child in node.children)
        if node.text == ",":
            return right
        return self._operated(node, node.text, left, right)

    def _operated(self, node: SyntaxNode, text: str, left: int, right: int) -> int:
        if text in ("<<", ">>"):
            return arithmetic.shifted(self.operators, operation(node, text), left, right)
        if text == "/" and (found := quotient(self.operators, left, right, str(node.position))) is not None:
            return found
        return arithmetic.binary(self.operators, operation(node, text), left, right, None)

    def _unary(self, node: SyntaxNode) -> int:
        operand = node.children[0]
        if node.text in STEPS:
            old = self.value(operand)
            one = self.operators.constant("1", self.graph.nodes[old].format)
            new = self._operated(node, "+" if "+" in node.text else "-", old, one)
            self._write(operand, new)
            return old if node.text.startswith("x") else new
        if node.text in ("*", "&"):
            return self._place(node)
        value = self.value(operand)
        return value if node.text == "+" else arithmetic.unary(self.operators, operation(node, f"{node.text}x"), value)

    def _place(self, node: SyntaxNode) -> int:
        node = self.named(node)
        place = self.values.place(node)
        if place is not None:
            index = tuple(map(self.value, place[1]))
            return self.values.load(place[0], index, format_of(node.type))
        variable = self.values.root(node)
        if variable is None:
            refuse(node.position, f"'{node}' is not a variable")
        value = self.values.read(variable)
        part = node.kind == "member" or is_lane(node)
        return self.operators.wire(f".{node.text}", format_of(node.type), value) if part else value

    def named(self, node: SyntaxNode) -> SyntaxNode:
        """Return a place; the temporary that contains it, as in ``s.read().m[1]``, becomes a variable."""
        if self.values.root(node) is not None or node.type.kind == "stream":
            return node
        if node.kind in ("index", "member", "cast") or (node.kind == "unary" and node.text in ("&", "*")):
            return with_children(node, (self.named(node.children[0]), *node.children[1:]))
        variable = Variable("temporary", node.type, "local", node.position)
        self._set(variable, self.value(node), whole=True)
        return SyntaxNode("name", node.position, node.type, end=node.end, extent=node.extent, variable=variable)

    def _assign(self, node: SyntaxNode) -> int:
        target, given = node.children
        value = self.value(given)
        if node.text != "=":
            value = self._operated(node, node.text.removesuffix("="), self.value(target), value)
        self._write(target, value)
        return value

    def _write(self, target: SyntaxNode, value: int) -> None:
        place = self.values.place(target)
        if place is not None:
            index = tuple(map(self.value, place[1]))
            self.values.store(place[0], index, value, format_of(target.type))
            return
        variable = self.values.root(target)
        if variable is None:
            refuse(target.position, f"'{target}' is not a variable")
        self._set(variable, value, whole=target.kind in ("name", "unary"))

    def _set(self, variable: Variable, value: int, *, whole: bool) -> None:
        """Give a variable a value; a part of it leaves the other parts unchanged."""
        to = format_of(variable.type.base())
        if to.family == "struct" or not whole:
            operands = (value,) if whole else (self.values.read(variable), value)
            value = self.operators.wire(f"{variable.name} {value}", to, *operands)
        else:
            value = self.operators.converted(value, to)
        if self.values.guards and variable in self.values.carried:
            self.values.read(variable)
        self.values.known[variable] = value

    def _call(self, node: SyntaxNode) -> int:
        name = node.text
        if name in ("ap_wait", "ap_wait_n"):
            states = 1 if name == "ap_wait" else node.children[0].bare.value or 1
            self.waits += states
            return self.operators.constant("0", BIT)
        function = self.source.functions.get(name)
        if function is not None and function.body is not None:
            return self.inlined(node, function)
        nodes = tuple(map(self.value, (c for c in node.children if c.type.kind in ("integer", "real"))))
        if node.type.kind == "void" or node.spelled.removeprefix("std::") in _PRINTING:
            return self.operators.constant("0", BIT)
        return function_of(self.operators, node, nodes)

    def _access(self, access: StreamAccess) -> int:
        key = self.source.places.accesses[extent_of(access.node)], *self.path
        if any(other.key == key for other in self.order.accesses):
            words = f"'{access}' is in a function that the task calls twice; its two places can not be told apart"
            refuse(access.node.position, words)
        values = tuple(self.value(each) for each in access.given) if access.kind.startswith("write") else ()
        stream, element = self._stream(access.stream)
        of = format_of(access.stream.type.element or access.stream.type)
        result = BIT if access.kind in ("empty", "full", "write_nb") else of
        node = self.graph.add(
            "op", "take" if access.kind in TAKES else "put", result, (*values, *self.values.guard()),
            access=Access(stream), delay=self.source.library.ns("fifo"),
        )  # fmt: skip
        placed = PlacedAccess(node, key, access, (stream, element), tuple(self.values.branch), self.waits)
        self.order.add(placed, self.tests if self.source.ordered else ())
        if access.kind == "read_nb":
            # Without a token the variable keeps its value.
            flag = self.operators.wire("success", BIT, node)
            old = self.value(access.given[0])
            self._write(access.given[0], self.operators.op("select", of, (flag, node, old)))
            return flag
        return self._flag(node) if access.kind == "write_nb" else node

    def _flag(self, node: int) -> int:
        """Return whether a write finds a slot: its FIFO knows this in the state of the write, for any value."""
        flag = self.graph.add("op", "slot", BIT, (), delay=self.source.library.ns("fifo"))
        self.graph.order(node, flag, 0)
        return flag

    def _stream(self, node: SyntaxNode) -> tuple[str, str | None]:
        """Return the name of a stream and its index in an array: "" for a single stream, None if data decides."""
        root = self.values.root(node)
        subscripts = [self.value(each.children[1]) for each in self.values.indices(node)]
        constant = all(map(self.operators.is_constant, subscripts))
        element = ",".join(self.graph.nodes[each].name for each in subscripts) if constant else None
        return (root.name if root else str(node)), element
