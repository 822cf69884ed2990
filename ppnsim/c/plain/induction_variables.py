"""Replaces secondary induction variables of a ``for``, counters and pointers, by expressions of its iterator.

``for (int i = 0; i < 9; i++) { a[k] = 0; k += 2; }`` becomes ``for (..) a[k + 2 * i] = 0; k = k + 18;``.
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.plain.joint_counters import Functions, is_wide, may_set, replaced
from ppnsim.c.plain.nodes import INT, assign, binary, block_of, number, statements, with_children
from ppnsim.c.plain.phases import range_of
from ppnsim.c.syntax import SyntaxNode, Variable


def without_walks(loop: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return a ``for`` without such steps in its body; a block with the loop then sets their final values.

    The loop must run a known number of times.
    """
    body = list(statements(loop.children[3]))
    found = [node for node in body if _walked(node) is not None]
    known = range_of(loop) if found else None
    if known is None or len(known[1]) < 2:
        return loop
    iterator, values = known
    behind: list[SyntaxNode] = []
    for step in found:
        at = next(place for place, node in enumerate(body) if node is step)
        variable, others = _walked(step), (*loop.children[:3], *body[:at], *body[at + 1 :])
        by = None if variable is None else step_of(step, variable)
        if variable is None or not by or any(may_set(each, variable, functions) for each in others):
            continue
        stride = values.step
        if variable is iterator or by % stride:
            continue
        name = SyntaxNode("name", step.position, variable.type, variable=variable, end=step.end, extent=step.extent)
        way = SyntaxNode("name", step.position, INT, variable=iterator, end=step.end, extent=step.extent)
        way = binary("*", way, number(step, by // stride), INT)
        before, after = (_moved(name, way, shift - values.start * by // stride) for shift in (0, by))
        body[:at] = [replaced(each, {variable: before}) for each in body[:at]]
        body[at:] = [replaced(each, {variable: after}) for each in body[at + 1 :]]
        behind.append(replace(assign(name, _moved(name, None, by * len(values))), end=loop.end))
    if not behind:
        return loop
    return block_of(loop, (with_children(loop, (*loop.children[:3], block_of(loop.children[3], body))), *behind))


def _walked(node: SyntaxNode) -> Variable | None:
    """Return the local counter or pointer that a statement of a body steps, None for other statements."""
    target = node.children[0] if node.kind in ("assign", "unary") and node.children else None
    variable = target.variable if target is not None and target.kind == "name" else None
    if variable is None or variable.scope not in ("local", "parameter") or "&" in variable.type.text:
        return None
    counts = variable.type.kind == "pointer" or (variable.type.kind == "integer" and is_wide(variable))
    return variable if counts and step_of(node, variable) else None


def _moved(name: SyntaxNode, way: SyntaxNode | None, more: int) -> SyntaxNode:
    """Return a counter or pointer at its start, moved by an expression and a number."""
    found = name if way is None else binary("+", name, way, name.type)
    return binary("+", found, number(name, more), name.type) if more else found
