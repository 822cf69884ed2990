"""Numbers in expressions that are 0, and the kind of number that an operation makes."""

from __future__ import annotations

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Operation


def family(tree: Operation) -> str:
    """Return the kind of number of an operation, "" if hardware has none.

    Examples
    --------
    >>> family(Operation("constant", "ap_fixed<8, 3>", text="0.5"))
    'fixed'
    """
    try:
        return Format.of(tree.type).family
    except InputError:
        return ""


def is_zero(tree: Operation) -> bool:
    """Return whether a number is 0, of whatever type and however it is written.

    Examples
    --------
    >>> is_zero(Operation("constant", "float", text="0.00")), is_zero(Operation("iterator", "int", text="i"))
    (True, False)
    """
    while tree.kind == "cast":
        (tree,) = tree.operands
    try:
        return tree.kind == "constant" and float(tree.text) == 0
    except ValueError:
        return False
