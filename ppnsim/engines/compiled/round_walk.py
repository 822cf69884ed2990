"""Rounds walked by tables: what generated code does, for work that is too little to compile code for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.round_states import (
    COUNT_OF_STATES,
    NEXT_DUE,
    access_of,
    due_of,
    start_of,
    states_of,
)
from ppnsim.engines.compiled.round_table import (
    ALL,
    AT,
    DOES,
    FIRES,
    GAP,
    IS_DUE,
    OUT,
    OUT_AT,
    OUT_STEP,
    OUT_WEIGHT,
    PLAIN,
    PLUS,
    SINGLE_RATE,
    STATE,
    STEP,
    TO,
    TO_STEP,
    WEIGHT,
    rows_of,
)
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import NOTHING, Tape
from ppnsim.machine_code.kernels import machine_code
from ppnsim.machine_code.marks import kernel, unsigned

RoundWalker = Callable[[int, int, Int64Array, int], None]
"""Evaluates ``blocks`` times ``span`` rounds from ``begin`` on, and makes ``moves`` after each block (`Generated`)."""


def round_walker(rounds: Rounds, tape: Tape) -> RoundWalker:
    """Return what evaluates rounds of a tape by a table."""
    kernel, columns = _kernel_of(rounds)
    walk, rows = machine_code(kernel), np.ascontiguousarray(rows_of(rounds, tape)[:, :columns])
    apart = np.array([rounds.repeats[later] for later in rounds.flushable.values()], dtype=np.int64)

    def by_rows(begin: int, span: int, moves: Int64Array, blocks: int) -> None:
        states = np.array(states_of(tape, rounds, begin), dtype=np.int64)
        walk(tape.cycles, tape.beats, rows, states, apart, moves, begin, span, blocks)

    return by_rows


def _kernel_of(rounds: Rounds) -> tuple[Callable[..., int], int]:
    """Return the kernel for rounds, and how many columns of the rows it takes."""
    if max(rounds.repeats) > 1:
        return _walk_any, ALL
    return (_walk_flushable, SINGLE_RATE) if rounds.flushable else (_walk, PLAIN)


@kernel
def _walk(
    x: Int64Array, beats: Int64Array, rows: Int64Array, states: Int64Array, apart: Int64Array, moves: Int64Array,
    begin: int, span: int, blocks: int,
) -> int:  # fmt: skip
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
        _move_on(x, beats, states, apart, moves, span)
    return blocks


@kernel
def _walk_flushable(
    x: Int64Array, beats: Int64Array, rows: Int64Array, states: Int64Array, apart: Int64Array, moves: Int64Array,
    begin: int, span: int, blocks: int,
) -> int:  # fmt: skip
    """Evaluate rounds of processes that fire once in each, flushable ones among them."""
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
                to = unsigned(rows[k, TO]) + r
                does = rows[k, DOES]
                if does:
                    own, out = unsigned(rows[k, STATE]), unsigned(rows[k, OUT]) + r
                    if does == IS_DUE:
                        now = access_of(beats, states, own, due_of(states, own), now, to)
                    else:
                        now, due = start_of(x, beats, states, own, rows[k, GAP], now, out)
                        if does == FIRES:
                            x[to] = now
                            ready = max(
                                x[unsigned(rows[k, OUT_AT]) + r] + rows[k, OUT_WEIGHT],
                                x[unsigned(rows[k, OUT_AT + 2]) + r] + rows[k, OUT_WEIGHT + 2],
                            )
                            now = access_of(beats, states, own, due, ready, out)
                            to = out
                x[to] = now
        _move_on(x, beats, states, apart, moves, span)
    return blocks


@kernel
def _walk_any(
    x: Int64Array, beats: Int64Array, rows: Int64Array, states: Int64Array, apart: Int64Array, moves: Int64Array,
    begin: int, span: int, blocks: int,
) -> int:  # fmt: skip
    """Evaluate rounds of processes that fire any number of times in each."""
    count = unsigned(len(rows))
    for _ in range(blocks):
        for r in range(unsigned(begin), unsigned(begin + span)):
            now = NOTHING
            for k in range(count):
                now = max(
                    now + rows[k, PLUS],
                    max(
                        x[unsigned(rows[k, AT]) + r * unsigned(rows[k, STEP])] + rows[k, WEIGHT],
                        max(
                            x[unsigned(rows[k, AT + 2]) + r * unsigned(rows[k, STEP + 1])] + rows[k, WEIGHT + 2],
                            x[unsigned(rows[k, AT + 4]) + r * unsigned(rows[k, STEP + 2])] + rows[k, WEIGHT + 4],
                        ),
                    ),
                )
                further = r * unsigned(rows[k, TO_STEP])
                to = unsigned(rows[k, TO]) + further
                does = rows[k, DOES]
                if does:
                    own, out = unsigned(rows[k, STATE]), unsigned(rows[k, OUT]) + further
                    if does == IS_DUE:
                        now = access_of(beats, states, own, due_of(states, own), now, to)
                    else:
                        now, due = start_of(x, beats, states, own, rows[k, GAP], now, out)
                        if does == FIRES:
                            x[to] = now
                            ready = max(
                                x[unsigned(rows[k, OUT_AT]) + r * unsigned(rows[k, OUT_STEP])] + rows[k, OUT_WEIGHT],
                                x[unsigned(rows[k, OUT_AT + 2]) + r * unsigned(rows[k, OUT_STEP + 1])]
                                + rows[k, OUT_WEIGHT + 2],
                            )
                            now = access_of(beats, states, own, due, ready, out)
                            to = out
                x[to] = now
        _move_on(x, beats, states, apart, moves, span)
    return blocks


@kernel
def _move_on(
    x: Int64Array, beats: Int64Array, states: Int64Array, apart: Int64Array, moves: Int64Array, span: int
) -> None:
    """Move what may still be looked at to where it was ``span`` rounds before."""
    _move(x, moves)
    if len(apart):
        _move(beats, moves)
    for own in range(len(apart)):
        states[own * COUNT_OF_STATES + NEXT_DUE] -= span * apart[own]


@kernel
def _move(values: Int64Array, moves: Int64Array) -> None:
    """Move entries: rows of (to, from, count)."""
    for place in range(len(moves)):
        to, source = unsigned(moves[place, 0]), unsigned(moves[place, 1])
        for entry in range(unsigned(moves[place, 2])):
            values[to + entry] = values[source + entry]
