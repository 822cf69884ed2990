"""The passings of a round, in units of those that happen in the same cycle, as the style of their process has it.

A flushable process is a loop inside a round: its start looks at as many of the due accesses before as happen by then.
Starts never hold the pipeline, so a due access depends on its own start and on those due before alone. Each start comes
after all of them in the order, which is more than it needs, and the round is in order whatever the holds are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tape import FIRST, FLUSHABLE, FROZEN, II, KIND, LAST, OFFSET, OFFSET_STEP, Tape
from ppnsim.engines.compiled.terms import MaxTerm


@dataclass(slots=True)
class Passing:
    """Firing i q + ``phase`` of a node in iteration i, which is round i + ``lag``; ``unit`` is what it passes with.

    ``after`` are passings that come before it in the order, and whose cycles are looked at, but are no bound by
    themselves.
    """

    node: int
    phase: int
    terms: list[MaxTerm]
    after: list[MaxTerm] = field(default_factory=list)
    lag: int = 0
    unit: int = -1

    @property
    def looks_at(self) -> list[MaxTerm]:
        """All passings that have to be known before this one."""
        return [*self.terms, *self.after]


@dataclass(slots=True)
class RoundUnit:
    """Passings in the same cycle: one of an elastic step, all that are due at one step of a frozen pipeline.

    ``gap`` is the cycles at least since the unit ``before``, which is -1 for an elastic step. A flushable pipeline's
    ``later`` step is the node of its accesses after the start (the start itself, if there are none).
    """

    actor: int
    passings: list[Passing]
    before: int = -1
    gap: int = 0
    later: int = -1

    @property
    def kept(self) -> bool:
        """Whether all units of its process keep their distances in rounds."""
        return self.before >= 0 or self.later >= 0


def has_rounds(tape: Tape, actor: Int64Array) -> bool:
    """Return whether a process is one that rounds can have: a flushable one holds at one step alone."""
    own = tape.nodes[actor[FIRST] : actor[LAST]]
    return bool(actor[KIND] != FLUSHABLE or (len(own) <= 2 and not own[:, OFFSET_STEP].any()))


def units_of(tape: Tape, actor: int, passings: list[Passing], number: int) -> list[RoundUnit]:
    """Return the units of a process's passings; the first of them will have this number."""
    kind = tape.actors[actor, KIND]
    if kind == FROZEN:
        return _frozen(tape, actor, passings, number)
    if kind == FLUSHABLE:
        return _flushable(tape, actor, passings)
    return [RoundUnit(actor, [passing]) for passing in passings]


def _flushable(tape: Tape, actor: int, passings: list[Passing]) -> list[RoundUnit]:
    """Return a flushable pipeline's starts and due accesses, each start after all that may be due before it."""
    units = []
    first, later, ii = (int(tape.actors[actor, column]) for column in (FIRST, LAST, II))
    later -= 1
    depth = int(tape.tables[tape.nodes[later, OFFSET]])
    for passing in passings:
        if passing.node != first:
            passing.after.append(MaxTerm(first, passing.phase, 0, tabled=False))
        else:
            in_flight = -(-depth // ii)
            passing.after.append(MaxTerm(later, passing.phase - 1, 0, tabled=False))
            passing.after.append(MaxTerm(later, passing.phase - 1 - in_flight, 0, tabled=True))
        gap = ii if passing.node == first else depth
        units.append(RoundUnit(actor, [passing], gap=gap, later=later))
    return units


def _frozen(tape: Tape, actor: int, passings: list[Passing], number: int) -> list[RoundUnit]:
    """Return a frozen pipeline's steps: what is due at the same one passes in the same cycle."""
    ii = int(tape.actors[actor, II])
    window = ii * (1 + max(passing.phase for passing in passings))
    due: dict[int, list[Passing]] = {}
    for passing in passings:
        step = passing.phase * ii + int(tape.tables[tape.nodes[passing.node, OFFSET]])
        passing.lag = step // window
        due.setdefault(step % window, []).append(passing)
    steps, units = sorted(due), []
    for place, step in enumerate(steps):
        before = number + (place - 1) % len(steps)
        gap = (step - steps[place - 1] - 1) % window + 1
        units.append(RoundUnit(actor, due[step], before, gap))
    return units
