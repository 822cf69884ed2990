"""The way of a critical path as rows of a table: where it is, for how long, and what had to come first."""

from __future__ import annotations

from itertools import islice, pairwise

from ppnsim.analysis.path.critical_path import CriticalPath, Stretch

COLUMNS = ("cycles", "how many", "the path is in", "which lacked")
_LACKED = {"token": "a token of {}", "slot": "a slot of {}", "resource": "a unit of {}"}
_SINCE = {"token": "under way", "slot": "on its way back", "resource": "with another one"}


def way_rows(path: CriticalPath, most: int) -> list[tuple[str, int, str, str]]:
    """Return the first stretches of a path as rows of `COLUMNS`.

    The cycles of stretches, and those for which tokens and slots are under way between them, add up to the finish.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> from ppnsim.analysis.path.critical_path import critical_path
    >>> path = critical_path(run(chain(firings=1, length=2, latency=2)).timeline)
    >>> for row in way_rows(path, most=9):
    ...     print(*row, sep=" | ")
    0..1 | 2 | p0 | nothing: cycle 0
    3..5 | 3 | p1 | a token of c0, under way in cycle 2
    """
    stretches = list(islice(path.stretches(), most))
    lacked = [_lacked(after, before.last) for before, after in pairwise(stretches)]
    return [
        (each.cycles, each.last - each.first, each.process, words)
        for each, words in zip(stretches, ["nothing: cycle 0", *lacked], strict=True)
    ]


def _lacked(stretch: Stretch, since: int) -> str:
    assert stretch.through is not None, "only the first one lacks nothing"
    kind, part = stretch.through
    between = f"cycle {since}" if stretch.first - since == 1 else f"cycles {since}..{stretch.first - 1}"
    return _LACKED[kind].format(part) + (f", {_SINCE[kind]} in {between}" if stretch.first > since else "")
