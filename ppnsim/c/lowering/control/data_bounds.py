"""Lowers loops and ``if`` whose bounds or conditions depend on data and have ``#pragma ppnsim tripcount(...)``.

The pragma serves timing alone. It gives the number of iterations of such a loop each time control enters the loop. For
an ``if``, it tells whether always the body (1) or always the ``else`` (0) executes. Every statement inside reads the
data of the bound or condition, so that it does not start before the data exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.loop_heads import LoopHead, constant_step, head, iterator_of
from ppnsim.c.lowering.control.shifted import shifted
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.assignments import copied
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, condition, guard, read
from ppnsim.c.lowering.values.piecewise import decided, extent
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare, Condition, Not
from ppnsim.loops.program import Access, Execution, Node

_LARGEST = 1 << 62
"""The largest number that an iterator can be."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop with a given trip count; ``variable`` is its iterator in C or None, ``control`` reads its bounds."""

    iterator: str
    first: Affine
    last: Affine
    step: int
    variable: Variable | None
    control: tuple[Access, ...]
    body: SyntaxNode


def counted(node: SyntaxNode, scope: Scope, count: Affine, most: int) -> Counted:
    """Return a loop that runs ``count`` times, ``most`` times at most, and bind its iterator.

    If the first value and the step are affine, the iterator has its real values. Otherwise it only counts, and accesses
    with the iterator as subscript need ``access(random)``.
    """
    if node.kind != "for":
        body = node.children[0] if node.kind == "do" else node.children[-1]
        reading = Reading(scope)
        for part in node.children:
            if part is not body:
                reading.control(part)
        return _only_counting(None, count, most, reading, body, scope)
    found = affine_head(node, scope)
    if found is not None and not (found.also and scope.context.policy.vendor_pragmas):
        refuse(node.position, "tripcount before a loop with affine bounds, which already give its trip count")
    variable, start = iterator_of(node)
    if variable in scope.iterators:
        refuse(node.position, f"'{variable.name}' is the iterator of a loop around this one already")
    reading, step = Reading(scope), constant_step(node.children[2], variable, scope)
    try:
        first = read(start, scope)
    except InputError:
        first = None
        reading.control(start)
    fixed = step is not None and isinstance(first, Affine) and not variable.pointed
    if not fixed or step is None or not isinstance(first, Affine) or _goes_round(variable, first, step, most, scope):
        return _only_counting(variable, count, most, reading, node.children[3], scope, node.children[1:3], start)
    name = scope.context.new_iterator(variable.name)
    last = first + (count - 1) * step
    scope.bindings[variable] = Affine.of(name)
    ends = [*extent(first, scope.ranges), *extent(first + step * max(0, most - 1), scope.ranges)]
    scope.ranges[name] = (min(ends), max(ends))
    reading.control(node.children[1])
    return Counted(name, first, last, step, variable, tuple(reading.reads), node.children[3])


def _goes_round(variable: Variable, first: Affine, step: int, most: int, scope: Scope) -> bool:
    """Return whether an iterator may overflow its type or 62 bits, so that its values are no longer the sums."""
    low, high = variable.type.limits
    low, high = max(low, -_LARGEST), min(high, _LARGEST)
    ends = extent(first, scope.ranges)
    way = step * max(0, most - 1)
    return min(ends[0], ends[0] + way) < low or max(ends[1], ends[1] + way) > high


def chosen(node: SyntaxNode, scope: Scope, count: int) -> tuple[bool, tuple[Access, ...]]:
    """Return whether the body of an ``if`` executes, and the reads of its condition."""
    test = node.children[0]
    if count > 1:
        refuse(node.position, f"tripcount({count}) before an if, whose body executes 1 or 0 times")
    try:
        guard(test, scope)
    except InputError:
        reading = Reading(scope)
        reading.control(test)
        return bool(count), tuple(reading.reads)
    return refuse(test.position, f"tripcount before an if whose condition '{test}' is affine, so that it is known")


def _only_counting(
    variable: Variable | None, count: Affine, most: int, reading: Reading, body: SyntaxNode, scope: Scope,
    rest: tuple[SyntaxNode, ...] = (), start: SyntaxNode | None = None,
) -> Counted:  # fmt: skip
    name = scope.context.new_iterator(variable.name if variable else "trip")
    if variable is not None:
        values = shifted(variable, name, start, rest, body, scope)
        scope.bindings.pop(variable, None)
        scope.counters[variable] = name, values
    scope.ranges[name] = (0, max(0, most - 1))
    for part in rest:
        if part.text not in STEPS:
            reading.control(part)
    return Counted(name, Affine.of(0), count - 1, 1, variable, tuple(reading.reads), body)


def affine_head(node: SyntaxNode, scope: Scope) -> LoopHead | None:
    """Return the head of a ``for`` whose bounds are affine and known, None for others."""
    before = dict(scope.bindings)
    try:
        return head(node, scope)
    except InputError:
        return None
    finally:
        scope.bindings.clear()
        scope.bindings.update(before)


def never(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether a condition is known to be false."""
    try:
        return decided(condition(node, scope)) is False
    except InputError:
        return False


BIT = CType("integer", "bool", 1)


def data_condition(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, *, alone: bool
) -> tuple[list[Condition], list[Node], Condition]:
    """Return the affine parts of a condition, the statement that computes the other parts, and the test of its result.

    Parameters
    ----------
    alone : there is no ``else``, so that the parts of the condition may be tested one after another.
    """
    affine: list[Condition] = []
    data: SyntaxNode | None = None
    for part in _conjuncts(node) if alone else [node]:
        try:
            affine.append(condition(part, scope))
        except (NotAffine, NotBound):
            data = part if data is None else replace(node, kind="binary", text="&&", children=(data, part), type=BIT)
    assert data is not None
    target = scope.context.new_array(f"if@{node.position.line}", (), BIT, "local")
    test = Execution(copied(target, data, scope, timing))
    return affine, [test], Not(Compare(Affine.of(target.array), "="))


def _conjuncts(node: SyntaxNode) -> Iterator[SyntaxNode]:
    inner = node.bare
    if inner.kind == "binary" and inner.text == "&&":
        for child in inner.children:
            yield from _conjuncts(child)
    else:
        yield node
