"""How often a loop runs as a formula of the kernel's scalar arguments, where its head and they say it."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.lowering.control.loop_heads import constant_step, iterator_of
from ppnsim.c.lowering.control.unseen import other_name
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.polynomials import Polynomial

_WAYS_OUT = frozenset(("left", "break", "return", "goto", "continue"))


def runs_of(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the iterations of a ``for`` in each visit by the names of scalar arguments, None where they do not say it.

    It is asked once the head has been read, which gives arguments their names in the program. That the kernel never
    assigns those is for its schedule to see. Ways out of the body, and code that changes the
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
    way, stride = (end - begin, step) if step > 0 else (begin - end, -step)
    up, down = ("<", "<=") if step > 0 else (">", ">=")
    if test.text == up or (test.text == "!=" and stride == 1):
        return (way + stride - 1).divided(stride).positive()
    return (way + stride).divided(stride).positive() if test.text == down else None


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


def _value(node: SyntaxNode, scope: Scope) -> Polynomial | None:
    """Return the value of an expression of numbers and scalar arguments, None for others."""
    if node.kind == "integer" and node.value is not None:
        return Polynomial.of(node.value)
    if node.kind == "cast":
        inner = node.children[0]
        kept = node.type.kind == inner.type.kind == "integer" and node.type.bits >= min(inner.type.bits, 32)
        return _value(inner, scope) if kept else None
    if node.kind == "name" and node.variable is not None:
        return _named(node.variable, scope)
    if node.kind == "binary" and node.type.kind == "integer" and len(node.children) == 2:
        left, right = (_value(each, scope) for each in node.children)
        return None if left is None or right is None else _combined(node, left, right)
    return None


def _combined(node: SyntaxNode, left: Polynomial, right: Polynomial) -> Polynomial | None:
    by = right.constant
    if node.text == "+":
        return left + right
    if node.text == "-":  # of a type without a sign, what is below 0 goes round
        return left - right if not node.type.wraps or (left - right).never_negative else None
    if node.text == "*":
        return left * right
    if node.text == "/" and by is not None and by > 0:
        return left.divided(by)
    if node.text == ">>" and by is not None and 0 <= by < 32 and left.never_negative:
        return left.divided(1 << by)
    return left * (1 << by) if node.text == "<<" and by is not None and 0 <= by < 32 else None


def _named(variable: Variable, scope: Scope) -> Polynomial | None:
    """Return the value of a variable: a number, an argument of the kernel, or what it is initialised with."""
    known = scope.bindings.get(variable) or scope.context.globals.get(variable)
    if isinstance(known, Affine):
        return Polynomial.of(known.constant) if known.is_constant else None
    if variable in scope.changed or variable.type.kind != "integer":
        return None
    if isinstance(known, ArrayPlace) and not known.subscripts and not known.path and not known.random:
        array = scope.context.arrays[known.array]
        if array.role == "parameter" and not array.shape:
            return Polynomial.of(known.array)
    if variable.initial is not None and variable.scope == "local":
        return _value(variable.initial, scope)
    return None
