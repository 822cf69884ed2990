"""Expressions for whole numbers that are affine in pieces: comparisons and multiplexers."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.c.lowering.values.piecewise import Choice, Largest, Least, Value
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some
from ppnsim.loops.program import Operation

_BOOL = "bool"


def chosen(value: Value, tree: Callable[[Affine], Operation]) -> Operation:
    """Return a value as an expression; ``tree`` makes the expression of an affine piece.

    Examples
    --------
    >>> number = lambda piece: Operation("iterator", "int", text=str(piece))
    >>> found = chosen(Least((Affine.of("i"), Affine.of(4))), number)
    >>> found.kind, [operand.text or operand.kind for operand in found.operands]
    ('?:', ['<', 'i', '4'])
    """
    if isinstance(value, Affine):
        return tree(value)
    if isinstance(value, Choice):
        yes, no = (chosen(each, tree) for each in (value.yes, value.no))
        return Operation("?:", yes.type, (_test(value.condition, tree), yes, no))
    operator = "<" if isinstance(value, Least) else ">"
    assert isinstance(value, Least | Largest)
    parts = [chosen(each, tree) for each in value.parts]
    result = parts[0]
    for part in parts[1:]:
        result = Operation("?:", part.type, (Operation(operator, _BOOL, (result, part)), result, part))
    return result


def _test(condition: Condition, tree: Callable[[Affine], Operation]) -> Operation:
    if isinstance(condition, Compare):
        left = tree(condition.left)
        zero = Operation("constant", left.type, text="0")
        return Operation("==" if condition.relation == "=" else ">=", _BOOL, (left, zero))
    if isinstance(condition, Not):
        return Operation("!x", _BOOL, (_test(condition.part, tree),))
    assert isinstance(condition, All | Some)
    parts = [_test(part, tree) for part in condition.parts]
    result = parts[0]
    for part in parts[1:]:
        result = Operation("&&" if isinstance(condition, All) else "||", _BOOL, (result, part))
    return result
