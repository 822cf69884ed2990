"""One network run again and again with other depths: the tape is made once, and periodic runs are cut short.

A run that repeats itself need not be walked to its end: with m iterations fewer it does the same up to where it has
begun to repeat, and the same from there to its end. So the network is run with as few iterations as show the period,
and the iterations left out are added at the period's pace. Nothing is extrapolated that `find_period` has not proved.

Trials that are given a `budget` keep to it, because a run that never repeats is tried in vain.
"""

from __future__ import annotations

from functools import cached_property

from ppnsim.engines.compiled.budget import Budget
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.rows import FrameRows
from ppnsim.engines.compiled.settled import Settled
from ppnsim.engines.compiled.tapes import Depths, Tapes
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.steady import Steady

_FIRST_ITERATIONS = 32
_FIRST_ROWS = 8
_ROWS_PAY = 200_000  # firings and more, or to look for rows takes as long as some runs
_MOST_ITERATIONS = 1 << 16  # that are tried for a period where the declared run need not show it
_MOST_TRIED = 50_000_000  # firings on one tape to look for a period; all tapes together take about 4 GB then
MOST_FIRINGS = 200_000_000  # on one tape, about 10 GB
MOST_ACCESSES = 2 * MOST_FIRINGS  # of channels, by all firings


class Trials:
    """A network whose processes all have one latency, ready to be run with any depths.

    ``most`` firings are put on one tape to look for a period, by default as many as memory takes. Without ``apart``
    parts that repeat each for itself are no repetition. Trials that are followed by a plain run if they are in vain
    keep to a ``budget`` beside it; others try all that memory takes.
    """

    def __init__(
        self, network: Network, *, fast_forward: bool = True, most: int | None = None, apart: bool = True,
        budget: Budget | None = None,
    ) -> None:  # fmt: skip
        self.network, self._most, self._counts_parts = network, most or _MOST_TRIED, apart
        self.sparing, self.budget = budget is not None, budget or Budget(network.passings)
        self.repetition = Repetition.of(network) if fast_forward else None
        self._fast_forward = fast_forward
        self._tapes: dict[int, Tapes] = {}  # by iterations, the whole network's by 0
        self._of_rows: dict[int, tuple[Tapes, dict[str, tuple[int, int]]]] = {}

    @cached_property
    def rows(self) -> Repetition | FrameRows | None:
        """The rows of a long network that does not repeat as a whole, or its iterations if many were tried; or None."""
        if not self._fast_forward or self.network.passings < _ROWS_PAY:
            return None
        if self._may_repeat(_FIRST_ITERATIONS):
            return self.repetition if self._counts_parts else None
        # The places of rows are listed, token by token.
        return FrameRows.of(self.network) if self.network.events <= MOST_ACCESSES else None

    def _may_repeat(self, iterations: int) -> bool:
        """Return whether so many iterations are tried for a repetition."""
        repetition = self.repetition
        return repetition is not None and 2 * iterations < repetition.iterations and self.may_try(iterations)

    def cut_short(self, depths: Depths) -> Settled | None:
        """Run until a repetition or a deadlock is found; None if there is none before it would not pay."""
        before = self.budget.spent
        settled = self._cut_iterations(depths) or self._cut_rows(depths)
        self.budget.settle(before, in_vain=settled is None)
        return settled

    def _passings(self, rows: Repetition | FrameRows, count: int) -> int:
        """Return the passings of the network with so many iterations or rows."""
        return self.network.passings - (rows.iterations - count) * sum(rows.firings.values())

    def _cut_iterations(self, depths: Depths) -> Settled | None:
        repetition, iterations = self.repetition, _FIRST_ITERATIONS
        while repetition is not None and self._may_repeat(iterations):
            made = self._on_tape(iterations) > 0
            tried = self._passings(repetition, 2 * iterations)
            if self.sparing and not self.budget.allows(tried, half=self._counts_parts, made=made):
                return None
            tapes, ended, found = self.try_out(depths, iterations)
            self.budget.spend(tried, made=made)
            if not ended and not tapes.some_process_started_all():
                return Settled(tapes, ended, repetition)
            on_tape = self._on_tape(iterations)
            if ended and found is not None:
                steady, after = found
                rounds, rest = divmod(repetition.iterations - iterations, steady.iterations)
                if rest:
                    fewer = on_tape - iterations - rest
                    tapes.run(depths, {name: fewer * each for name, each in repetition.firings.items()})
                return Settled(tapes, ended, repetition, steady, after, rounds)
            iterations = max(2 * iterations, on_tape // 2)
        return None

    def _cut_rows(self, depths: Depths) -> Settled | None:
        rows, count = self.rows, _FIRST_ROWS
        while rows is not None and 2 * count <= rows.iterations:
            fits = rows is not self.repetition or self.may_try(count)
            if not fits or (self.sparing and not self.budget.allows(self._passings(rows, count))):
                return None
            tapes, limits = self._tapes_of_rows(rows, count)
            self.budget.spend(tapes.network.passings)
            ended = tapes.run(depths)
            if found := tapes.steady(rows.firings, limits):
                steady, after = found
                rounds, rest = divmod(rows.iterations - count, steady.iterations)
                if rest:
                    tapes, _ = self._tapes_of_rows(rows, count + rest)
                    ended = tapes.run(depths)
                return Settled(tapes, ended, rows, steady, after, rounds)
            if not ended and tapes.stands_before(limits):
                return Settled(tapes, ended, rows)
            if ended and (apart := self._apart(rows, count, depths)):
                return apart
            count *= 2
        return None

    def _apart(self, rows: Repetition | FrameRows, count: int, depths: Depths) -> Settled | None:
        """Return a run whose parts repeat each for itself; None if they do not, with about so many rows."""
        tapes, limits = self._tapes_of_rows(rows, count)
        found = tapes.paces(rows.firings, limits)
        if found and (rest := (rows.iterations - count) % found[0]):
            count += rest
            tapes, limits = self._tapes_of_rows(rows, count)
            found = tapes.paces(rows.firings, limits) if tapes.run(depths) else None
        if found is None or (rows.iterations - count) % found[0]:
            return None
        iterations, cycles = found
        return Settled(tapes, True, rows, later=(rows.iterations - count) // iterations * cycles)

    def _tapes_of_rows(self, rows: Repetition | FrameRows, count: int) -> tuple[Tapes, dict[str, tuple[int, int]]]:
        """Return the tapes of a frame with so many rows, and where the firings of each process are those of rows."""
        if count not in self._of_rows:
            left_out = rows.iterations - count
            tapes = Tapes(rows.shortened(left_out))
            self._of_rows[count] = tapes, rows.limits(tapes.network, left_out)
        return self._of_rows[count]

    def whole(self, depths: Depths) -> Settled:
        """Run to the end.

        Raises
        ------
        UnsupportedByEngine
            If there are too many firings to keep the cycle of each.
        """
        if 0 not in self._tapes:
            if self.too_large:
                words = f"{self.network.passings} firings, and no repetition in the first {self._most}"
                raise UnsupportedByEngine("engine compiled", f"{words}; it keeps {MOST_FIRINGS} at most")
            self._tapes[0] = Tapes(self.network)
        return Settled(self._tapes[0], self._tapes[0].run(depths))

    def steady(self, depths: Depths) -> Steady | None:
        """Return the steady state, with as many firings as it takes up to a limit; None if none is found."""
        iterations = _FIRST_ITERATIONS
        while self.repetition is not None and iterations <= _MOST_ITERATIONS and self.may_try(iterations):
            tapes, ended, found = self.try_out(depths, iterations)
            if found is not None:
                return found[0]
            if not ended and not tapes.some_process_started_all():
                return None
            iterations *= 2
        return None

    @cached_property
    def too_large(self) -> bool:
        """Whether there are too many firings for one tape, or too many accesses of channels by them."""
        ends = [end for channel in self.network.channels for end in (channel.source, channel.target)]
        accesses = sum(self.network.passings_of(end) for end in ends)
        return self.network.passings > MOST_FIRINGS or accesses > MOST_ACCESSES

    def may_try(self, iterations: int) -> bool:
        """Return whether so many iterations fit on a tape."""
        assert self.repetition is not None
        return self._on_tape(iterations) > 0 or self._passings(self.repetition, 2 * iterations) <= self._most

    def _on_tape(self, iterations: int) -> int:
        """Return how many iterations are on the shortest tape that is made with twice as many; 0 if there is none.

        Twice as many: some may be needed to let what is left out be whole repetitions.
        """
        return min((each for each in self._tapes if each >= 2 * iterations), default=0)

    def try_out(self, depths: Depths, iterations: int) -> tuple[Tapes, bool, tuple[Steady, int] | None]:
        """Run a number of iterations; return where, whether all firings ended, and the repetition if there is one."""
        repetition = self.repetition
        assert repetition is not None
        if not (on_tape := self._on_tape(iterations)):
            # While a tape takes more to make than to walk, a longer one costs little more.
            cheap = self.budget.beside_a_tape(self._passings(repetition, 2 * iterations))
            on_tape = max(2 * iterations, min(cheap // sum(repetition.firings.values()), repetition.iterations))
            self._tapes[on_tape] = Tapes(repetition.shortened(repetition.iterations - on_tape).checked())
        tapes, fewer = self._tapes[on_tape], on_tape - iterations
        ended = tapes.run(depths, {name: fewer * each for name, each in repetition.firings.items()})
        return tapes, ended, tapes.steady(repetition.firings)
