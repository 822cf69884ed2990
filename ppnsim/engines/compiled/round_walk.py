"""Rounds walked by tables: what generated code does, for work that is too little to compile code for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.round_table import (
    AT,
    DOES,
    DUE,
    DUE_STEP,
    GAP,
    IS_DUE,
    PLUS,
    SINGLE_RATE,
    STARTS,
    STATE,
    STEP,
    TO,
    TO_STEP,
    WEIGHT,
    RoundTable,
)
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, FIRST, NOTHING, OFFSET, Tape
from ppnsim.machine_code.kernels import machine_code
from ppnsim.machine_code.marks import kernel, unsigned

RoundWalker = Callable[[int, int, Int64Array, int], None]
"""Evaluates ``blocks`` times ``span`` rounds from ``begin`` on, and makes ``moves`` after each block (`Generated`)."""

# what a flushable process remembers: the cycle of its last start, where the first access due after it lies, and after
# how many cycles its own access comes due, which those before it hold; `beats` has when each comes due (`round_dues`)
_START, _NEXT, _UNTIL_DUE, _STATES = range(4)


def round_walker(rounds: Rounds, tape: Tape) -> RoundWalker:
    """Return what evaluates rounds of a tape by a table."""
    table = RoundTable.of(rounds, tape)
    if _is_single_rate(rounds):
        rows = np.ascontiguousarray(table.rows[:, :SINGLE_RATE])
        walk = machine_code(_walk)

        def by_rows(begin: int, span: int, moves: Int64Array, blocks: int) -> None:
            walk(tape.cycles, rows, moves, begin, span, blocks)

        return by_rows
    walk_any = machine_code(_walk_any)
    apart = np.array([rounds.repeats[rounds.flushable[actor]] for actor in table.flushable], dtype=np.int64)

    def by_any_rows(begin: int, span: int, moves: Int64Array, blocks: int) -> None:
        found = [_state(tape, rounds, actor, begin) for actor in table.flushable]
        states = np.array(found, dtype=np.int64).reshape(-1, _STATES)
        walk_any(tape.cycles, tape.beats, table.rows, states, apart, moves, begin, span, blocks)

    return by_any_rows


def _is_single_rate(rounds: Rounds) -> bool:
    """Return whether all processes fire once in a round and none is flushable: half the columns say it all."""
    return max(rounds.repeats) == 1 and all(unit.later < 0 for unit in rounds.units)


def _state(tape: Tape, rounds: Rounds, actor: int, begin: int) -> list[int]:
    """Return what a flushable process remembers before a round, as the tape has it."""
    x, beats, later = tape.cycles, tape.beats, rounds.flushable[actor]
    first = int(tape.actors[actor, FIRST])
    start = int(x[tape.nodes[first, BASE] + rounds.passed(first, begin) - 1])
    place, until = (
        int(tape.nodes[later, BASE]) + rounds.passed(later, begin),
        int(tape.tables[tape.nodes[later, OFFSET]]),
    )
    while later != first and beats[place - 1] > start:
        place -= 1
        until += int(x[place] - beats[place])
    return [start, place, until]


@kernel
def _walk(x: Int64Array, rows: Int64Array, moves: Int64Array, begin: int, span: int, blocks: int) -> int:
    """Evaluate rounds of processes that fire once in each: every row writes the latest of its terms."""
    count = unsigned(len(rows))
    for _ in range(blocks):
        for r in range(unsigned(begin), unsigned(begin + span)):
            now = NOTHING
            for k in range(count):
                now = max(
                    now + rows[k, PLUS],
                    max(
                        x[unsigned(rows[k, AT]) + r] + rows[k, WEIGHT],
                        max(
                            x[unsigned(rows[k, AT + 2]) + r] + rows[k, WEIGHT + 2],
                            x[unsigned(rows[k, AT + 4]) + r] + rows[k, WEIGHT + 4],
                        ),
                    ),
                )
                x[unsigned(rows[k, TO]) + r] = now
        _move(x, moves)
    return blocks


@kernel
def _walk_any(
    x: Int64Array, beats: Int64Array, rows: Int64Array, states: Int64Array, apart: Int64Array, moves: Int64Array,
    begin: int, span: int, blocks: int,
) -> int:  # fmt: skip
    """Evaluate rounds of processes that fire any number of times in each, flushable ones among them."""
    count = unsigned(len(rows))
    for _ in range(blocks):
        for r in range(begin, begin + span):
            now = NOTHING
            for k in range(count):
                now = max(
                    now + rows[k, PLUS],
                    max(
                        x[unsigned(rows[k, AT] + r * rows[k, STEP])] + rows[k, WEIGHT],
                        max(
                            x[unsigned(rows[k, AT + 2] + r * rows[k, STEP + 1])] + rows[k, WEIGHT + 2],
                            x[unsigned(rows[k, AT + 4] + r * rows[k, STEP + 2])] + rows[k, WEIGHT + 4],
                        ),
                    ),
                )
                to = unsigned(rows[k, TO] + r * rows[k, TO_STEP])
                if rows[k, DOES]:
                    now = _pass(x, beats, rows, k, states, rows[k, STATE], now, to, r)
                x[to] = now
        _move(x, moves)
        if len(states):
            _move(beats, moves)
            for own in range(len(states)):
                states[own, _NEXT] -= span * apart[own]
    return blocks


@kernel
def _pass(
    x: Int64Array, beats: Int64Array, rows: Int64Array, k: int, states: Int64Array, own: int, ready: int, to: int,
    r: int,
) -> int:  # fmt: skip
    """Return the cycle in which a flushable process starts, the first that is not held, or has its access."""
    if rows[k, DOES] == IS_DUE:
        due = states[own, _START] + states[own, _UNTIL_DUE]
        now: int = max(ready, due)
        beats[to] = due
        states[own, _UNTIL_DUE] += now - due
        return now
    start = states[own, _START] + rows[k, GAP]
    if rows[k, DOES] == STARTS:
        place, behind = states[own, _NEXT], rows[k, DUE] + r * rows[k, DUE_STEP]
        while place < behind and beats[unsigned(place)] <= max(start, ready):
            held = x[unsigned(place)] - beats[unsigned(place)]
            start = max(start, beats[unsigned(place)]) + held
            states[own, _UNTIL_DUE] -= held
            place += 1
        states[own, _NEXT] = place
    start = max(start, ready)
    states[own, _START] = start
    return int(start)


@kernel
def _move(values: Int64Array, moves: Int64Array) -> None:
    """Move entries: rows of (to, from, count)."""
    for place in range(len(moves)):
        for entry in range(moves[place, 2]):
            values[unsigned(moves[place, 0] + entry)] = values[unsigned(moves[place, 1] + entry)]
