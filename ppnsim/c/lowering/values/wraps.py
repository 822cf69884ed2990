"""What a type keeps of a whole number: the lowest bits, so that numbers beyond its limits come out at the other end."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.lowering.values.piecewise import Choice, Range, Value, extent, plus
from ppnsim.c.syntax import CType, SyntaxNode
from ppnsim.loops.expressions import Affine, Compare

_WIDE = 32
"""Bits of a type that sums of iterators stay in: those that leave it are behind the end of every array."""
_LARGEST = 1 << 31
"""Of numbers whose products with iterators are counted in 64 bits."""
_BELOW = 1 << 24
"""Below its period an unsigned constant is a small one that is subtracted: ``i + 4294967295u`` is i - 1."""
_UNKNOWN = 1 << 60
"""Values of an iterator whose bounds are being read: one that had gone round would make its loop endless."""


def kept(value: Value, of: CType, ranges: Mapping[str, Range]) -> Value | None:
    """Return what an integer type holds of a value, None if that is not affine in pieces.

    Types of many bits hold all; values of unsigned ones stay congruent, see `piecewise.below`, `piecewise.quotient`.

    Examples
    --------
    >>> from ppnsim.c.syntax import unsigned
    >>> i = Affine.of("i")
    >>> [str(kept(i + 15, unsigned(4), {"i": (first, 15)})) for first in (0, 1)]
    ['((i + 15) mod 16)', 'i - 1']
    >>> str(kept(i + 8, CType("integer", "ap_int<4>", 4), {"i": (0, 7)}))
    'i - 8'
    """
    is_truth = of.text in ("bool", "_Bool")
    if of.kind != "integer" or not 0 < of.bits < _WIDE:
        moves = isinstance(value, Affine) and value.terms and 0 < of.wraps - value.constant <= _BELOW
        return plus(value, Affine.of(-of.wraps)) if moves else value
    least, most = (0, 1) if is_truth else of.limits
    low, high = extent(value, ranges)
    if (least <= low and high <= most) or not _is_bounded(value, ranges):
        return value
    if isinstance(value, Choice):
        yes, no = (kept(part, of, ranges) for part in (value.yes, value.no))
        return None if yes is None or no is None else Choice(value.condition, yes, no)
    if not isinstance(value, Affine):
        return None
    if is_truth:
        return Choice(Compare(value, "="), Affine.of(0), Affine.of(1))
    return lowest(value - least, most - least + 1, ranges) + least


def lowest(value: Affine, period: int, ranges: Mapping[str, Range]) -> Affine:
    """Return the remainder in 0 .. period - 1; what never leaves one period is only moved."""
    low, high = (end // period for end in value.extent(ranges))
    return value - low * period if low == high else reduced(value, period) % period


def reduced(value: Affine, period: int) -> Affine:
    """Return an expression of the same remainder without very large numbers."""
    if all(abs(each) < _LARGEST for _, each in (*value.terms, ("", value.constant))):
        return value
    result = Affine.of(value.constant % period)
    for atom, factor in value.terms:
        result = result + Affine.of(atom) * (factor % period)
    return result


def unsigned_of(value: Affine, of: CType, ranges: Mapping[str, Range]) -> Affine | None:
    """Return a number congruent to a value that an unsigned type holds, or that is below 0 by less than its period.

    None if numbers of 64 bits do not tell: products with a large constant, as hash functions have them.

    Examples
    --------
    >>> word = CType("integer", "unsigned int", 32)
    >>> str(unsigned_of(Affine.of("i") * 2654435761, word, {"i": (0, 9)}))
    '((2654435761*i) mod 4294967296)'
    """
    low, high = value.extent(ranges)
    if (-of.wraps < low and high < of.wraps) or not _is_bounded(value, ranges):
        return value
    return lowest(value, of.wraps, ranges) if of.bits <= _WIDE else None


def _is_bounded(value: Value, ranges: Mapping[str, Range]) -> bool:
    if isinstance(value, Affine):
        return all(ranges[name][1] - ranges[name][0] < _UNKNOWN for name in value.iterators())
    parts = (value.yes, value.no) if isinstance(value, Choice) else value.parts
    return all(_is_bounded(part, ranges) for part in parts)


def is_wrapped(compare: SyntaxNode, sides: tuple[Value, Value], ranges: Mapping[str, Range], *, surely: bool) -> bool:
    """Return whether an unsigned side that is not the iterator of a loop may lie, or ``surely`` lies, below 0."""
    if not compare.children[0].type.wraps or compare.text in ("==", "!="):
        return False
    ends = [extent(each, ranges) for each in sides]
    return any(-_UNKNOWN < low < 0 and (high < 0 or not surely) for low, high in ends)


def widened(cast: SyntaxNode, known: Value) -> Value:
    """Return what a cast to a larger type takes: one below 0 without a sign has wrapped (``(long)(10u - 20)``)."""
    inner = cast.children[0].type
    if inner.wraps and cast.type.bits > inner.bits and isinstance(known, Affine) and known.is_constant:
        return Affine.of(known.constant % inner.wraps)
    return known
