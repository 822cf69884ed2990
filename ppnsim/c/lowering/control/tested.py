"""What the test in a loop's head computes of data, as a test in its body that may end it (R5.10, R5.23 of hls)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.control.exact import without_left
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.nodes import BOOL, binary, block_of, is_value
from ppnsim.c.plain.whiles import conjuncts
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.syntax import SyntaxNode, Variable

_COMPUTED = frozenset(("*", "/", "%"))
"""Operators that take states, other than those of a counter's comparison."""


def tested(node: SyntaxNode, body: SyntaxNode, trips: Trips, scope: Scope) -> SyntaxNode:
    """Return the body of a loop of which nobody knows how often it runs, under what its head computes of data.

    A loop inside is not put under it, as a test decides on loops; nor is the body of a ``do``, which the test follows.
    """
    body = without_left(body, scope) if trips.left else body
    at = {"for": 1, "while": 0, "do": 1}[node.kind]
    parts = [] if trips.certain or not scope.context.policy.vendor_pragmas else list(conjuncts(node.children[at]))
    if not (data := [each for each in parts if is_value(each) and (_computes(each, node) or _loads(each, node))]):
        return body
    test = reduce(lambda left, right: binary("&&", left, right, BOOL), data)
    left = SyntaxNode("left", test.position, end=test.end, extent=test.extent)
    alone = node.kind == "do" or any(each.kind in LOOPS for each in body.walk())
    branch = block_of(test, ()) if alone else body
    made = SyntaxNode("if", test.position, children=(test, branch, block_of(test, (left,))), end=branch.end)
    if not alone:
        return block_of(body, (made,))
    return block_of(body, (body, made) if node.kind == "do" else (made, body))


def _computes(test: SyntaxNode, loop: SyntaxNode) -> bool:
    """Return whether a test computes floating point, or products, of variables that the loop sets."""
    computed = (
        each for each in test.walk() if each.type.kind == "real" or (each.kind == "binary" and each.text in _COMPUTED)
    )
    return any(_is_set(variable, loop) for each in computed for variable in _variables(each))


def _loads(test: SyntaxNode, loop: SyntaxNode) -> bool:
    """Return whether a test is of an element of an array in each iteration anew: the loop moves it, or may store it."""
    return any(_is_set(variable, loop) for each in test.walk("index") for variable in _variables(each))


def _variables(test: SyntaxNode) -> Iterator[Variable]:
    yield from (each.variable for each in test.walk() if each.variable is not None)


def _is_set(variable: Variable, loop: SyntaxNode) -> bool:
    return any(sets(each, variable) for each in loop.walk())
