"""Constants as expressions, and the results of C operators on them."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format, rounded_to_half
from ppnsim.loops.program import Operation


def constant(tree: Operation, value: int | float) -> Operation:
    """Return a number as an operation of the same type, wrapped or rounded to its bits."""
    if tree.type == "half":
        half = rounded_to_half(value)
        return tree if half is None else Operation("constant", tree.type, text=str(half), position=tree.position)
    if isinstance(value, int):
        try:
            of = Format.of(tree.type)
        except InputError:
            return tree
        if tree.type == "bool":
            value = int(value != 0)
        if of.family == "integer":
            value &= (1 << of.bits) - 1
            value -= (of.signed and value >> (of.bits - 1)) << of.bits
    return Operation("constant", tree.type, text=str(value), position=tree.position)


def whole(tree: Operation) -> int | None:
    """Return the value of an integer constant, None for other expressions."""
    if tree.kind != "constant":
        return None
    try:
        return int(tree.text, 0)
    except ValueError:
        return None


def real(tree: Operation) -> Operation:
    """Return a floating-point operation, as a constant if its operands are constants."""
    try:
        numbers = [float(operand.text.rstrip("fFlL")) for operand in tree.operands if operand.kind == "constant"]
    except ValueError:
        return tree
    if len(numbers) == len(tree.operands) == 1 and tree.kind in ("cast", "-x", "+x"):
        return constant(tree, -numbers[0] if tree.kind == "-x" else numbers[0])
    if not len(numbers) == len(tree.operands) == 2:
        return tree
    a, b = numbers
    value = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None}.get(tree.kind)
    return tree if value is None else constant(tree, value)


def computed(kind: str, numbers: Sequence[int]) -> int | None:
    """Return the result of an operator on integers, None if C does not define it.

    Examples
    --------
    >>> computed("%", (-7, 2)), computed("bits", (0b1101, 2, 1)), computed("<<", (1, -1))
    (-1, 2, None)
    """
    if len(numbers) == 1:
        (only,) = numbers
        return {"-x": -only, "+x": only, "~x": ~only, "!x": int(not only), "cast": only}.get(kind)
    if kind == "bits" and len(numbers) == 3 and numbers[1] >= numbers[2] >= 0:
        number, high, low = numbers
        return number >> low & ((1 << (high - low + 1)) - 1)
    if len(numbers) != 2:
        return None
    a, b = numbers
    if kind in ("/", "%"):
        if not b:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if kind == "/" else a - b * quotient
    if kind in ("<<", ">>"):
        return None if not 0 <= b < 128 else a << b if kind == "<<" else a >> b
    return {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "<": int(a < b), "<=": int(a <= b),
        ">": int(a > b), ">=": int(a >= b), "==": int(a == b), "!=": int(a != b),
    }.get(kind)  # fmt: skip
