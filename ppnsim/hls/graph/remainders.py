"""Remainders of iterators: counters beside the iterators of single loops, dividers in flattened nests (R2.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Affine, Compare, Condition, Not, Remainder
from ppnsim.loops.program import Loop, Operation

_UNKNOWN = (0, (1 << 31) - 1)
"""The range of an iterator with an unknown trip count."""


def dividend_bits(condition: Condition, loops: Sequence[Loop]) -> int:
    """Return the bits of the widest dividend in a condition's remainders that need a divider, 0 without a divider.

    In a single loop a counter beside the iterator holds the remainder; a power of two as divisor is wiring.

    Examples
    --------
    >>> outer, inner = (Loop(iterator=name, first=(Affine.of(0),), last=(Affine.of(last),), body=())
    ...                 for name, last in (("d", 7), ("i", 125)))
    >>> third = Compare(Affine.of("i") % 3, "=")
    >>> dividend_bits(third, (outer, inner)), dividend_bits(third, (inner,))
    (7, 0)
    """
    moving = [loop for loop in loops if constant_trips(loop) != 1]
    if len(moving) < 2:
        return 0
    ranges = {loop.iterator: _range(loop) for loop in moving}
    return max((_bits(each.of, ranges) for each in _remainders(condition) if each.by & (each.by - 1)), default=0)


def counted(tree: Operation) -> Compare | None:
    """Return the test of the remainder of an iterator plus a constant by a constant; None for other expressions."""
    if tree.kind != "%" or (by := _number(tree.operands[1])) is None or by < 2 or not by & (by - 1):
        return None
    of = _moved(tree.operands[0])
    return None if of is None or of.is_constant else Compare(Affine.of(Remainder(of, by)), "=")


def _moved(tree: Operation) -> Affine | None:
    """Return an iterator plus a constant as an affine expression, None for other expressions."""
    if tree.kind in ("cast", "+x"):
        return _moved(tree.operands[0])
    if tree.kind == "iterator":
        return None if tree.values else Affine.of(tree.text)
    if tree.kind not in ("+", "-") or (number := _number(tree.operands[1])) is None:
        return None
    of = _moved(tree.operands[0])
    return None if of is None else of + (number if tree.kind == "+" else -number)


def _number(tree: Operation) -> int | None:
    while tree.kind in ("cast", "+x"):
        (tree,) = tree.operands
    return int(tree.text) if tree.kind == "constant" and tree.text.isdecimal() else None


def _bits(dividend: Affine, ranges: dict[str, tuple[int, int]]) -> int:
    known = {name: ranges.get(name, (0, 0)) for name in dividend.iterators()}
    return max(map(abs, dividend.extent(known))).bit_length() if ranges.keys() & known.keys() else 0


def _range(loop: Loop) -> tuple[int, int]:
    bounds = [each.constant for each in (*loop.first, *loop.last)]
    constant = all(each.is_constant for each in (*loop.first, *loop.last))
    return (min(bounds), max(bounds)) if constant else _UNKNOWN


def _remainders(condition: Condition) -> Iterator[Remainder]:
    if isinstance(condition, Compare):
        yield from (atom for atom, _ in condition.left.terms if isinstance(atom, Remainder))
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from _remainders(part)
