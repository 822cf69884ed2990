"""Loops and ``if`` whose bounds and conditions are data, with ``#pragma ppnsim tripcount(...)`` before them.

Their timing alone is wanted: such a loop runs as often as it says, each time it is entered, and the body of such an
``if`` executes always (1) or its ``else`` (0). What decides it in the real program is read by every statement inside,
so that none of them starts before that is there.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.loop_heads import constant_step, head, iterator_of
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.values.affine import guard, read
from ppnsim.c.lowering.values.piecewise import extent
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access


@dataclass(frozen=True, slots=True)
class Counted:
    """A loop with its trip count: ``variable`` is its iterator in C (None: it has none), ``control`` what it reads."""

    iterator: str
    first: Affine
    last: Affine
    step: int
    variable: Variable | None
    control: tuple[Access, ...]
    body: SyntaxNode


def counted(node: SyntaxNode, scope: Scope, count: int) -> Counted:
    """Return a loop that runs ``count`` times, and bind its iterator.

    If first value and step are affine, the iterator has its values; else it only counts, and what is indexed by it
    needs ``access(random)``.
    """
    if node.kind != "for":
        body = node.children[0] if node.kind == "do" else node.children[-1]
        reading = Reading(scope)
        for part in node.children:
            if part is not body:
                reading.control(part)
        return _only_counting(None, count, reading, body, scope)
    if is_affine(node, scope):
        refuse(node.position, "tripcount before a loop with affine bounds, which say themselves how often it runs")
    variable, start = iterator_of(node)
    if variable in scope.iterators:
        refuse(node.position, f"'{variable.name}' is the iterator of a loop around this one already")
    reading, step = Reading(scope), constant_step(node.children[2], variable, scope)
    try:
        first = read(start, scope)
    except InputError:
        first = None
        reading.control(start)
    if step is None or not isinstance(first, Affine):
        return _only_counting(variable, count, reading, node.children[3], scope, node.children[1:3])
    name = scope.context.new_iterator(variable.name)
    last = first + step * (count - 1)
    scope.bindings[variable] = Affine.of(name)
    ends = [*extent(first, scope.ranges), *extent(last, scope.ranges)]
    scope.ranges[name] = (min(ends), max(ends))
    reading.control(node.children[1])
    return Counted(name, first, last, step, variable, tuple(reading.reads), node.children[3])


def chosen(node: SyntaxNode, scope: Scope, count: int) -> tuple[bool, tuple[Access, ...]]:
    """Return whether the body of an ``if`` executes, and what its condition reads."""
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
    variable: Variable | None,
    count: int,
    reading: Reading,
    body: SyntaxNode,
    scope: Scope,
    rest: tuple[SyntaxNode, ...] = (),
) -> Counted:
    name = scope.context.new_iterator(variable.name if variable else "trip")
    if variable is not None:
        scope.bindings.pop(variable, None)
        scope.counters[variable] = name
    scope.ranges[name] = (0, max(0, count - 1))
    for part in rest:
        if part.text not in STEPS:
            reading.control(part)
    return Counted(name, Affine.of(0), Affine.of(count - 1), 1, variable, tuple(reading.reads), body)


def is_affine(node: SyntaxNode, scope: Scope) -> bool:
    """Return whether the bounds of a ``for`` are affine and known."""
    before = dict(scope.bindings)
    try:
        head(node, scope)
    except InputError:
        return False
    finally:
        scope.bindings.clear()
        scope.bindings.update(before)
    return True
