"""Chooses the branch of an ``if`` with loops whose condition is data: the branch with more, or fewer, iterations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.two_ways import TwoWays
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.plain.exits import skips_rest
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import Affine, Compare, Condition, Not
from ppnsim.loops.program import Guard, Loop, Node


def taken(
    node: SyntaxNode, yes: tuple[Node, ...], no: tuple[Node, ...], scope: Scope, holds: Condition, before: int
) -> tuple[Node, ...] | None:  # fmt: skip
    """Return the branch that an ``if`` with a data condition takes, None without loops: both are multiplexed then.

    The loops in the branch record the condition under which they run: ``holds``, or its negation.

    The branch with more iterations is taken, as in synthesis reports; if the policy counts the least, the branch with
    fewer, unless the hardware has only copies of the loops, which it executes in either case. A decision that was made
    by cycles stays as it is (`ppnsim.c.branches`). ``before`` is the number of the last ``if`` before this one.
    """
    context = scope.context
    context.guards += 1  # counted for every if, so that its number does not depend on branches taken inside
    work = [_iterations(each, scope) for each in (yes, no)]
    if not any(work):
        return None
    first = work[0] >= work[1]
    if work[0] != work[1]:
        context.ranged = True
        skips = not all(str(each.position) in context.policy.copied for each in _loops((*yes, *no)))
        first = first != (context.policy.count == "least" and skips)
    first = context.decided.get(context.guards, first)
    around = tuple((name, scope.ranges[name]) for name in context.open_iterators)
    inside = frozenset(number for number in context.branches if number > before)  # each is counted when it ends
    key = str(node.position)
    context.branches[context.guards] = TwoWays(yes, no, first, around, _alone(node), scope.path, inside, key)
    part = "body of" if first else "code behind" if skips_rest(node) else "else of"
    words = f"the {part} the if in line {node.position.line} is always executed"
    context.assumed[key] = f"{words}: data decides, and loops are in it"
    way = holds if first else Not(holds)
    chosen, other = (yes, no) if first else (no, yes)
    if not work[0 if first else 1] and context.open_iterators:
        chosen = (_skipped(other, scope), *chosen)
    return tuple(replace(each, under=way) if isinstance(each, Loop) else each for each in chosen)


def _skipped(nodes: Sequence[Node], scope: Scope) -> Node:
    """Return the loops of a branch under a condition that no visit meets: the loop around them still contains them."""
    name = scope.context.open_iterators[-1]
    never = Compare(Affine.of(name) - scope.ranges[name][1] - 1)
    return Guard(never, tuple(each for each in nodes if isinstance(each, Loop)))


def _loops(nodes: Sequence[Node]) -> Iterator[Loop]:
    """Yield the loops in some nodes, the inner ones included."""
    for node in nodes:
        if isinstance(node, Loop | Guard):
            yield from (node,) if isinstance(node, Loop) else _loops(node.otherwise)
            yield from _loops(node.body)


def _alone(node: SyntaxNode) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the lines of the loops in each branch of an ``if`` that are not in the other branch."""
    both = [
        {
            (each.position.line, each.end)
            for branch in part
            for each in branch.walk()
            if each.kind in ("for", *UNCOUNTED)
        }
        for part in (node.children[1:2], node.children[2:3])
    ]
    return tuple(tuple(sorted(one - other)) for one, other in (both, both[::-1]))


def _iterations(nodes: Sequence[Node], scope: Scope) -> int:
    """Return the iterations of all loops in some nodes, each loop at its maximum."""
    found = 0
    for node in nodes:
        if isinstance(node, Loop):
            ends = [extent(each, scope.ranges) for each in (*node.first, *node.last)]
            span = max(end[1] for end in ends) - min(end[0] for end in ends)
            found += max(1, span // abs(node.step) + 1) * (1 + _iterations(node.body, scope))
        elif isinstance(node, Guard):
            found += _iterations(node.body, scope) + _iterations(node.otherwise, scope)
    return found
