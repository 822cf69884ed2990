"""What tries for a period may cost beside plain runs, counted in passings: no clock is read."""

from __future__ import annotations

from ppnsim.engines.compiled.repetition import moves_single_tokens
from ppnsim.model.network import Network

ONE_IN = 20
"""One part in so many of a single run is what all that looks for its period may cost."""

ONE_IN_CODE = 30
"""The same of one that is long enough for generated code: a passing of that takes down to half of what is counted."""

_DEARER = 4  # times as much as a passing of a plain run takes one on a tape that is tried: 16 to 90 ns beside 8 to 28
_DEARER_ONCE = 2  # where the tape is small, with its making
_FREE = 1_000_000  # passings of a plain run, 5 to 20 ms, that tries of a search may cost: they serve all its vectors
_SHARE = 10  # of the plain runs of a search one part in so many
_TAPE = 60_000  # passings tried in the time that a tape takes to make, which is almost a millisecond
_ELEMENT = 6_000  # and a tenth of one for each process and channel
_BY_TABLE = 5  # times as long is a plain passing that looks up its token than others, so that fewer go by meanwhile
_LEAST = ONE_IN_CODE * _DEARER_ONCE * _TAPE // _BY_TABLE  # passings of a run that pays for the tape of a try


def pay_beside(network: Network) -> bool:
    """Return whether a network is tried on tapes of their own before its own is made: they cost little beside it.

    Others have their first iterations evaluated on their own tape (`early_period`).
    """
    return network.passings >= _LEAST and Budget.of_one_run(network).allows(0)


class Budget:
    """Tries of a network of ``passings``, followed by a plain run where they are in vain.

    A tried passing is ``dearer`` than one of a plain run, because its tape is made, and ``a_try`` takes as much as so
    many of them. A try that would cost more than one part in ``one_in`` of the plain runs so far, the coming one
    included, is not begun; what is ``free`` comes on top.

    Attributes
    ----------
    spent : passings on the tapes of tries so far, with what the tries cost themselves.
    walked : passings of plain runs so far.

    Examples
    --------
    >>> budget = Budget(100_000_000)
    >>> budget.allows(2_750_000), budget.allows(2_750_001)
    (True, False)
    """

    def __init__(
        self, passings: int, *, free: int = _FREE, a_try: int = 0, dearer: int = _DEARER, one_in: int = _SHARE
    ) -> None:
        self._passings, self._free, self._a_try, self._dearer, self._one_in = passings, free, a_try, dearer, one_in
        self.spent, self.walked = 0, 0

    @classmethod
    def of_one_run(cls, network: Network) -> Budget:
        """Return the budget of tries that serve one run only: nothing is free, and making their tapes counts.

        Examples
        --------
        >>> from ppnsim.model.builders import chain
        >>> [Budget.of_one_run(chain(firings=firings)).allows(0) for firings in (1_500_000, 1_900_000)]
        [False, True]
        """
        a_try = _TAPE + _ELEMENT * (len(network.processes) + len(network.channels))
        if not moves_single_tokens(network):
            a_try //= _BY_TABLE
        return cls(network.passings, free=0, a_try=a_try, dearer=_DEARER_ONCE, one_in=ONE_IN_CODE)

    def allows(self, passings: int, *, half: bool = False, made: bool = False) -> bool:
        """Return whether a try with so many passings on its tape, which is ``made`` already or not, costs little.

        It may cost what is left of what all may, or with ``half`` of half of that.
        """
        return passings <= self._room(2 if half else 1) + (self._a_try if made else 0)

    def beside_a_tape(self, passings: int) -> int:
        """Return how many passings may be tried that take no longer than their tape takes to make.

        They come after some first ``passings`` on that tape.
        """
        return min(self._a_try, self._room() - passings)

    def _room(self, part: int = 1) -> int:
        most = (self._free + (self.walked + self._passings) // self._one_in) // part
        return most // self._dearer - self.spent - self._a_try

    def spend(self, passings: int, *, made: bool = False) -> None:
        """Take account of a try with so many passings on its tape, which had been ``made`` before or not."""
        self.spent += passings + (0 if made else self._a_try)

    def settle(self, before: int, *, in_vain: bool) -> None:
        """Take account of the tries of one run, before which so much was ``spent``.

        Those that found a period cost nothing up to what the run itself would have cost.
        """
        if in_vain:
            self.walked += self._passings
        else:
            self.spent = max(before, self.spent - self._passings // self._dearer)
