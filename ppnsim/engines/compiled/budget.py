"""What tries for a period may cost beside plain runs, counted in passings: no clock is read."""

from __future__ import annotations

_DEARER = 4  # times as much as a passing of a plain run takes one on a tape that is tried: 16 to 90 ns beside 8 to 28
_FREE = 1_000_000  # passings of a plain run, 5 to 20 ms, that tries may cost in any case: a twentieth of a start
_SHARE = 10  # of the plain runs one part in so many
ALL_TRIED = 125_000
"""Firings up to which no try is left out: those of a run are twice as long as it is, all together."""


class Budget:
    """Tries of a network of ``passings``, followed by a plain run where they are in vain.

    A tried passing costs more than one of a plain run, because its tape is made. A try that would cost more than a
    tenth of the plain runs so far, the coming one included, is not begun.

    Attributes
    ----------
    spent : passings on the tapes of tries so far.
    walked : passings of plain runs so far.

    Examples
    --------
    >>> budget = Budget(100_000_000)
    >>> budget.allows(2_750_000), budget.allows(2_750_001)
    (True, False)
    """

    def __init__(self, passings: int) -> None:
        self._passings, self.spent, self.walked = passings, 0, 0

    def allows(self, passings: int, *, half: bool = False) -> bool:
        """Return whether a try with so many passings on its tape costs little; with ``half`` of what tries may cost."""
        most = _FREE + (self.walked + self._passings) // _SHARE
        return _DEARER * (self.spent + passings) <= (most // 2 if half else most)

    def settle(self, before: int, *, in_vain: bool) -> None:
        """Take account of the tries of one run, before which so much was ``spent``.

        Those that found a period cost nothing up to what the run itself would have cost.
        """
        if in_vain:
            self.walked += self._passings
        else:
            self.spent = max(before, self.spent - self._passings // _DEARER)
