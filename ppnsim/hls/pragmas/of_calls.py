"""Numbers of directives on loops that each call of a template has of its own: ``unroll factor=F``, ``II=N``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.directives import Scope
from ppnsim.hls.pragmas.pragma import Pragma

FOLLOWED: Mapping[str, tuple[str, str]] = {"unroll": ("factor", "unroll"), "pipeline": ("ii", "ii")}
"""By a directive its clause with a number, and what that is in a `LoopDirective`."""


def numbers_of_calls(every: Sequence[Pragma]) -> dict[Scope, tuple[tuple[tuple[str, ...], str, int], ...]]:
    """Return, by loop, the path of each call with its number, where these differ (R9.45).

    Raises
    ------
    InputError
        For a number of a call that is none from 1 on.
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
