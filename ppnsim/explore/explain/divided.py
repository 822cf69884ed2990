"""FIFOs that share what they lack: either of two may hold the slots, and so may both together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ppnsim.engines.run import run
from ppnsim.explore.explain.sensitivity import Claim
from ppnsim.model.network import Network, is_monotone


def divided(network: Network, claims: Sequence[Claim]) -> str | None:
    """Return that slots which help in either of two FIFOs help as much when they are divided, None where they do not.

    FIFOs of one branch are such: `explain` deepens one of them, and sizing may find another division.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> from ppnsim.analysis.path.critical_path import critical_path
    >>> from ppnsim.explore.explain.sensitivity import claims
    >>> network = fork_join(firings=20, short_depth=3)
    >>> print(divided(network, list(claims(critical_path(run(network).timeline), top=4))))
    9 more slots divided between short_in (3 -> 8) and short_out (3 -> 7) save as much: only their sum counts here
    """
    deeper = [each for each in claims if _more(each) > 1 and (each.saves or 0) > 0]
    first = max(deeper, key=lambda each: each.saves or 0, default=None)
    if first is None:
        return None
    more = _more(first)
    alike = (each for each in deeper if each is not first and (each.saves, _more(each)) == (first.saves, more))
    for second in islice(alike, 1):
        shares = ((first.change, more - more // 2), (second.change, more // 2))
        depths = {change.part: (change.before or 0) + share for change, share in shares}
        if run(network, depths=depths, on_deadlock="return").finish == first.finish:
            a, b = (f"{change.part} ({change.before} -> {depths[change.part]})" for change, _ in shares)
            return f"{more} more slots divided between {a} and {b} save as much: only their sum counts here"
    return None


def alone(network: Network, claims: Sequence[Claim]) -> str:
    """Return how the depths of claims were found, "" where there are none."""
    if not is_monotone(network) or not any(_more(each) and each.saves for each in claims):
        return ""
    return "each depth is the smallest of that FIFO alone that saves as many; ppnsim size finds those of all together"


def _more(claim: Claim) -> int:
    """Return by how many slots a change deepens one FIFO, 0 for other changes."""
    change = claim.change
    if change.parameter != "depth" or change.before is None or change.after is None:
        return 0
    return change.after - change.before
