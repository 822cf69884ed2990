"""Moves the data-dependent test of a loop's head into its body, as a test that may end the loop (R5.10, R5.23)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.control.executed_control import without_left
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.variables.reaching import set_by, sets
from ppnsim.c.plain.nodes import BOOL, binary, block_of, is_value
from ppnsim.c.plain.whiles import conjuncts
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, Variable

_COMPUTED = frozenset(("*", "/", "%"))
"""Operators that take states, other than the operators of a counter's comparison."""
_TRUTHS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"))


def tested(node: SyntaxNode, body: SyntaxNode, trips: Trips, scope: Scope) -> tuple[SyntaxNode, int]:
    """Return the body of a loop of unknown trip count, under the data-dependent parts of the test in its head.

    The second value is the line of a test of a value that each iteration loads, 0 without one.

    A body with inner loops is not put under the test, because the test would then decide about these loops; neither is
    the body of a ``do``, because its test comes after the body.
    """
    body = without_left(body, scope) if trips.left else body
    at = {"for": 1, "while": 0, "do": 1}[node.kind]
    parts = [] if trips.certain or not scope.context.policy.vendor_pragmas else list(conjuncts(node.children[at]))
    loaded = [each for each in parts if is_value(each) and _loads(each, node)]
    if not (data := [each for each in parts if each in loaded or (is_value(each) and _computes(each, node))]):
        return body, 0
    test = reduce(lambda left, right: binary("&&", left, right, BOOL), data)
    left = SyntaxNode("left", test.position, end=test.end, extent=test.extent)
    alone = node.kind == "do" or any(each.kind in LOOPS for each in body.walk())
    branch = block_of(test, ()) if alone else body
    made = SyntaxNode("if", test.position, children=(test, branch, block_of(test, (left,))), end=branch.end)
    beside = ((body, made) if node.kind == "do" else (made, body)) if alone else (made,)
    return block_of(body, beside), test.position.line if loaded else 0


def _computes(test: SyntaxNode, loop: SyntaxNode) -> bool:
    """Return whether a test computes floating point, or products, from variables that the loop sets."""
    computed = (
        each for each in test.walk() if each.type.kind == "real" or (each.kind == "binary" and each.text in _COMPUTED)
    )
    return any(_is_set(variable, loop) for each in computed for variable in _variables(each))


def _loads(test: SyntaxNode, loop: SyntaxNode) -> bool:
    """Return whether a test reads an array element that each iteration loads again.

    The loop changes the subscript, or may store to the element.

    A test of a variable that the loop sets by such an element, or under a condition on one, counts too: ``while ((c =
    x[i]) != 0)``, and a flag, ``while (go && i < n) { if (x[i] == k) go = false; i++; }``.
    """
    names, sources = set(_variables(test)), [test]
    settings = list(_settings(loop.children[-1] if loop.kind != "do" else loop.children[0], ()))
    settings += _settings(test, ())
    for _ in settings:
        found = [each for variable, given in settings if variable in names for each in given]
        if len(found) == len(sources) - 1:
            break
        sources = [test, *found]
        names.update(variable for each in found for variable in _variables(each))
    elements = (element for each in sources for element in filter(_is_element, each.walk()))
    return any(_is_set(variable, loop) for each in elements for variable in _variables(each))


def _settings(node: SyntaxNode, tests: tuple[SyntaxNode, ...]) -> Iterator[tuple[Variable, tuple[SyntaxNode, ...]]]:
    """Yield the variables that code sets to an element, a truth or a number, each with these and the conditions."""
    variable = set_by(node)
    if variable is not None and node.children and node.kind != "unary" and node.text in ("", "="):
        value = node.children[-1].bare
        if _is_element(value) or value.kind == "integer" or value.text in _TRUTHS:
            yield variable, (value, *tests)
    inner = (*tests, node.children[0]) if node.kind == "if" else tests
    for each in node.children:
        yield from _settings(each, inner)


def _is_element(node: SyntaxNode) -> bool:
    return node.kind == "index" or (node.kind == "unary" and node.text == "*")


def _variables(test: SyntaxNode) -> Iterator[Variable]:
    yield from (each.variable for each in test.walk() if each.variable is not None)


def _is_set(variable: Variable, loop: SyntaxNode) -> bool:
    return any(sets(each, variable) for each in loop.walk())
