"""C operators in executed tasks: quotients by constants, and functions of the library."""

from __future__ import annotations

from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.hls.graph.cores import CORES, called_core
from ppnsim.hls.graph.functions import MATHS, unit_of
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.hls.native.values import format_of
from ppnsim.loops.program import Operation

RECIPROCAL = 40
"""Most bits of a dividend whose product with a reciprocal takes the multiplier of those bits (R2.8)."""


def operation(node: SyntaxNode, kind: str = "") -> Operation:
    """Return an operator in the form that the arithmetic rules take; they get its operands as nodes of a graph."""
    return Operation(kind or node.text, node.type.text or "int", text=node.text, position=node.position)


def quotient(operators: Operators, left: int, right: int, where: str) -> int | None:
    """Return an integer or fixed-point value divided by an integer constant, None if the general rule applies.

    The product with the reciprocal has twice the bits of the dividend; a sum of these bits corrects it (R2.8, R11.4).
    """
    number, of = operators.graph.nodes[right], operators.graph.nodes[left].format
    whole = number.unit == "constant" and number.name.lstrip("-").isdecimal()
    if not whole or of.real or of.bits > RECIPROCAL or abs(int(number.name)).bit_count() == 1:
        return None
    reciprocal = operators.constant(f"1/{number.name}", of)
    node = operators.op("mul", of, (left, reciprocal), where, wide=of)
    wide = Format(of.family, 2 * of.bits + 1, of.fraction, of.signed)
    for name, bits in (("add", wide), ("add", of), ("select", of)):
        node = operators.wire("fix", of, node, delay=operators.library.operator(name, bits, where).delay)
    return node


def function_of(operators: Operators, node: SyntaxNode, nodes: tuple[int, ...]) -> int:
    """Return the result of a library function.

    Raises
    ------
    InputError
        If the library has no operator for it.
    """
    name, where = node.text.rsplit("::", 1)[-1], str(node.position)
    to = format_of(node.type)
    if name in ("max", "min", "fmax", "fmin", "fmaxf", "fminf"):
        test = operators.op("cmp", BIT, nodes, where, wide=to)
        return operators.op("select", to, (test, *nodes), where)
    if (core := node.spelled.rsplit("::", 1)[-1]) in CORES:
        return called_core(operators, core, to, number_of(node.children[0], {}) or 0, nodes[1:])
    if name not in MATHS:
        known = "those of math.h and hls_math.h"
        raise InputError(f"function '{name}' has no body and no operator (known: {known})", where=where)
    return operators.op(unit_of(name, operators.library, to), to, nodes, where, kind=name)
