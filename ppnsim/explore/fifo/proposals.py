"""The cheapest vectors that are not ruled out, asked for as long as there is time to answer."""

from __future__ import annotations

import time

from ppnsim.explore.fifo.cover import Cover, Proposal
from ppnsim.explore.fifo.problem import OutOfBudget, Problem


class Proposals:
    """Asks covers of a problem; an answer takes about as long as those before, or longer: cuts are added.

    HiGHS seldom looks at its time limit (seconds apart), so it is not asked when less is left than it took at most.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> problem = problem_of([chain(firings=9)])
    >>> Proposals(problem).cheapest(Cover(problem, (9, 9)))
    Proposal(vector=(1, 1), lower=2)
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._took = problem, 0.0

    def cheapest(self, cover: Cover) -> Proposal | None:
        """Return the cheapest vector that obeys the cuts of a cover, None if none does.

        Raises
        ------
        OutOfBudget
            If there is no time for it.
        """
        left, begin = self._problem.seconds_left(needed=self._took), time.monotonic()
        try:
            proposal = cover.cheapest(left)
        except OutOfBudget:
            self._problem.seconds_left()  # says whose time is over
            raise
        self._took = max(self._took, time.monotonic() - begin)
        return proposal
