"""The answer to a deadlock: which FIFOs to deepen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Depths that break a deadlock.

    Attributes
    ----------
    depths : channel -> depth in tokens, only those that have to change; empty if no depth helps.
    smallest : whether no smaller total increase works (proved for monotone networks within the budget).
    runs : how many simulations that took.
    """

    depths: Mapping[str, int]
    smallest: bool
    runs: int

    def __str__(self) -> str:
        if not self.depths:
            return "no depth helps: the data itself goes round in a circle"
        parts = " and ".join(f"'{name}' at depth {depth} or more" for name, depth in self.depths.items())
        plural = "" if len(self.depths) > 1 else "s"
        proof = "checked by running it" if self.smallest else "checked by running it; a smaller change may do"
        return f"{parts} break{plural} the circle ({proof})"
