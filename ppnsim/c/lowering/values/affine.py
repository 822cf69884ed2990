"""Reads C expressions as integers and conditions that are affine in the iterators, or tells why they are not affine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NoReturn

from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.bits import bits_of
from ppnsim.c.lowering.values.constants import extreme
from ppnsim.c.lowering.values.piecewise import (
    Largest,
    Least,
    Range,
    Value,
    at_most,
    below,
    chosen,
    decided,
    equal,
    plus,
    quotient,
    remainder,
    times,
)
from ppnsim.c.lowering.values.reals import made_once, real_of, sides
from ppnsim.c.lowering.values.tables import called_value, entry
from ppnsim.c.lowering.values.truths import is_narrower, is_truth, junction
from ppnsim.c.lowering.values.wraps import is_wrapped, kept, reduced, unsigned_of, widened
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.errors import AdvisedError, InputError
from ppnsim.loops.expressions import Affine, Condition, Not


class NotAffine(InputError):
    """An expression is not affine. The caller catches the error and adds what the expression is used for."""


class NotBound(AdvisedError):
    """A parameter has no value. A parameter that is only used as data needs none."""


_ONE = Affine.of(1)
_COMPARISONS: Mapping[str, Callable[[Value, Value], Condition]] = {
    "<": lambda left, right: at_most(plus(left, _ONE), right),
    "<=": at_most,
    ">": lambda left, right: at_most(plus(right, _ONE), left),
    ">=": lambda left, right: at_most(right, left),
    "==": equal,
    "!=": lambda left, right: Not(equal(left, right)),
}


def affine(node: SyntaxNode, scope: Scope, use: str, shown: SyntaxNode | None = None) -> Affine:
    """Return an expression as a single affine value; the error message uses ``use`` and ``shown``."""
    result = value(node, scope, use, shown)
    if isinstance(result, Affine):
        return result
    return refuse(
        node.position,
        f"{use} '{shown or node}' is not affine: it is one of several expressions (a minimum, a choice, "
        "or a quotient that C rounds towards zero); put an 'if' around the statement",
    )


def value(node: SyntaxNode, scope: Scope, use: str, shown: SyntaxNode | None = None) -> Value:
    """Return an expression as a piecewise affine value."""
    try:
        return read(node, scope)
    except NotAffine as reason:
        return refuse(node.position, f"{use} '{shown or node}' is not affine: {reason}")


def read(node: SyntaxNode, scope: Scope) -> Value:
    """Return the value of an integer expression; raise NotAffine with the reason."""
    if node.kind == "integer" and node.value is not None:
        return Affine.of(node.value)
    if node.kind == "name" and node.variable:
        return named(node.variable, node, scope)
    if node.kind == "cast" and node.type.kind == "integer" and node.children[0].type.kind == "integer":
        return stored(node.children[0], node.type, scope, widened(node, read(node.children[0], scope)))
    if node.kind == "unary" and node.text in ("-", "+"):
        value_of = times(read(node.children[0], scope), -1 if node.text == "-" else 1)
        return stored(node, node.type, scope, value_of)
    if node.kind == "binary" and node.text in OPERATORS:
        left, right = (read(child, scope) for child in node.children)
        return stored(node, node.type, scope, combined(node.text, left, right, node.type, scope.ranges))
    if node.kind == "choice":
        return _choice(node, scope)
    if is_truth(node):
        return chosen(condition(node, scope), _ONE, Affine.of(0))
    if node.kind == "call":
        return _called(node, scope)
    if node.kind == "index" and (found := entry(node, scope, read)) is not None:
        return Affine.of(found)
    if (part := bits_of(node, lambda each: read(each, scope))) is not None:
        return part
    return _of_real(node, scope)


def _called(node: SyntaxNode, scope: Scope) -> Value:
    """Return the value of a call of constants, or of ``min`` or ``max``; raise NotAffine like `read`."""
    if operator := extreme(node, scope.context.unit.functions):
        test = replace(node, kind="binary", text=operator)
        return _choice(replace(node, kind="choice", children=(test, *node.children)), scope)
    if scope.context.policy.opens_calls and (result := called_value(node, scope, read)) is not None:
        return Affine.of(result)
    return _of_real(node, scope)


def _of_real(node: SyntaxNode, scope: Scope) -> Value:
    """Return the integer to which a known real number is converted; raise NotAffine for everything else."""
    if node.kind == "cast" and node.type.kind == "integer":
        known = real_of(node.children[0], lambda each: read(each, scope), scope.changed)
        if known is not None:
            return stored(node, node.type, scope, Affine.of(int(known)))
    return _reason(node)


def stored(node: SyntaxNode, of: CType, scope: Scope, known: Value | None = None) -> Value:
    """Return an expression, or its ``known`` value, after conversion to a type; raise NotAffine like `read`."""
    found = kept(read(node, scope) if known is None else known, of, scope.ranges)
    if found is None:
        raise NotAffine(f"'{node}' may not fit into the {of.bits} bits of '{of.text}'")
    return found


def named(variable: Variable, node: SyntaxNode, scope: Scope) -> Value:
    """Return the value to which an integer variable is bound; raise NotAffine if it is data."""
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if known is not None and not isinstance(known, ArrayPlace):
        return known
    if variable in scope.finished and scope.context.policy.data_subscripts:
        raise NotAffine(f"it depends on data ('{variable.name}' after its loop has ended)")
    if variable in scope.finished:
        refuse(node.position, f"'{variable.name}' is used after its loop has ended; give the value by an expression")
    fixed = variable not in (scope.context.changed_globals if variable.scope == "global" else scope.changed)
    if fixed and variable.scope in ("parameter", "global") and known is None and variable.type.kind == "integer":
        return _given(variable, node, scope)
    if fixed and variable.type.kind == "integer" and (initial := made_once(variable, scope.changed)) is not None:
        return stored(initial, variable.type, scope)
    place = "parameter" if variable.scope == "parameter" else "variable"
    raise NotAffine(f"it depends on data ({place} '{variable.name}' of type {variable.type.text or 'unknown'})")


def _given(variable: Variable, node: SyntaxNode, scope: Scope) -> Value:
    """Return the value of a parameter or a global: from the settings, its initialiser, or the calls of the kernel."""
    name, inferred = variable.name, scope.inferred.get(variable.name)
    if name in scope.context.settings:
        return Affine.of(scope.context.settings[name])
    if variable.scope == "global" and variable.initial:
        if variable not in scope.context.initials:  # each once, because initialisers may depend on each other
            scope.context.initials[variable] = stored(variable.initial, variable.type, scope)
        return scope.context.initials[variable]
    if isinstance(inferred, int) and variable.scope == "parameter":
        scope.context.value_is_used(name, inferred, scope.function)
        return Affine.of(inferred)
    where = f"of function '{scope.function.name}'" if variable.scope == "parameter" else "(a global variable)"
    message = f"parameter '{name}' {where} has no value; give it one, for example --set {name}=32"
    raise NotBound(message, where=str(node.position))


def guard(node: SyntaxNode, scope: Scope) -> Condition:
    """Return the condition of an ``if``; raise InputError with the reason if it is not affine."""
    try:
        return condition(node, scope)
    except NotAffine as reason:
        return refuse(
            node.position,
            f"condition '{node}' is not affine: {reason}; a choice between values can be written with '?:'; for "
            "timing alone, '#pragma ppnsim tripcount(1)' before it executes the body, tripcount(0) the else",
        )


def condition(node: SyntaxNode, scope: Scope, *, bound: bool = False, joined: bool = False) -> Condition:
    """Return a condition on iterators; raise NotAffine with the reason.

    In the ``bound`` of a loop, unsigned numbers are compared as if none were negative. A number that had wrapped around
    would make the loop practically endless, unless the comparison is ``joined`` with another condition.
    """
    if node.kind == "cast" and not is_narrower(node):
        return condition(node.children[0], scope, bound=bound, joined=joined)
    if node.kind == "unary" and node.text == "!":
        return Not(condition(node.children[0], scope, bound=bound))
    if node.kind == "binary" and node.text in ("&&", "||"):
        return junction(node, lambda child: condition(child, scope, bound=bound, joined=True))
    if node.kind == "binary" and node.text in _COMPARISONS:
        left, right = sides(node, lambda each: read(each, scope), scope.changed)
        if node.children[0].type.wraps and node.text not in ("==", "!=") and not bound:
            smaller = below(*((left, right) if node.text in ("<", ">=") else (right, left)), scope.ranges)
            return smaller if node.text in ("<", ">") else Not(smaller)
        if bound and is_wrapped(node, (left, right), scope.ranges, surely=not joined):
            raise NotAffine(f"a side of '{node}' is below 0, and wraps round as it is unsigned")
        return _COMPARISONS[node.text](left, right)
    return Not(equal(read(node, scope), Affine.of(0)))


def _choice(node: SyntaxNode, scope: Scope) -> Value:
    test, yes, no = node.children[0], *(read(child, scope) for child in node.children[1:])
    inner = test.bare
    if inner.kind == "binary" and inner.text in ("<", "<=", ">", ">="):
        sides = [read(child, scope) for child in inner.children]
        if sides in ([yes, no], [no, yes]):
            least = (sides == [yes, no]) == (inner.text[0] == "<")
            if (ordered := decided(at_most(yes, no))) is not None:
                return yes if ordered == least else no
            return (Least if least else Largest)((yes, no))
    return chosen(condition(test, scope), yes, no)


def _reason(node: SyntaxNode) -> NoReturn:
    if node.kind == "call":
        raise NotAffine(f"the value of a function call, '{node}', is not known before it runs")
    if node.kind in ("index", "member") or (node.kind == "unary" and node.text == "*"):
        raise NotAffine(f"it depends on data ('{node}')")
    if node.kind == "real" or node.type.kind == "real" or node.kind == "cast":
        raise NotAffine(f"'{node}' is not a whole number")
    if node.kind == "assign" or (node.kind == "unary" and ("++" in node.text or "--" in node.text)):
        raise NotAffine(f"'{node}' changes a variable inside an expression")
    raise NotAffine(f"'{node.text}' is not a sum, a difference, or a product with a constant")


Ranges = Mapping[str, Range]
OPERATORS = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&"))


def combined(operator: str, left: Value, right: Value, of: CType, ranges: Ranges) -> Value:
    """Return the value of an operator of `OPERATORS`; ``of`` is the type of its result.

    Raises
    ------
    NotAffine
        If the result is not affine in pieces.

    Examples
    --------
    >>> str(combined("%", Affine.of("i"), Affine.of(4), CType("integer", "int", 32), {"i": (0, 9)}))
    '((i) mod 4)'
    """
    if operator in ("+", "-"):
        return plus(left, right if operator == "+" else times(right, -1))
    if operator == "*" and isinstance(left, Affine) and left.is_constant:
        return times(right, left.constant)
    if not (isinstance(right, Affine) and right.is_constant):
        raise NotAffine(_product(left, right) if operator == "*" else f"'{operator}' by a value that is not constant")
    return _by_constant(operator, left, right.constant, of, ranges)


def _by_constant(operator: str, left: Value, by: int, of: CType, ranges: Ranges) -> Value:
    if operator in ("<<", ">>") and not 0 <= by < max(of.bits, 1):
        raise NotAffine(f"'{operator}' by {by} (a shift is by 0 to {of.bits - 1} bits here)")
    if operator in ("*", "<<"):
        return times(left, by if operator == "*" else 1 << by)
    if not isinstance(left, Affine):
        raise NotAffine(f"'{operator}' of a minimum, a maximum or a choice")
    if operator != "&" and of.wraps:
        if (whole := unsigned_of(left, of, ranges)) is None:
            raise NotAffine(f"'{operator}' of a number that goes round in {of.bits} bits")
        left = whole
    if operator == ">>":
        return quotient(left, 1 << by, ranges, of.wraps) if of.wraps else left // (1 << by)
    if operator == "&":
        if by < 0 or by & (by + 1):
            raise NotAffine(f"'& {by}' (only masks of the lowest bits are remainders)")
        return reduced(left, by + 1) % (by + 1)
    if by == 0:
        raise NotAffine(f"'{operator}' by 0")
    divisor = by % of.wraps if of.wraps else by
    if operator == "%":
        return remainder(left, abs(divisor), ranges, of.wraps)
    return times(quotient(left, abs(divisor), ranges, of.wraps), 1 if divisor > 0 else -1)


def _product(left: Value, right: Value) -> str:
    if isinstance(left, Affine) and isinstance(right, Affine):
        names = sorted(left.iterators()) + sorted(right.iterators())
        kind = "two iterators" if len(names) == 2 else "iterators"
        return f"the product of {kind} ({', '.join(names)}); only sums of iterators times constants can be analysed"
    return "the product of a minimum, a maximum or a choice with an iterator"
