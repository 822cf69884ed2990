"""What a loop changes, found before its body is read: variables and memories; and the loads that it does not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ppnsim.c.kinds import LOOPS, NON_AFFINE, STEPS
from ppnsim.c.syntax import SyntaxNode, Variable

GLOBAL_SPACES = ("global", "generic")  # a generic pointer may point to global memory
_SHORT = ("&&", "||")
_THROUGH = ("block", "binary", "cast", "assign", "index", "unary", "declare")


@dataclass(slots=True)
class Changes:
    """Variables of a loop.

    Attributes
    ----------
    assigned : variables that are assigned, with their assignments.
    through : variables whose elements, members or targets are assigned.
    declared : variables that are declared in it.
    """

    assigned: dict[Variable, list[SyntaxNode]] = field(default_factory=dict)
    through: set[Variable] = field(default_factory=set)
    declared: set[Variable] = field(default_factory=set)

    def touches(self, node: SyntaxNode) -> bool:
        """Return whether an expression names a variable that the loop changes."""
        names = {each.variable for each in node.walk() if each.kind == "name" and each.variable}
        return not names.isdisjoint(self.assigned.keys() | self.declared)


def changes(nodes: Sequence[SyntaxNode]) -> Changes:
    """Return what statements change."""
    found = Changes()
    for node in (each for one in nodes for each in one.walk()):
        if node.kind == "declare" and node.variable is not None:
            found.declared.add(node.variable)
        elif node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
            _add(found, node.children[0], node)
        elif node.kind == "call":
            for argument in node.children:  # a function may write through its pointer arguments
                if argument.type.kind == "pointer" and not argument.type.points_to_const:
                    found.through |= set(_names(argument))
    return found


def once(changed: Changes, statements: Sequence[SyntaxNode]) -> dict[Variable, SyntaxNode]:
    """Return the variables that every iteration changes exactly once, with their assignments in order of execution."""
    found: dict[Variable, SyntaxNode] = {}
    for node in _always(statements):
        variable = node.children[0].variable if node.children[0].kind == "name" else None
        if variable is not None and changed.assigned.get(variable) == [node] and variable not in changed.through:
            found[variable] = node
    return found


def opened_blocks(statements: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield statements; blocks are replaced by their statements."""
    for node in statements:
        if node.kind == "block":
            yield from opened_blocks(node.children)
        else:
            yield node


def same_loads(nodes: Sequence[SyntaxNode], changed: Changes) -> Iterator[SyntaxNode]:
    """Yield the loads that every iteration makes at the same address, outermost ones first."""
    for node in nodes:
        loads = is_place(node) and node.type.kind in ("integer", "real", "vector") and node.type.space in GLOBAL_SPACES
        if loads and not changed.touches(node) and set(_names(node)).isdisjoint(changed.through):
            yield node
        elif node.kind == "assign":
            left, right = node.children
            yield from same_loads((*left.children, right), changed)
        elif node.kind in ("if", "choice") or (node.kind == "binary" and node.text in _SHORT):
            yield from same_loads(node.children[:1], changed)
        elif node.kind not in NON_AFFINE and not (node.kind == "unary" and node.text == "&"):
            yield from same_loads(node.children, changed)


def is_place(node: SyntaxNode) -> bool:
    """Return whether an expression names an element, a member, or what a pointer points to."""
    return node.kind in ("index", "member") or (node.kind == "unary" and node.text == "*")


def _always(statements: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield the assignments in statements and expressions that always execute."""
    for node in statements:
        if any(_continues(each) for each in (node.children if node.kind == "block" else ())):
            continue  # the statements after a continue may be skipped
        if node.kind in ("assign", "unary"):
            yield node
        if node.kind in _THROUGH and node.text not in _SHORT:
            yield from _always(node.children)


def _continues(node: SyntaxNode) -> bool:
    """Return whether a statement may continue with the next iteration."""
    return node.kind == "continue" or (node.kind not in LOOPS and any(_continues(each) for each in node.children))


def _add(found: Changes, place: SyntaxNode, node: SyntaxNode) -> None:
    behind = False
    while place.kind != "name":
        behind = behind or place.kind in ("index", "member", "unary", "lanes")
        if not place.children:
            return
        place = place.children[0]
    if place.variable is None:
        return
    if behind or node.text == "&":
        found.through.add(place.variable)
    if not behind:
        found.assigned.setdefault(place.variable, []).append(node)


def _names(node: SyntaxNode) -> Iterator[Variable]:
    return (each.variable for each in node.walk() if each.kind == "name" and each.variable)
