"""Calls as operators: functions of math.h, the vendor's cores, and units with a given latency (R2.14, R2.17)."""

from __future__ import annotations

import math

from ppnsim.hls.graph.cores import CORES, called_core
from ppnsim.hls.graph.functions import CHOICES, COMPOSED, MATHS, function_name, unit_of
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.simplify import number
from ppnsim.hls.library.types import BIT, SINGLE, Format, joined
from ppnsim.loops.program import Operation, Statement

COUNTER = Format("integer", 32)
"""The type of iterators and addresses."""


def called_function(operators: Operators, tree: Operation, statement: Statement, operands: tuple[int, ...]) -> int:
    """Return the result of a known function."""
    where, name = str(tree.position), function_name(tree)
    formats = [operators.graph.nodes[operand].format for operand in operands] or [COUNTER]
    if name in CHOICES:
        common = joined(formats[0], formats[-1])
        if operators.library.knows("max", common):
            operands = tuple(operators.converted(operand, common) for operand in operands)
            return operators.op("max", common, operands, where, kind=name)
        test = operators.op("cmp", BIT, operands, where, wide=common)
        return operators.op("select", common, (test, *operands), where)
    if tree.type != "void":
        to = Format.of(tree.type, where)
    else:  # the function writes its statement's target
        to = operators.format(statement.writes[0]) if statement.writes else BIT
    if name in CORES:
        return called_core(operators, name, to, int(operators.graph.nodes[operands[0]].name), operands[1:])
    if name in COMPOSED:
        return _composed(operators, name, to, operands, where)
    if name not in MATHS:
        states = 1 if statement.latency is None else statement.latency
        entry, interval = operators.library.budget if states else 0.0, statement.ii or 1
        return operators.graph.add("op", name, to, operands, states=states, entry=entry, unit=name, interval=interval)
    value = number(operators.graph.nodes[operands[0]]) if len(operands) == 1 else None
    if to.real and value is not None and value >= 0 and MATHS[name] == "sqrt":
        return operators.constant(repr(math.sqrt(value)), to)
    if to.real:
        return _through(operators, name, to, operands, where)
    return operators.op(unit_of(name, operators.library, to), to, operands, where, wide=formats[0], kind=name)


def _composed(operators: Operators, name: str, to: Format, operands: tuple[int, ...], where: str) -> int:
    """Return a product with a sum, a positive difference, or the larger or smaller of two magnitudes."""
    operands = tuple(operators.converted(operand, to) for operand in operands)
    if name.startswith(("fma", "mad")):
        return operators.op("add", to, (operators.op("mul", to, operands[:2], where), operands[2]), where)
    test = operators.op("cmp", BIT, operands, where, wide=to, kind=name)
    if name.startswith("fdim"):
        operands = (operators.op("add", to, operands, where, negative=1),)
    return operators.op("select", to, (test, *operands), where)


def _through(operators: Operators, name: str, to: Format, operands: tuple[int, ...], where: str) -> int:
    """Return a floating-point function; a function without a ``half`` unit is computed in float (R2.12)."""
    unit = unit_of(name, operators.library, to)
    of = to if to.family != "half" or operators.library.knows(unit, to) else SINGLE
    if not operators.graph.nodes[operands[0]].format.real or of != to:
        operands = tuple(operators.converted(operand, of) for operand in operands)
    return operators.converted(operators.op(unit, of, operands, where, kind=name), to)
