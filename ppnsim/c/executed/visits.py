"""Counts the iterations of a loop in each of its visits, by execution of the control flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ppnsim.c.executed.expressions import Returned
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.memory import LARGEST, PointsTo
from ppnsim.c.executed.named_variables import (
    Visits,
    Ways,
    called_so,
    closure,
    is_handed,
    is_reference,
    names,
    root,
    start_of,
)
from ppnsim.c.executed.places import EndlessLoop, TooMuch
from ppnsim.c.executed.walker import Walker
from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import Function, SyntaxNode, Variable
from ppnsim.loops.work import EXECUTED, spend

_FIRST = 10_000
"""Most executed parts to find out whether loops have a first iteration; most are known sooner, or never."""


def visits_of(
    loops: Sequence[SyntaxNode], kernel: Function, influences: Influences, settings: Mapping[str, int],
    passed: set[str], *, ways: Ways, beside: Iterable[Sequence[SyntaxNode]] = (),
) -> dict[str, dict[tuple[str, ...], Visits]]:  # fmt: skip
    """Return the iterations of the loops at one position, in a kernel and in functions that it calls, by these calls.

    For an ``if``, the result is 1 if its condition is true, else 0. ``ways`` tells which early exits of the loop are
    taken. Exits that data decides are added to ``passed`` if numbers end the loop. ``beside`` are loops at other
    positions. Those that depend on the same variables, apart from their own counters, are counted in the same walk and
    returned too, if no other walk can know more; loops with early exits are never counted together. The result is by
    position (`called_so`).

    The result is empty if the count takes too long; then the walk that also executes the other loops would take too
    long as well.

    Raises
    ------
    EndlessLoop
        If the loop never ends.
    """
    place, targets = called_so(loops[0]), {called_so(loops[0])}
    own = asked = _asked(loops, kernel, influences, ways)
    for others in beside:
        also = _asked(others, kernel, influences, ways)
        if (own ^ also) <= {start_of(each) for each in (*loops, *others)}:
            targets.add(called_so(others[0]))
            asked |= also
    shared = _shared(asked, kernel, influences)
    for thorough in (False, True):  # execute other loops only if they are needed
        walker = Walker(frozenset(targets), asked, influences, shared, thorough=thorough, ways=ways, passed=passed)
        if ways == "first":
            walker.expressions.left = _FIRST
        try:
            ended = executed(walker, kernel, settings)
        except EndlessLoop as found:
            if found.place == place:
                raise
            ended = False
        if not ended:  # perhaps because several loops were counted
            alone = len(targets) == 1
            return {place: {}} if alone else visits_of(loops, kernel, influences, settings, passed, ways=ways)
        if thorough or not walker.skipped:  # no other walk knows more
            return {each: walker.visits.get(each, {}) for each in targets}
        if place in (known := {each: one for each, one in walker.visits.items() if _is_known(one)}):
            break
    return known


def _asked(
    loops: Sequence[SyntaxNode], kernel: Function, influences: Influences, ways: Ways
) -> frozenset[Variable]:  # fmt: skip
    """Return the variables that decide how often the loops at one position run."""
    head: list[SyntaxNode] = []
    for loop in loops:
        head += loop.children[:3] if loop.kind == "for" else loop.children[loop.kind == "do" :][:1]
        if loop.kind in LOOPS and ways != "none":
            head += influences.ways_out(loop)
    return closure((each for part in head for each in influences.sources(part)), influences.flow(kernel), LARGEST)


def _is_known(visits: Mapping[tuple[str, ...], Visits]) -> bool:
    return all(None not in each.values() for each in visits.values())


def executed(walker: Walker, kernel: Function, settings: Mapping[str, int]) -> bool:
    """Execute a kernel and return whether it ended in time; raise EndlessLoop if it never ends."""
    assert kernel.body is not None
    memory, before = walker.expressions.memory, walker.expressions.left
    for parameter in kernel.parameters:
        if is_reference(parameter):
            memory.write((parameter, ""), PointsTo(None))
        elif (given := settings.get(parameter.name)) is not None:
            memory.write((parameter, ""), given)
    try:
        walker.run(kernel.body)
    except Returned:
        pass
    except EndlessLoop:
        raise
    except TooMuch:
        return False
    finally:
        spend(EXECUTED * (before - walker.expressions.left))
    return True


def _shared(asked: frozenset[Variable], kernel: Function, influences: Influences) -> frozenset[Variable]:
    """Return the variables to which a pointer or reference may refer."""
    found = {each for each in asked if each.type.kind != "integer" or each.scope in ("global", "static")}
    seen, waiting = set[str](), [kernel]
    while waiting:
        function = waiting.pop()
        if function.name in seen:
            continue
        seen.add(function.name)
        for node in function.walk("unary", "declare", "call"):
            if node.kind == "unary" and node.text == "&" and (named := root(node)) is not None:
                found.add(named)
            elif node.kind == "declare" and node.variable is not None and is_handed(node.variable):
                found |= names(node)
            elif (called := influences.called(node)) is not None:
                waiting.append(called)
                pairs = zip(called.parameters, node.children, strict=False)
                found |= {v for p, each in pairs if is_handed(p) and (v := root(each)) is not None}
    return frozenset(found)
