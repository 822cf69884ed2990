"""How often a loop can run by its first value and its bound, and by the default arguments of a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.c.lowering.control.loop_heads import constant_step
from ppnsim.c.lowering.control.reach import reach
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.plain.together import replaced
from ppnsim.c.syntax import SyntaxNode, Variable


def most_trips(
    head: Sequence[SyntaxNode], variable: Variable, start: SyntaxNode, scope: Scope
) -> int | None:  # fmt: skip
    """Return the most iterations that the first value and the bound of a ``for`` allow, None if they allow any number.

    ``head`` are its parts, of which the second one is the condition and the third one the step.
    """
    test = head[1].bare
    step = constant_step(head[2], variable, scope)
    if step is None or test.kind != "binary" or test.text not in ("<", "<=", ">", ">=", "!="):
        return None
    left, right = (each.bare for each in test.children)
    if left.variable is not variable or left.kind != "name":
        return None
    begin, end = reach(start, scope), reach(right, scope)
    if step > 0 and test.text in ("<", "<=", "!=") and begin.low is not None and end.high is not None:
        way = end.high - begin.low + (test.text == "<=")
    elif step < 0 and test.text in (">", ">=", "!=") and begin.high is not None and end.low is not None:
        way = begin.high - end.low + (test.text == ">=")
    else:
        return None
    return max(0, -(-way // abs(step)))


def by_defaults(node: SyntaxNode, variable: Variable, start: SyntaxNode, scope: Scope) -> int | None:
    """Return how often a loop of the kernel runs with its default arguments, None if its bounds have none.

    A parameter that the kernel assigns is not what its default says.
    """
    parts = (start, node.children[1])
    names = {each.variable for part in parts for each in part.walk() if each.variable is not None}
    by = {
        each: each.initial for each in names
        if each.scope == "parameter" and each.initial is not None and each not in scope.changed
    }  # fmt: skip
    if not by or len(scope.path) > 1:
        return None
    first, test = (replaced(part, by) for part in parts)
    return most_trips((first, test, node.children[2]), variable, first, scope)
