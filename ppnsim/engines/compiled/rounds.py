"""A network as rounds: in every round each step passes as often as in one graph iteration, in an order that works.

Firing n = i q + j of a step (q firings in an iteration) falls into round i + lag. A term of its recurrence that looks
back to firing r q' + c of another step then looks at the same c in every round r: straight-line code can do it. The
lags are the smallest ones with which no term looks at a later round; terms that look at the same round set the order.
Where there are no such lags, or no such order, something waits for itself: a deadlock, which is left to the general
kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from ppnsim.engines.compiled.round_units import Passing, RoundUnit, has_rounds, units_of
from ppnsim.engines.compiled.tape import FIRST, LAST, Tape
from ppnsim.engines.compiled.terms import MaxTerm, terms_of

_MOST_PASSINGS = 400  # in a round: more of them are too long a text to compile


@dataclass(slots=True)
class Rounds:
    """The rounds of a tape: ``units`` by number, and the ``order`` in which a round goes through them.

    ``repeats`` is q of every node; ``at`` finds the passing of a node and phase. In rounds ``begin`` .. ``end`` - 1
    every step passes as often as in an iteration, and whatever it looks back to is on the tape.
    """

    repeats: list[int]
    units: list[RoundUnit] = field(default_factory=list)
    at: dict[tuple[int, int], Passing] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    begin: int = 0
    end: int = 0

    @property
    def flushable(self) -> dict[int, int]:
        """The flushable processes, each with the node of its accesses after the start (`RoundUnit`)."""
        return {unit.actor: unit.later for unit in self.units if unit.later >= 0}

    def index(self, passing: Passing, term: MaxTerm) -> int:
        """Return c of the firing ``r q + c`` that a term looks at in round r."""
        return term.index - passing.lag * self.repeats[term.source]

    def source(self, passing: Passing, term: MaxTerm) -> tuple[int, Passing]:
        """Return what a term looks at, and how many rounds later (if negative, earlier) than its own that passes."""
        ahead, phase = divmod(self.index(passing, term), self.repeats[term.source])
        found = self.at[term.source, phase]
        return ahead + found.lag, found

    def access_of(self, number: int) -> int:
        """Return the unit of the access after a flushable start, -1 if the unit of this number is none."""
        passing, later = self.units[number].passings[0], self.units[number].later
        return self.at[later, passing.phase].unit if later not in (-1, passing.node) else -1

    def passed(self, node: int, rounds: int) -> int:
        """Return how many firings of a node the first rounds contain."""
        return sum(max(0, rounds - self.at[node, phase].lag) for phase in range(self.repeats[node]))


def rounds_of(tape: Tape, repeats: list[int]) -> Rounds | None:
    """Return a tape's rounds if it has any: everything periodic in ``repeats``, no circle of waits.

    A flushable process has them if all its accesses are at its start and at one step after it.

    Parameters
    ----------
    tape : with its depths.
    repeats : firings of each node in a graph iteration.
    """
    if sum(repeats) > _MOST_PASSINGS or not all(has_rounds(tape, actor) for actor in tape.actors):
        return None
    found = terms_of(tape, repeats)
    if found is None:
        return None
    terms, last = found
    rounds = Rounds(repeats)
    for number, actor in enumerate(tape.actors):
        nodes = range(actor[FIRST], actor[LAST])
        passings = [Passing(v, j, terms[v, j]) for v in nodes for j in range(repeats[v])]
        rounds.units += units_of(tape, number, passings, len(rounds.units))
    for number, unit in enumerate(rounds.units):
        for passing in unit.passings:
            passing.unit = number
            rounds.at[passing.node, passing.phase] = passing
    if not _set_lags(rounds) or not _set_order(rounds):
        return None
    _set_limits(rounds, last)
    return rounds if rounds.begin < rounds.end else None


def _set_lags(rounds: Rounds) -> bool:
    """Give every passing the smallest lag with which it looks at no later round; return whether there is one.

    Passings of a frozen or flushable pipeline keep their distances; those of an elastic step have the same lag.
    """
    together: dict[tuple[bool, int], list[Passing]] = {}
    for unit in rounds.units:
        key = unit.kept, unit.actor if unit.kept else unit.passings[0].node
        together.setdefault(key, []).extend(unit.passings)
    for _ in range(len(together) + 1):
        settled = True
        for passings in together.values():
            late = max((rounds.source(each, term)[0] for each in passings for term in each.looks_at), default=0)
            if late > 0:
                settled = False
                for each in passings:
                    each.lag += late
        if settled:
            return True
    return False


def _set_order(rounds: Rounds) -> bool:
    """Sort the units so that each comes after what it looks at in the same round; return whether that is possible."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for number, unit in enumerate(rounds.units):
        looked_at = [rounds.source(each, term) for each in unit.passings for term in each.looks_at]
        same_round = {source.unit for ahead, source in looked_at if ahead == 0}
        if 0 <= unit.before < number:
            same_round.add(unit.before)
        sorter.add(number, *sorted(same_round))
    try:
        sorter.prepare()
    except CycleError:
        return False
    ready: list[int] = []
    while sorter.is_active():
        ready += sorter.get_ready()
        # an access after its start, else one that waits for the unit before, if there is one: `round_table`
        own = rounds.access_of(rounds.order[-1]) if rounds.order else -1
        rounds.order.append(ready.pop(ready.index(own) if own in ready else -1))
        sorter.done(rounds.order[-1])
    return True


def _set_limits(rounds: Rounds, last: dict[int, int]) -> None:
    """Set the first and the last round that have all passings, each with a firing of its own before it."""
    rounds.begin = 1 + max(each.lag for each in rounds.at.values())
    for each in rounds.at.values():
        for term in each.looks_at:
            if term.tabled:
                rounds.begin = max(rounds.begin, -(rounds.index(each, term) // rounds.repeats[term.source]))
    rounds.end = min(
        (last[each.node] - 1 - each.phase) // rounds.repeats[each.node] + 1 + each.lag for each in rounds.at.values()
    )
