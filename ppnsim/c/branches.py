"""Which branch with loops in it an ``if`` takes that data decides: that with more cycles, not with more iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.lowering.scope import Context, TwoWays
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Guard, Loop, LoopProgram, Node


def by_cycles(program: LoopProgram, context: Context) -> dict[int, bool] | None:
    """Return for each ``if``, by its number, whether its first branch is taken; None if all are taken so already.

    The branch that takes longer by itself is, or the shorter one where the least counts. What cannot be counted by
    itself is left as it is: by iterations. Inner ones come before those around them, so that a program is read again as
    often as they are nested, at most.
    """
    made, count = context.policy.cycles, context.policy.count
    both = {number: each for number, each in context.branches.items() if each.yes and each.no}
    if made is None or not both:
        return None
    ways = (node for each in both.values() for node in (*each.yes, *each.no))
    cycles = made(replace(program, body=(*program.body, *ways)), count)  # what directives are about is there
    found = {number: each.first for number, each in context.branches.items()}
    for number, each in both.items():
        try:
            yes, no = map(cycles, _in_loops(each))
        except InputError:
            continue
        context.ranged |= yes != no
        found[number] = yes == no or (yes > no) != (count == "least")
    return found if any(found[number] != each.first for number, each in both.items()) else None


def _in_loops(found: TwoWays) -> list[tuple[Node, ...]]:
    """Return both branches, each in those of the loops around them on which the length of a loop in one depends."""
    needed = _bounds((*found.yes, *found.no))
    around = [(name, ends) for name, ends in found.around if name in needed]
    both = [found.yes, found.no]
    for name, (low, high) in reversed(around):
        first, last = (Affine.of(low),), (Affine.of(high),)
        both = [(Loop(iterator=name, first=first, last=last, body=branch),) for branch in both]
    return both


def _bounds(nodes: Sequence[Node]) -> set[str]:
    """Return the iterators that the bounds of loops mention."""
    found = set[str]()
    for node in nodes:
        if isinstance(node, Loop):
            found |= {name for bound in (*node.first, *node.last) for name in bound.iterators()} | _bounds(node.body)
        elif isinstance(node, Guard):
            found |= _bounds(node.body) | _bounds(node.otherwise)
    return found
