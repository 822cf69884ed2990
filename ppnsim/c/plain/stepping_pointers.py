"""Rewrites pointers that step: loops over pointers become loops over numbers, and array parameters stay unchanged.

``for (p = a; p < a + n; p++) s += *p;`` becomes ``for (int at = 0; at < n; at++) s += *(a + at);``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.plain.joint_counters import Functions, replaced
from ppnsim.c.plain.nodes import assign, binary, block_of, counting, number, statements, with_children
from ppnsim.c.plain.walked_pointers import is_reference, with_starts
from ppnsim.c.syntax import CType, SyntaxNode, Variable


def with_pointers(body: SyntaxNode, parameters: Sequence[Variable], functions: Functions) -> SyntaxNode:
    """Return the body of a function whose array parameters never change: a separate pointer moves instead."""
    body = _over_numbers(with_starts(body, functions), functions)
    changed = {each.children[0].variable for each in body.walk("assign", "unary") if _changes(each)}
    own: list[SyntaxNode] = []
    for each in parameters:
        if each in changed and each.type.kind == "array" and (element := each.type.element) is not None:
            to = CType("pointer", f"{element.text} *", 64, False, element)
            moved = Variable(each.name, to, "local", each.position)
            value = SyntaxNode("name", each.position, each.type, variable=each, end=each.position.line)
            name = replace(value, type=to, variable=moved)
            body = replaced(body, {each: name})
            own.append(replace(value, kind="declare", type=to, children=(value,), variable=moved))
    return with_children(body, (*own, *statements(body))) if own else body


def _changes(node: SyntaxNode) -> bool:
    """Return whether a node changes a variable itself."""
    return (node.kind == "assign" or (node.kind == "unary" and node.text in STEPS)) and node.children[0].kind == "name"


def _over_numbers(node: SyntaxNode, functions: Functions) -> SyntaxNode:
    if not node.children:
        return node
    plain = with_children(node, tuple(_over_numbers(each, functions) for each in node.children))
    return plain if plain.kind != "for" or len(plain.children) != 4 else _counted(plain, functions)


def _counted(loop: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return a loop over a pointer as a loop over numbers; return another loop unchanged."""
    start, test, step, body = loop.children
    first = start.children[0] if start.kind == "block" and len(start.children) == 1 else start
    variable = first.variable if first.kind == "declare" else first.children[0].variable if _changes(first) else None
    if variable is None or variable.type.kind != "pointer" or "&" in variable.type.text or not first.children:
        return loop
    begin, end, by = _place(first.children[-1]), _end(test, variable), step_of(step, variable) or 0
    if begin is None or end is None or begin[0] is not end[0] or by < 1 or (by > 1 and test.text == "!="):
        return loop
    if _moves(body, (variable, begin[0]), functions):
        return loop
    return _over(loop, variable, first, (begin[0], begin[1], end[1]), by)


def _over(
    loop: SyntaxNode, variable: Variable, first: SyntaxNode,
    places: tuple[Variable, SyntaxNode | None, SyntaxNode | None], by: int,
) -> SyntaxNode:  # fmt: skip
    """Return the loop over the indices of an array; after the loop the pointer is at its end."""
    test, body, (whole, *ends) = loop.children[1], loop.children[3], places
    from_, to = (each or number(loop, 0) for each in ends)
    of = counting(from_, to)
    at = Variable(f"{variable.name}_at", of, "local", loop.position)
    name = SyntaxNode("name", loop.position, of, variable=at, end=loop.position.line)
    array = SyntaxNode("name", loop.position, whole.type, variable=whole, end=loop.position.line)
    starts = replace(name, kind="declare", children=(from_,))
    place = binary("+", array, name, variable.type)
    later = (
        binary(test.text, name, to, test.type),
        assign(name, number(loop, by), "+="),
        replaced(body, {variable: place}),
    )
    if first.kind == "declare":
        return with_children(loop, (starts, *later))
    made = with_children(loop, (assign(name, from_), *later))
    return block_of(loop, (starts, made, assign(first.children[0], place)))


def _end(test: SyntaxNode, variable: Variable) -> tuple[Variable, SyntaxNode | None] | None:
    """Return the place with which a pointer is compared, None for another test."""
    compares = test.kind == "binary" and test.text in ("<", "!=") and test.children[0].bare.variable is variable
    return _place(test.children[1]) if compares else None


def _moves(body: SyntaxNode, kept: Sequence[Variable], functions: Functions) -> bool:
    """Return whether a body changes one of some variables, takes its address, or binds a reference to it."""
    return any(child.bare.variable in kept for each in body.walk() for child in _given(each, functions))


def _given(node: SyntaxNode, functions: Functions) -> Sequence[SyntaxNode]:
    """Return the expressions that a node changes, or passes by reference."""
    if _changes(node) or (node.kind == "unary" and node.text == "&"):
        return node.children[:1]
    if node.kind == "declare" and node.variable is not None and is_reference(node.variable):
        return node.children
    taken = functions[node.text].parameters if node.kind == "call" and node.text in functions else ()
    return [each for each, parameter in zip(node.children, taken, strict=False) if is_reference(parameter)]


def _place(node: SyntaxNode) -> tuple[Variable, SyntaxNode | None] | None:
    """Return the array of ``a``, ``a + n`` or ``&a[n]`` and the number, None for other expressions."""
    node = node.bare
    if node.kind == "unary" and node.text == "&" and node.children[0].kind == "index":
        node = replace(node.children[0], kind="binary", text="+")
    parts = node.children if node.kind == "binary" and node.text == "+" else (node,)
    base = parts[0].bare
    if base.kind != "name" or base.variable is None or base.variable.type.kind not in ("array", "pointer"):
        return None
    return base.variable, parts[1] if len(parts) > 1 else None
