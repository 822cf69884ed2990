"""Moves a step of a counter out of the test of a loop: ``do { .. } while (++i < 9);`` steps at the end of its body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import step_of
from ppnsim.c.plain.exits import without_exits
from ppnsim.c.plain.joint_counters import Functions
from ppnsim.c.plain.nodes import BOOL, assign, binary, block_of, number, statements
from ppnsim.c.plain.whiles import conjuncts, value_before
from ppnsim.c.syntax import SyntaxNode

_ONCE = frozenset(("binary", "unary", "cast", "name", "integer"))
"""Kinds of nodes whose operands are all evaluated, unless they are `_SHORT`."""
_SHORT = frozenset(("&&", "||"))


def with_step_inside(
    node: SyntaxNode, before: Sequence[SyntaxNode], functions: Functions
) -> tuple[SyntaxNode, ...]:  # fmt: skip
    """Return a loop whose test steps a counter in each iteration as one whose body does; other statements unchanged.

    ``while (++i < 9) a;`` becomes ``++i; while (i < 9) { a; ++i; }``, with a number for the first step if ``before``
    leaves one in the counter. A step after the test of a ``while``, ``i++ < 9``, stays: the body begins with it.
    """
    if node.kind not in ("do", "while"):
        return (node,)
    at = 0 if node.kind == "do" else 1
    body, test = node.children[at], node.children[1 - at]
    step = _step(test)
    if step is None:
        return (node,)
    if any(body.walk("continue")):
        if any(body.walk("switch")):
            return (node,)
        body = block_of(body, without_exits(statements(body), "continue", lambda _: [])[0])
    return _moved(node, body, test, step, before, functions)


def _moved(
    node: SyntaxNode, body: SyntaxNode, test: SyntaxNode, step: SyntaxNode, before: Sequence[SyntaxNode],
    functions: Functions,
) -> tuple[SyntaxNode, ...]:  # fmt: skip
    later = step.text.startswith("x")
    name, variable = step.children[0], step.children[0].variable
    by = step_of(step, variable) if variable is not None else None
    if by is None or variable is None or (later and node.kind == "while"):
        return (node,)
    value = binary("-", name, number(name, by), name.type) if later else name
    tested = binary("!=", value, number(name, 0), BOOL) if test.bare is step else _without(test, step, value)
    whole = block_of(body, (*statements(body), replace(step, end=node.end)))
    if node.kind == "do":
        return (replace(node, children=(whole, tested)),)
    known = value_before(variable, before, functions)
    first = step if known is None else assign(name, number(name, known + by))
    return first, replace(node, children=(tested, whole))


def _step(test: SyntaxNode) -> SyntaxNode | None:
    """Return the only step in a test if each test executes it and names its counter nowhere else."""
    steps = [each for each in test.walk() if each.kind == "unary" and each.text in STEPS]
    if len(steps) != 1 or steps[0].children[0].kind != "name" or not _surely(steps[0], next(conjuncts(test))):
        return None
    variable = steps[0].children[0].variable
    if variable is None or variable.scope not in ("local", "parameter") or variable.type.kind != "integer":
        return None
    return steps[0] if sum(each.variable is variable for each in test.walk("name")) == 1 else None


def _surely(step: SyntaxNode, test: SyntaxNode) -> bool:
    """Return whether a step is in a test all of whose parts are evaluated."""
    inner = list(test.walk())
    return any(each is step for each in inner) and all(e.kind in _ONCE and e.text not in _SHORT for e in inner)


def _without(node: SyntaxNode, step: SyntaxNode, value: SyntaxNode) -> SyntaxNode:
    if node is step:
        return value
    return replace(node, children=tuple(_without(child, step, value) for child in node.children))
