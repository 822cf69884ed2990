"""Reads C expressions as whole numbers that are affine in the iterators, and says why where they are not."""

from __future__ import annotations

from typing import NoReturn

from ppnsim.c.lowering.scope import Place, Scope
from ppnsim.c.lowering.values.piecewise import Choice, Largest, Least, Value, plus, quotient, remainder, times
from ppnsim.c.lowering.variables.tables import is_table
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine


class NotAffine(InputError):
    """An expression that cannot be analysed; whoever reads it adds what it is used for."""


class NotBound(InputError):
    """A parameter that is needed as a number has none; as data it needs none."""


def affine(node: SyntaxNode, scope: Scope, use: str, shown: SyntaxNode | None = None) -> Affine:
    """Return an expression without pieces; ``use`` and ``shown`` are for the message if it is not affine."""
    result = value(node, scope, use, shown)
    if isinstance(result, Affine):
        return result
    return refuse(
        node.position,
        f"{use} '{shown or node}' is not affine: it is one expression here and another one there (a minimum, a choice, "
        "or a quotient that C rounds up below 0 and down above); put an 'if' around the statement",
    )


def value(node: SyntaxNode, scope: Scope, use: str, shown: SyntaxNode | None = None) -> Value:
    """Return an expression as a value that is affine in pieces."""
    try:
        return read(node, scope)
    except NotAffine as reason:
        return refuse(node.position, f"{use} '{shown or node}' is not affine: {reason}")


def read(node: SyntaxNode, scope: Scope) -> Value:
    """Return the value of a whole-number expression; raise NotAffine with the reason."""
    if node.kind == "integer" and node.value is not None:
        return Affine.of(node.value)
    if node.kind == "name" and node.variable:
        return named(node.variable, node, scope)
    if node.kind == "cast" and node.type.kind == "integer" and node.children[0].type.kind == "integer":
        return read(node.children[0], scope)
    if node.kind == "unary" and node.text in ("-", "+"):
        return times(read(node.children[0], scope), -1 if node.text == "-" else 1)
    if node.kind == "binary":
        return _binary(node, scope)
    if node.kind == "choice":
        return _choice(node, scope)
    if node.kind == "index" and (entry := _entry(node, scope)) is not None:
        return Affine.of(entry)
    return _reason(node)


def named(variable: Variable, node: SyntaxNode, scope: Scope) -> Value:
    """Return what an integer variable stands for; raise NotAffine if it is data."""
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if known is not None and not isinstance(known, Place):
        return known
    if variable in scope.finished:
        refuse(node.position, f"'{variable.name}' is used after its loop has ended; give the value by an expression")
    fixed = variable not in scope.changed
    if variable.scope == "global":
        fixed = variable not in scope.context.changed_globals
    if fixed and variable.scope in ("parameter", "global") and known is None and variable.type.kind == "integer":
        return _given(variable, node, scope)
    if fixed and variable.type.const and variable.initial and variable.type.kind == "integer":
        return read(variable.initial, scope)
    place = "parameter" if variable.scope == "parameter" else "variable"
    raise NotAffine(f"it depends on data ({place} '{variable.name}' of type {variable.type.text or 'unknown'})")


def _given(variable: Variable, node: SyntaxNode, scope: Scope) -> Value:
    """Return the value of a parameter or a global: from the settings, its initialiser, or the calls of the kernel."""
    name, inferred = variable.name, scope.inferred.get(variable.name)
    if name in scope.context.settings:
        return Affine.of(scope.context.settings[name])
    if variable.scope == "global" and variable.initial:
        return read(variable.initial, scope)
    if isinstance(inferred, int) and variable.scope == "parameter":
        return Affine.of(inferred)
    where = f"of function '{scope.function.name}'" if variable.scope == "parameter" else "(a global variable)"
    message = f"parameter '{name}' {where} has no value; give it one, for example --set {name}=32"
    raise NotBound(message, where=str(node.position))


def _binary(node: SyntaxNode, scope: Scope) -> Value:
    operator = node.text
    if operator not in ("+", "-", "*", "/", "%", "<<", ">>", "&"):
        return _reason(node)
    left, right = (read(child, scope) for child in node.children)
    if operator in "+-":
        return plus(left, right if operator == "+" else times(right, -1))
    if operator == "*" and isinstance(left, Affine) and left.is_constant:
        return times(right, left.constant)
    if not (isinstance(right, Affine) and right.is_constant):
        raise NotAffine(_product(left, right) if operator == "*" else f"'{operator}' by what is not a constant")
    by = right.constant
    if operator in ("<<", ">>") and not 0 <= by < max(node.type.bits, 1):
        raise NotAffine(f"'{operator}' by {by} (a shift is by 0 to {node.type.bits - 1} bits here)")
    if operator in ("*", "<<"):
        return times(left, by if operator == "*" else 1 << by)
    if not isinstance(left, Affine):
        raise NotAffine(f"'{operator}' of a minimum, a maximum or a choice")
    wraps = node.type.wraps
    if operator == ">>":
        return quotient(left, 1 << by, scope.ranges, wraps) if wraps else left // (1 << by)
    if operator == "&":
        if by < 0 or by & (by + 1):
            raise NotAffine(f"'& {by}' (only masks of the lowest bits are remainders)")
        return left % (by + 1)
    if by == 0:
        raise NotAffine(f"'{operator}' by 0")
    by = by % wraps if wraps else by
    if operator == "%":
        return remainder(left, abs(by), scope.ranges, wraps)
    return times(quotient(left, abs(by), scope.ranges, wraps), 1 if by > 0 else -1)


def _entry(node: SyntaxNode, scope: Scope) -> int | None:
    """Return an element of a table: an array of numbers that nothing changes, at a constant place."""
    places: list[Value] = []
    while node.kind == "index":
        places.insert(0, read(node.children[1], scope))
        node = node.children[0]
    table = node.variable
    if table is None or table.initial is None or not is_table(table, scope.function.body):
        return None
    found = table.initial
    for at in places:
        inside = isinstance(at, Affine) and at.is_constant and 0 <= at.constant < len(found.children)
        if found.kind != "list" or not isinstance(at, Affine) or not inside:
            return None
        found = found.children[at.constant]
    return found.value if found.kind == "integer" else None


def _product(left: Value, right: Value) -> str:
    if isinstance(left, Affine) and isinstance(right, Affine):
        names = sorted(left.iterators()) + sorted(right.iterators())
        kind = "two iterators" if len(names) == 2 else "iterators"
        return f"the product of {kind} ({', '.join(names)}); only sums of iterators times constants can be analysed"
    return "the product of a minimum, a maximum or a choice with an iterator"


def _choice(node: SyntaxNode, scope: Scope) -> Value:
    from ppnsim.c.lowering.values.conditions import condition, decided  # the two readers need each other

    test, *ends = node.children
    yes, no = (read(child, scope) for child in ends)
    inner = test
    while inner.kind == "cast":
        inner = inner.children[0]
    if inner.kind == "binary" and inner.text in ("<", "<=", ">", ">="):
        sides = [read(child, scope) for child in inner.children]
        if sides in ([yes, no], [no, yes]):
            smaller = (sides == [yes, no]) == (inner.text[0] == "<")
            return Least((yes, no)) if smaller else Largest((yes, no))
    holds = condition(test, scope)
    known = decided(holds)
    return Choice(holds, yes, no) if known is None else (yes if known else no)


def _reason(node: SyntaxNode) -> NoReturn:
    if node.kind == "call":
        raise NotAffine(f"the value of a function call, '{node}', is not known before it runs")
    if node.kind in ("index", "member") or (node.kind == "unary" and node.text == "*"):
        raise NotAffine(f"it depends on data ('{node}')")
    if node.kind == "real" or node.type.kind == "real" or node.kind == "cast":
        raise NotAffine(f"'{node}' is not a whole number")
    if node.kind == "assign" or (node.kind == "unary" and ("++" in node.text or "--" in node.text)):
        raise NotAffine(f"'{node}' changes a variable inside an expression")
    raise NotAffine(f"'{node.text}' is no sum, difference, or product with a constant")
