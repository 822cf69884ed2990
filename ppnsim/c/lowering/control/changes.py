"""What an iteration does to a variable that counts, and how often it does it until a comparison fails."""

from __future__ import annotations

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
class Change:
    """An operator, ``+``, ``-``, ``*`` or ``/``, and a number above 0 by which a variable is changed."""

    operator: str
    by: Polynomial

    def times(self, test: str, begin: Polynomial, end: Polynomial, positive: bool) -> Polynomial | None:
        """Return how often a variable changes until a comparison with an end fails, None where that is no formula.

        ``positive``: it is not below 0 as it begins.

        Examples
        --------
        >>> n = Polynomial.of("n")
        >>> print(Change("+", Polynomial.of(2)).times("<", Polynomial(), n, True))
        max(0, floor((1 + n)/2))
        >>> print(Change("*", Polynomial.of(2)).times("<", Polynomial.of(1), n, True))
        bit_length(-1 + n)
        """
        up = self.operator in ("+", "*")
        short, whole = ("<", "<=") if up else (">", ">=")
        if self.operator in ("+", "-"):
            way = end - begin if up else begin - end
            if test == short or (test == "!=" and self.by.constant == 1):
                return (way + self.by - 1).divided(self.by).positive()
            return (way + self.by).divided(self.by).positive() if test == whole else None
        base, least = self.by.constant, (begin if up else end).constant
        if base is None or not positive:
            return None
        if up:
            if least is None or least < 1 or test not in (short, whole):
                return None
            return Polynomial.of(Digits((end - (test == short)).divided(least), base))
        if test == whole:
            return Polynomial.of(Digits(begin.divided(end), base)) if least is not None and least > 0 else None
        if least is None or least < 0 or (test == "!=" and least):
            return None
        return Polynomial.of(Digits(begin.divided(least + 1), base))

    def after(self, begin: Polynomial, times: Polynomial) -> Polynomial | None:
        """Return what a variable is after some changes, None where that is no formula."""
        if self.operator in ("+", "-"):
            return begin + times * self.by if self.operator == "+" else begin - times * self.by
        base = self.by.constant or 0
        if base & (base - 1) or base < 2:
            return None
        power = Polynomial.of(Power(times * (base.bit_length() - 1)))
        return begin * power if self.operator == "*" else begin.divided(power)


def change_of(node: SyntaxNode, variable: Variable, scope: Scope) -> Change | None:
    """Return what a statement does to a variable, None for other changes than by a number, or by one that may be 0."""
    if (step := constant_step(node, variable, scope)) is not None:
        return Change("+" if step > 0 else "-", Polynomial.of(abs(step)))
    if (found := scaled(node, variable)) is not None:
        operator, by = found
        if operator in ("<<", ">>"):
            return Change("*" if operator == "<<" else "/", Polynomial.of(1 << by)) if 0 < by < _WIDEST else None
        return Change(operator, Polynomial.of(by)) if by > 1 else None
    return _by_argument(node, variable, scope)


def _by_argument(node: SyntaxNode, variable: Variable, scope: Scope) -> Change | None:
    """Return a step that is no number: ``i += n``, which never ends for 0."""
    if node.kind != "assign" or node.text in STEPS or node.children[0].variable is not variable:
        return None
    operator, value = node.text.removesuffix("="), node.children[1].bare
    if not operator and value.kind == "binary" and value.children[0].bare.variable is variable:
        operator, value = value.text, value.children[1].bare
    if operator not in ("+", "-") or any(each.variable is variable for each in value.walk()):
        return None
    by = value_of(value, scope)
    return Change(operator, by) if by is not None and from_0_on(by, scope) else None
