"""Converts the operands of operators on vendor numbers, where the bodies of those operators do so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang.names import ARBITRARY
from ppnsim.c.syntax import CType, SyntaxNode

FLOATING = frozenset(("float", "double", "half", "long double"))


def converted(cursor: Any, sides: Sequence[SyntaxNode]) -> Sequence[SyntaxNode]:
    """Return both sides of ``operator=``; the value is converted if a C++ constructor would convert it."""
    if len(sides) != 2:
        return sides
    spelled = [each.type.get_canonical().spelling.replace("volatile ", "") for each in cursor.get_arguments()]
    left, right = (each.removeprefix("const ") for each in spelled)
    if left == right or left.startswith("ap_range_ref") or not ARBITRARY.fullmatch(left):
        return sides
    to, value = sides
    return to, _cast(value, replace(to.type, const=False))


def beside_real(operands: Sequence[SyntaxNode]) -> Sequence[SyntaxNode]:
    """Return the operands of an operator on vendor numbers; an integer beside floating point is converted to it.

    The vendor's operators do so in their bodies: ``ap_int<16> v; v * 1.5`` is a product of doubles.
    """
    real = next((each.type for each in operands if each.type.kind == "real" and each.type.text in FLOATING), None)
    if real is None:
        return operands
    of = replace(real, const=False)
    return [_cast(each, of) if each.type.kind == "integer" else each for each in operands]


def _cast(value: SyntaxNode, of: CType) -> SyntaxNode:
    return SyntaxNode("cast", value.position, of, (value,), end=value.end, extent=value.extent)
