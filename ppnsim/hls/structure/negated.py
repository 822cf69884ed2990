"""Negative factors of products, as the compiler in front of the tool moves them (R1.1)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.loops.program import Operation


def negated(product: Operation) -> Operation | None:
    """Return the negative product of an integer or fixed-point product with one negative factor; None for others.

    Examples
    --------
    >>> a, b = Operation("iterator", "int", text="a"), Operation("iterator", "int", text="b")
    >>> found = negated(Operation("*", "int", (Operation("-x", "int", (a,)), b)))
    >>> found.kind, found.operands[0].kind, found.operands[0].operands == (a, b)
    ('-x', '*', True)
    """
    signs = [each.kind == "-x" for each in product.operands]
    if sum(signs) != 1 or product.type in ("half", "float", "double"):
        return None
    factors = tuple(each.operands[0] if sign else each for each, sign in zip(product.operands, signs, strict=True))
    return Operation("-x", product.type, (replace(product, operands=factors),), position=product.position)
