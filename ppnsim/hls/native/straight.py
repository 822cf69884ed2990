"""Straight-line code of a task: declarations, branches, and functions that are inlined at their calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import LOOPS, WORDS
from ppnsim.c.plain.switches import chain_of
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.hls.library.types import BIT
from ppnsim.hls.native.expressions import TaskExpressions, TaskSource
from ppnsim.hls.native.lanes import of_vectors, vector_call
from ppnsim.hls.native.places import accesses_in, extent_of
from ppnsim.hls.native.values import format_of


class StraightLine(TaskExpressions):
    """Code without loops of its own; ``loop`` is called for each loop inside."""

    def __init__(
        self, source: TaskSource, carried: frozenset[Variable], loop: Callable[[SyntaxNode], None],
        alias: Mapping[Variable, SyntaxNode], path: Sequence[int] = (),
    ) -> None:  # fmt: skip
        super().__init__(source, carried, alias, path)
        self.loop = loop
        self.opened = 0  # how often the code has started anew
        self._returned: list[int | None] = []
        self._whole: SyntaxNode | None = None  # the call that is the statement, or that gives its value

    def reopen(self) -> None:
        """Start anew after a loop that is not pipelined: values then come from registers."""
        self._begin(frozenset(), dict(self.values.alias))
        self.opened += 1
        self._returned = [None for _ in self._returned]

    def run(self, node: SyntaxNode) -> None:
        """Add a statement."""
        self._whole = _call_of(node)
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
            case "switch":
                self.run(chain_of(node))
            case kind if kind in LOOPS:
                self.loop(node)
            case kind if kind in WORDS:
                refuse(node.position, f"{WORDS[kind]} in a task that is executed")
            case _:
                self.value(node)

    def test(self, *nodes: int) -> None:
        """Note the nodes that decide here whether the loop ends."""
        self.tests += [node for node in nodes if self.graph.nodes[node].unit != "constant"]

    def _declare(self, node: SyntaxNode) -> None:
        variable = node.variable
        assert variable is not None
        if variable.type.kind == "array" and any(True for each in node.children for _ in accesses_in(each)):
            words = f"the array '{variable.name}' is read as a whole from a stream, in a task that is executed"
            refuse(node.position, f"{words}; put it into a struct")
        if variable.type.kind in ("array", "stream") or not node.children:
            self.values.known.pop(variable, None)
            if variable.type.kind not in ("array", "stream"):
                self.values.known[variable] = self.operators.constant("0", format_of(variable.type))
            return
        if variable.type.kind == "pointer":
            self.values.alias[variable] = self.named(node.children[0].bare)
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
            # A value that only one branch reads first existed before both branches.
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

    def inlined(self, node: SyntaxNode, function: Function) -> int:
        """Return the result of a function that is inlined at its call."""
        assert function.body is not None
        if of_vectors(function):
            return self._vector(node, function)
        whole, opened = self._whole is node, self.opened
        least = self.source.latencies.get(node.text, 0)
        given: list[int] = []
        for parameter, argument in zip(function.parameters, node.children, strict=False):
            if parameter.type.kind in ("pointer", "array", "stream"):
                self.values.alias[parameter] = self.named(argument.bare)
            else:
                given.append(self.value(argument))
                self._set(parameter, given[-1], whole=True)
        wait = self.graph.add("op", "wait", BIT, tuple(given), states=least) if least else None
        self._returned.append(None)
        number = self.source.places.inner.get(extent_of(node))
        self.path += [] if number is None else [number]
        self.run(function.body)
        if number is not None:
            self.path.pop()
        found = self._returned.pop()
        if self.opened != opened and not whole:
            words = f"a call of '{node.text}', which has a loop that is not pipelined, in an expression"
            refuse(node.position, f"{words}; give its result to a variable in a statement of its own")
        if found is None:
            return self.operators.constant("0", BIT)
        return found if wait is None else self.operators.wire("after", self.graph.nodes[found].format, found, wait)

    def _vector(self, node: SyntaxNode, function: Function) -> int:
        """Return the result of a vector operator: one lane stands for all lanes, which are side by side."""
        kind, text, lane, count = vector_call(node, function)
        one, to = format_of(lane), replace(node, type=lane)
        vectors = [each.bare.children[0] if each.bare.text == "&" else each for each in node.children]
        named = kind in ("update", "step") or (kind == "fill" and node.type.kind == "void")
        read = vectors[:1] if kind == "step" else vectors[kind == "fill" and named :]
        given = [self.operators.wire("lane", one, self.value(each)) for each in read]
        result = given[0]
        if kind == "reduce":
            for _ in range(count - 1):  # in sequence, as in the source
                result = self._operated(to, text, result, given[0])
            return result
        if kind == "compare":
            return self._compared(node, text, given, count)
        if kind == "step":
            result = self._operated(to, text[0], result, self.operators.constant("1", one))
        elif kind != "fill":
            result = self._operated(to, text, *given)
        if named:
            self._write(vectors[0], result)
            return given[0] if kind == "step" and node.type.kind != "void" else result
        return self.operators.wire("lanes", format_of(node.type), result)

    def _compared(self, node: SyntaxNode, text: str, given: Sequence[int], count: int) -> int:
        """Return a comparison of two vectors: the first lane that differs decides."""
        holds, differ = (self._operated(node, each, *given) for each in (text, "!="))
        result = holds
        for _ in range(count - 1):
            result = self.operators.op("select", BIT, (differ, holds, result))
        return result

    def close(self, inner: tuple[Variable, int] | None = None) -> None:
        """Connect an iteration to the next one: values, and stream accesses; ``inner`` as in `TaskValues.close`."""
        self.values.close(inner)
        self.order.close(self.tests)


def _call_of(node: SyntaxNode) -> SyntaxNode | None:
    """Return the call that a statement is, or whose value it assigns, declares or returns."""
    given = node.bare
    if (node.kind == "assign" and node.text == "=") or (node.kind in ("declare", "return") and node.children):
        given = node.children[-1].bare
    return given if given.kind == "call" else None
