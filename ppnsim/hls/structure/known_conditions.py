"""Conditions that loop bounds decide: unrolled copies of a statement that never run are removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.expressions import All, Compare, Condition, Not
from ppnsim.loops.program import Loop

Values = Mapping[str, tuple[int, int, int]]
"""The first value, the step and the number of values of iterators."""


def without_impossible(
    steps: Sequence[GuardedStatement], loops: Sequence[Loop | Condition]
) -> tuple[GuardedStatement, ...]:
    """Return the statements that some iteration executes, each with only the conditions that do not always hold.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Statement
    >>> i = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(24),))
    >>> odd, start = (Compare(Affine.of("i") * 16 + n, "=") for n in (1, 0))
    >>> steps = [GuardedStatement(Statement(name="s"), (each,)) for each in (odd, Not(odd), start)]
    >>> [step.conditions == (start,) for step in without_impossible(steps, [i])]
    [False, True]
    """
    values: dict[str, tuple[int, int, int]] = {}
    for loop in loops:
        if isinstance(loop, Loop) and (count := constant_trips(loop)):
            start = (max if loop.step > 0 else min)(bound.constant for bound in loop.first)
            values[loop.iterator] = start, loop.step, count
    known: dict[Condition, bool | None] = {}
    found = []
    for step in steps:
        left: list[Condition] = []
        for condition in step.conditions:
            if condition not in known:
                known[condition] = decided(condition, values)
            if known[condition] is not True:
                left.append(condition)
        if not left or not any(known[condition] is False for condition in left):
            found.append(step if len(left) == len(step.conditions) else GuardedStatement(step.statement, tuple(left)))
    return tuple(found)


def decided(condition: Condition, values: Values) -> bool | None:
    """Return whether a condition always holds (True) or never holds (False); None if the bounds do not decide it."""
    if isinstance(condition, Compare):
        return _compared(condition, values)
    if isinstance(condition, Not):
        inner = decided(condition.part, values)
        return None if inner is None else not inner
    parts = {decided(part, values) for part in condition.parts}
    end = not isinstance(condition, All)  # one part with this result decides the whole
    if end in parts:
        return end
    return None if None in parts else not end


def _compared(condition: Compare, values: Values) -> bool | None:
    least = most = base = condition.left.constant
    apart = 0  # all values of the expression differ by multiples of this number
    for atom, factor in condition.left.terms:
        if not isinstance(atom, str) or atom not in values:
            return None
        start, step, count = values[atom]
        ends = factor * start, factor * (start + step * (count - 1))
        least, most, base = least + min(ends), most + max(ends), base + ends[0]
        apart = gcd(apart, factor * step if count > 1 else 0)
    if condition.relation == ">=":
        return True if least >= 0 else False if most < 0 else None
    if least > 0 or most < 0 or (apart and base % apart):
        return False
    return True if least == most == 0 else None
