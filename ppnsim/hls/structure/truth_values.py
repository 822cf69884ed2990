"""Truth values in conditions: the compiler front end simplifies them (R1.1)."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.numerals import constant, whole
from ppnsim.loops.program import Operation

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def as_truth(tree: Operation) -> Operation:
    """Return the simplest form of a comparison, negation or choice whose operand is a truth value.

    Examples
    --------
    >>> a, zero = Operation("iterator", "int", text="a"), Operation("constant", "int", text="0")
    >>> more = Operation(">", "bool", (a, zero))
    >>> as_truth(Operation("!=", "bool", (Operation("cast", "int", (more,)), zero))) == more
    True
    >>> as_truth(Operation("!x", "bool", (more,))).kind
    '<='
    """
    match tree.kind:
        case "==" | "!=":
            return _compared(tree)
        case "!x":
            return _not(tree.operands[0], tree)
        case "?:" if (test := tree.operands[0]).kind == "!x":
            return replace(tree, operands=(test.operands[0], tree.operands[2], tree.operands[1]))
    return tree


def _compared(tree: Operation) -> Operation:
    """Return the comparison of a truth value, or of a choice of two numbers, with a number as a value or negation.

    >>> p, one, two = (Operation(*each) for each in (("iterator", "bool"), ("constant", "int"), ("constant", "int")))
    >>> one, two = replace(one, text="1"), replace(two, text="2")
    >>> _compared(Operation("==", "bool", (Operation("?:", "int", (p, two, one)), one))).kind
    '!x'
    """
    left, right = tree.operands
    value, number = (left, whole(right)) if whole(left) is None else (right, whole(left))
    if number is None:
        return tree
    value = _bare(value)
    if value.kind == "?:":
        test, arms = value.operands[0], [whole(each) for each in value.operands[1:]]
    else:
        test, arms = value, [1, 0]
    if not _is_bit(test) or None in arms:
        return tree
    yes, no = ((each == number) == (tree.kind == "==") for each in arms)
    if yes == no:
        return constant(tree, int(yes))
    return test if yes else _not(test, tree)


def _not(test: Operation, near: Operation) -> Operation:
    """Return the negation of a truth value: a comparison of integers becomes the opposite comparison."""
    inner = _bare(test)
    if inner.kind == "!x" and _is_bit(inner.operands[0]):
        return inner.operands[0]
    if inner.kind in _OPPOSITE and all(is_whole(each) for each in inner.operands):
        return replace(inner, kind=_OPPOSITE[inner.kind])
    return near if near.kind == "!x" else Operation("!x", "bool", (test,), position=near.position)


def _bare(tree: Operation) -> Operation:
    """Return a truth value without its conversion to ``int``."""
    while tree.kind == "cast" and is_whole(tree) and _is_bit(tree.operands[0]):
        tree = tree.operands[0]
    return tree


def _is_bit(tree: Operation) -> bool:
    return tree.type == "bool"


def is_whole(tree: Operation) -> bool:
    """Return whether a value is an integer."""
    try:
        return Format.of(tree.type).family == "integer"
    except InputError:
        return False
