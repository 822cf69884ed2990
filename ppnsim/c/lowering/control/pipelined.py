"""Which loops no hardware keeps: those in what a directive pipelines, and those that one unrolls completely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.program import Guard, Loop, Node


def is_pipelined(body: SyntaxNode, directives: Sequence[PragmaLine]) -> bool:
    """Return whether a directive in the text pipelines a loop, or a function with this body."""
    return any(each.name == "pipeline" and "off" not in dict(each.clauses) for each in _own(body, directives))


def dissolves(branches: Sequence[SyntaxNode], made: Sequence[Node], scope: Scope) -> bool:
    """Return whether all loops in the branches of an ``if`` are unrolled, so that hardware executes both branches.

    ``made`` is what the branches have become: a loop whose length is data stays one.
    """
    loops = list(_loops(made))
    if any(loop.assumed for loop in loops):
        return False
    if scope.pipelined:
        return True
    written = [node for branch in branches for node in branch.walk() if node.kind in LOOPS]
    directives = scope.context.pragmas.directives
    return len(written) == len(loops) and all(_is_unrolled(node, directives) for node in written)


def _is_unrolled(loop: SyntaxNode, directives: Sequence[PragmaLine]) -> bool:
    return any(each.name == "unroll" and not dict(each.clauses) for each in _own(loop, directives))


def _own(node: SyntaxNode, directives: Sequence[PragmaLine]) -> Iterator[PragmaLine]:
    """Yield the directives in a loop or a body that stand in no loop inside."""
    inside = [each for child in node.children for each in child.walk() if each.kind in LOOPS]
    for each in directives:
        if _holds(node, each) and not any(_holds(loop, each) for loop in inside):
            yield each


def _holds(node: SyntaxNode, pragma: PragmaLine) -> bool:
    place = node.position
    return place.file == pragma.position.file and place.line <= pragma.position.line <= node.end


def _loops(nodes: Sequence[Node]) -> Iterator[Loop]:
    for node in nodes:
        if isinstance(node, Loop):
            yield node
            yield from _loops(node.body)
        elif isinstance(node, Guard):
            yield from _loops((*node.body, *node.otherwise))
