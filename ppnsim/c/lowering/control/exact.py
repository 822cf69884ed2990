"""Loops and branches that the source alone decides: its control flow is executed (R5.9 of hls)."""

from __future__ import annotations

from functools import lru_cache

from ppnsim.c.executed.budget import executed
from ppnsim.c.executed.influences import Influences
from ppnsim.c.executed.named import called_so
from ppnsim.c.executed.table import Around, counted
from ppnsim.c.executed.visits import visits_of
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, TranslationUnit
from ppnsim.loops.expressions import Affine, Compare, Condition


@lru_cache(maxsize=1)
def _influences_in(unit: TranslationUnit) -> Influences:
    return Influences(unit.functions)


def exact_trips(node: SyntaxNode, scope: Scope) -> Trips | None:
    """Return how often a loop runs in each visit, None if that is not known from the source alone."""
    if (found := _visited(node, scope)) is None:
        return None
    trips, least, most = found
    return Trips(least, most, most, certain=True, exact=trips)


def exact_truth(node: SyntaxNode, scope: Scope) -> Condition | None:
    """Return when the condition of an ``if`` with loops in it holds; None if the source alone does not say it."""
    influences = _influences_in(scope.context.unit)
    inside = (place for branch in node.children[1:] for place in influences.loops(branch))
    if all(place.startswith("if ") for place in inside):
        return None
    found = _visited(node, scope)
    return None if found is None else Compare(found[0] - 1)


def _visited(node: SyntaxNode, scope: Scope) -> tuple[Affine, int, int] | None:
    context = scope.context
    kernel = context.unit.functions[scope.calls[0]]
    if kernel.body is None:
        return None
    key = kernel.name, f"{scope.function.name} {called_so(node)}"
    if key not in context.executed:
        executed().check(node.position)
        context.executed[key] = visits_of(node, kernel, _influences_in(context.unit), context.settings)
    visits = context.executed[key].get(scope.sites)
    around = [Around(each, each in context.counting) for each in context.open_iterators]
    return None if visits is None else counted(visits, around)
