"""Models integer overflow: a type keeps the lowest bits of a number, so that large numbers wrap around."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.c.lowering.values.piecewise import Choice, Range, Value, chosen, extent
from ppnsim.c.plain.nodes import wrapped
from ppnsim.c.syntax import CType, SyntaxNode
from ppnsim.loops.expressions import Affine, Compare

_WIDE = 32
"""Width, in bits, of types that are assumed not to overflow: a sum beyond them is behind the end of every array."""
_LARGEST = 1 << 31
"""The limit for factors whose products with iterators fit into 64 bits."""
_BELOW = 1 << 24
"""An unsigned constant this close below its period is a subtracted number: ``i + 4294967295u`` is ``i - 1``."""
_UNKNOWN = 1 << 60
"""The range of an iterator whose bounds are still unknown; if it wrapped around, its loop would be endless."""


def kept(value: Value, of: CType, ranges: Mapping[str, Range]) -> Value | None:
    """Return a value after conversion to an integer type, None if the result is not piecewise affine.

    Wide types hold all values that iterators move; a number goes round in every type, as compilers compute it. Values
    of unsigned types stay congruent, see `piecewise.below`, `piecewise.quotient`.

    Examples
    --------
    >>> from ppnsim.c.syntax import unsigned
    >>> i = Affine.of("i")
    >>> [str(kept(i + 15, unsigned(4), {"i": (first, 15)})) for first in (0, 1)]
    ['((i + 15) mod 16)', 'i - 1']
    >>> str(kept(i + 8, CType("integer", "ap_int<4>", 4), {"i": (0, 7)}))
    'i - 8'
    >>> str(kept(Affine.of(100000 * 100000), CType("integer", "int", 32), {}))
    '1410065408'
    """
    is_truth = of.text in ("bool", "_Bool")
    if of.kind != "integer" or not 0 < of.bits < _WIDE:
        return _wide(value, of) if of.kind == "integer" and of.bits and isinstance(value, Affine) else value
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
        return chosen(Compare(value, "="), Affine.of(0), Affine.of(1))
    return lowest(value - least, most - least + 1, ranges) + least


def _wide(value: Affine, of: CType) -> Affine:
    """Return a value of a wide type: a number goes round, and an unsigned constant near the end is subtracted."""
    if value.is_constant:
        return value if -of.wraps < value.constant < 0 else Affine.of(wrapped(value.constant, of))
    return value - of.wraps if 0 < of.wraps - value.constant <= _BELOW else value


def lowest(value: Affine, period: int, ranges: Mapping[str, Range]) -> Affine:
    """Return the remainder in 0 .. period - 1; a value that stays within one period is only shifted."""
    low, high = (end // period for end in value.extent(ranges))
    return value - low * period if low == high else reduced(value, period) % period


def reduced(value: Affine, period: int) -> Affine:
    """Return an expression with the same remainder and without very large numbers."""
    if all(abs(each) < _LARGEST for _, each in (*value.terms, ("", value.constant))):
        return value
    result = Affine.of(value.constant % period)
    for atom, factor in value.terms:
        result = result + Affine.of(atom) * (factor % period)
    return result


def unsigned_of(value: Affine, of: CType, ranges: Mapping[str, Range]) -> Affine | None:
    """Return the number that an unsigned type holds for a value, or a congruent number above minus the period.

    The result is None if 64-bit numbers do not suffice: products with a large constant, as in hash functions.

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
    """Return whether an unsigned side, other than a loop's iterator, may be, or ``surely`` is, negative."""
    if not compare.children[0].type.wraps or compare.text in ("==", "!="):
        return False
    ends = [extent(each, ranges) for each in sides]
    return any(-_UNKNOWN < low < 0 and (high < 0 or not surely) for low, high in ends)


def widened(cast: SyntaxNode, known: Value) -> Value:
    """Return the value of a cast to a wider type: an unsigned negative number has wrapped (``(long)(10u - 20)``)."""
    inner = cast.children[0].type
    if inner.wraps and cast.type.bits > inner.bits and isinstance(known, Affine) and known.is_constant:
        return Affine.of(known.constant % inner.wraps)
    return known
