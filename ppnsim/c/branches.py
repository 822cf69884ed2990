"""Chooses the branch of an ``if`` with loops and a data condition by cycles instead of by iterations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ppnsim.c.lowering.scope import Context
from ppnsim.c.lowering.two_ways import TwoWays
from ppnsim.errors import InputError, TooMuchWork
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node
from ppnsim.loops.work import BRANCHES, WorkShare, is_exceeded

_BY_ITERATIONS = "; its branches are compared by iterations, since to count their cycles is too much work"


def settled(made: Callable[..., Context], lower: Callable[[Context], LoopProgram]) -> tuple[LoopProgram, Context]:
    """Return a program with its longer branches, and the context in which it was lowered.

    Parameters
    ----------
    made : makes a new context, with the given decisions about branches (``decided``).
    lower : lowers the program in a context.
    """
    context, share, compared = made(), WorkShare(BRANCHES), set[int]()
    program = lower(context)
    for _ in range(len(context.branches)):  # inner branches first: each lowering settles one more level of nesting
        decided = by_cycles(program, context, share, compared)
        if decided is None:
            break
        context = made(decided=decided)
        program = lower(context)
    for number, each in context.branches.items():
        if share.left < 0 and each.yes and each.no and number not in compared:
            context.assumed[each.key] += _BY_ITERATIONS
    return without_left(program, context), context


def by_cycles(program: LoopProgram, context: Context, share: WorkShare, compared: set[int]) -> dict[int, bool] | None:
    """Return for each ``if``, by number, whether its first branch is taken; None if no decision changes.

    The branch is taken that needs more cycles in the loops around it; if the policy counts the least, the shorter
    branch. A branch whose cycles cannot be counted keeps the decision by iterations; so does one that is left when the
    ``share`` of the work is spent. The others are added to ``compared``. Inner branches are decided before outer ones,
    so that a program is lowered again at most as often as they are nested. An ``if`` around one whose decision changes
    is left for the next lowering, which gives it other code.
    """
    made, count = context.policy.cycles, context.policy.count
    both = {number: each for number, each in context.branches.items() if each.yes and each.no}
    if made is None or not both or share.left < 0:
        return None
    ways = (node for each in both.values() for node in (*each.yes, *each.no))
    cycles = made(replace(program, body=(*program.body, *ways)), count)  # so that the targets of directives exist
    found = {number: each.first for number, each in context.branches.items()}
    loops, changed = [*_loops(program.body)], set[int]()
    for number, each in both.items():
        if not changed.isdisjoint(each.inside):
            continue
        ways_of = _cycles_of(cycles, _in_loops(each, loops), share)
        if share.left < 0:
            break
        compared.add(number)
        if ways_of is None:
            continue
        yes, no = ways_of
        context.ranged |= yes != no
        copies = all(str(loop.position) in context.policy.copied for loop in _loops((*each.yes, *each.no)))
        found[number] = yes == no or (yes > no) != (count == "least" and not copies)
        changed |= {number} if found[number] != each.first else set()
    return found if changed else None


def _cycles_of(
    cycles: Callable[[Sequence[Node]], int], both: Sequence[tuple[Node, ...]], share: WorkShare
) -> tuple[int, int] | None:  # fmt: skip
    """Return the cycles of both branches, None if they cannot be counted or exceed the share of the work."""
    try:
        with share.spent():
            return cycles(both[0]), cycles(both[1])
    except TooMuchWork:
        if share.left >= 0 or is_exceeded():
            raise
    except InputError:
        pass
    return None


def without_left(program: LoopProgram, context: Context) -> LoopProgram:
    """Return a program in which directives of branches that are not taken, in loops and calls, mean nothing."""
    gone: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    calls: set[tuple[str, ...]] = set()
    for each in context.branches.values():
        gone.setdefault(each.path, []).extend(each.left[1 if each.first else 0])
        calls |= {path for path in _paths(each.no if each.first else each.yes) if len(path) > len(each.path)}
    calls -= set(_paths(program.body))
    return replace(program, frames=tuple(
        replace(frame, dead=(*frame.dead, *gone[frame.path])) if frame.path in gone else frame
        for frame in program.frames if frame.path not in calls
    ))  # fmt: skip


def _paths(nodes: Sequence[Node]) -> Iterator[tuple[str, ...]]:
    """Yield the calls that statements stand in, and those around them."""
    for node in nodes:
        if isinstance(node, Execution):
            path = node.statement.path
            yield from (path[:length] for length in range(1, len(path) + 1))
        else:
            yield from _paths((*node.body, *getattr(node, "otherwise", ())))


def _in_loops(found: TwoWays, loops: Sequence[Loop]) -> list[tuple[Node, ...]]:
    """Return both branches, each inside copies of the ``loops`` around them."""
    both = [found.yes, found.no]
    for name, (low, high) in reversed(found.around):
        same = [loop for loop in loops if loop.iterator == name]
        around = same[0] if len(same) == 1 else Loop(iterator=name, first=(), last=())
        if not all(bound.is_constant for bound in (*around.first, *around.last)) or not around.first:
            ends = (low, high) if around.step > 0 else (high, low)
            around = replace(around, first=(Affine.of(ends[0]),), last=(Affine.of(ends[1]),))
        both = [(replace(around, body=branch),) for branch in both]
    return both


def _loops(nodes: Sequence[Node]) -> Iterator[Loop]:
    for node in nodes:
        if isinstance(node, Loop):
            yield node
            yield from _loops(node.body)
        elif isinstance(node, Guard):
            yield from _loops((*node.body, *node.otherwise))
