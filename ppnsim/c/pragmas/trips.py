"""Defines the trip counts of a loop that data ends: the minimum, the usual and the maximum number of iterations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.loops.expressions import Affine

Count = Literal["usual", "least", "most"]
"""Which number of iterations counts if a loop has a range of them."""


@dataclass(frozen=True, slots=True)
class Trips:
    """Iterations of a loop each time it is entered; ``most`` is None if no bound is known.

    ``certain``: the source alone determines the number, without a pragma or an assumption. ``exact`` is the number in
    each visit, as an expression of the iterators of the loops around. ``left``: early exits of the body are taken into
    account. ``endless``: the loop has no end.
    """

    least: int
    usual: int
    most: int | None
    certain: bool = False
    exact: Affine | None = None
    left: bool = False
    endless: bool = field(default=False, repr=False)

    @staticmethod
    def exactly(count: int) -> Trips:
        """Return the trips of a loop that always runs ``count`` times."""
        return Trips(count, count, count)

    def of(self, count: Count) -> int:
        """Return one of the numbers; without a maximum, the usual number replaces it.

        Examples
        --------
        >>> [Trips(1, 8, None).of(count) for count in ("least", "usual", "most")]
        [1, 8, 8]
        """
        if count == "least":
            return self.least
        return self.usual if count == "usual" or self.most is None else self.most


def stated(counts: Mapping[str, int]) -> Trips | None:
    """Return the trips for ``min``, ``max`` and ``avg`` of a pragma, None if none of them is given.

    The usual number is the average, else the maximum. Without a minimum, the loop may run zero times.

    Examples
    --------
    >>> stated({"min": 1, "max": 16, "avg": 4})
    Trips(least=1, usual=4, most=16, certain=False, exact=None, left=False)
    >>> stated({"max": 16})
    Trips(least=0, usual=16, most=16, certain=False, exact=None, left=False)
    """
    usual = next((counts[name] for name in ("avg", "max", "min") if name in counts), None)
    if usual is None:
        return None
    return Trips(min(counts.get("min", 0), usual), usual, counts.get("max"))
