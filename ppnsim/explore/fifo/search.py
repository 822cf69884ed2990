"""The exact search where deeper FIFOs never hurt: the cheapest depths not ruled out, and what their failure proves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ppnsim.explore.fifo.answers import Answers, Gap, out_of_reach, sized
from ppnsim.explore.fifo.bounds import enough, largest_failing, reductions
from ppnsim.explore.fifo.cuts import Cuts, Failure
from ppnsim.explore.fifo.problem import Full, Goal, OutOfBudget, Problem, Values, Vector, with_depth, worst


class GuidedSearch:
    """Answers questions one after the other; what one proves helps the next."""

    def __init__(self, problem: Problem, answers: Answers) -> None:
        self.problem, self.answers = problem, answers
        self._failures: list[Failure] = []  # all that was ever found
        self._known: list[tuple[int, Full]] = []  # vectors that may be the answer, with their cost
        self._lower = 0
        self._upper: tuple[int, Full] | None = None

    def run(self, goals: Mapping[str, Goal], start: Sequence[Full], *, with_front: bool) -> None:
        """Answer every question, and walk the front from the first goal on."""
        for number, (question, goal) in enumerate(goals.items()):
            with self._noting(question):
                if number == 0:
                    self._begin(start)
                self._answer(question, goal)
        if with_front and "deadlock_free" in self.answers.found:
            with self._noting("front"):
                self._walk_front(goals["deadlock_free"])

    def _begin(self, start: Sequence[Full]) -> None:
        """Prepare for the first question: find depths that are as fast as any, and learn from earlier answers."""
        problem = self.problem
        if problem.objective.sooner_if_full and worst(values := problem.values(problem.top)) is not None:
            goal = Goal(limits=_times(values))
            vector = enough(problem, goal)
            if vector is not None:
                _, fastest = self._reduced(vector, goal)
                problem.lower_ceilings(fastest)
        for vector in start:
            self._learn(vector)

    @contextmanager
    def _noting(self, question: str) -> Iterator[None]:
        """Note as a gap where a search was stopped, by its budget or by Ctrl-C."""
        self._lower, self._upper = self.problem.cost_of(self.problem.low), None
        try:
            yield
        except (OutOfBudget, KeyboardInterrupt) as stop:
            interrupted = isinstance(stop, KeyboardInterrupt)
            why = "interrupted" if interrupted else str(stop)
            if question == "front":
                why += ": points between these costs may be missing"
                end = self.answers.found.get("lossless")
                upper = end.cost if end else None
            else:
                upper = self._upper[0] if self._upper else None
                if self._upper is not None:
                    vector = self._upper[1]
                    self.answers.found[question] = sized(self.problem, vector, certified=False, with_less=False)
            self.answers.gaps.append(Gap(question=question, lower=self._lower, upper=upper, not_searched=why))
            if interrupted:
                raise

    def _answer(self, question: str, goal: Goal) -> None:
        if not goal.met(self.problem.values(self.problem.top)):
            self.answers.gaps.append(out_of_reach(self.problem, question))
            return
        cuts = Cuts(self.problem)
        cuts.extend(failure for failure in self._failures if not goal.met(failure.values))
        vector = self._cheapest(cuts, goal)
        if vector is None:
            self.answers.gaps.append(Gap(question=question, not_searched="no depth up to 2**40 tokens is enough"))
            return
        self.answers.found[question] = sized(self.problem, vector, certified=True)

    def _cheapest(self, cuts: Cuts, goal: Goal) -> Full | None:
        """Return the cheapest vector that reaches a goal that can be reached; all of ``cuts`` fail it.

        None if no depth does that only unbounded FIFOs do.
        """
        problem = self.problem
        known = [entry for entry in self._known if goal.met(problem.values(entry[1]))]
        if not known:
            vector = enough(problem, goal)
            if vector is None:
                return None
            known = [self._reduced(vector, goal)]
        self._upper = min(known)
        while (proposed := cuts.cheapest(at_least=self._lower, below=self._upper[0])) is not None:
            self._lower = problem.cost_of(proposed)
            works = goal.met(problem.values(proposed))
            repaired = proposed if works else self._repaired(cuts, proposed, goal)
            self._reduced(repaired, goal)
        self._lower = self._upper[0]
        return self._upper[1]

    def _repaired(self, cuts: Cuts, vector: Full, goal: Goal) -> Full:
        """Return a vector that reaches the goal, deeper than ``vector`` where that is to blame; add the cuts."""
        while not goal.met(self.problem.values(vector)):
            failing = largest_failing(self.problem, vector, goal, cuts.last_blamed())
            self._add(cuts, failing)
            vector = tuple(here if there is None else there + 1 for here, there in zip(vector, failing, strict=True))
        return vector

    def _add(self, cuts: Cuts | None, failing: Vector) -> None:
        failure = Failure(failing, self.problem.values(failing))
        self._failures.append(failure)
        if cuts is not None:
            cuts.add(failure)

    def _reduced(self, vector: Full, goal: Goal) -> tuple[int, Full]:
        """Lower a vector that reaches a goal of this question; what is reached on the way outlives an interrupt."""
        for each in reductions(self.problem, vector, goal):
            entry = self.problem.cost_of(each), each
            self._upper = min(self._upper or entry, entry)
        self._known.append(entry)
        return entry

    def _learn(self, vector: Full) -> None:
        """Reuse an earlier answer: its depths may suffice here, and one token less anywhere may fail."""
        values = self.problem.values(vector)
        if worst(values) is None:
            return
        self._known.append((self.problem.cost_of(vector), vector))
        goal = Goal(limits=_times(values))
        for index, depth in enumerate(vector):
            less = with_depth(vector, index, depth - 1)
            if depth > self.problem.low[index] and not goal.met(self.problem.values(less)):
                self._add(None, largest_failing(self.problem, less, goal))

    def _walk_front(self, goal: Goal) -> None:
        """Go from the cheapest vector that runs to the fastest: each next one has to be faster than the last."""
        problem = self.problem
        cuts, others = Cuts(problem), list(self._failures)
        while goal.met(problem.values(problem.top)):
            # Goals get tighter: what failed once goes on failing, and some of what did not fails now.
            cuts.extend(failure for failure in others if not goal.met(failure.values))
            others = [failure for failure in others if goal.met(failure.values)]
            vector = self._cheapest(cuts, goal)
            if vector is None:
                why = "only unbounded FIFOs are faster"
                self.answers.gaps.append(Gap(question="front", lower=self._lower, not_searched=why))
                return
            point = sized(problem, vector, certified=True, with_less=False)
            self.answers.extend_front(point)
            goal = Goal(limits=(point.time,) * len(point.times), strict=True)
            self._known = [entry for entry in self._known if goal.met(problem.values(entry[1]))]


def _times(values: Values) -> tuple[int | float, ...]:
    """Return the times of scenarios that all finish."""
    return tuple(value for value in values if value is not None)  # type: ignore[misc]
