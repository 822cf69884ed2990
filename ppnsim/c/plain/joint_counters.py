"""Relates counters that step together in one ``for``: in ``i += 8, k++`` the iterator is k, and i is 8 k."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.evaluate import number_of, step_of
from ppnsim.c.plain.nodes import binary, number, with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable

Functions = Mapping[str, Function]
_NONE: Functions = {}
_WIDE = 32
"""Bits of a variable that is wide enough never to overflow in a loop."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A variable that a ``for`` declares in ``start`` and changes only by ``step``, which adds ``by``."""

    variable: Variable
    start: SyntaxNode
    step: SyntaxNode
    by: int

    @property
    def first(self) -> SyntaxNode:
        """Its first value."""
        return self.start.children[0]


def counters_of(
    starts: Sequence[SyntaxNode], steps: Sequence[SyntaxNode], inside: Sequence[SyntaxNode], functions: Functions
) -> list[Counter]:
    """Return the variables that a ``for`` declares and that count in the same way in all its iterations.

    ``inside``: condition and body; they must not change the counters, nor the variables in their first values.
    """
    found = []
    for start in starts:
        variable = start.variable
        changes = [step for step in steps if variable is not None and any(sets(n, variable) for n in step.walk())]
        if start.kind != "declare" or variable is None or variable.volatile or not start.children or len(changes) != 1:
            continue
        by = step_of(changes[0], variable)
        fixed = _is_still(start.children[0], [*steps, *inside], functions)
        changed = any(may_set(each, variable, functions) for each in inside)
        if by and fixed and variable.type.kind == "integer" and not changed:
            found.append(Counter(variable, start, changes[0], by))
    return found


def together(counters: Sequence[Counter], tested: Iterable[Variable | None]) -> tuple[Counter, list[Counter]] | None:
    """Return the counter that becomes the iterator, and the counters that are multiples of it; None without multiples.

    The iterator is the counter that the condition tests, or one whose step divides the steps of all tested counters.
    Other counters of few bits stay variables, because they may overflow.
    """
    asked = set(tested)
    main = next((each for each in counters if each.variable in asked), None)
    if main is None or len(counters) < 2:
        return None
    at = min(counters, key=lambda each: (abs(each.by), each is not main))
    if main.by % at.by:
        at = main
    others = [each for each in counters if each is not at and each.by % at.by == 0 and is_wide(each.variable)]
    return (at, others) if others else None


def in_terms_of(at: Counter, others: Sequence[Counter]) -> Mapping[Variable, SyntaxNode]:
    """Return the expressions that replace some counters: the first value plus a multiple of the iterator's distance."""
    found = {}
    name = SyntaxNode("name", at.start.position, at.variable.type, variable=at.variable, end=at.start.end)
    for each in others:
        of, value = each.variable.type, name
        if number_of(at.first, {}) != 0:
            value = binary("-", value, at.first, of)
        if each.by != at.by:
            value = binary("*", value, number(each.start, each.by // at.by, of), of)
        value = value if number_of(each.first, {}) == 0 else binary("+", each.first, value, of)
        found[each.variable] = SyntaxNode("cast", value.position, of, (value,), end=value.end, extent=value.extent)
    return found


def replaced(node: SyntaxNode, by: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a node in which expressions replace variables."""
    if node.kind == "name" and node.variable is not None and node.variable in by:
        return by[node.variable]
    return with_children(node, tuple(replaced(child, by) for child in node.children))


def is_wide(variable: Variable) -> bool:
    """Return whether a variable is so wide that it cannot overflow in a loop."""
    return variable.type.bits >= _WIDE


def _is_still(first: SyntaxNode, inside: Sequence[SyntaxNode], functions: Functions) -> bool:
    """Return whether a first value is the same expression in every iteration."""
    if any(each.kind not in ("integer", "name", "binary", "cast") for each in first.walk()):
        return False
    used = {each.variable for each in first.walk() if each.kind == "name"}
    return not any(may_set(each, one, functions) for one in used if one is not None for each in inside)


def may_set(node: SyntaxNode, variable: Variable, functions: Functions = _NONE) -> bool:
    """Return whether a part of a program may change a variable, directly, by an alias, or by a function."""
    if variable.pointed:
        return True
    for each in node.walk("assign", "unary", "declare", "call"):
        if sets(each, variable) or _sets_bits(each, variable):
            return True
        refers = each.kind == "declare" and each.variable is not None and "&" in each.variable.type.text
        gives = each.kind == "call" or (each.kind == "unary" and each.text == "&") or refers
        given = [at for at, child in enumerate(each.children) if child.bare.variable is variable] if gives else []
        if any(not _is_copied(each, at, functions) for at in given):
            return True
    return False


def _sets_bits(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether an assignment changes bits of a variable, ``x[3] = 1`` of an ``ap_uint``."""
    place = node.children[0].bare if node.kind == "assign" else node
    while place.kind == "bits":
        place = place.children[0].bare
    return place.kind == "name" and place.variable is variable and node.kind == "assign"


def _is_copied(call: SyntaxNode, at: int, functions: Functions) -> bool:
    """Return whether a call passes an argument by value."""
    function = functions.get(call.text) if call.kind == "call" else None
    return function is not None and at < len(function.parameters) and "&" not in function.parameters[at].type.text
