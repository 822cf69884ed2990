"""Bounds the trip count of a loop by the arrays that it indexes: every affine subscript stays inside its array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ppnsim.c.lowering.control.limits import ASSUMED, most_trips
from ppnsim.c.lowering.control.loop_heads import constant_step, iterator_of
from ppnsim.c.lowering.control.value_ranges import reach, under
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import NotAffine, combined
from ppnsim.c.lowering.values.ranges import ValueRange
from ppnsim.c.lowering.variables.reaching import set_by
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Atom

_EXITS = frozenset(("break", "continue", "return", "goto"))


def most_indexed(loop: SyntaxNode, variable: Variable, start: SyntaxNode, scope: Scope) -> tuple[int, str]:
    """Return the most iterations for which the subscripts of arrays stay inside the arrays, and words; 0 without one.

    Equivalent spellings of a loop have the same count: the least value of the iterator is its first one or, counting
    down, that of the test. A subscript is affine in the iterator, in iterators of other loops and in variables that the
    loop declares. Iterators of loops inside, and those around with a larger stride, have their last value. Accesses
    that are not in every iteration count if the subscript is the iterator itself; others only if nothing else counts.
    Where only a loop inside starts at the iterator, ``j = i``, its accesses say less, and no more than what is assumed.

    Examples
    --------
    ``for (i = 1; i <= n; i++) a[i - 1] = 0;`` runs 48 times for ``int a[48]``, and so does ``for (i = 0; i < n; i++)
    a[i] = 0;``. Both run 12 times with ``a[4 * i + j]`` in a loop of j from 0 to 3.
    """
    reading = _Subscripts(loop, variable, scope)
    known = constant_step(loop.children[2], variable, scope)
    step = known or 1
    least, most = _known(loop.children[1], start, variable, step, scope) if known else (0, None)
    scope.context.spaced[variable] = least or 0, abs(step)
    sure, maybe = list[tuple[int, str]](), list[tuple[int, str]]()
    for access, conditional in _accesses(loop, conditional=_has_exits(loop)):
        low, high = reading.inside(access)
        low, high = low if least is None else least, high if most is None or high is None else min(high, most)
        if low is None or high is None or high < low:
            continue
        plain = access.children[1].bare.variable is variable
        count = (high - low) // abs(step) + 1
        if count > ASSUMED and reading.only_starts(access):
            continue
        (maybe if conditional and not plain else sure).append((count, _words(access, variable, count)))
    return min(sure or maybe, default=(0, ""))


def elements_indexed(loop: SyntaxNode, variable: Variable) -> int:
    """Return the elements of the smallest array that the iterator of a loop itself indexes, 0 without one."""
    sizes = [
        each.children[0].type.size for each in loop.walk("index") if each.children[1].bare.variable is variable
    ]  # fmt: skip
    return min((size for size in sizes if isinstance(size, int) and size), default=0)


def _words(access: SyntaxNode, variable: Variable, count: int) -> str:
    if access.children[1].bare.variable is variable and access.children[0].type.size == count:
        return f"as many as an array with '{variable.name}' as its subscript has elements"
    return f"as many as '{access}' is inside an array of {access.children[0].type.size} elements"


def _known(
    test: SyntaxNode, start: SyntaxNode, variable: Variable, step: int, scope: Scope
) -> tuple[int | None, int | None]:  # fmt: skip
    """Return the least value of an iterator and, if it counts down, the largest; None where it is data."""
    first = reach(start, scope)
    if step > 0:
        return first.low, None
    others = {each: value for each, value in scope.reached.items() if each is not variable}
    tested = under(test, replace(scope, reached=others), holds=True).reached.get(variable, ValueRange())
    return tested.low, first.high


def _accesses(node: SyntaxNode, *, conditional: bool) -> Iterator[tuple[SyntaxNode, bool]]:
    """Yield the accesses to arrays whose size is a number, and whether an iteration may be without the access."""
    if node.kind == "index" and isinstance(node.children[0].type.size, int) and node.children[0].type.size:
        yield node, conditional
    lazy = node.kind in ("if", "choice") or (node.kind == "binary" and node.text in ("&&", "||"))
    for at, each in enumerate(node.children):
        yield from _accesses(each, conditional=conditional or node.kind == "switch" or (lazy and at > 0))


def _has_exits(loop: SyntaxNode) -> bool:
    return any(each.kind in _EXITS for each in loop.walk())


class _Subscripts:
    """The subscripts in a loop, affine in iterators; those of this loop and of loops inside have no names yet.

    ``atoms`` stand for these, ``extents`` has their values, ``starts`` what each starts at beside a number.
    """

    def __init__(self, loop: SyntaxNode, variable: Variable, scope: Scope) -> None:
        self.variable, self.scope = variable, scope
        self.changed = {set_by(each) for each in loop.walk("assign", "unary")}
        declared = [each for each in loop.children[-1].walk("declare") if each.children and each.variable]
        self.locals = {each.variable: each.children[0] for each in declared if each.variable not in self.changed}
        self.atoms: dict[Variable, Atom] = {variable: " own"}
        self.extents: dict[Atom, ValueRange] = {}
        self.starts: dict[Variable, Affine | None] = {}
        for each in loop.children[-1].walk("for"):
            self._add(each)

    def _add(self, inner: SyntaxNode) -> None:
        """Note the values of the iterator of a loop inside."""
        try:
            variable, start = iterator_of(inner)
        except InputError:
            return
        step = constant_step(inner.children[2], variable, self.scope)
        least, _ = _known(inner.children[1], start, variable, step or 1, self.scope)
        trips = most_trips(inner.children, variable, start, self.scope)
        fixed = least is not None and step is not None and trips is not None
        far = abs(step or 1) * max(0, (trips or 1) - 1) if fixed else None
        begin = self.form(start) if (step or 1) > 0 else None
        if begin is not None and begin.terms:  # it starts where other iterators are: 'j = i'
            least = 0
        else:
            begin = Affine()
        known = self.starts.setdefault(variable, begin)
        if known is None or known.minus(begin) != 0:
            self.starts[variable] = None
        atom = self.atoms.setdefault(variable, f" {len(self.atoms)}")
        self.extents[atom] = ValueRange(least or 0, None if far is None else (least or 0) + far)

    def inside(self, access: SyntaxNode) -> tuple[int | None, int | None]:
        """Return the least and the largest value of the iterator with a subscript inside its array, None unknown."""
        array, subscript = access.children
        form, size = self.form(subscript), array.type.size
        terms = dict(form.terms) if form is not None else {}
        factor = terms.pop(self.atoms[self.variable], 0)
        if form is None or not factor or not isinstance(size, int):
            return None, None
        low, high = -form.constant, size - 1 - form.constant
        for each, by in terms.items():
            most = self._most(each, by, abs(factor))
            low, high = low - most, high - most
        return (-(-low // factor), high // factor) if factor > 0 else (-(high // -factor), -low // -factor)

    def only_starts(self, access: SyntaxNode) -> bool:
        """Return whether a subscript has the iterator only where a loop inside starts."""
        named = {each.variable for each in access.children[1].walk("name") if each.variable is not None}
        starts = (self.starts.get(each) for each in named)
        own = self.atoms[self.variable]
        return self.variable not in named and any(each is not None and own in dict(each.terms) for each in starts)

    def _most(self, each: Atom, by: int, own: int) -> int:
        """Return the largest value of another term of a subscript, where the last value of its iterator is known."""
        inside = each in self.extents
        found = self.extents[each] if inside else ValueRange(*self.scope.ranges[str(each)])
        first = found.low or 0
        last = found.high if found.high is not None and (inside or abs(by) > own) else first
        return max(by * first, by * last)

    def form(self, node: SyntaxNode) -> Affine | None:
        """Return an expression that is affine in iterators, None for others."""
        node = node.bare
        if node.kind == "name" and node.variable is not None:
            return self._named(node, node.variable)
        if node.kind == "unary" and node.text == "-":
            inner = self.form(node.children[0])
            return None if inner is None else -inner
        if node.kind == "binary" and node.text in ("+", "-", "*", "<<"):
            left, right = (self.form(each) for each in node.children)
            try:
                found = None if left is None or right is None else combined(node.text, left, right, node.type, {})
            except NotAffine:
                found = None
            return found if isinstance(found, Affine) else None
        return self._number(node)

    def _named(self, node: SyntaxNode, variable: Variable) -> Affine | None:
        if variable in self.atoms:
            start = self.starts.get(variable, Affine())
            return None if start is None else start + Affine.of(self.atoms[variable])
        if variable in self.locals:
            return self.form(self.locals[variable])
        if variable in self.changed:
            return None
        if variable in self.scope.counters and variable in self.scope.context.spaced:
            least, step = self.scope.context.spaced[variable]
            return step * Affine.of(self.scope.counters[variable][0]) + least
        known = self.scope.bindings.get(variable)
        if isinstance(known, Affine) and all(each in self.scope.ranges for each, _ in known.terms):
            return known
        return self._number(node)

    def _number(self, node: SyntaxNode) -> Affine | None:
        found = reach(node, self.scope)
        return None if found.low is None or found.low != found.high else Affine.of(found.low)
