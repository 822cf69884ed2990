"""Limits a parameter without a value by the arrays that other loops index up to it, so that it is the same in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.control.assigned import at_loop
from ppnsim.c.lowering.control.indexed_arrays import most_indexed
from ppnsim.c.lowering.control.limits import most_trips
from ppnsim.c.lowering.control.loop_heads import constant_step, iterator_of
from ppnsim.c.lowering.control.value_ranges import is_own, reach
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError

_BY_TEST = {"<": 0, "!=": 0, "<=": -1}
"""What a test adds to the first value of the iterator that ends the loop, to get the value of its bound."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """The largest ``value`` of a parameter with which the loop in a ``line`` stays inside its arrays."""

    value: int
    line: int


def by_sized_parameters(
    node: SyntaxNode, variable: Variable, start: SyntaxNode, scope: Scope
) -> tuple[Trips | None, str]:  # fmt: skip
    """Return how often a loop runs by the parameters in its bounds that arrays limit, and words; None without one.

    The usual count is that for the largest values that the arrays allow. The arrays are those that a loop of the same
    function indexes whose bound is the parameter, or it and a number, and which is always entered.

    Examples
    --------
    With ``int a[48]`` and ``for (i = 0; i < n; i++) a[i] = 0;``, a loop ``for (k = 0; k < n - 1; k++) s += b[k * n];``
    of the function runs 47 times.
    """
    if len(scope.path) > 1 or any(each.variable in scope.context.spaced for each in start.walk("name")):
        return None, ""
    named = dict.fromkeys(each for part in (start, node.children[1]) for each in _named(part, scope))
    limits = {each: limit for each in named if (limit := _limit(each, scope)) is not None}
    here, ways = at_loop(node, scope, variable), list[int]()
    for least in (False, True) if limits else ():
        values = {each: ValueRange(0 if least else limit.value, limit.value) for each, limit in limits.items()}
        found = most_trips(node.children, variable, start, replace(here, reached={**here.reached, **values}))
        ways += [] if found is None else [found]
    if len(ways) < 2:
        return None, ""
    said = (f"{each.name} = {limit.value}, the most that line {limit.line} allows" for each, limit in limits.items())
    return Trips(0, ways[0], ways[1]), f"as many as for {' and '.join(said)}"


def _named(part: SyntaxNode, scope: Scope) -> Iterator[Variable]:
    """Yield the variables in an expression, and in what the locals in it are initialised with and always are."""
    for each in part.walk("name"):
        if (own := each.variable) is None:
            continue
        yield own
        if own.scope == "local" and own.initial is not None and own not in scope.changed:
            yield from _named(own.initial, scope)


def _limit(parameter: Variable, scope: Scope) -> _Limit | None:
    """Return the smallest of the limits that the loops of the function give to a parameter, None without one."""
    body, known = scope.function.body, scope.context.settings
    if (
        parameter.scope != "parameter"
        or not is_own(parameter)
        or parameter in scope.changed
        or parameter.name in known
        or body is None
    ):
        return None
    found = (_limit_by(loop, parameter, scope) for loop in _always_entered((body,)))
    return min((each for each in found if each is not None), key=lambda each: each.value, default=None)


def _always_entered(nodes: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield the ``for`` loops that are under no condition, the inner ones included."""
    for each in nodes:
        if each.kind == "for":
            yield each
        if each.kind == "block" or each.kind in LOOPS:
            yield from _always_entered(each.children)


def _limit_by(loop: SyntaxNode, parameter: Variable, scope: Scope) -> _Limit | None:
    """Return the limit that a loop gives to a parameter by the arrays in it, None if it gives none."""
    test = loop.children[1].bare
    if test.kind != "binary" or test.text not in _BY_TEST or (more := _beyond(test.children[1], parameter)) is None:
        return None
    try:
        variable, start = iterator_of(loop)
    except InputError:
        return None
    if test.children[0].bare.variable is not variable or constant_step(loop.children[2], variable, scope) != 1:
        return None
    spaced = dict(scope.context.spaced)
    count, _ = most_indexed(loop, variable, start, scope)
    scope.context.spaced.clear()
    scope.context.spaced.update(spaced)
    first = reach(start, scope).low or 0
    value = first + count + _BY_TEST[test.text] - more
    return _Limit(value, loop.position.line) if count and value > 0 else None


def _beyond(bound: SyntaxNode, parameter: Variable) -> int | None:
    """Return what a bound adds to a parameter, None for another expression."""
    bound = bound.bare
    if bound.kind == "name":
        return 0 if bound.variable is parameter else None
    if bound.kind != "binary" or bound.text not in ("+", "-"):
        return None
    left, right = (each.bare for each in bound.children)
    if left.variable is not parameter or right.kind != "integer" or right.value is None:
        return None
    return right.value if bound.text == "+" else -right.value
