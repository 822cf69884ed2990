"""Rounds as rows of a table: what `round_walk` goes through, for work that is too little to compile code for.

A row evaluates three terms and what the row before has found, and writes the latest of them: a unit with more terms, or
with several passings, has several rows, of which each takes up what the row before has found. A flushable process has
one row for a start and the access after it, where nothing comes between them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.round_states import COUNT_OF_STATES
from ppnsim.engines.compiled.round_units import Passing, RoundUnit
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, FIRST, NOTHING, Tape

# a row: where each of three terms lies in round 0, and its weight; where to write; what is added to the row before.
AT, WEIGHT, TO, PLUS, PLAIN = 0, 1, 6, 7, 8
# what a flushable process does there (nothing, start and access, start, access), where its state lies, the gap of a
# start, where the access after it lies, and where each of two terms of that lies, and its weight.
DOES, STATE, GAP, OUT, OUT_AT, OUT_WEIGHT, SINGLE_RATE = 8, 9, 10, 11, 12, 13, 16
# where processes fire several times in a round: how far apart rounds of the terms lie, of what is written, and of the
# terms of an access.
STEP, TO_STEP, OUT_STEP, ALL = 16, 19, 20, 22
PASSES, FIRES, STARTS, IS_DUE = range(4)
_TERMS, _TERMS_OUT = 3, 2
_UNUSED = (0, NOTHING, 0)

Place = tuple[int, int]
Term = tuple[int, int, int]  # place in round 0, weight, how far apart rounds lie


def rows_of(rounds: Rounds, tape: Tape) -> Int64Array:
    """Return the rows of a tape's rounds in order, with its depths."""
    return _Writer(rounds, tape).written()


class _Writer:
    def __init__(self, rounds: Rounds, tape: Tape) -> None:
        self._rounds, self._tape = rounds, tape
        self._state = {actor: number * COUNT_OF_STATES for number, actor in enumerate(rounds.flushable)}

    def written(self) -> Int64Array:
        rows, before = list[list[int]](), -1
        for number in self._rounds.order:
            terms, plus = self._split(number, before)
            if not (plus == NOTHING and self._rounds.access_of(before) == number and _with_start(rows[-1], terms)):
                rows += self._unit(number, terms, plus)
            before = number
        return np.array(rows, dtype=np.int64)

    def _split(self, number: int, before: int) -> tuple[list[Term], int]:
        """Return the terms of a unit, and what is added to the unit before, which is -1 in the first row of a round."""
        terms, plus = [], NOTHING
        for same_round, source, term in self._terms(number, self._rounds.units[number]):
            if same_round and source == before:
                plus = max(plus, term[1])
            else:
                terms.append(term)
        return terms, plus

    def _unit(self, number: int, terms: list[Term], plus: int) -> list[list[int]]:
        """Return the rows of a unit."""
        unit, rows = self._rounds.units[number], []
        own = [self._own(passing) for passing in unit.passings]
        for at in range(0, max(1, len(terms)), _TERMS):
            rows.append(_row(terms[at : at + _TERMS], own[0], plus))
            plus = 0
        rows += [_row([], place, 0) for place in own[1:]]
        if unit.later >= 0:
            rows[-1][DOES : OUT + 1] = self._flushable(unit)
        return rows

    def _terms(self, number: int, unit: RoundUnit) -> Iterator[tuple[bool, int, Term]]:
        """Yield what a unit waits for: whether it passes in the same round, its unit, and the term itself."""
        for passing in unit.passings:
            for term in passing.terms:
                ahead, source = self._rounds.source(passing, term)
                at, step = self._place(term.source, self._rounds.index(passing, term))
                yield ahead == 0, source.unit, (at, term.weight, step)
        if unit.before >= 0:  # in the same round, or in the round before if it has the larger number
            at, step = self._own(self._rounds.units[unit.before].passings[0])
            same = unit.before < number
            yield same, unit.before, (at if same else at - step, unit.gap, step)

    def _flushable(self, unit: RoundUnit) -> list[int]:
        passing, state = unit.passings[0], self._state[unit.actor]
        if passing.node != self._tape.actors[unit.actor, FIRST]:
            return [IS_DUE, state, 0, 0]
        return [STARTS, state, unit.gap, self._own(self._rounds.at[unit.later, passing.phase])[0]]

    def _own(self, passing: Passing) -> Place:
        return self._place(passing.node, passing.phase - passing.lag * self._rounds.repeats[passing.node])

    def _place(self, node: int, index: int) -> Place:
        """Return where firing ``r q + index`` of a node lies on the tape in round 0, and how far rounds are apart."""
        return int(self._tape.nodes[node, BASE]) + index, self._rounds.repeats[node]


def _row(terms: list[Term], own: Place, plus: int) -> list[int]:
    row = ALL * [0]
    row[TO], row[TO_STEP], row[PLUS] = *own, plus
    for k, (at, weight, step) in enumerate([*terms, *(_TERMS - len(terms)) * [_UNUSED]]):
        row[2 * k + AT], row[2 * k + WEIGHT], row[STEP + k] = at, weight, step
    return row


def _with_start(row: list[int], terms: list[Term]) -> bool:
    """Have the row of a start evaluate its access as well; return whether it has room for the terms."""
    if len(terms) > _TERMS_OUT:
        return False
    row[DOES] = FIRES
    for k, (at, weight, step) in enumerate([*terms, *(_TERMS_OUT - len(terms)) * [_UNUSED]]):
        row[2 * k + OUT_AT], row[2 * k + OUT_WEIGHT], row[OUT_STEP + k] = at, weight, step
    return True
