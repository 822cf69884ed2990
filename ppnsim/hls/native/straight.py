"""Straight-line code of a task as a data-flow graph: statements, branches, and accesses to streams in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ppnsim.c.kinds import LOOPS, STEPS, WORDS
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.hls.graph import arithmetic
from ppnsim.hls.graph.graph import BackEdge
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import BIT
from ppnsim.hls.native.places import Places, StreamAccess, access_of, extent_of
from ppnsim.hls.native.values import Values, format_of, function_of, operation, quotient
from ppnsim.loops.program import Access

Branch = tuple[tuple[int, bool], ...]
_TAKES = frozenset(("read", "read_nb", "empty", "size"))
_MOVES = frozenset(("read", "read_nb", "write", "write_nb"))
_WAITING: Mapping[str, int] = {"ap_wait": 1, "wait": 1}


@dataclass(frozen=True, slots=True)
class TaskSource:
    """What all parts of a task share; ``arrays`` are those that are registers."""

    library: Library
    functions: Mapping[str, Function]
    places: Places
    registers: frozenset[Variable]
    ordered: bool = True
    """Whether an access waits a state for the tests before it that may end the loop."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """An access in the graph: its node and number, its stream, the branches around it, waits before it."""

    node: int
    number: int
    access: StreamAccess
    stream: str
    branch: Branch
    waits: int


class StraightLine:
    """Code without loops of its own; ``loop`` is called for each loop in it."""

    def __init__(
        self, source: TaskSource, carried: frozenset[Variable], loop: Callable[[SyntaxNode], None],
        alias: Mapping[Variable, SyntaxNode],
    ) -> None:  # fmt: skip
        self.source, self.loop = source, loop
        self.values = Values(source.library, carried, source.registers)
        self.values.alias.update(alias)
        self.operators, self.graph = self.values.operators, self.values.graph
        self.accesses: list[_Placed] = []
        self.tests: list[int] = []
        self.waits = 0
        self._returned: list[int | None] = []

    # Statements.

    def run(self, node: SyntaxNode) -> None:
        """Add a statement."""
        match node.kind:
            case "block":
                for child in node.children:
                    self.run(child)
            case "declare":
                self._declare(node)
            case "if":
                self._if(node)
            case "break":
                self.test(*self.values.guard())
            case "continue" | "empty":
                pass
            case "return":
                self._return(node)
            case kind if kind in LOOPS:
                self.loop(node)
            case kind if kind in WORDS:
                refuse(node.position, f"{WORDS[kind]} in a task that is executed")
            case _:
                self.value(node)

    def test(self, *nodes: int) -> None:
        """Note what decides here whether the loop ends."""
        self.tests += [node for node in nodes if self.graph.nodes[node].unit != "constant"]

    def _declare(self, node: SyntaxNode) -> None:
        variable = node.variable
        assert variable is not None
        if variable.type.kind in ("array", "stream") or not node.children:
            self.values.known.pop(variable, None)
            if variable.type.kind not in ("array", "stream"):
                self.values.known[variable] = self.operators.constant("0", format_of(variable.type))
            return
        if variable.type.kind == "pointer":
            self.values.alias[variable] = node.children[0].bare
            return
        self._set(variable, self.value(node.children[0]), whole=True)

    def _if(self, node: SyntaxNode) -> None:
        values = self.values
        test = self.value(node.children[0])
        before, mark = dict(values.known), len(self.graph.nodes)
        ends: list[dict[Variable, int]] = []
        guard = self._both(test)
        for place in (1, 2):
            values.known = dict(before)
            values.guards.append(guard)
            values.branch.append((mark, place == 1))
            if place < len(node.children):
                self.run(node.children[place])
            values.branch.pop()
            values.guards.pop()
            ends.append(values.known)
        values.known = dict(before)
        first, second = ends
        for variable in sorted({*first, *second}, key=lambda v: (v.position.line, v.position.column, v.name)):
            # A value that is read first in one branch only was there before both.
            left = first.get(variable, before.get(variable, values.phis.get(variable)))
            right = second.get(variable, before.get(variable, values.phis.get(variable)))
            if left is None or right is None or left == right:
                values.known[variable] = left if left is not None else right  # type: ignore[assignment]
            else:
                of = self.graph.nodes[left].format
                values.known[variable] = self.operators.op("select", of, (test, left, right))

    def _both(self, test: int) -> int:
        guard = self.values.guard()
        return self.operators.op("logic", BIT, (*guard, test)) if guard else test

    def _return(self, node: SyntaxNode) -> None:
        value = self.value(node.children[0]) if node.children else None
        if not self._returned:
            self.test(*self.values.guard())
        elif value is not None:
            old, guard = self._returned[-1], self.values.guard()
            chosen = old is not None and guard
            of = self.graph.nodes[value].format
            self._returned[-1] = self.operators.op("select", of, (*guard, old, value)) if chosen else value  # type: ignore[arg-type]

    # Values.

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
        place = self.values.place(node)
        if place is not None:
            index = tuple(map(self.value, place[1]))
            return self.values.load(place[0], index, format_of(node.type))
        variable = self.values.root(node)
        if variable is None:
            refuse(node.position, f"'{node}' is not a variable")
        value = self.values.read(variable)
        return self.operators.wire(f".{node.text}", format_of(node.type), value) if node.kind == "member" else value

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
        """Give a variable a value; a part of it leaves the rest as it was."""
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
        if name in _WAITING or name == "ap_wait_n":
            states = _WAITING.get(name) or node.children[0].bare.value or 1
            self.waits += states
            return self.operators.constant("0", BIT)
        function = self.source.functions.get(name)
        if function is not None and function.body is not None:
            return self._inlined(node, function)
        nodes = tuple(map(self.value, (c for c in node.children if c.type.kind in ("integer", "real"))))
        if node.type.kind == "void" or node.spelled.removeprefix("std::") in ("printf", "fprintf", "puts", "putchar"):
            return self.operators.constant("0", BIT)
        return function_of(self.operators, node, nodes)

    def _inlined(self, node: SyntaxNode, function: Function) -> int:
        assert function.body is not None
        for parameter, argument in zip(function.parameters, node.children, strict=False):
            if parameter.type.kind in ("pointer", "array", "stream"):
                self.values.alias[parameter] = argument.bare
            else:
                self._set(parameter, self.value(argument), whole=True)
        self._returned.append(None)
        self.run(function.body)
        found = self._returned.pop()
        return self.operators.constant("0", BIT) if found is None else found

    # Accesses to streams.

    def _access(self, access: StreamAccess) -> int:
        number = self.source.places.accesses[extent_of(access.node)]
        if any(other.number == number for other in self.accesses):
            words = f"'{access}' is in a function that the task calls twice; its two places can not be told apart"
            refuse(access.node.position, words)
        values = tuple(self.value(each) for each in access.given) if access.kind.startswith("write") else ()
        root = self.values.root(access.stream)
        subscripts = [str(each) for each in access.stream.walk() if each.kind == "index"]
        stream = f"{root.name if root else access.stream}{subscripts[0] if subscripts else ''}"
        of = format_of(access.stream.type.element or access.stream.type)
        result = BIT if access.kind in ("empty", "full", "write_nb") else of
        node = self.graph.add(
            "op", "take" if access.kind in _TAKES else "put", result, (*values, *self.values.guard()),
            access=Access(stream), delay=self.source.library.ns("fifo"),
        )  # fmt: skip
        placed = _Placed(node, number, access, stream, tuple(self.values.branch), self.waits)
        self._ordered(placed)
        self.accesses.append(placed)
        if access.kind == "read_nb":
            # Without a token the variable keeps its value.
            flag = self.operators.wire("success", BIT, node)
            old = self.value(access.given[0])
            self._write(access.given[0], self.operators.op("select", of, (flag, node, old)))
            return flag
        return node

    def _ordered(self, new: _Placed) -> None:
        """Place an access behind those before it: one per side of a stream and state, none ahead of a result."""
        if self.source.ordered:
            for test in self.tests:
                self.graph.order(test, new.node, 1)
        for old in self.accesses:
            if _exclusive(old.branch, new.branch):
                continue
            moved = _same_side(old, new) and old.access.kind in _MOVES
            if new.waits > old.waits or moved:
                self.graph.order(old.node, new.node, max(new.waits - old.waits, int(moved)))
            elif old.access.kind != "write":
                self.graph.order(old.node, new.node, 0)

    def close(self) -> None:
        """Tie an iteration to the next one: values, tests that end the loop, one access per stream and state."""
        self.values.close()
        edges = self.graph.back
        for each in self.accesses:
            edges += [BackEdge(test, each.node, 1, "register", "the test that ends the loop") for test in self.tests]
            for other in self.accesses:
                if each.access.kind in _MOVES and _same_side(each, other) and other is not each:
                    reason = f"accesses to stream '{each.stream}'"
                    edges.append(BackEdge(each.node, other.node, 1, "ram", reason))


def _exclusive(one: Branch, other: Branch) -> bool:
    """Return whether two places are on different sides of one branch."""
    sides = dict(one)
    return any(sides.get(test, side) != side for test, side in other)


def _same_side(one: _Placed, other: _Placed) -> bool:
    return one.stream == other.stream and (one.access.kind in _TAKES) == (other.access.kind in _TAKES)
