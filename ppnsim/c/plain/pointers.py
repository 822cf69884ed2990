"""Replaces pointers that a condition sets: after ``p = c ? a : b`` each use of ``p`` becomes the choice itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.nodes import BOOL, statements, with_children
from ppnsim.c.syntax import SyntaxNode, Variable


@dataclass(frozen=True, slots=True)
class _Set:
    """The places in a block where a pointer is declared and last set, and the choice that is its value."""

    variable: Variable
    first: int
    last: int
    choice: SyntaxNode


def with_choices(node: SyntaxNode) -> SyntaxNode:
    """Return a statement in which choices replace the pointers that a condition sets to one of two arrays.

    ``int *p; if (c) p = a; else p = b; p[2] = 3;`` becomes ``(c ? a : b)[2] = 3;``. The pointer must not be set
    elsewhere.
    """
    if not node.children:
        return node
    plain = with_children(node, tuple(map(with_choices, node.children)))
    while plain.kind == "block" and not is_declaration(plain):
        nodes = [inner for each in plain.children for inner in (each.children if is_declaration(each) else (each,))]
        tried = (_set_from(nodes, at) for at in range(len(nodes)))
        found = next((each for each in tried if each is not None), None)
        if found is None:
            break
        plain = with_children(plain, _replaced(nodes, found))
    return plain


def is_declaration(node: SyntaxNode) -> bool:
    """Return whether a block contains declarations only, like a statement with several declarators."""
    return node.kind == "block" and all(each.kind == "declare" for each in node.children)


def _set_from(nodes: Sequence[SyntaxNode], first: int) -> _Set | None:
    """Return the choice to which the pointer that a statement declares is set, None for other statements."""
    declared = nodes[first]
    variable = declared.variable
    if declared.kind != "declare" or variable is None or variable.scope != "local" or variable.type.kind != "pointer":
        return None
    if "&" in variable.type.text:
        return None
    rest = nodes[first + 1 :]
    value = declared.children[0].bare if declared.children else None
    if value is not None and value.kind == "choice":
        found = _Set(variable, first, first, value)
        return found if _can_replace(found, rest) else None
    last = next((k for k, each in enumerate(rest) if _mentions(each, variable)), None)
    choice = None if last is None else _of_statement(rest[last], variable, value)
    if last is None or choice is None:
        return None
    found = _Set(variable, first, first + 1 + last, choice)
    return found if _can_replace(found, rest[last + 1 :]) else None


def _of_statement(node: SyntaxNode, variable: Variable, before: SyntaxNode | None) -> SyntaxNode | None:
    """Return the choice that an assignment or an ``if`` makes for a pointer with the value ``before``, else None."""
    later = _assigned(node, variable)
    if later is None:
        return _of_if(node, variable, before)
    return later if later.kind == "choice" and before is None and not _mentions(later, variable) else None


def _of_if(node: SyntaxNode, variable: Variable, before: SyntaxNode | None) -> SyntaxNode | None:
    """Return the choice that an ``if`` makes for a pointer's value, None if it does more or less."""
    if node.kind != "if" or (before is None) != (len(node.children) == 3):
        return None
    test, *ways = node.children
    values = [*(_assigned(way, variable) for way in ways), *([before] if before is not None else [])]
    known = tuple(each for each in values if each is not None)
    if len(known) < 2 or any(_mentions(each, variable) for each in (test, *known)):
        return None
    return SyntaxNode(
        "choice", node.position, variable.type, (test, *known), end=node.end, extent=node.extent
    )  # fmt: skip


def _assigned(way: SyntaxNode, variable: Variable) -> SyntaxNode | None:
    """Return the value to which a branch sets a pointer, if the branch does nothing else."""
    inner = statements(way)
    is_set = len(inner) == 1 and inner[0].kind == "assign" and inner[0].text == "=" and sets(inner[0], variable)
    return inner[0].children[1].bare if is_set else None


def _can_replace(found: _Set, rest: Sequence[SyntaxNode]) -> bool:
    """Return whether both sides are arrays, or elements at constants, and the pointer is not changed later."""
    _, *ways = found.choice.children
    uses = [inner for each in rest for inner in each.walk()]
    changed = any(sets(inner, found.variable) or _is_address(inner, found.variable) for inner in uses)
    return not changed and all(map(_is_fixed_place, ways))


def _is_fixed_place(place: SyntaxNode) -> bool:
    """Return whether a place is the same wherever it is written."""
    place = place.bare
    if place.kind == "unary" and place.text == "&":
        place = place.children[0]
        while place.kind == "index" and place.children[1].bare.kind == "integer":
            place = place.children[0].bare
        return place.kind == "name" and place.type.kind != "pointer"
    return place.kind == "name" and place.type.kind == "array"


def _is_address(node: SyntaxNode, variable: Variable) -> bool:
    return node.kind == "unary" and node.text == "&" and node.children[0].variable is variable


def _mentions(node: SyntaxNode, variable: Variable) -> bool:
    return any(each.kind == "name" and each.variable is variable for each in node.walk())


def _replaced(nodes: Sequence[SyntaxNode], found: _Set) -> tuple[SyntaxNode, ...]:
    """Return statements without a pointer, in which the choice replaces its uses."""
    test, *ways = found.choice.children
    behind = nodes[found.last + 1 :]
    before: tuple[SyntaxNode, ...] = ()
    if not _keeps_value(test, behind):
        kept = Variable("way", BOOL, "local", test.position)
        before = (SyntaxNode("declare", test.position, BOOL, (test,), variable=kept, end=test.end, extent=test.extent),)
        test = SyntaxNode("name", test.position, BOOL, variable=kept, end=test.end, extent=test.extent)
    choice = with_children(found.choice, (test, *ways))

    def changed(node: SyntaxNode) -> SyntaxNode:
        if node.kind == "name" and node.variable is found.variable:
            return replace(choice, position=node.position, end=node.end, extent=node.extent)
        return with_children(node, tuple(map(changed, node.children)))

    between = nodes[found.first + 1 : found.last]
    return (*nodes[: found.first], *between, *before, *map(changed, behind))


def _keeps_value(test: SyntaxNode, behind: Sequence[SyntaxNode]) -> bool:
    """Return whether a test of variables and numbers keeps its value in the later statements."""
    parts = list(test.walk())
    if any(each.kind not in ("name", "integer", "cast", "binary", "unary") for each in parts):
        return False
    used = {each.variable for each in parts if each.variable is not None}
    if any(each.scope in ("global", "static") or each.type.kind not in ("integer", "real") for each in used):
        return False
    return not any(
        sets(inner, each) or _is_address(inner, each) or (inner.kind == "call" and _mentions(inner, each))
        for node in behind for inner in node.walk() for each in used
    )  # fmt: skip
