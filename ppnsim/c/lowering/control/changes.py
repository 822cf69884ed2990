"""Describes the change of a counter in each iteration, and derives the iterations until a comparison fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.arguments import from_0_on, value_of
from ppnsim.c.lowering.control.loop_heads import constant_step
from ppnsim.c.lowering.control.scaled import scaled
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.polynomials import Digits, Polynomial, Power

_WIDEST = 32


@dataclass(frozen=True, slots=True)
class Advance:
    """A change of a variable: an operator, ``+``, ``-``, ``*`` or ``/``, and a positive operand."""

    operator: str
    by: Polynomial

    @property
    def adds(self) -> bool:
        """Whether the change adds or subtracts."""
        return self.operator in ("+", "-")

    def times(self, test: str, begin: Polynomial, end: Polynomial) -> Polynomial | None:
        """Return after how many multiplications or divisions a comparison with an end fails, None without a formula.

        Examples
        --------
        >>> n = Polynomial.of("n")
        >>> print(Advance("*", Polynomial.of(2)).times("<", Polynomial.of(1), n))
        bit_length(-1 + n)
        >>> print(Advance("/", Polynomial.of(10)).times(">", n, Polynomial()))
        digits(n, 10)
        """
        base, last = self.by.constant, end.constant
        if base is None:
            return None
        if self.operator == "*":
            rises = begin.never_negative and (begin.constant is None or begin.constant > 0)
            return _digits(end - (test == "<"), begin, base) if rises and test in ("<", "<=") else None
        if last is None or last < 0 or (test == "!=" and (last or not begin.never_negative)):
            return None
        if test == ">=":
            return _digits(begin, end, base) if last else None
        return _digits(begin, end + 1, base) if test in (">", "!=") else None

    def after(self, begin: Polynomial, times: Polynomial) -> Polynomial | None:
        """Return the value of a variable after some changes, None if there is no formula."""
        if self.adds:
            return begin + times * self.by if self.operator == "+" else begin - times * self.by
        base = self.by.constant or 0
        if base & (base - 1) or base < 2:
            return None
        power = Polynomial.of(Power(times * (base.bit_length() - 1)))
        return begin * power if self.operator == "*" else begin.divided(power)


def _digits(value: Polynomial, by: Polynomial, base: int) -> Polynomial:
    return Polynomial.of(Digits(value.divided(by), base))


def iterations_until(apart: Polynomial, test: str, name: str) -> Polynomial | None:
    """Return in how many iterations a difference is positive, or not negative; None if it does not fall linearly.

    The test ``<`` or ``>`` asks for a positive difference, ``<=`` or ``>=`` for one that is not negative, ``!=`` for
    one other than 0. ``name`` is the number of earlier iterations. A negative result means no iteration.

    Examples
    --------
    >>> n, t = Polynomial.of("n"), Polynomial.of("t")
    >>> print(iterations_until(n - 2 * t, "<", "t"), "and", iterations_until(n - 2 * t, "<=", "t"))
    floor((1 + n)/2) and floor((2 + n)/2)
    """
    first, by = Polynomial(), Polynomial()
    for monomial, factor in apart.terms:
        rest = Polynomial(((tuple(each for each in monomial if each != name), factor),))
        if name in rest.names or sum(each == name for each in monomial) > 1:
            return None
        if name in monomial:
            by = by - rest
        else:
            first = first + rest
    if test == "!=":
        return {1: first, -1: -first}.get(by.constant or 0)
    if not by.terms or not by.never_negative:
        return None
    return (first + (by - 1 if len(test) == 1 else by)).divided(by)


def together(changes: Sequence[Advance | None]) -> Advance | None:
    """Return several changes of one variable as a single change, None if that is not possible."""
    if len(changes) == 1:
        return changes[0]
    total = 0
    for each in changes:
        if each is None or not each.adds or each.by.constant is None:
            return None
        total += each.by.constant if each.operator == "+" else -each.by.constant
    return Advance("+" if total > 0 else "-", Polynomial.of(abs(total))) if total else None


def change_of(node: SyntaxNode, variable: Variable, scope: Scope) -> Advance | None:
    """Return how a statement changes a variable, None unless the operand is known not to be 0."""
    if (step := constant_step(node, variable, scope)) is not None:
        return Advance("+" if step > 0 else "-", Polynomial.of(abs(step)))
    if (found := scaled(node, variable)) is not None:
        operator, by = found
        if operator in ("<<", ">>"):
            return Advance("*" if operator == "<<" else "/", Polynomial.of(1 << by)) if 0 < by < _WIDEST else None
        return Advance(operator, Polynomial.of(by)) if by > 1 else None
    return _by_argument(node, variable, scope)


def _by_argument(node: SyntaxNode, variable: Variable, scope: Scope) -> Advance | None:
    """Return a step by an argument: ``i += n``; the loop never ends for 0."""
    if node.kind != "assign" or node.text in STEPS or node.children[0].variable is not variable:
        return None
    operator, value = node.text.removesuffix("="), node.children[1].bare
    if not operator and value.kind == "binary" and value.children[0].bare.variable is variable:
        operator, value = value.text, value.children[1].bare
    if operator not in ("+", "-") or any(each.variable is variable for each in value.walk()):
        return None
    by = value_of(value, scope)
    return Advance(operator, by) if by is not None and from_0_on(by, scope) else None
