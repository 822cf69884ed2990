"""Replaces secondary induction variables of a ``for``, counters and pointers, by expressions of its iterator.

``for (int i = 0; i < 9; i++) { a[k] = 0; k += 2; }`` becomes ``for (..) a[k + 2 * i] = 0; k = k + 18;``. A counter
may be stepped in several statements of the body: what stands between two steps sees those before it.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    found = dict.fromkeys(variable for node in body if (variable := _walked(node)) is not None)
    known = range_of(loop) if found else None
    if known is None or len(known[1]) < 2:
        return loop
    iterator, values = known
    behind: list[SyntaxNode] = []
    for variable in found:
        steps = [node for node in body if _walked(node) is variable]
        others = (*loop.children[:3], *(node for node in body if _walked(node) is not variable))
        shifts = _shifts(body, variable)
        by, stride, step = sum(shifts), values.step, steps[-1]
        if variable is iterator or not by or by % stride or any(may_set(each, variable, functions) for each in others):
            continue
        name = SyntaxNode("name", step.position, variable.type, variable=variable, end=step.end, extent=step.extent)
        way = SyntaxNode("name", step.position, INT, variable=iterator, end=step.end, extent=step.extent)
        way, moved = binary("*", way, number(step, by // stride), INT), -values.start * by // stride
        kept: list[SyntaxNode] = []
        for node, shift in zip(body, shifts, strict=True):
            kept += [] if shift else [replaced(node, {variable: _moved(name, way, moved)})]
            moved += shift
        body = kept
        behind.append(replace(assign(name, _moved(name, None, by * len(values))), end=loop.end))
    if not behind:
        return loop
    return block_of(loop, (with_children(loop, (*loop.children[:3], block_of(loop.children[3], body))), *behind))


def _shifts(body: Sequence[SyntaxNode], variable: Variable) -> list[int]:
    """Return by how much each statement of a body steps a counter or a pointer: 0 for most."""
    return [step_of(node, variable) or 0 if _walked(node) is variable else 0 for node in body]


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
