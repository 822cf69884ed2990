"""Represents integers that are piecewise affine (min, max, choices), and compares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Least:
    """The smallest of some values."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of some values."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One value if a condition is true, another value otherwise."""

    condition: Condition
    yes: Value
    no: Value


Value = Affine | Least | Largest | Choice


def mapped(value: Value, change: Callable[[Affine], Value], *, falling: bool = False) -> Value:
    """Return a value with each affine piece changed; ``falling`` means that the change reverses the order."""
    if isinstance(value, Affine):
        return change(value)
    if isinstance(value, Choice):
        yes, no = (mapped(part, change, falling=falling) for part in (value.yes, value.no))
        return Choice(value.condition, yes, no)
    parts = tuple(mapped(part, change, falling=falling) for part in value.parts)
    return Least(parts) if isinstance(value, Least) != falling else Largest(parts)


def plus(left: Value, right: Value) -> Value:
    """Return the sum; addition keeps the order of values, so that the pieces can be added."""
    return mapped(left, lambda a: mapped(right, lambda b: a + b))


def times(value: Value, factor: int) -> Value:
    """Return a multiple."""
    return mapped(value, lambda a: a * factor, falling=factor < 0)


def at_most(left: Value, right: Value) -> Condition:
    """Return ``left <= right`` as a condition on iterators.

    Examples
    --------
    >>> from ppnsim.loops.expressions import isl_text
    >>> isl_text(at_most(Affine.of("i"), Least((Affine.of("j"), Affine.of(7)))))
    '(j - i >= 0 and -i + 7 >= 0)'
    """
    if isinstance(left, Affine) and isinstance(right, Affine):
        return Compare(right - left)
    if isinstance(right, Affine):
        return at_most(times(right, -1), times(left, -1))
    if isinstance(right, Choice):
        no = All((Not(right.condition), at_most(left, right.no)))
        return Some((All((right.condition, at_most(left, right.yes))), no))
    parts = tuple(at_most(left, part) for part in right.parts)
    return All(parts) if isinstance(right, Least) else Some(parts)


def equal(left: Value, right: Value) -> Condition:
    """Return ``left == right`` as a condition on iterators."""
    if isinstance(left, Affine) and isinstance(right, Affine):
        return Compare(left - right, "=")
    if isinstance(left, Choice):
        yes, no = (equal(part, right) for part in (left.yes, left.no))
        return _either(left.condition, yes, no)
    if isinstance(right, Choice):
        return equal(right, left)
    return All((at_most(left, right), at_most(right, left)))


def _either(test: Condition, yes: Condition, no: Condition) -> Condition:
    """Return that one condition holds where a test does, and another one elsewhere; the test if those are known."""
    if (decided(yes), decided(no)) == (True, False):
        return test
    if (decided(yes), decided(no)) == (False, True):
        return Not(test)
    return Some((All((test, yes)), All((Not(test), no))))


def chosen(test: Condition, yes: Value, no: Value) -> Value:
    """Return one value if a condition is true, another value otherwise; only that value if it is known which.

    Examples
    --------
    >>> chosen(Compare(Affine.of(-1)), Affine.of(1), Affine.of(0))
    Affine(terms=(), constant=0)
    """
    known = decided(test)
    return Choice(test, yes, no) if known is None else (yes if known else no)


def extent(value: Value, ranges: Mapping[str, Range]) -> Range:
    """Return bounds of a value (not always the tightest) from the bounds of the iterators."""
    if isinstance(value, Affine):
        return value.extent(ranges)
    parts = (value.yes, value.no) if isinstance(value, Choice) else value.parts
    lows, highs = zip(*(extent(part, ranges) for part in parts), strict=True)
    if isinstance(value, Least):
        return min(lows), min(highs)
    if isinstance(value, Largest):
        return max(lows), max(highs)
    return min(lows), max(highs)


def below(left: Value, right: Value, ranges: Mapping[str, Range]) -> Condition:
    """Return ``left < right`` of unsigned numbers; a negative value has wrapped around and is above all others.

    Examples
    --------
    >>> from ppnsim.loops.expressions import isl_text
    >>> isl_text(below(Affine.of("i"), Affine.of(3), {"i": (0, 9)}))
    '-i + 2 >= 0'
    """
    smaller = at_most(plus(left, Affine.of(1)), right)
    if min(extent(left, ranges)[0], extent(right, ranges)[0]) >= 0:
        return smaller
    left_is, right_is = (at_most(Affine.of(0), each) for each in (left, right))
    same = Some((All((left_is, right_is)), All((Not(left_is), Not(right_is)))))
    return Some((All((same, smaller)), All((left_is, Not(right_is)))))


def remainder(value: Affine, by: int, ranges: Mapping[str, Range], wraps: int = 0) -> Value:
    """Return C's ``value % by`` for a divisor > 0; ``wraps`` as in `quotient`."""
    low, high = extent(value, ranges)
    if low >= 0:
        return value % by
    if wraps:
        wrapped = (value + wraps % by) % by
        return wrapped if high < 0 else Choice(Compare(value), value % by, wrapped)
    return plus(value, times(quotient(value, by, ranges), -by))


def quotient(value: Affine, by: int, ranges: Mapping[str, Range], wraps: int = 0) -> Value:
    """Return C's ``value / by``, which rounds towards zero, for a divisor > 0.

    An unsigned negative value is larger by ``wraps``, two to the power of its bits.
    """
    low, high = extent(value, ranges)
    if low >= 0:
        return value // by
    if wraps:
        # No loop counts that far, so the exact number does not matter, but it must fit into 64 bits.
        wrapped = (value + wraps % by) // by + min(wraps // by, 1 << 61)
        return wrapped if high < 0 else Choice(Compare(value), value // by, wrapped)
    if high <= 0:
        return -(-value // by)
    return Choice(Compare(value), value // by, -(-value // by))


def flat(value: Value, kind: type[Least] | type[Largest]) -> tuple[Affine, ...] | None:
    """Return the affine parts of nested minima (or maxima), None if the value has other parts."""
    if isinstance(value, Affine):
        return (value,)
    if isinstance(value, Choice) or not isinstance(value, kind):
        return None
    found: list[Affine] = []
    for part in value.parts:
        if (inner := flat(part, kind)) is None:
            return None
        found += inner
    return tuple(found)


def decided(test: Condition) -> bool | None:
    """Return the value of a condition that depends on no iterator, None for others."""
    if isinstance(test, Compare):
        if not test.left.is_constant:
            return None
        return test.left.constant == 0 if test.relation == "=" else test.left.constant >= 0
    if isinstance(test, Not):
        inner = decided(test.part)
        return None if inner is None else not inner
    known = [decided(part) for part in test.parts]
    stop = isinstance(test, Some)
    if stop in known:
        return stop
    return None if None in known else not stop
