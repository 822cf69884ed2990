"""A tape evaluated to its end, the finish that it shows, and how long its passings wait for each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, FIRST, Tape

NO_END = 1 << 62
BETWEEN_LOOKS = 20_000_000  # passings between two chances for Ctrl-C


def evaluate_all(tape: Tape) -> bool:
    """Evaluate all that can happen; return whether every firing passed every step."""
    while evaluate(tape, BETWEEN_LOOKS):
        pass
    return bool((tape.nodes[:, DONE] == tape.nodes[:, COUNT]).all())


def ends_of(recurrences: Recurrences, tape: Tape) -> Int64Array:
    """Return for each node the passing before which a repetition ends: the last start of its process.

    Behind it a scheduled process, which may have stops there, drains.
    """
    network, ends = recurrences.program.network, np.full(len(tape.nodes), NO_END, dtype=np.int64)
    for first, process in zip(recurrences.first[:-1], network.processes, strict=True):
        since = 1  # passings from the last start on
        if process.schedule is not None:
            stops, last = network.stops[process.name], int(process.schedule.start_steps.expand()[-1])
            since = stops.per_run - stops.before(last)
        ends[first] = tape.nodes[first, COUNT] - since
    return ends


def is_over_before_half(
    tape: Tape, recurrences: Recurrences, firings: Sequence[int], iterations: int, ends: Int64Array
) -> bool:
    """Return whether some process starts for the last time before all steps have passed half of the iterations.

    Then no repetitions are half of the evaluated run: of most runs that never repeat, the first process and the last
    step tell so. ``firings`` are those of each process in an iteration, and ``ends`` those of `ends_of`.
    """
    cycles, bases, half = tape.cycles, tape.nodes[:, BASE], (iterations + 1) // 2
    if cycles[bases[-1] + half * firings[-1] - 1] >= cycles[bases[0] + ends[0]]:
        return True
    starts = tape.actors[:, FIRST]
    halfway = cycles[bases + half * recurrences.per_node(firings) - 1]
    return bool(halfway.max() >= cycles[bases[starts] + ends[starts]].min())


def finish_of(recurrences: Recurrences, tape: Tape, later: Int64Array | None = None) -> int:
    """Return the largest end of any firing, in cycles, of a tape all of whose firings have ended.

    ``later`` are cycles by which the last firing of each node is later than the tape has it.
    """
    last = tape.cycles[tape.nodes[:, BASE] + tape.nodes[:, COUNT] - 1]
    if later is not None:
        last = last + later
    finish = 0
    for first, lowered in zip(recurrences.first[:-1], recurrences.program.processes, strict=True):
        ends = [first + step for step in lowered.steps.ending_steps]
        finish = max(finish, int(last[ends].max()) + lowered.steps.write)
    return finish


def longest_wait(recurrences: Recurrences) -> int:
    """Return the most cycles that one passing can wait for another one by any rule."""
    weights = (edge.weight for into in recurrences.edges for edge in into)
    waits = (each if isinstance(each, int) else np.max(each) for each in weights)
    own = [max(lowered.steps.deepest, lowered.process.ii) for lowered in recurrences.program.processes]
    return int(max([0, *waits, *own]))
