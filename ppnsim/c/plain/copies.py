"""Unrolls loops in a dataflow region, if a directive asks for it: each call in a copy of the body is a task (R7.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import TASK
from ppnsim.c.plain.nodes import block_of, number, statements, with_children
from ppnsim.c.plain.phases import values_of
from ppnsim.c.pragmas.by_line import DirectivesByLine
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import Function, SyntaxNode, Variable
from ppnsim.loops.position import Position

_OF_LOOPS = frozenset(("pipeline", "loop_flatten", "loop_merge", "latency", "occurrence"))
"""Directives that need the loop to exist."""
_MOST = 1024
"""Most copies of a body."""


class Copies:
    """Copies loop bodies in the functions of a file; ``followed`` are the unroll directives that have been applied."""

    def __init__(self, pragmas: Sequence[PragmaLine], functions: Mapping[str, Function]) -> None:
        self.pragmas = DirectivesByLine(pragmas)
        self.followed: list[Position] = []
        self.regions = self._regions({name: f.body for name, f in functions.items() if f.body and not f.system})

    def _regions(self, bodies: Mapping[str, SyntaxNode]) -> frozenset[str]:
        """Return the functions that are dataflow regions, and the functions that are inlined into them."""
        waiting = [name for name, body in bodies.items() if self._is_region(body)]
        found = set(waiting)
        while waiting:
            called = {node.text for node in bodies[waiting.pop()].walk("call")}
            new = {name for name in called & bodies.keys() - found if self._is_inlined(bodies[name])}
            found |= new
            waiting += new
        return frozenset(found)

    def _is_region(self, body: SyntaxNode) -> bool:
        regions = [each for each in self._in(body) if each.makes_region]
        loops = [*body.walk("for")] if regions else []
        if any(node.spelled == TASK for node in body.walk("call")):  # a task needs no directive
            return True
        return not all(any(_holds(loop, each) for loop in loops) for each in regions)

    def _is_inlined(self, body: SyntaxNode) -> bool:
        return any(each.name == "inline" and not each.clauses for each in self._in(body))

    def _in(self, body: SyntaxNode) -> Sequence[PragmaLine]:
        return self.pragmas.within(body.position.file, body.position.line, body.end)

    def within(self, name: str, body: SyntaxNode) -> SyntaxNode:
        """Return the body of a function; if it is in a dataflow region, copies replace its unrolled loops."""
        inside = self._in(body) if name in self.regions else []
        return self._block(body, inside) if inside else body

    def _block(self, node: SyntaxNode, inside: Sequence[PragmaLine]) -> SyntaxNode:
        return with_children(node, tuple(self._statement(child, inside) for child in node.children))

    def _statement(self, node: SyntaxNode, inside: Sequence[PragmaLine]) -> SyntaxNode:
        if node.kind == "block":
            return self._block(node, inside)
        if node.kind == "if":
            test, *ways = node.children
            return with_children(node, (test, *(self._statement(way, inside) for way in ways)))
        if node.kind != "for" or not _only_calls(node.children[3]):
            return node
        inner = [each for each in node.children[3].walk() if each.kind == "for"]
        own = [each for each in inside if _holds(node, each) and not any(_holds(loop, each) for loop in inner)]
        found = values_of(node)
        if found is None or not _is_unrolled(own, len(found[1])):
            return node
        iterator, values = found
        self.followed += [each.position for each in own if each.name == "unroll"]
        return block_of(node, (self._statement(_copied(node.children[3], iterator, each), inside) for each in values))


def _is_unrolled(pragmas: Sequence[PragmaLine], trips: int) -> bool:
    """Return whether the directives in a loop unroll it completely."""
    factors = [dict(each.clauses).get("factor", str(trips)) for each in pragmas if each.name == "unroll"]
    kept = trips > _MOST or any(each.name in _OF_LOOPS for each in pragmas)
    return not kept and bool(factors) and set(factors) == {str(trips)}


def _only_calls(node: SyntaxNode) -> bool:
    """Return whether a body only calls tasks."""
    if node.kind in ("block", "for"):
        return all(_only_calls(each) for each in statements(node.children[-1] if node.kind == "for" else node))
    return node.kind in ("call", "declare", "empty")


def _holds(node: SyntaxNode, pragma: PragmaLine) -> bool:
    place = node.position
    return place.file == pragma.position.file and place.line <= pragma.position.line <= node.end


def _copied(body: SyntaxNode, iterator: Variable, value: int) -> SyntaxNode:
    """Return a body for one value of the iterator, with its own variables."""
    declared = (each.variable for each in body.walk() if each.kind == "declare")
    return _renamed(body, iterator, value, {each: replace(each) for each in declared if each is not None})


def _renamed(node: SyntaxNode, iterator: Variable, value: int, own: Mapping[Variable, Variable]) -> SyntaxNode:
    if node.kind == "name" and node.variable is iterator:
        return number(node, value, node.type)
    made = with_children(node, tuple(_renamed(child, iterator, value, own) for child in node.children))
    return replace(made, variable=own.get(node.variable, node.variable)) if node.variable is not None else made
