"""Runs that become periodic so late that no short run shows it: their repetitions are left out afterwards.

Trials that cost little beside the run do not reach far into it (`trials`). The tape of the whole run shows what they
would have found; to look there costs a few nanoseconds for a passing. What is kept is then the run of a shorter
network, as if that had been run.
"""

from __future__ import annotations

import numpy as np

from ppnsim.engines.compiled.completion import ends_of, is_over_before_half, longest_wait
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.settled import left_out_of
from ppnsim.engines.compiled.tape import BASE, DONE, Tape
from ppnsim.model.run import Run
from ppnsim.model.steady import Steady

# Iterations of a repetition that are looked for, and one of so many of the run more: a look costs little.
_LEAST = 64
_SHARE = 2048


def without_repetitions(whole: Run, repetition: Repetition, recurrences: Recurrences, tape: Tape) -> Run:
    """Return a run, which ``tape`` has with all firings, without the repetitions of its steady state.

    It is returned as it is if they are less than half of it.
    """
    network = whole.network
    found = None if whole.deadlocked else _repetition_on(tape, recurrences, repetition)
    if found is None:
        return whole
    left_out = left_out_of(network, repetition, *found)
    if 2 * left_out.iterations < repetition.iterations:
        return whole
    recorded = left_out.take_out(whole.recorded, repetition.shortened(left_out.iterations))
    return Run(network=network, engine=whole.engine, finish=whole.finish, recorded=recorded, left_out=left_out)


def _repetition_on(tape: Tape, recurrences: Recurrences, repetition: Repetition) -> tuple[Steady, int, int] | None:
    """Return the steady state, the end of a repetition soon after it began, and how many follow that one."""
    firings, ends = [*repetition.firings.values()], ends_of(recurrences, tape)
    if is_over_before_half(tape, recurrences, firings, repetition.iterations, ends):
        return None
    repeats, starts = recurrences.per_node(firings), np.array(recurrences.first[:-1], dtype=np.int64)
    begins, last, horizon = np.zeros_like(repeats), ends[starts], 1 + longest_wait(recurrences)
    most = _LEAST + repetition.iterations // _SHARE
    *found, late = find_period(tape, begins, ends, repeats, horizon, most)
    steady = Steady(*found)
    distance = 2 * horizon + 3 * steady.cycles
    while steady.iterations and steady.since + distance < late:
        # The same test proves it again, with an end to the firings that comes soon.
        ends[starts] = np.minimum(last, [_passed_by(tape, node, steady.since + distance) for node in starts])
        iterations, cycles, _, after = find_period(tape, begins, ends, repeats, horizon, steady.iterations)
        if (iterations, cycles) == (steady.iterations, steady.cycles):
            return steady, after, (late - after) // cycles
        distance *= 2
    return None


def _passed_by(tape: Tape, node: int, cycle: int) -> int:
    base, done = tape.nodes[node, [BASE, DONE]].tolist()
    return int(np.searchsorted(tape.cycles[base : base + done], cycle))
