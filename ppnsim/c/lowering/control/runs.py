"""Derives the trip count of a loop as a formula of the kernel's scalar arguments, from the loop's head (R5.15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.c.lowering.control.arguments import from_0_on, value_of
from ppnsim.c.lowering.control.changes import Advance, change_of, iterations_until, together
from ppnsim.c.lowering.control.counter_aliases import other_name
from ppnsim.c.lowering.control.loop_heads import iterator_of
from ppnsim.c.lowering.places.arrays import place_of_argument
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.plain.joint_counters import may_set
from ppnsim.c.plain.nodes import BOOL, binary, number, statements
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.summed import ITERATOR, least

_WAYS_OUT = frozenset(("left", "break", "return", "goto", "continue"))
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}
_DENIED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!="}
_WIDE = 32
"""Bits of a variable that is wide enough never to overflow in a loop."""
_THIS = "this loop"
_TIMES = Polynomial.of(ITERATOR + _THIS)
Found = Mapping[Variable, tuple[Polynomial | None, Advance | None]]
Bindings = Mapping[Variable, ArrayPlace | Value]


def runs_of(node: SyntaxNode, scope: Scope, before: Bindings) -> tuple[Polynomial, Polynomial] | None:
    """Return formulas of scalars and iterators for the iterations of a loop in a visit and its iterator's start.

    The result is None without such a formula. Each part of the condition has to compare a value that the loop does not
    change with a sum of variables whose increment is the same in every iteration, or with one variable that every
    iteration multiplies or divides. Early exits from the body leave no formula.

    The function is called after the loop head has been read, because that names scalars in the program; ``before``
    holds the earlier bindings. The whole program later tells how these names depend on the arguments of the kernel.
    """
    at_test, at_body = {"for": (1, 3), "while": (0, 1), "do": (1, 0)}[node.kind]
    body = node.children[at_body]
    if any(each.kind in _WAYS_OUT for each in body.walk()):
        return None
    try:
        own, start = iterator_of(node) if node.kind == "for" else (None, None)
        counters = _Counters(node, body, scope, before, own)
        if start is not None and own is not None:
            counters.known[own] = _first_value(start, own, scope, before), change_of(node.children[2], own, scope)
        tests = [counters.until(each) for each in _conjuncts(node.children[at_test])]
    except InputError:
        return None
    known = [each for each in tests if each is not None]
    if len(known) < len(tests):
        return None
    runs = least(*(each.positive() for each in known))
    begin, change = counters.known[own] if own is not None else (None, None)
    if own is None or own in scope.counters:
        if own is not None and begin is not None and change is not None:
            scope.formulas |= _by_iterator(own, begin, change, scope)
        begin = Polynomial()
    return None if begin is None else (most(runs, Polynomial.of(1)) if node.kind == "do" else runs, begin)


def _conjuncts(test: SyntaxNode) -> list[SyntaxNode]:
    """Return the parts of a condition that must all be true."""
    if test.bare.kind == "binary" and test.bare.text == "&&":
        return [part for each in test.bare.children for part in _conjuncts(each)]
    return [test.bare]


def _first_value(start: SyntaxNode, variable: Variable, scope: Scope, before: Bindings) -> Polynomial | None:
    """Return the first value of an iterator, which may depend on its value before the loop."""
    here = scope.bindings.get(variable)
    try:
        scope.bindings.pop(variable, None)
        known = before.get(variable) or place_of_argument(variable, scope)
        scope.bindings |= {} if known is None else {variable: known}
        return value_of(start, scope)
    finally:
        scope.bindings.pop(variable, None)
        scope.bindings |= {} if here is None else {variable: here}


def _by_iterator(variable: Variable, begin: Polynomial, change: Advance, scope: Scope) -> dict[Variable, Polynomial]:
    """Return the value of a variable in terms of its loop's iterator, if there is a formula."""
    found = change.after(begin, Polynomial.of(ITERATOR + scope.counters[variable][0]))
    return {} if found is None else {variable: found}


class _Counters:
    """The variables that each iteration of a loop changes; ``known`` holds their first values and changes."""

    def __init__(
        self, node: SyntaxNode, body: SyntaxNode, scope: Scope, before: Bindings, own: Variable | None
    ) -> None:  # fmt: skip
        self.node, self.body, self.scope, self.before, self.own = node, body, scope, before, own
        self.known: dict[Variable, tuple[Polynomial | None, Advance | None]] = {}

    def until(self, test: SyntaxNode) -> Polynomial | None:
        """Return how often a loop runs until a test fails."""
        if test.kind == "unary" and test.text == "!" and test.children[0].bare.text in _DENIED:
            test = replace(test.children[0].bare, text=_DENIED[test.children[0].bare.text])
        if test.kind == "name":  # while (n)
            test = binary("!=", test, number(test, 0, test.type), BOOL)
        if test.kind != "binary" or test.text not in _TURNED:
            return None
        left, right = (each.bare for each in test.children)
        moving = {each.variable for each in test.walk() if each.kind == "name" and self._changes(each)}
        found = {each: self._counter(each) for each in moving if each is not None}
        operator = test.text
        if left.kind != "name" or left.variable not in found:
            left, right, operator = right, left, _TURNED[operator]
        if not all(self._is_sound(each, *found[each], left, operator, right) for each in found):
            return None
        scales = any(change is not None and not change.adds for _, change in found.values())
        return self._scaled(found, operator, left, right) if scales else self._added(found, operator, left, right)

    def _scaled(self, found: Found, operator: str, left: SyntaxNode, right: SyntaxNode) -> Polynomial | None:
        """Return the iterations until a variable that is multiplied or divided by a number reaches its end."""
        begin, change = found.get(left.variable, (None, None)) if left.variable is not None else (None, None)
        end = value_of(right, self.scope) if len(found) == 1 and left.kind == "name" else None
        return None if end is None or begin is None or change is None else change.times(operator, begin, end)

    def _added(self, found: Found, operator: str, left: SyntaxNode, right: SyntaxNode) -> Polynomial | None:
        """Return the iterations until the comparison of two sums, which change by constant steps, fails."""
        self.scope.ranges[_THIS] = 0, 1 << 62
        outside = dict(self.scope.formulas)
        for variable, (begin, change) in found.items():
            if begin is not None and change is not None and (value := change.after(begin, _TIMES)) is not None:
                self.scope.formulas[variable] = value
        values = [value_of(each, self.scope) for each in (left, right)]
        self.scope.formulas.clear()
        self.scope.formulas |= outside
        one, two = values
        if not found or one is None or two is None:
            return None
        return iterations_until(one - two if operator[0] == ">" else two - one, operator, ITERATOR + _THIS)

    def _is_sound(
        self, variable: Variable, begin: Polynomial | None, change: Advance | None, left: SyntaxNode, operator: str,
        right: SyntaxNode,
    ) -> bool:  # fmt: skip
        """Return whether a variable is known, and does not overflow its type before the test fails."""
        if begin is None or change is None or other_name(self.node, variable, self.scope):
            return False
        if variable.type.kind != "integer":
            return False
        alone = next((other for one, other in ((left, right), (right, left)) if one.variable is variable), None)
        alone = None if alone is None or any(each.variable is variable for each in alone.walk()) else alone
        if variable.type.bits < (_WIDE if alone is None else min(alone.type.bits, _WIDE)):
            return False
        return not variable.type.wraps or self._stays_above(begin, change, alone, operator)

    def _stays_above(self, begin: Polynomial, change: Advance, alone: SyntaxNode | None, operator: str) -> bool:
        """Return whether an unsigned variable never wraps below 0; ``alone``: the value that it is compared with."""
        if not from_0_on(begin, self.scope):
            return False
        falls = change.operator == "-"
        if alone is None:
            return not falls
        still = not any(each.kind == "name" and self._changes(each) for each in alone.walk())
        end = value_of(alone, self.scope) if still else None
        around = falls and (operator in ("<=", ">=") or change.by.constant != 1)
        return not around and end is not None and from_0_on(end, self.scope)

    def _changes(self, name: SyntaxNode) -> bool:
        """Return whether the loop changes the variable of a name."""
        variable = name.variable
        return variable is not None and (
            variable is self.own or may_set(self.body, variable, self.scope.context.unit.functions)
        )

    def _counter(self, variable: Variable) -> tuple[Polynomial | None, Advance | None]:
        """Return the first value of a variable and its change in each iteration."""
        functions = self.scope.context.unit.functions
        changing = [each for each in statements(self.body) if may_set(each, variable, functions)]
        if variable is self.own:
            return (None, None) if changing else self.known[variable]
        if variable.scope not in ("local", "parameter"):
            return None, None
        at = self.before.get(variable) or place_of_argument(variable, self.scope)
        place = Polynomial.of(at.array) if isinstance(at, ArrayPlace) and not (at.subscripts or at.path) else None
        return place, together([change_of(each, variable, self.scope) for each in changing])
