"""Takes the step out of a test: ``i++ < 9`` tests ``i < 9`` and then steps, ``++i < 9`` tests ``i + 1 < 9``."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import binary, number
from ppnsim.c.syntax import SyntaxNode

_WIDE = 32
"""Bits of a signed variable that C lets nobody wrap around."""


def postfix_step(test: SyntaxNode) -> SyntaxNode | None:
    """Return the only postfix step in a test, if the test does not name its variable elsewhere."""
    step = only_step(test)
    return step if step is not None and step.text[0] == "x" else None


def only_step(test: SyntaxNode) -> SyntaxNode | None:
    """Return the only step in a test, if the test does not name its variable elsewhere."""
    steps = [each for each in test.walk() if each.kind == "unary" and each.text in STEPS]
    if len(steps) != 1 or steps[0].children[0].kind != "name":
        return None
    variable = steps[0].children[0].variable
    names = [each for each in test.walk() if each.kind == "name" and each.variable is variable]
    return steps[0] if len(names) == 1 else None


def replaced_node(node: SyntaxNode, step: SyntaxNode, by: SyntaxNode | None = None) -> SyntaxNode:
    """Return a test in which another expression, or else the variable, replaces its step."""
    if node is step:
        return by or replace(node.children[0])
    return replace(node, children=tuple(replaced_node(child, step, by) for child in node.children))


def signed_step(test: SyntaxNode) -> SyntaxNode | None:
    """Return such a step of a signed number that never wraps around: ``i + 1 < n`` says what ``++i < n`` does."""
    step = only_step(test)
    of = None if step is None else step.children[0].type
    wide = of is not None and of.kind == "integer" and (of.bits or 0) >= _WIDE and of.limits[0] < 0
    return step if wide else None


def moved(step: SyntaxNode, times: int) -> SyntaxNode:
    """Return the variable of a step, moved by the step some times: ``i - 1`` for ``++i`` and -1."""
    name = step.children[0]
    return binary("+", name, number(step, times if "++" in step.text else -times), name.type)
