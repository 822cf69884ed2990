"""How often a loop runs as a formula of the kernel's scalar arguments, where its head and they say it."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.loop_heads import constant_step, iterator_of
from ppnsim.c.lowering.control.unseen import other_name
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.in_c import combined
from ppnsim.loops.polynomials import Polynomial

_WAYS_OUT = frozenset(("left", "break", "return", "goto", "continue"))


def runs_of(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the iterations of a ``for`` in each visit by the names of scalars, None where they do not say it.

    It is asked once the head has been read, which gives scalars their names in the program. What these are by the
    arguments of the kernel is seen in the whole program. Ways out of the body, and code that changes the
    iterator, leave nothing to say.
    """
    if node.kind != "for":
        return None
    try:
        variable, start = iterator_of(node)
        step = constant_step(node.children[2], variable, scope)
        if step is None or other_name(node, variable, scope) or _is_changed(node.children[3], variable):
            return None
        test = node.children[1].bare
        if test.kind != "binary" or test.children[0].bare.variable is not variable or test.children[0].bare.children:
            return None
        begin, end = _value(start, scope), _value(test.children[1], scope)
    except InputError:
        return None
    if begin is None or end is None or _is_narrow(variable, test.children[1]):
        return None
    if variable.type.wraps and not (_from_0_on(begin, scope) and _from_0_on(end, scope)):
        return None
    if variable.type.wraps and test.text == ">=":  # at 0 it goes round
        return None
    return _times(test.text, begin, end, step)


def _times(test: str, begin: Polynomial, end: Polynomial, step: int) -> Polynomial | None:
    """Return how often a loop runs from a beginning to an end in steps, None for tests of another kind."""
    way, stride = (end - begin, step) if step > 0 else (begin - end, -step)
    short, whole = ("<", "<=") if step > 0 else (">", ">=")
    if test == short or (test == "!=" and stride == 1):
        return (way + stride - 1).divided(stride).positive()
    return (way + stride).divided(stride).positive() if test == whole else None


def _is_narrow(variable: Variable, end: SyntaxNode) -> bool:
    """Return whether an iterator may go round before it comes to its bound."""
    return variable.type.kind != "integer" or variable.type.bits < min(end.bare.type.bits, 32)


def _is_changed(body: SyntaxNode, variable: Variable) -> bool:
    """Return whether a body assigns the iterator of its loop, or may end the loop."""
    return any(
        each.kind in _WAYS_OUT
        or ((each.kind == "assign" or each.text in STEPS) and each.children and each.children[0].variable is variable)
        for each in body.walk()
    )


def _from_0_on(value: Polynomial, scope: Scope) -> bool:
    """Return whether a value is never negative; a variable with a sign that is no argument may be."""
    named = [scope.context.arrays[name] for name in value.names]
    return value.never_negative and all(x.role == "parameter" or x.type.startswith("unsigned") for x in named)


def _value(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of an expression of numbers and scalar arguments, None for others."""
    if node.kind == "integer" and node.value is not None:
        return Polynomial.of(node.value)
    if node.kind == "cast":
        inner = node.children[0]
        kept = node.type.kind == inner.type.kind == "integer" and node.type.bits >= min(inner.type.bits, 32)
        value = _value(inner, scope) if kept else None
        goes_round = node.type.wraps and not inner.type.wraps and value is not None and not _from_0_on(value, scope)
        return None if goes_round else value
    if node.kind == "name" and node.variable is not None:
        return _named(node.variable, scope)
    if node.kind == "binary" and node.type.kind == "integer" and len(node.children) == 2:
        left, right = (_value(each, scope) for each in node.children)
        if left is not None and right is not None:
            return combined(node.text, left, right, signed=not node.type.wraps)
    return None


def _named(variable: Variable, scope: Scope) -> Polynomial | None:
    """Return the value of a variable: a number, or its name in the program."""
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if isinstance(known, Affine):
        return Polynomial.of(known.constant) if known.is_constant else None
    if isinstance(known, ArrayPlace) and not (known.subscripts or known.path or known.random or known.pointer):
        whole = variable.type.kind == "integer" and not scope.context.arrays[known.array].shape
        return Polynomial.of(known.array) if whole else None
    return None
