"""Reads the head of a ``for``: its iterator, first value, step and bounds."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.counter_aliases import other_name
from ppnsim.c.lowering.control.wrapping_counters import (
    check_casts,
    check_ends,
    check_products,
    check_sides,
    check_way,
    started,
)
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import NotAffine, condition, read, value
from ppnsim.c.lowering.values.conditions import conjuncts, positive
from ppnsim.c.lowering.values.piecewise import Largest, Least, Value, at_most, extent, flat
from ppnsim.c.plain.evaluate import adds
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some, condition_iterators

_LARGEST = 1 << 62
_ORDERED = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class LoopHead:
    """A loop without its body.

    ``also`` are further conditions, and ``around`` the conditions without its iterator. ``assumed``: its bounds are an
    assumption.
    """

    iterator: str
    first: tuple[Affine, ...]
    last: tuple[Affine, ...]
    step: int
    also: tuple[Condition, ...] = ()
    around: tuple[Condition, ...] = ()
    assumed: bool = False


def iterator_of(node: SyntaxNode) -> tuple[Variable, SyntaxNode]:
    """Return the iterator of a ``for`` and the expression of its first value."""
    if len(node.children) != 4 or any(child.kind == "empty" for child in node.children[:3]):
        refuse(node.position, "a for with an empty part; write first value, condition and step")
    start = node.children[0]
    if start.kind == "block" and len(start.children) == 1:
        start = start.children[0]
    named = start.variable if start.kind == "declare" or not start.children else start.children[0].variable
    if named is not None and named.type.kind == "pointer":
        words = f"'{named.name}' is a pointer that the loop moves: its places are not known"
        refuse(node.position, f"{words}; write for (int i = 0; i < n; i++) and a[i]")
    if start.kind == "declare" and start.variable and start.children:
        return start.variable, start.children[0]
    if start.kind == "assign" and start.text == "=" and start.children[0].variable and start.children[0].kind == "name":
        return start.children[0].variable, start.children[1]
    given = "several declarations" if start.kind == "block" else f"'{start}'"
    return refuse(node.position, f"a for starts with one iterator and its first value ('i = 0'), not with {given}")


def head(node: SyntaxNode, scope: Scope) -> LoopHead:
    """Return the head of a ``for`` and bind its iterator in the scope; raise InputError if the head is not affine."""
    variable, start = iterator_of(node)
    _refuse_shared(node, variable, scope)
    step = _step(node.children[2], variable, scope)
    kind = Largest if step > 0 else Least
    begin = value(start, scope, "bound")
    first = flat(begin, kind)
    name = scope.context.new_iterator(variable.name)
    scope.bindings[variable] = Affine.of(name)
    scope.ranges[name] = (-_LARGEST, _LARGEST)
    try:
        test = condition(node.children[1], scope, bound=True)
    except NotAffine as reason:
        words = f"bound '{node.children[1]}' is not affine: {reason}"
        refuse(node.children[1].position, f"{words}; {advised(scope, 'the loop')}")
    if first is None and abs(step) != 1:
        refuse(start.position, f"bound '{start}' of '{variable.name}' is a choice of first values; write two loops")
    reading = _Condition(node.children[1], name, step, begin, variable)
    around, inside = reading.split(test)
    low, high = extent(begin, scope.ranges)
    last, also = reading.bounds(inside, scope)
    ends = [extent(part, scope.ranges) for part in last]
    around = (*around, *started(node.children[1], variable, begin, step, ends, scope))
    if not also and variable.type.kind == "integer":
        check_ends(node.children[1], variable, (step, begin), last, ends)
    if first is None:
        # Start at the outermost first value and add a condition; a stride of one visits every value in between.
        here = Affine.of(name)
        also = (*also, at_most(begin, here) if step > 0 else at_most(here, begin))
        first = (Affine.of(low if step > 0 else high),)
    if step > 0:
        scope.ranges[name] = (low, max(low, min(end[1] for end in ends)))
    else:
        scope.ranges[name] = (min(high, max(end[0] for end in ends)), high)
    check_casts(node.children[1], variable, (name, step), scope)
    check_products((start, node.children[1]), variable, scope)
    after = [each + step for each in last]
    check_sides(node.children[1], name, after if step < 0 else [*first, *after], scope)
    if low == high:  # otherwise the range is wider than the real values
        _refuse_wrapped(node.children[1], variable, (name, step, low), scope)
    return LoopHead(name, first, last, step, also, around)


def _refuse_shared(node: SyntaxNode, variable: Variable, scope: Scope) -> None:
    """Refuse an iterator that an alias or a called function may change inside the loop."""
    if variable.pointed or variable in scope.others:
        words = "may change behind the loop's back: a pointer, a reference or a called function has it"
        refuse(node.position, f"'{variable.name}' {words}; count in a variable of its own")
    if other := other_name(node, variable, scope):
        refuse(node.position, f"the loop counts in '{variable.name}', which {other} in it may change, too")


def _refuse_wrapped(test: SyntaxNode, variable: Variable, counts: tuple[str, int, int], scope: Scope) -> None:
    """Refuse an unsigned counter that starts below 0, and tests with unsigned sums of it that become negative."""
    name, step, begin = counts
    if abs(begin) > _LARGEST:
        refuse(test.position, f"'{variable.name}' starts at {begin}, which is more than is counted in")
    if variable.type.wraps and begin < 0:
        refuse(test.position, f"'{variable.name}' starts below 0, which {variable.type.text} makes a large number")
    first, last = scope.ranges[name]
    scope.ranges[name] = (first + min(step, 0), last + max(step, 0))  # also the value for which the test fails
    try:
        for each in test.walk():
            for side in each.children if each.text in _ORDERED and each.children[0].type.wraps else ():
                known = value(side, scope, "bound") if side.bare.kind in ("binary", "unary") else None
                alone = isinstance(known, Affine) and known.iterators() == {name}
                if alone and known is not None and extent(known, scope.ranges)[0] < 0:
                    words = f"'{side}' may be below 0, which {side.type.text} makes a large number"
                    refuse(test.position, f"condition '{test}' is not affine: {words}")
    finally:
        scope.ranges[name] = (first, last)


def advised(scope: Scope, loop: str = "it") -> str:
    """Return the advice for a loop whose trip count depends on data."""
    also = ", and so does '#pragma HLS loop_tripcount max=8' in it" if scope.context.policy.vendor_pragmas else ""
    return f"for timing alone, '#pragma ppnsim tripcount(8)' before {loop} gives it 8 iterations{also}"


def constant_step(node: SyntaxNode, variable: Variable, scope: Scope) -> int | None:
    """Return the increment of a step, None if it is not a constant or is 0."""
    try:
        return _step(node, variable, scope)
    except InputError:
        return None


def _step(node: SyntaxNode, variable: Variable, scope: Scope) -> int:
    changed = node.children[0] if node.children else node
    if node.kind == "unary" and node.text in STEPS and changed.variable is variable:
        return 1 if "+" in node.text else -1
    if changed.variable is variable and adds(node, variable):
        try:
            scope.ranges[f"{variable.name}."] = (0, 0)
            before = scope.bindings.get(variable)
            scope.bindings[variable] = here = Affine.of(f"{variable.name}.")
            try:
                by = read(node.children[1], scope)
            finally:
                del scope.bindings[variable]
                if before is not None:
                    scope.bindings[variable] = before
            if isinstance(by, Affine):
                by = by - here if node.text == "=" else by
                if by.is_constant and by.constant:
                    return -by.constant if node.text == "-=" else by.constant
        except NotAffine as reason:
            refuse(node.position, f"step '{node}' is not affine: {reason}")
    return refuse(node.position, f"step '{node}' does not add a constant other than 0 to '{variable.name}'")


@dataclass(frozen=True, slots=True)
class _Condition:
    node: SyntaxNode
    iterator: str
    step: int
    first: Value
    variable: Variable

    def split(self, test: Condition) -> tuple[tuple[Condition, ...], list[Condition]]:
        """Return the parts without the iterator, and the others."""
        parts = [positive(part) for part in conjuncts(test)]
        around = tuple(part for part in parts if self.iterator not in condition_iterators(part))
        inside = [part for part in parts if self.iterator in condition_iterators(part)]
        if not inside:
            refuse(self.node.position, f"condition '{self.node}' sets no bound on '{self.iterator}'")
        return around, inside

    def bounds(self, parts: list[Condition], scope: Scope) -> tuple[tuple[Affine, ...], tuple[Condition, ...]]:
        """Return the last values, and the conditions that are not a single bound."""
        last: list[Affine] = []
        also: list[Condition] = []
        for part in parts:
            if isinstance(part, Compare) or (isinstance(part, Not) and isinstance(part.part, Compare)):
                last.append(self._bound(part, scope))
            else:
                also.append(part)
                last.append(Affine.of(self._end(part, scope)))
        return tuple(last), tuple(also)

    def _bound(self, part: Condition, scope: Scope) -> Affine:
        unequal = isinstance(part, Not)
        compare = part.part if isinstance(part, Not) else part
        assert isinstance(compare, Compare)
        terms = dict(compare.left.terms)
        factor = terms.pop(self.iterator, 0)
        rest = Affine(tuple(terms.items()), compare.left.constant)
        if self.iterator in rest.iterators() or not factor or (compare.relation == "=" and not unequal):
            refuse(self.node.position, f"condition '{self.node}' is not a bound on '{self.iterator}'")
        if unequal:
            return self._before(rest * (-1 if factor > 0 else 1), abs(factor), scope)
        if (factor < 0) != (self.step > 0):
            way = "up" if self.step > 0 else "down"
            refuse(self.node.position, f"condition '{self.node}' never ends a loop that counts {way}")
        if abs(factor) == 1:
            return rest * -factor
        return rest // -factor if factor < 0 else -(rest // factor)

    def _before(self, end: Affine, factor: int, scope: Scope) -> Affine:
        """Return the last value of ``i != end``; the iterator must reach the end exactly, else the loop never ends."""
        gap = end - self.first if isinstance(self.first, Affine) else None
        hit = abs(self.step) == 1 or (gap is not None and gap.is_constant and gap.constant % self.step == 0)
        if gap is not None:
            check_way(self.node, gap * (1 if self.step > 0 else -1), self.variable, scope)
        if factor != 1 or not hit:
            refuse(self.node.position, f"condition '{self.node}' may be stepped over; use '<' or '>'")
        return end - 1 if self.step > 0 else end + 1

    def _end(self, part: Condition, scope: Scope) -> int:
        """Return a number that bounds all values of the iterator."""
        if isinstance(part, All | Some):
            inner = [self._end(p, scope) for p in part.parts if self.iterator in condition_iterators(p)]
            free = isinstance(part, Some) and len(inner) < len(part.parts)
            if inner and not free:
                return max(inner) if isinstance(part, Some) == (self.step > 0) else min(inner)
            refuse(self.node.position, f"condition '{self.node}' sets no bound on '{self.iterator}' of its own")
        low, high = extent(self._bound(part, scope), scope.ranges)
        return high if self.step > 0 else low
