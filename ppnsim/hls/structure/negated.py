"""Signs of products and sums: the compiler front end moves and removes negations (R1.1)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.hls.structure.numerals import constant, whole
from ppnsim.hls.structure.truth_values import is_whole
from ppnsim.loops.program import Operation


def negated(product: Operation) -> Operation | None:
    """Return an integer or fixed-point product with one negated factor as a negated product; None for others.

    The negative of a power of two is such a factor of an integer product: ``x * -4`` is ``-(x * 4)`` (R2.18).

    Examples
    --------
    >>> a, b = Operation("iterator", "int", text="a"), Operation("iterator", "int", text="b")
    >>> found = negated(Operation("*", "int", (Operation("-x", "int", (a,)), b)))
    >>> found.kind, found.operands[0].kind, found.operands[0].operands == (a, b)
    ('-x', '*', True)
    """
    product = replace(product, operands=tuple(map(_of_power, product.operands))) if is_whole(product) else product
    signs = [each.kind == "-x" for each in product.operands]
    if sum(signs) != 1 or product.type in ("half", "float", "double"):
        return None
    factors = tuple(each.operands[0] if sign else each for each, sign in zip(product.operands, signs, strict=True))
    return Operation("-x", product.type, (replace(product, operands=factors),), position=product.position)


def _of_power(factor: Operation) -> Operation:
    """Return a constant -2^n as the negation of 2^n; other factors as they are."""
    number = whole(factor)
    if number is None or number >= 0 or number & -number != -number:
        return factor
    return Operation("-x", factor.type, (replace(factor, text=str(-number)),), position=factor.position)


def positive(total: Operation) -> Operation | None:
    """Return a sum or difference without a negated term, ``a + b`` for ``a - (-b)``; None for others.

    Examples
    --------
    >>> a, b = Operation("iterator", "int", text="a"), Operation("iterator", "int", text="b")
    >>> found = positive(Operation("+", "int", (Operation("-x", "int", (a,)), b)))
    >>> found.kind, found.operands == (b, a)
    ('-', True)
    """
    left, right = total.operands
    if total.kind == "+" and left.kind == "-x":
        left, right = right, left
    # Wider results of ap_int and ap_fixed keep the bit that the negation added.
    if right.kind != "-x" or len({total.type, left.type, right.type, right.operands[0].type}) > 1:
        return None
    return replace(total, kind="+" if total.kind == "-" else "-", operands=(left, right.operands[0]))


def magnitude(call: Operation) -> Operation | None:
    """Return ``abs`` of an integer as the choice that the compiler makes of it; None for other calls.

    Examples
    --------
    >>> a = Operation("iterator", "int", text="a")
    >>> found = magnitude(Operation("call", "int", (a,), text="std::abs"))
    >>> found.kind, [each.kind for each in found.operands]
    ('?:', ['<', '-x', 'iterator'])
    """
    name = call.text.rsplit("::", 1)[-1]
    if name not in ("abs", "labs", "llabs") or len(call.operands) != 1 or not is_whole(call):
        return None
    (value,) = call.operands
    zero = constant(replace(call, type=value.type, operands=()), 0)
    less = Operation("<", "bool", (value, zero), position=call.position)
    negative = Operation("-x", call.type, (value,), position=call.position)
    return Operation("?:", call.type, (less, negative, value), position=call.position)
