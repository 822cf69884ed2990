"""Determines the trip counts of loops whose bounds depend on data."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.executed.places import EndlessLoop
from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.lowering.control.assigned import at_loop
from ppnsim.c.lowering.control.data_bounds import affine_head
from ppnsim.c.lowering.control.ending_tests import tested_line
from ppnsim.c.lowering.control.endless import BY_DATA, check_ends_by_type, compares, never_ends, said_of_end
from ppnsim.c.lowering.control.executed_control import begins, exact_trips, is_left, most_by_ways
from ppnsim.c.lowering.control.halving import most_halvings
from ppnsim.c.lowering.control.indexed_arrays import elements_indexed, most_indexed
from ppnsim.c.lowering.control.limits import ASSUMED, LIMITLESS, as_counting, by_defaults, most_done, most_trips
from ppnsim.c.lowering.control.loop_heads import LoopHead, constant_step, iterator_of
from ppnsim.c.lowering.control.sized_parameters import by_sized_parameters
from ppnsim.c.lowering.functions.frames import constants
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.constants import Formulas
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.plain.whiles import SCALAR
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, Variable

_BY_WAYS = "the most that the ways out of it by numbers allow"


def trips_of(node: SyntaxNode, scope: Scope) -> Trips | None:
    """Return how often a loop runs, None if its bounds are affine and tell the trip count themselves.

    ``loop_tripcount`` in the loop gives the count. Without it, a loop is refused if its test compares and is always
    true. Otherwise execution of the control flow may count the iterations (`exact_trips`). If it cannot, a limit is
    assumed: the bits of a variable that is shifted until it is 0 (`most_halvings`), or else the smallest of the limits
    by early exits, by the bound (`most_trips`), and by the arrays that it indexes (`most_indexed`). Default arguments
    of the kernel give the usual count. If all fail, `ASSUMED` is used.

    A bound with a choice of several expressions is piecewise affine: its iterations are counted like those of a
    data-dependent bound. If that takes too long, the loop runs to its largest bound and executes nothing beyond the
    others.
    """
    found = affine_head(node, scope) if node.kind == "for" else None
    if found is not None:
        return _of_several(node, scope) if found.also else None
    given = _given(node, scope)
    if given is None:
        check_ends_by_type(node, scope)
    try:
        exact = exact_trips(node, scope)
    except EndlessLoop:
        if given is None and compares(node):
            never_ends(node)
        exact = None
    if exact is not None and (given is None or scope.context.policy.count == "usual"):
        return exact
    if given is None:
        return _assumed(node, scope)
    return replace(given, least=max(given.least, _least(node, scope)))


def _least(node: SyntaxNode, scope: Scope) -> int:
    """Return the fewest iterations each time the loop is entered: 1 if the test comes after the body."""
    return int(node.kind == "do" or begins(node, scope))


def _of_several(node: SyntaxNode, scope: Scope) -> Trips | None:
    """Return how often a loop with a choice of several bounds runs; if it is not known, record the assumption."""
    found = exact_trips(node, scope)
    if found is None:
        words = f"the loop in line {node.position.line} runs to the largest of its bounds"
        scope.context.assumed[str(node.position)] = f"{words}: how often it runs depends on other loops"
    return found


def as_reported(found: LoopHead, node: SyntaxNode, scope: Scope) -> LoopHead:
    """Return the head of a loop as synthesis reports count it (R5.9 of hls).

    If its bounds depend on the loops around it, the reports use the count that ``loop_tripcount`` in the loop gives.
    If a test of data in its head also ends the loop, they count the elements of the array that its iterator indexes.
    """
    context, single = scope.context, len(found.first) == len(found.last) == 1
    if context.policy.count == "usual" or not context.policy.vendor_pragmas or found.also or not single:
        return found
    first, last = found.first[0], found.last[0]
    shortest, longest = extent(last - first, scope.ranges)
    if shortest == longest:
        return found
    why = "its loop_tripcount says"
    given = _given(node, scope)
    tested = given is None and tested_line(node.children[3]) and not is_left(node, scope)
    if tested and (size := elements_indexed(node, variable := iterator_of(node)[0])):
        given, why = Trips(0, size, size), f"an array with '{variable.name}' as its subscript has elements"
    if given is None:
        return found
    count = context.counted(given)
    if first.is_constant and longest is not None:
        count = min(count, max(0, longest // found.step + 1))
    words = f"the loop in line {node.position.line} is counted {count} times, as {why} and reports do"
    context.assumed[str(node.position)] = f"{words}: its bounds, which are exact without --worst, depend on other loops"
    return replace(found, last=(first + found.step * (count - 1),), assumed=True)


def _given(node: SyntaxNode, scope: Scope) -> Trips | None:
    """Return the trip count that ``loop_tripcount`` in a loop gives."""
    inner = [each.position.line for child in node.children for each in child.walk() if each.kind in ("for", *UNCOUNTED)]
    until = min(inner, default=node.end + 1)
    called = Formulas(scope.context.unit.functions).result
    return scope.context.pragmas.trips(node.position.file, node.position.line, until, constants(scope), called)


def _assumed(node: SyntaxNode, scope: Scope) -> Trips:
    least = _least(node, scope)
    if (halved := most_halvings(node)) is not None:
        trips, what = halved
        why = f"the most for '{what.name}' of {what.type.bits} bits to become 0"
        return _noted(node, scope, Trips(least, trips, trips), why, BY_DATA)
    ways = most_by_ways(node, scope)
    if node.kind != "for":
        words = said_of_end(node, scope)
        limited, why = _done(node, scope) if node.kind == "do" else (None, "")
        if limited is not None and (ways is None or limited < ways):
            return _noted(node, scope, Trips(least, limited, limited), why, words)
        if ways is not None:
            return _noted(node, scope, Trips(least, ways, ways, left=True), _BY_WAYS, words)
        return _noted(node, scope, Trips(least, ASSUMED, None, endless=words != BY_DATA), "", words)
    variable, start = iterator_of(node)
    part = "bound" if constant_step(node.children[2], variable, scope) is not None else "step"
    unknown = f"its {part} '{node.children[1 if part == 'bound' else 2]}' is data or a parameter without a value"
    if part == "bound" and start.bare.variable is variable:
        unknown = f"the value of '{variable.name}' before it is data, or it has none"
    limits, why = _most(node, variable, start, scope)
    if ways is not None and (limits.most is None or ways < limits.most):
        limits, why = Trips(least, ways, ways, left=True), _BY_WAYS
    limits = replace(limits, least=least)
    usual = by_defaults(node, variable, start, scope)
    if usual is not None:
        limits = Trips(least, usual, None if limits.most is None else max(limits.most, usual))
        if scope.context.policy.count == "usual" or limits.most is None:
            why = "as the default arguments of the kernel say"
    return _noted(node, scope, limits, why, unknown)


def _done(node: SyntaxNode, scope: Scope) -> tuple[int | None, str]:
    """Return how often a ``do`` runs by its test or, as a ``while``, by the arrays that it indexes, and why."""
    if (limited := most_done(node, scope)) is not None or (counted := as_counting(node, scope)) is None:
        return limited, f"the most that '{node.children[1]}' allows"
    if any(each.kind not in SCALAR for each in node.children[1].walk()):
        return None, ""
    loop, variable, known = counted
    indexed, why = most_indexed(loop, variable, loop.children[0], known)
    return indexed or None, why


def _most(node: SyntaxNode, variable: Variable, start: SyntaxNode, scope: Scope) -> tuple[Trips, str]:
    """Return how often a loop runs by its arrays or by the limits of its bound, and the words that tell so."""
    known, inside = most_indexed(node, variable, start, scope)
    limited = most_trips(node.children, variable, start, at_loop(node, scope))
    elements = any(each.kind == "index" for each in node.children[1].walk())
    if limited is not None and elements and scope.context.policy.count == "most":
        known = 0  # R5.9: reports use the type of the loaded element, not the size of another array
    numbers = min(known or LIMITLESS, LIMITLESS if limited is None else limited)
    sized, words = by_sized_parameters(node, variable, start, scope)
    if sized is not None and sized.usual < numbers:
        most = min(sized.of("most"), numbers)
        return replace(sized, most=most), words if scope.context.policy.count == "usual" or most < numbers else inside
    if known and (limited is None or known < limited):
        return Trips(0, known, known), inside
    if limited is not None:
        return Trips(0, limited, limited), f"the most that '{node.children[1]}' allows"
    return Trips(0, ASSUMED, None), ""


def _noted(node: SyntaxNode, scope: Scope, trips: Trips, why: str, unknown: str) -> Trips:
    """Return assumed trips, and record the assumption."""
    often, given = f"runs {trips.of(scope.context.policy.count)} times", ", or --set for a parameter,"
    if trips.endless:
        often, given = f"{often} as it is counted here", ""
    advice = f"'#pragma HLS loop_tripcount max=N' in it{given} says better"
    scope.context.assumed[str(node.position)] = (
        f"the loop in line {node.position.line} {often}{f', {why}' if why else ''}: {unknown}; {advice}"
    )
    return trips
