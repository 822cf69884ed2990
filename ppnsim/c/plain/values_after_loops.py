"""Computes the final values of iterators: after ``for (i = 0; i < 16; i++) ..;``, ``for (; i < 64; ..)`` starts at 16.

The final value also replaces later reads: after the second loop, ``y = x / i;`` divides by 64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ppnsim.c.lowering.variables.reaching import is_set_first, set_by, sets
from ppnsim.c.plain.evaluate import changed_value, number_of
from ppnsim.c.plain.nodes import assign, number, with_children
from ppnsim.c.syntax import SyntaxNode, Variable

_MOST = 1 << 16
"""Most iterations that are followed."""


class _Left(NamedTuple):
    """The value that a loop leaves in its iterator; ``sure`` if the loop has no other exit."""

    value: int
    sure: bool


def with_ends(body: SyntaxNode) -> SyntaxNode:
    """Return a function's body in which the final values of iterators replace their names after the loops, if known.

    A loop that continues from the end of an earlier loop starts at that number.
    """
    return _rewritten(body, {}, _shared(body))


def _rewritten(node: SyntaxNode, known: dict[Variable, _Left], shared: frozenset[Variable]) -> SyntaxNode:
    """Return a statement; ``known`` holds the values of iterators before it, and is updated to those after it."""
    if node.kind == "name" and node.variable in known and known[node.variable].sure:
        return number(node, known[node.variable].value, node.type)
    if node.kind == "block":
        made = list[SyntaxNode]()
        for each in node.children:
            made += _assigned_before(each, known)
            made.append(_rewritten(each, known, shared))
        return with_children(node, made)
    if node.kind == "for" and len(node.children) == 4:
        start = node.children[0]
        if _continues(start) and (variable := start.children[0].variable) in known and known[variable].sure:
            value = number(start, known[variable].value, start.type)
            node = with_children(node, (assign(start.children[0], value), *node.children[1:]))
    for variable in [each for each in known if any(sets(inner, each) for inner in node.walk())]:
        del known[variable]
    plain = with_children(node, [_rewritten(each, dict(known), shared) for each in node.children])
    if plain.kind == "for" and (found := _final_value(plain)) is not None and found[0] not in shared:
        known[found[0]] = _Left(found[1], not any(plain.walk("left")))
    return plain


def _assigned_before(node: SyntaxNode, known: Mapping[Variable, _Left]) -> list[SyntaxNode]:
    """Return assignments before a statement that continues from iterators: ``do k += 3; while (k < 60);``.

    If the statement may leave them unchanged, their values are unknown after it.
    """
    if node.kind not in ("while", "do", "for", "if", "assign", "unary") or (node.kind == "assign" and node.text == "="):
        return []
    changed = {target for each in node.walk("assign", "unary", "declare") if (target := set_by(each)) in known}
    return [
        assign(name, number(name, known[each].value, each.type))
        for each in known
        if each in changed and known[each].sure and not is_set_first(each, (node,))
        for name in [SyntaxNode("name", node.position, each.type, variable=each, end=node.position.line)]
    ]


def _continues(start: SyntaxNode) -> bool:
    """Return whether a loop starts with ``i = i``, like a loop without a first value."""
    if start.kind != "assign" or start.text != "=":
        return False
    target, value = start.children
    return target.kind == value.kind == "name" and target.variable is not None and target.variable is value.variable


def _final_value(loop: SyntaxNode) -> tuple[Variable, int] | None:
    """Return the iterator of a loop and its value after the loop, None if it is not a number."""
    if len(loop.children) != 4:
        return None
    start, condition, step, body = loop.children
    variable = start.children[0].variable if start.kind == "assign" and start.children[0].kind == "name" else None
    if variable is None or start.text != "=" or any(sets(each, variable) for each in body.walk()):
        return None
    value = number_of(start.children[1], {})
    for _ in range(_MOST):
        values: Mapping[Variable, int | None] = {variable: value}
        if value is None or not (test := number_of(condition, values)):
            return None if value is None or test is None else (variable, value)
        value = changed_value(step, values) if sets(step, variable) else None
    return None


def _shared(body: SyntaxNode) -> frozenset[Variable]:
    """Return the variables whose address is taken, or that are arguments of calls and may be changed there."""
    given = (
        child.bare for node in body.walk("call", "unary") if node.kind == "call" or node.text == "&"
        for child in node.children
    )  # fmt: skip
    named = {node.variable for node in given if node.kind == "name" and node.variable is not None}
    aliased = (
        node.variable.initial.bare.variable for node in body.walk("declare")
        if node.variable is not None and node.variable.type.kind == "pointer"
        and node.variable.initial is not None
    )  # fmt: skip
    return frozenset(named | {each for each in aliased if each is not None})
