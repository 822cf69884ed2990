"""Finds loops that never end: refuses those that are a mistake, and reports those that are intended, ``while (true)``.

A loop is a mistake if its test compares numbers and is always true: ``for (unsigned i = 9; i >= 0; i--)``. This module
decides so by the type of the counter. If known numbers alone decide, `ppnsim.c.executed` sees that the loop returns to
an earlier state.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.kinds import LOOPS, UNCOUNTED
from ppnsim.c.lowering.control.ending_tests import is_way_out
from ppnsim.c.lowering.control.value_ranges import reach
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.plain.evaluate import number_of, step_of
from ppnsim.c.plain.joint_counters import may_set
from ppnsim.c.plain.nodes import is_value
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse

_AT = {"for": (1, 3), "while": (0, 1), "do": (1, 0)}
"""The indices of the test and of the body among the children of a loop."""
BY_DATA = "what ends it is data"
_TOWARDS = {"<": 1, "<=": 1, ">": -1, ">=": -1}
_SIGNED = ("int", "long", "long long")
_COMPARED = ("<", "<=", ">", ">=", "!=", "==")


def check_ends_by_type(node: SyntaxNode, scope: Scope) -> None:
    """Raise InputError if the types in a loop's test make it always true, and nothing else ends the loop."""
    at, body = _AT[node.kind]
    if _ways_out(node.children[body]):
        return
    if _always_true(node.children[at], scope) or _steps_over(node, scope) or _runs_away(node, scope):
        never_ends(node)


def never_ends(node: SyntaxNode) -> None:
    """Raise InputError for a loop that never ends."""
    test = node.children[_AT[node.kind][0]]
    words = f"condition '{test}' always holds, so that the loop never ends"
    refuse(test.position, f"{words}; correct it, or write '#pragma HLS loop_tripcount max=N' in a loop meant so")


def compares(node: SyntaxNode) -> bool:
    """Return whether only a comparison of numbers ends a loop; an intended endless loop has no comparison."""
    return not _ways_out(node.children[_AT[node.kind][1]]) and any(
        each.text in _COMPARED for each in node.children[_AT[node.kind][0]].walk()
    )


def said_of_end(node: SyntaxNode, scope: Scope) -> str:
    """Return what ends a loop of unknown trip count: `BY_DATA`, or the reason why nothing ends it."""
    at, body = _AT[node.kind]
    test = node.children[at]
    if _ways_out(node.children[body]) or not is_value(test):
        return BY_DATA
    names = {each.variable for each in test.walk() if each.kind == "name"}
    if not names:
        return "nothing ends it" if test.kind == "empty" or test.bare.value != 0 else BY_DATA
    functions = scope.context.unit.functions
    for each in names:
        still = each is not None and each.scope in ("local", "parameter") and each.type.kind == "integer"
        if each is None or not still or each.volatile or any(may_set(part, each, functions) for part in node.children):
            return BY_DATA
    if any(each.kind not in ("name", "integer", "binary", "unary", "cast", "choice") for each in test.walk()):
        return BY_DATA
    return f"nothing in it changes '{test}', so that it runs for ever or not at all"


def _ways_out(body: SyntaxNode, *, inside: bool = False) -> bool:
    """Return whether the body of a loop leaves it; ``inside`` another loop, only a return does."""
    if body.kind in ("return", "goto") or (body.kind == "break" and not inside):
        return True
    if is_way_out(body) and (not inside or "around the return" in body.text):
        return True
    return any(_ways_out(each, inside=inside or body.kind in LOOPS) for each in body.children)


def _always_true(test: SyntaxNode, scope: Scope) -> bool:
    """Return whether a comparison is true for all numbers of its types."""
    test = test.bare
    if test.kind != "binary" or len(test.children) != 2:
        return False
    if test.text in ("&&", "||"):
        return (all if test.text == "&&" else any)(_always_true(each, scope) for each in test.children)
    (low, high), (least, most) = (_bounds(each, scope) for each in test.children)
    if low is None or high is None or least is None or most is None:
        return False
    apart = high < least or most < low
    held = {"<": high < least, "<=": high <= least, ">": low > most, ">=": low >= most, "!=": apart}
    return held.get(test.text, False)


def _bounds(node: SyntaxNode, scope: Scope) -> tuple[int | None, int | None]:
    """Return the smallest and largest value of a comparison's operand; for a variable, the limits of its type."""
    if (known := number_of(node, {})) is not None:
        return known, known
    if node.kind == "name" and node.variable is not None:
        of = node.variable.type
        return of.limits if _is_counter_type(of) and not of.const else _ends(reach(node, scope))
    if node.kind == "cast":
        low, high = _bounds(node.children[0], scope)
        inside = low is not None and high is not None and node.type.kind == "integer" and node.type.bits
        least, most = node.type.limits if inside else (0, -1)
        return (low, high) if low is not None and high is not None and least <= low and high <= most else (None, None)
    if node.kind in ("binary", "unary") and _is_counter_type(node.type):
        return node.type.limits
    return (None, None)


def _ends(found: ValueRange) -> tuple[int | None, int | None]:
    return found.low, found.high


def _is_counter_type(of: CType) -> bool:
    return of.kind == "integer" and bool(of.bits) and of.text != "bool"


def _steps_over(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether the counter steps over the end in ``i != end`` forever, however often it wraps around."""
    test = node.children[1].bare
    if node.kind != "for" or test.kind != "binary" or test.text != "!=":
        return False
    variable = next(_counters(node), None)
    left, right = (each.bare for each in test.children)
    by = None if variable is None else step_of(node.children[2], variable)
    if variable is None or left.variable is not variable or left.kind != "name" or not by:
        return False
    begin, end = reach(node.children[0].children[-1], scope), reach(right, scope)
    if begin.low is None or begin.low != begin.high or end.low is None or end.low != end.high:
        return False
    # If the counter ever meets the end, each power of two that divides the step also divides the distance.
    return bool((end.low - begin.low) % min(by & -by, 1 << variable.type.bits))


def _runs_away(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether a counter moves away from its end between two numbers, ``for (int i = 0; i < 9; i--)``.

    It would overflow its type, which C does not define. Unsigned types are excluded: ``for (unsigned i = 8; i < 9;
    i--)`` ends after 0.
    """
    test, variable = node.children[1].bare, next(_counters(node), None) if node.kind == "for" else None
    if variable is None or variable.type.text not in _SIGNED or test.kind != "binary" or test.text not in _TOWARDS:
        return False
    by, towards = step_of(node.children[2], variable), _TOWARDS[test.text]
    if not by or by * towards > 0 or test.children[0].bare.variable is not variable:
        return False
    if may_set(node.children[3], variable, scope.context.unit.functions):
        return False
    begin, end = reach(node.children[0].children[-1], scope), reach(test.children[1].bare, scope)
    if begin.low is None or begin.low != begin.high or end.low is None or end.low != end.high:
        return False
    return (end.low - begin.low) * towards >= len(test.text) % 2  # strict comparisons need a distance of at least 1


def _counters(node: SyntaxNode) -> Iterator[Variable]:
    """Yield the integer variable that a ``for`` initialises."""
    start = node.children[0]
    if start.kind in ("declare", "assign") and start.children:
        variable = start.variable if start.kind == "declare" else start.children[0].variable
        if variable is not None and variable.type.kind == "integer" and variable.type.bits:
            yield variable


def left_out(node: SyntaxNode, scope: Scope) -> tuple[()]:
    """Return no nodes for a loop that executes nothing, and record it; also for ``while (*status == 0);``."""
    line = node.position.line
    scope.dead.append((line, node.end))
    if node.kind in UNCOUNTED:
        words = f"the loop in line {line} only waits for its condition and takes no cycles here"
        scope.context.assumed[str(node.position)] = f"{words}; how long it takes in hardware is not known"
    elif scope.context.policy.own_memories:
        words = f"nothing in the loop in line {line} becomes hardware: it is removed, as synthesis does"
        scope.context.assumed[str(node.position)] = words
    return ()
