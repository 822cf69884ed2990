"""Rounds as rows of a table: what `round_walk` goes through, for work that is too little to compile code for.

A row evaluates three terms and what the row before has found, and writes the latest of them: a unit with more terms, or
with several passings, has several rows, of which each takes up what the row before has found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.round_units import Passing, RoundUnit
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, FIRST, NOTHING, Tape

# a row: where each of three terms lies in round 0, and its weight; where to write; what is added to the row before.
AT, WEIGHT, TO, PLUS, SINGLE_RATE = 0, 1, 6, 7, 8
# where rounds differ: how far apart rounds of the terms and of what is written lie; what a flushable process does there
# (nothing, start, start without a step after it, access), its number, its gap (of a start), where its access after it
# lies, and how far apart those of two rounds lie.
STEP, TO_STEP, DOES, STATE, GAP, DUE, DUE_STEP, COLUMNS = 8, 11, 12, 13, 14, 15, 16, 17
PASSES, STARTS, STARTS_ALONE, IS_DUE = range(4)
_TERMS = 3
_UNUSED = (0, NOTHING, 0)

Place = tuple[int, int]
Term = tuple[int, int, int]  # place in round 0, weight, how far apart rounds lie


@dataclass(frozen=True, slots=True)
class RoundTable:
    """The rows of a tape's rounds in order, and its flushable processes by their number."""

    rows: Int64Array
    flushable: list[int]

    @classmethod
    def of(cls, rounds: Rounds, tape: Tape) -> RoundTable:
        """Return the table of a tape's rounds with its depths."""
        return _Writer(rounds, tape).written()


class _Writer:
    def __init__(self, rounds: Rounds, tape: Tape) -> None:
        self._rounds, self._tape = rounds, tape
        self._number = {actor: number for number, actor in enumerate(rounds.flushable)}

    def written(self) -> RoundTable:
        rows, before = [], -1
        for number in self._rounds.order:
            rows += self._unit(number, before)
            before = number
        return RoundTable(np.array(rows, dtype=np.int64), list(self._number))

    def _unit(self, number: int, before: int) -> list[list[int]]:
        """Return the rows of a unit after that of another one, which is -1 in the first row of a round."""
        unit = self._rounds.units[number]
        terms, plus = [], NOTHING
        for same_round, source, term in self._terms(number, unit):
            if same_round and source == before:
                plus = max(plus, term[1])
            else:
                terms.append(term)
        rows = []
        own = [self._own(passing) for passing in unit.passings]
        for at in range(0, max(1, len(terms)), _TERMS):
            rows.append(_row(terms[at : at + _TERMS], own[0], plus))
            plus = 0
        rows += [_row([], place, 0) for place in own[1:]]
        if unit.later >= 0:
            rows[-1][DOES:] = self._flushable(unit)
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
        passing, state = unit.passings[0], self._number[unit.actor]
        if passing.node != self._tape.actors[unit.actor, FIRST]:
            return [IS_DUE, state, 0, 0, 0]
        due, step = self._own(self._rounds.at[unit.later, passing.phase])
        does = STARTS if unit.later != passing.node else STARTS_ALONE
        return [does, state, unit.gap, due, step]

    def _own(self, passing: Passing) -> Place:
        return self._place(passing.node, passing.phase - passing.lag * self._rounds.repeats[passing.node])

    def _place(self, node: int, index: int) -> Place:
        """Return where firing ``r q + index`` of a node lies on the tape in round 0, and how far rounds are apart."""
        return int(self._tape.nodes[node, BASE]) + index, self._rounds.repeats[node]


def _row(terms: list[Term], own: Place, plus: int) -> list[int]:
    row = COLUMNS * [0]
    row[TO], row[TO_STEP], row[PLUS] = *own, plus
    for k, (at, weight, step) in enumerate([*terms, *(_TERMS - len(terms)) * [_UNUSED]]):
        row[2 * k + AT], row[2 * k + WEIGHT], row[STEP + k] = at, weight, step
    return row
