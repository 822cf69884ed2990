"""The activity and the share of work of each call, in a program of kernels that call kernels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallSpan:
    """The time from the first start to the last end, in cycles."""

    start: int
    end: int

    def joined(self, other: CallSpan) -> CallSpan:
        """Return the smallest span that holds both."""
        return CallSpan(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class CallProfile:
    """A call with all calls in it.

    Attributes
    ----------
    path : the call and those around it, from the outermost; a kernel's second call is ``name_2``.
    statements, executions : their numbers, inner calls included.
    busy : execute cycles.
    absolute, unbounded : time of activity in each estimate; None if nothing executes.
    """

    path: tuple[str, ...]
    statements: int
    executions: int
    busy: int
    absolute: CallSpan | None
    unbounded: CallSpan | None


Worked = tuple[tuple[str, ...], int, int, CallSpan | None, CallSpan | None]


def call_profiles(worked: Iterable[Worked]) -> tuple[CallProfile, ...]:
    """Return the calls of a program in order of their first statement, outer calls before inner ones.

    Parameters
    ----------
    worked : path, executions, execute cycles and spans (absolute, unbounded) of each statement, in textual order.

    Examples
    --------
    >>> work = [(("f",), 3, 3, CallSpan(0, 5), CallSpan(0, 3)), (("f", "g"), 4, 8, CallSpan(4, 20), CallSpan(3, 7))]
    >>> [(each.path[-1], each.executions, each.absolute) for each in call_profiles(work)]
    [('f', 7, CallSpan(start=0, end=20)), ('g', 4, CallSpan(start=4, end=20))]

    Source: hierarchical programs, van Teijlingen 2014, section 5.7.
    """
    calls: dict[tuple[str, ...], CallProfile] = {}
    for path, executions, busy, absolute, unbounded in worked:
        for depth in range(1, len(path) + 1):
            call = path[:depth]
            before = calls.get(call, CallProfile(call, 0, 0, 0, None, None))
            spans = _joined(before.absolute, absolute), _joined(before.unbounded, unbounded)
            sums = before.statements + 1, before.executions + executions, before.busy + busy
            calls[call] = CallProfile(call, *sums, *spans)
    return tuple(calls.values())


def _joined(one: CallSpan | None, other: CallSpan | None) -> CallSpan | None:
    return one.joined(other) if one and other else one or other
