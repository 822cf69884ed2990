"""Rounds walked by tables: what generated code does, for work that is too little to compile code for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.jit import kernel, machine_code, unsigned
from ppnsim.engines.compiled.round_units import Passing, RoundUnit
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, Tape

_SHALLOW = 6  # rounds: with more of them in FIFOs the general kernel is as fast


def round_walker(rounds: Rounds, tape: Tape) -> Callable[[int, int], None] | None:
    """Return what evaluates rounds ``begin`` .. ``end`` - 1 of a tape; None where the general kernel is faster.

    That is where it evaluates many firings of a process before it has to look at another one. Processes that are
    flushable have no tables.
    """
    if any(unit.later >= 0 for unit in rounds.units) or _slack(rounds) > _SHALLOW:
        return None
    terms, places = [], []
    for number in rounds.order:
        unit = rounds.units[number]
        looked_at = [
            (*_place(rounds, tape, term.source, rounds.index(each, term)), term.weight)
            for each in unit.passings
            for term in each.terms
        ]
        if unit.before >= 0:
            looked_at.append((*_before(rounds, tape, number, unit), unit.gap))
        terms.append(looked_at)
        places.append([_own(rounds, tape, each) for each in unit.passings])
    ends = np.array([list(accumulate(map(len, rows), initial=0)) for rows in (terms, places)], dtype=np.int64)
    at, step, weight = np.array([row for rows in terms for row in rows], dtype=np.int64).reshape(-1, 3).T.copy()
    to, to_step = np.array([row for rows in places for row in rows], dtype=np.int64).T.copy()
    walk = machine_code(_walk)
    return lambda begin, end: walk(tape.cycles, ends, at, step, weight, to, to_step, begin, end)


def _slack(rounds: Rounds) -> int:
    """Return how many rounds a process can be ahead of another one, at the least."""
    slack = _SHALLOW + 1
    for unit in rounds.units:
        for passing in unit.passings:
            for term in passing.terms:
                ahead, source = rounds.source(passing, term)
                if ahead < 0 and rounds.units[source.unit].actor != unit.actor:
                    slack = min(slack, -ahead)
    return slack


def _place(rounds: Rounds, tape: Tape, node: int, index: int) -> tuple[int, int]:
    """Return where on the tape the firing ``r q + index`` of a node lies in round 0, and how far apart rounds lie."""
    return int(tape.nodes[node, BASE]) + index, rounds.repeats[node]


def _own(rounds: Rounds, tape: Tape, passing: Passing) -> tuple[int, int]:
    return _place(rounds, tape, passing.node, passing.phase - passing.lag * rounds.repeats[passing.node])


def _before(rounds: Rounds, tape: Tape, number: int, unit: RoundUnit) -> tuple[int, int]:
    """Return where the unit before lies: in the same round, or in the round before if it has the larger number."""
    passing = rounds.units[unit.before].passings[0]
    at, step = _own(rounds, tape, passing)
    return (at if unit.before < number else at - step), step


@kernel
def _walk(
    x: Int64Array, ends: Int64Array, at: Int64Array, step: Int64Array, weight: Int64Array, to: Int64Array,
    to_step: Int64Array, begin: int, end: int,
) -> int:  # fmt: skip
    """Evaluate rounds; each unit passes at the latest of its terms."""
    units = unsigned(ends.shape[1] - 1)
    one = unsigned(1)
    for r in range(begin, end):
        term, place = unsigned(0), unsigned(0)
        for unit in range(units):
            until = unsigned(ends[0, unit + one])
            now = x[unsigned(at[term] + r * step[term])] + weight[term]
            term += one
            while term < until:
                now = max(now, x[unsigned(at[term] + r * step[term])] + weight[term])
                term += one
            until = unsigned(ends[1, unit + one])
            x[unsigned(to[place] + r * to_step[place])] = now
            place += one
            while place < until:
                x[unsigned(to[place] + r * to_step[place])] = now
                place += one
    return end - begin
