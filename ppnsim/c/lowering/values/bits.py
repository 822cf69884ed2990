"""Evaluates bit selections of constants: ``c.range(3, 0)``, ``c[0]`` and ``c.test(0)``."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.syntax import SyntaxNode
from ppnsim.loops.expressions import Affine


def bits_of(node: SyntaxNode, read: Callable[[SyntaxNode], Value]) -> Affine | None:
    """Return the number in the selected bits of an integer, None if the number or a bit position is not known.

    Parameters
    ----------
    read : returns the value of an integer expression; raises InputError if the value is not known.
    """
    if node.kind != "bits" or node.children[0].type.kind != "integer":
        return None
    known = [value.constant for value in map(read, node.children) if isinstance(value, Affine) and value.is_constant]
    if len(known) != len(node.children) or not known[1] >= known[2] >= 0:
        return None
    number, high, low = known
    return Affine.of(number >> low & (1 << high - low + 1) - 1)
