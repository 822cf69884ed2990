"""The exact search where deeper FIFOs never hurt: the cheapest depths not ruled out, and what their failure proves.

A cover proposes the cheapest depths that obey all cuts known, which is a lower bound. If they fail, their critical path
gives new cuts; depths are raised until they work, which is an upper bound; and so on until both meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ppnsim.explore.fifo.answers import Answers, Gap, leave_open, out_of_reach, sized
from ppnsim.explore.fifo.bounds import enough, fewest, reductions
from ppnsim.explore.fifo.cover import Cover
from ppnsim.explore.fifo.cuts import Cut, cost_cut, of_choices
from ppnsim.explore.fifo.lowering import Lowering
from ppnsim.explore.fifo.problem import Full, Goal, OutOfBudget, Problem, worst
from ppnsim.explore.fifo.proposals import Proposals
from ppnsim.explore.fifo.separation import FEW, Separation
from ppnsim.explore.fifo.stop import Stop, limited_front
from ppnsim.explore.fifo.sums import Sums

_FAR = 0.5  # of what is known to be enough: where each FIFO alone needs less in all, sums do not tell soon
_SLOW = 2  # proposals, from which on a run is cheaper than an integer program
_NEAR = 5  # proposals for a point of the front before those of the steady state are asked for

Bounds = Callable[[str, int, int | None], None]  # (question, at least, at most)


class GuidedSearch:
    """Answers questions one after the other; what one proves helps the next."""

    def __init__(
        self, problem: Problem, answers: Answers, stop: Stop | None = None, bounds: Bounds | None = None
    ) -> None:
        self.problem, self.answers, self.stop = problem, answers, stop or Stop()
        self.separation, self._proposals = Separation(problem), Proposals(problem)
        self._cuts: dict[Cut, None] = {}  # all that were ever found
        self._known: list[tuple[int, Full]] = []  # vectors that may be the answer, with their cost
        self._bounds = bounds
        self._question = ""
        self._lower = self._least = 0  # the latter is what depths without deadlock cost at least
        self._upper: tuple[int, Full] | None = None
        self._followed = 0  # hints

    def run(self, goals: Mapping[str, Goal], start: Sequence[Full], *, with_front: bool) -> None:
        """Answer every question, and walk the front from the first goal on."""
        try:
            for number, (question, goal) in enumerate(goals.items()):
                with self._noting(question, goal):
                    if number == 0:
                        self._begin(start)
                    self._answer(question, goal)
        except KeyboardInterrupt:
            for question, goal in goals.items():
                self._leave_open(question, goal, "interrupted before it began")
            raise
        if with_front and "deadlock_free" in self.answers.found:
            with self._noting("front"), limited_front(self.problem):
                self._walk_front(goals["deadlock_free"])

    def _begin(self, start: Sequence[Full]) -> None:
        """Prepare for the first question: find depths that are as fast as any, and learn from earlier answers."""
        problem = self.problem
        if problem.objective.sooner_if_full and worst(values := problem.values(problem.top)) is not None:
            goal = Goal.of(values)
            guess = self.separation.guess(goal, problem.largest())
            vector = guess[0] if guess is not None and goal.met(problem.values(guess[0])) else enough(problem, goal)
            if vector is not None:
                if len(vector) <= FEW:
                    *_, vector = reductions(problem, vector, goal)
                problem.lower_ceilings(vector)
                self._known.append((problem.cost_of(vector), vector))
        for vector in start:
            self._learn(vector)

    def _learn(self, vector: Full) -> None:
        """Reuse an earlier answer: its depths may suffice here, and one token less anywhere may fail."""
        values = self.problem.values(vector)
        if worst(values) is None:
            return
        self._known.append((self.problem.cost_of(vector), vector))
        if len(vector) <= FEW:
            self._cuts |= dict.fromkeys(self.separation.of_one_less(vector, Goal.of(values)))

    @contextmanager
    def _noting(self, question: str, goal: Goal | None = None) -> Iterator[None]:
        """Note as a gap where a search was stopped, by its budget or by Ctrl-C; depths that do are kept."""
        self._question, self._upper = question, None
        self._lower = max(self._least, self.problem.cost_of(self.problem.low))
        try:
            yield
        except (OutOfBudget, KeyboardInterrupt) as stop:
            why = "interrupted" if isinstance(stop, KeyboardInterrupt) else str(stop)
            if goal is not None:
                self._leave_open(question, goal, why)
            else:
                end, why = self.answers.found.get("lossless"), why + ": points between these costs may be missing"
                gap = Gap(question=question, lower=self._lower, upper=end.cost if end else None, not_searched=why)
                self.answers.gaps.append(gap)
            if isinstance(stop, KeyboardInterrupt):
                raise
        finally:
            if question == "deadlock_free":
                self._least = self._lower  # whatever is in time runs

    def _leave_open(self, question: str, goal: Goal, why: str) -> None:
        upper = [] if self._upper is None else [self._upper[1]]
        known = [*upper, *(vector for _, vector in self._known)]
        leave_open(self.problem, self.answers, question, goal, known, lower=self._lower, why=why)

    def _answer(self, question: str, goal: Goal) -> None:
        if not goal.met(self.problem.values(self.problem.top)):
            self.answers.gaps.append(out_of_reach(self.problem, question))
            return
        if (deepest := self.problem.as_top()) is not None and self._bounds is not None:  # asked always: it saves runs
            self._bounds(question, self._lower, self.problem.cost_of(deepest))
        vector = self._cheapest(self._cover(goal), goal)
        if vector is None:
            self.answers.gaps.append(Gap(question=question, not_searched="no depth up to 2**40 tokens is enough"))
            return
        tight = (cut for cut in self._cuts if cut.concerns(goal) and cut.value(vector) == cut.least)
        cuts = tuple(dict.fromkeys(each for cut in tight if (each := of_choices(cut, self.problem)).terms))
        for less in (False, True):  # an interrupt of what the second one runs leaves the proof as it is
            vector = fewest(self.problem, vector, goal) if less and len(vector) <= FEW else vector
            self.answers.found[question] = sized(self.problem, vector, certified=True, with_less=less, forced=cuts)

    def _cover(self, goal: Goal) -> Cover:
        cover = Cover(self.problem, self.problem.largest())
        cover.add([cut for cut in self._cuts if cut.concerns(goal)])
        return cover

    def _cheapest(self, cover: Cover, goal: Goal) -> Full | None:
        """Return the cheapest vector that reaches a goal that can be reached; the cuts of the cover concern it.

        None if no depth does that only unbounded FIFOs do.
        """
        problem = self.problem
        if problem.objective.sooner_if_full and not goal.met(problem.values(cover.most)):
            return None
        for entry in self._known:
            if goal.met(problem.values(entry[1])):
                self._offer(entry[1])
        patience = _NEAR if self._question == "front" else 0  # the next point of a front is mostly near the last one
        while True:
            if patience == 0:
                self._guess(cover, goal)
                if self._upper is not None and self._upper[0] <= self._lower:
                    return self._upper[1]
            patience -= 1
            proposal = self._proposals.cheapest(cover)
            if proposal is None:
                return None if self._upper is None else self._upper[1]
            self._lower = max(self._lower, proposal.lower)
            vector = proposal.vector
            if goal.met(problem.values(vector)):
                self._offer(vector)
            elif self._upper is None or self._lower < self._upper[0]:
                repaired = self._repaired(cover, vector, goal)
                self._offer(repaired)
                if patience < -_SLOW:
                    repaired, cuts = Lowering(problem, self.separation, cover.cuts).lowered(repaired, goal)
                    self._learned(cover, cuts)
                self._reduced(repaired, goal)
                self._follow_hints(cover, goal)
            self._tell()
            assert self._upper is not None
            if self._upper[0] <= self._lower:
                return self._upper[1]
            near = self._upper[0] - self._lower <= self.stop.within * self._lower
            if near and self._question != "front":
                raise OutOfBudget(f"within {self.stop.within:.1%} of what is proven, as asked")

    def _guess(self, cover: Cover, goal: Goal) -> None:
        """Begin with the depths of the steady state and the cuts that force them; otherwise with each alone."""
        if self.separation.only_tries and len(cover.most) <= FEW:
            if goal.met(self.problem.values(cover.most)):
                self._offer(cover.most)
            self._learned(cover, self.separation.alone(goal))
            self._begun(cover, goal)
            self._summed(cover, goal)
        found = self.separation.guess(goal, cover.most)
        if found is not None:
            vector, cuts = found
            self._learned(cover, cuts)
            if goal.met(self.problem.values(cover.most)):
                self._reduced(self._repaired(cover, vector, goal), goal)
            self._tell()

    def _begun(self, cover: Cover, goal: Goal) -> None:
        """Find depths that reach the goal near the cheapest ones that are not ruled out yet."""
        if (proposal := self._proposals.cheapest(cover)) is not None:
            self._lower = max(self._lower, proposal.lower)
            vector = enough(self.problem, goal, proposal.vector)
            if vector is not None:
                self._reduced(vector, goal)
        self._tell()

    def _summed(self, cover: Cover, goal: Goal) -> None:
        """Find the cheapest sums of depths in series, which is an answer where some way to spread them is in time."""
        least = self.problem.cost_of(cover.smallest())
        if self._upper is None or not self.separation.can_sum or least < _FAR * self._upper[0]:
            return
        vector, lower = Sums(self.problem, cover.smallest()).cheapest(goal, self._upper[0])
        self._lower = max(self._lower, lower)
        if vector is not None and goal.met(self.problem.values(vector)):
            self._offer(vector)
        if lower > least:
            self._learned(cover, cost_cut(self.problem, lower, goal))
        self._tell()

    def _follow_hints(self, cover: Cover, goal: Goal) -> None:
        """Find depths that reach the goal from the cheapest ones of parts of the network, when new ones are known."""
        hints = self.separation.hints
        if len(hints) > self._followed:
            self._followed = len(hints)
            self._reduced(self._repaired(cover, cover.hinted(hints), goal), goal)

    def _learned(self, cover: Cover, cuts: list[Cut]) -> None:
        self._cuts |= dict.fromkeys(cuts)
        cover.add(cuts)

    def _tell(self) -> None:
        if self._bounds is not None:
            self._bounds(self._question, self._lower, self._upper[0] if self._upper else None)

    def _offer(self, vector: Full) -> None:
        entry = self.problem.cost_of(vector), vector
        if self._upper is None or entry < self._upper:
            self._upper = entry

    def _repaired(self, cover: Cover, vector: Full, goal: Goal) -> Full:
        """Return a vector that reaches the goal, deeper than ``vector`` where that is to blame; add the cuts."""
        known = len(self.separation.hints)
        while not goal.met(self.problem.values(vector)):
            self.problem.seconds_left()
            cuts = self.separation.cuts(vector, goal)
            assert cuts, "what fails has a reason"
            self._learned(cover, cuts)
            if len(hints := self.separation.hints) > known:
                vector, known = cover.hinted(hints), len(hints)
            for cut in cuts:
                vector = cover.raised(vector, cut)
        return vector

    def _reduced(self, vector: Full, goal: Goal) -> None:
        """Lower a vector that reaches a goal; what is reached on the way, but to a front, outlives an interrupt."""
        self._offer(vector)
        if len(vector) <= FEW and self._question != "front":
            for each in reductions(self.problem, vector, goal):
                self._offer(each)
                vector = each
        self._known.append((self.problem.cost_of(vector), vector))

    def _walk_front(self, goal: Goal) -> None:
        """Go from the cheapest vector that runs to the fastest: each next one has to be faster than the last."""
        problem = self.problem
        cover = self._cover(goal)
        while goal.met(problem.values(problem.top)):
            # Goals get tighter: what failed once goes on failing, and some of what did not fails now.
            cover.add([cut for cut in self._cuts if cut.concerns(goal)])
            self._upper = None
            vector = self._cheapest(cover, goal)
            if vector is None:
                why = "only unbounded FIFOs are faster"
                self.answers.gaps.append(Gap(question="front", lower=self._lower, not_searched=why))
                return
            point = sized(problem, vector, certified=True, with_less=False)
            self.answers.extend_front(point)
            goal = Goal(limits=(point.time,) * len(point.times), strict=True)
            self._known = [entry for entry in self._known if goal.met(problem.values(entry[1]))]
