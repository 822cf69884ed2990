"""Directive numbers that differ between the calls of a template: ``unroll factor=F``, ``II=N``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.directives import Scope
from ppnsim.hls.pragmas.pragma import Pragma

FOLLOWED: Mapping[str, tuple[str, str]] = {"unroll": ("factor", "unroll"), "pipeline": ("ii", "ii")}
"""For each directive, its clause with a number, and the field of that number in a `LoopDirective`."""


def numbers_of_calls(every: Sequence[Pragma]) -> dict[Scope, tuple[tuple[tuple[str, ...], str, int], ...]]:
    """Return, for each loop, the path of each call with its number, if the numbers differ (R9.45).

    Raises
    ------
    InputError
        If the number of a call is below 1.
    """
    found: dict[Scope, tuple[tuple[tuple[str, ...], str, int], ...]] = {}
    for each in every:
        clause, field = FOLLOWED.get(each.name, ("", ""))
        if each.loop is None or each.nowhere or clause not in each.clauses:
            continue
        calls = [(frame.path, replace(each, values={**each.values, **dict(frame.values)})) for frame in each.frames]
        own = tuple((path, field, call.number(clause) or 1) for path, call in calls)
        if len({count for _, _, count in own}) > 1:
            found[each.loop] = found.get(each.loop, ()) + own
    return found
