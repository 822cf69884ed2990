"""How often a loop runs that data ends: at least, usually and at most, and which of these is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.loops.expressions import Affine

Count = Literal["usual", "least", "most"]
"""Which number of iterations counts where a loop has a range of them."""


@dataclass(frozen=True, slots=True)
class Trips:
    """Iterations of a loop each time it is entered; ``most`` is None where no bound is known.

    ``certain``: the source says it itself, and nobody states or assumes it. ``exact`` is the number in each visit, by
    the iterators of the loops around; ``left``: with the ways out in its body that are taken; ``endless``: no end.
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
        """Return the trips of a loop that always runs that often."""
        return Trips(count, count, count)

    def of(self, count: Count) -> int:
        """Return one of the numbers; without a largest one, the usual one stands for it.

        Examples
        --------
        >>> [Trips(1, 8, None).of(count) for count in ("least", "usual", "most")]
        [1, 8, 8]
        """
        if count == "least":
            return self.least
        return self.usual if count == "usual" or self.most is None else self.most


def stated(counts: Mapping[str, int]) -> Trips | None:
    """Return what ``min``, ``max`` and ``avg`` of a pragma say, None if none of them is there.

    The average is what counts usually, else the maximum. Without a minimum the loop may not run at all.

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
