"""From depths that reach a goal to smaller ones, with a cut for each attempt that fails: both bounds get closer.

An entry is lowered as far as the cuts that are known allow. If that fails, its cuts say how deep it has to be beside
these other depths. No run is made twice for one reason, and a run costs less than an integer program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ppnsim.explore.fifo.cuts import Cut
from ppnsim.explore.fifo.problem import Full, Goal, Problem, with_depth
from ppnsim.explore.fifo.separation import Separation

_TRIES = 6  # for an entry


class Lowering:
    """Lowers vectors by ``cuts`` of the goal that are known, and those of runs on the way.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import fork_join
    >>> problem = problem_of([fork_join(firings=20)])  # short_in, short_out, long_in, long_out
    >>> vector, cuts = Lowering(problem, Separation(problem), []).lowered((9, 20, 4, 4), Goal(limits=(37,)))
    >>> vector, len(cuts)
    ((9, 6, 2, 2), 4)
    """

    def __init__(self, problem: Problem, separation: Separation, cuts: Iterable[Cut]) -> None:
        self._problem, self._separation = problem, separation
        self._of_variable: dict[int, list[Cut]] = defaultdict(list)
        self._note(cuts)

    def lowered(self, vector: Full, goal: Goal) -> tuple[Full, list[Cut]]:
        """Return a vector that is nowhere deeper than the one given and reaches the goal as well, and the new cuts."""
        problem, learned = self._problem, list[Cut]()
        saved = {index: self._saving(vector, index) for index in range(len(vector))}
        for index in sorted((each for each in saved if saved[each]), key=lambda each: (-saved[each], each)):
            for _ in range(_TRIES):
                depth = self._least(vector, index)
                if depth >= vector[index]:
                    break
                tried = with_depth(vector, index, depth)
                if goal.met(problem.values(tried)):
                    vector = tried
                    break
                cuts = self._separation.cuts(tried, goal)
                self._note(cuts)
                learned += cuts
        return vector, learned

    def _note(self, cuts: Iterable[Cut]) -> None:
        for cut in cuts:
            for variable in {reach.variable for reach, _ in cut.terms}:
                self._of_variable[variable].append(cut)

    def _saving(self, vector: Full, index: int) -> int:
        cost_at = self._problem.cost_at
        return cost_at(index, vector[index]) - cost_at(index, self._least(vector, index))

    def _least(self, vector: Full, index: int) -> int:
        """Return the least depth of a variable, the others being as they are, at which the cuts hold."""
        depth = self._problem.low[index]
        for cut in self._of_variable[index]:
            mine = [(reach, count) for reach, count in cut.terms if reach.variable == index]
            need = cut.least - cut.value(vector) + sum(count * reach.at(vector[index]) for reach, count in mine)
            while sum(count * reach.at(depth) for reach, count in mine) < need:
                depth = min(reach.next_step(depth) for reach, _ in mine)
        return depth
