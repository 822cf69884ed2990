"""Rounds walked by tables: what generated code does, for work that is too little to compile code for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.round_table import (
    AT,
    DEPTH,
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
from ppnsim.engines.compiled.tape import BASE, NOTHING, OFFSET, Tape
from ppnsim.machine_code.kernels import machine_code
from ppnsim.machine_code.marks import kernel, unsigned

RoundWalker = Callable[[int, int, Int64Array, int], None]
"""Evaluates ``blocks`` times ``span`` rounds from ``begin`` on, and makes ``moves`` after each block (`Generated`)."""

# what a flushable process remembers: the beat of its last start, the beats that it was held by then, where the first
# access due after it lies, the beat in which the last access is due, and the beats that it was held until that passed
_BEAT, _HELD, _NEXT, _DUE, _HELD_THEN, _STATES = range(6)


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
    lags = [rounds.at[node, 0].lag for node in table.later]
    apart = np.array([rounds.repeats[node] for node in table.later], dtype=np.int64)

    def by_any_rows(begin: int, span: int, moves: Int64Array, blocks: int) -> None:
        states = np.array(
            [_state(tape, node, (begin - lag) * q) for node, lag, q in zip(table.later, lags, apart, strict=True)],
            dtype=np.int64,
        ).reshape(-1, _STATES)
        walk_any(tape.cycles, tape.beats, table.rows, states, apart, moves, begin, span, blocks)

    return by_any_rows


def _is_single_rate(rounds: Rounds) -> bool:
    """Return whether all processes fire once in a round and none is flushable: half the columns say it all."""
    return max(rounds.repeats) == 1 and all(unit.later < 0 for unit in rounds.units)


def _state(tape: Tape, later: int, firing: int) -> list[int]:
    """Return what a flushable process remembers before the access of this firing, as the tape has it."""
    x, beats, node = tape.cycles, tape.beats, tape.nodes[later]
    place = int(node[BASE]) + int(firing)
    due = int(beats[place - 1])
    beat, held_then = due - int(tape.tables[node[OFFSET]]), int(x[place - 1]) - due
    while beats[place - 1] > beat:
        place -= 1
    return [beat, int(x[place - 1] - beats[place - 1]), place, due, held_then]


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
    """Return the cycle in which a flushable process starts, in the first beat that is ready, or has its access."""
    if rows[k, DOES] == IS_DUE:
        now: int = max(ready, states[own, _DUE] + states[own, _HELD_THEN])
        states[own, _HELD_THEN] = now - states[own, _DUE]
        return now
    beat, held, place = states[own, _BEAT] + rows[k, GAP], states[own, _HELD], states[own, _NEXT]
    if rows[k, DOES] == STARTS:
        due = rows[k, DUE] + r * rows[k, DUE_STEP]
        while place < due and beats[unsigned(place)] <= max(beat, ready - held):
            beat = max(beat, beats[unsigned(place)])
            held = x[unsigned(place)] - beats[unsigned(place)]
            place += 1
        beat = max(beat, ready - held)
        states[own, _HELD], states[own, _NEXT], states[own, _DUE] = held, place, beat + rows[k, DEPTH]
        beats[unsigned(due)] = beat + rows[k, DEPTH]
    else:
        beat = max(beat, ready)
    states[own, _BEAT] = beat
    beats[to] = beat
    return int(beat + held)


@kernel
def _move(values: Int64Array, moves: Int64Array) -> None:
    """Move entries: rows of (to, from, count)."""
    for place in range(len(moves)):
        for entry in range(moves[place, 2]):
            values[unsigned(moves[place, 0] + entry)] = values[unsigned(moves[place, 1] + entry)]
