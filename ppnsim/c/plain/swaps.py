"""Pointers that change places at the end of a round: each round does what the first one does, in other memories."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.c.kinds import LOOPS
from ppnsim.c.plain.nodes import noted, with_children
from ppnsim.c.plain.pointers import is_declaration
from ppnsim.c.syntax import SyntaxNode, Variable


def without_swaps(node: SyntaxNode, *, in_round: bool = False) -> SyntaxNode:
    """Return a statement without ``t = a; a = b; b = t;`` of pointers in the rounds of a loop around other loops.

    The rounds follow each other, and each accesses as many elements of either memory as the first one. The same in an
    innermost loop stays: its rounds overlap, so that it counts which memory each of them uses.
    """
    inside = node.kind in LOOPS and _has_work(node.children)
    round_of = (in_round and node.kind == "block") or inside
    children = tuple(without_swaps(child, in_round=round_of) for child in node.children)
    whole = node.kind == "block" and in_round and not is_declaration(node) and _has_work(node.children)
    return with_children(node, _kept(children) if whole else children)


def _kept(nodes: Sequence[SyntaxNode]) -> tuple[SyntaxNode, ...]:
    flat = [inner for each in nodes for inner in (each.children if is_declaration(each) else (each,))]
    for at in range(len(flat)):
        if (pair := _swapped(flat[at : at + 3])) is not None and not _used(flat[at + 3 :], flat[at].variable):
            names = " and ".join(f"'{each.name}'" for each in pair)
            words = f"{names} change places at the end of each round in line {flat[at].position.line}"
            note = noted(flat[at], f"{words}, and each round is counted as the first one")
            return (*flat[:at], note, *flat[at + 3 :])
    return tuple(nodes)


def _swapped(nodes: Sequence[SyntaxNode]) -> tuple[Variable, Variable] | None:
    """Return the pointers that three statements swap, None for others."""
    if len(nodes) < 3 or nodes[0].kind != "declare" or nodes[0].variable is None or not nodes[0].children:
        return None
    kept, first = nodes[0].variable, _pointer(nodes[0].children[0])
    (one, second), (other, last) = (_assigned(node) for node in nodes[1:3])
    if first is None or second is None or kept is not last or "&" in kept.type.text:
        return None
    return (first, second) if one is first and other is second and first is not second else None


def _assigned(node: SyntaxNode) -> tuple[Variable | None, Variable | None]:
    if node.kind != "assign" or node.text != "=":
        return None, None
    return _pointer(node.children[0]), _pointer(node.children[1])


def _pointer(node: SyntaxNode) -> Variable | None:
    found = node.bare
    points = found.kind == "name" and found.variable and found.variable.type.kind in ("pointer", "array")
    return found.variable if points else None


def _has_work(nodes: Sequence[SyntaxNode]) -> bool:
    """Return whether a loop or a call is in some statements: what stands around it is not an innermost loop."""
    return any(inner.kind in LOOPS or inner.kind == "call" for node in nodes for inner in node.walk())


def _used(nodes: Sequence[SyntaxNode], variable: Variable | None) -> bool:
    return any(inner.variable is variable for node in nodes for inner in node.walk())
