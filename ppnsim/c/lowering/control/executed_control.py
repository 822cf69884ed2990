"""Finds trip counts and taken branches by execution, where the source alone decides the control flow (R5.9 of hls)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ppnsim.c.executed import table, truths, visits
from ppnsim.c.executed.budget import executed
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.named_variables import Ways, body_of, called_so
from ppnsim.c.executed.places import EndlessLoop
from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.control.ending_tests import TAKEN, has_way_out, is_way_out, tested_line
from ppnsim.c.lowering.control.loop_heads import LoopHead
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.plain.nodes import statements, with_children
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit
from ppnsim.loops.expressions import Affine, Compare, Condition

_NUMBERS = frozenset(("name", "integer", "binary", "unary", "cast", "choice"))


@lru_cache(maxsize=1)
def _influences_in(unit: TranslationUnit) -> Influences:
    return Influences(unit.functions)


@lru_cache(maxsize=4)
def _truths_in(unit: TranslationUnit, kernel: Function, settings: tuple[tuple[str, int], ...]) -> truths.Truths:
    return truths.truths_of(kernel, _influences_in(unit), dict(settings))


@lru_cache(maxsize=1)
def _loops_at(unit: TranslationUnit) -> dict[str, list[SyntaxNode]]:
    """Return the loops and branches of a source by their position."""
    found: dict[str, list[SyntaxNode]] = {}
    for function in unit.functions.values():
        for node in function.walk():
            if node.kind in LOOPS or node.kind == "if":
                found.setdefault(called_so(node), []).append(node)
    return found


def exact_trips(node: SyntaxNode, scope: Scope) -> Trips | None:
    """Return how often a loop runs in each visit, None if the source alone does not tell it.

    An early exit is taken if known numbers decide when it is taken, unless the policy counts the most iterations.
    Otherwise the loop runs to its end, or to the first early exit that known numbers decide.
    """
    leaves, headed = bool(_influences_in(scope.context.unit).ways_out(node)), tested_line(body_of(node)) > 0
    orders: tuple[Ways, ...] = ("none", "all") if _as_reported(node, scope) and not headed else ("all", "none")
    if leaves and (headed or by_numbers(body_of(node))):
        orders = ("none", "all", "sure") if orders[0] == "none" else ("all", "sure", "none")
    for ways in orders if leaves else ("none",):
        found = _iterations_of(node, scope, ways)
        if found is not None and not (ways == "sure" and found == _iterations_of(node, scope, "none")):
            trips, least, most = found
            if ways != "all" and data_leaves(node):
                least = min(least, 1)
                if scope.context.policy.count == "least":
                    return Trips(least, most, most, exact=Affine.of(least), left=ways == "sure")
            return Trips(least, most, most, certain=True, exact=trips, left=ways != "none")
    return None


def most_by_ways(node: SyntaxNode, scope: Scope) -> int | None:
    """Return the most iterations of a loop that data ends and numbers leave early, None if they do not."""
    if not (by_numbers(body_of(node)) or tested_line(body_of(node))):
        return None
    try:
        found = _iterations_of(node, scope, "most")
    except EndlessLoop:
        return None
    return None if found is None else found[2]


def begins(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether a loop that data ends is known to have at least one iteration each time it is entered."""
    found = _iterations_of(node, scope, "first")
    return found is not None and found[1] > 0


def data_leaves(node: SyntaxNode) -> bool:
    """Return whether data may end a loop early; a loop whose tokens others wait for always runs to its end."""
    return any(map(has_way_out, node.children)) and not any(node.walk("token"))


def is_left(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether known numbers decide when an early exit ends a loop."""
    found = exact_trips(node, scope)
    return found is not None and found.left and found.certain


def left_early(found: LoopHead, node: SyntaxNode, scope: Scope) -> tuple[LoopHead, SyntaxNode]:
    """Return the head and body of a loop, with the last iteration before an early exit is taken, if that is known.

    Reports and the policy of the most iterations count such a loop to its end, unless other processes wait for its
    tokens. If data takes an early exit, the fewest iterations are one.
    """
    context, body = scope.context, node.children[3]
    if not context.policy.vendor_pragmas or found.also or len(found.first) > 1:
        return found, body
    tokens = any(node.walk("token"))
    context.ranged |= has_way_out(body) and not tokens
    if context.policy.count == "most" and not tokens and not tested_line(body):
        return found, body
    trips = exact_trips(node, scope) if _influences_in(context.unit).ways_out(node) else None
    if trips is None or not trips.left:
        once = context.policy.count == "least" and has_way_out(body) and not tokens
        return replace(found, last=(*found.last, found.first[0]), assumed=True) if once else found, body
    assert trips.exact is not None
    context.ranged = True
    last = found.first[0] + (trips.exact - 1) * found.step
    return replace(found, last=(last,), assumed=not trips.certain), without_left(body, scope)


def _as_reported(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether the policy counts a loop to its end although numbers decide its early exit, as reports do."""
    return scope.context.policy.count == "most" and not any(node.walk("token"))


def without_left(body: SyntaxNode, scope: Scope) -> SyntaxNode:
    """Return the body of a loop without the messages of exits that are taken; exits that data decides keep theirs."""
    if body.kind == "left":
        return body if str(body.position) in scope.context.passed else replace(body, text=TAKEN)
    return (
        body if body.kind in LOOPS else with_children(body, tuple(without_left(each, scope) for each in body.children))
    )


def by_numbers(body: SyntaxNode) -> bool:
    """Return whether numbers may decide when one of the early exits in the body of a loop is taken."""
    if is_way_out(body) or body.kind in LOOPS:
        return is_way_out(body)
    if body.kind != "if":
        return any(map(by_numbers, body.children))
    test, *ways = body.children
    gone = [
        any(map(is_way_out, statements(each))) for each in ways
    ]  # then control reaches the other branch unless data takes this exit
    numbers = _is_of_numbers(test)
    return any(by_numbers(each) and (numbers or (len(gone) > 1 and gone[1 - at])) for at, each in enumerate(ways))


def _is_of_numbers(test: SyntaxNode) -> bool:
    """Return whether a condition, or a part of it, may consist of numbers: ``i == 20``, ``a[i] == 0 || i == 20``."""
    test = test.bare
    if test.kind == "unary" and test.text == "!":
        return _is_of_numbers(test.children[0])
    if test.kind == "binary" and test.text in ("&&", "||"):
        return any(map(_is_of_numbers, test.children))
    return all(each.kind in _NUMBERS for each in test.walk())


def exact_truth(node: SyntaxNode, scope: Scope) -> Condition | None:
    """Return the condition of an ``if`` with loops as an affine condition, None if the source does not tell it."""
    influences = _influences_in(scope.context.unit)
    inside = (place for branch in node.children[1:] for place in influences.loops(branch))
    if all(place.startswith("if ") for place in inside):
        return None
    found = _iterations_of(node, scope, "all")
    return None if found is None else Compare(found[0] - 1)


def known_truth(node: SyntaxNode, scope: Scope) -> bool | None:
    """Return whether the condition of an ``if`` is true in all iterations of the loops around; None if not known."""
    context, kernel = scope.context, scope.context.unit.functions[scope.calls[0]]
    if kernel.body is None or not context.policy.vendor_pragmas:
        return None
    found = _truths_in(context.unit, kernel, tuple(context.settings.items())).get((scope.sites, called_so(node)))
    return None if found is None else bool(found)


def _iterations_of(node: SyntaxNode, scope: Scope, ways: Ways) -> tuple[Affine, int, int] | None:
    context = scope.context
    kernel = context.unit.functions[scope.calls[0]]
    if kernel.body is None:
        return None
    around = [table.Around(each, each in context.counting) for each in context.open_iterators]
    # Instances of a template share positions: one walk counts all their loops; if it is too long, each has its own.
    alike = _loops_at(context.unit).get(called_so(node), [node])
    for name, loops in (("", alike), (scope.function.name, [node])):
        if (key := (kernel.name, f"{name} {called_so(node)} {ways}")) not in context.executed:
            executed().check(node.position)
            asked = _influences_in(context.unit), context.settings, context.passed
            beside = _other_loops(node, scope) if ways == "none" else []
            for place, known in visits.visits_of(loops, kernel, *asked, ways=ways, beside=beside).items():
                context.executed.setdefault((kernel.name, f"{name} {place} {ways}"), known)
        if (found := context.executed[key].get(scope.sites)) is not None or len(alike) == 1:
            break
    return None if found is None else table.counted(found, around)


def _other_loops(node: SyntaxNode, scope: Scope) -> list[list[SyntaxNode]]:
    """Return the other loops of a function, each with the loops at its position, if none of them has an early exit."""
    unit, influences = scope.context.unit, _influences_in(scope.context.unit)
    loops = [each for each in scope.function.walk() if each.kind in LOOPS and not influences.ways_out(each)]
    return [_loops_at(unit).get(called_so(each), [each]) for each in loops if each is not node] if node in loops else []
