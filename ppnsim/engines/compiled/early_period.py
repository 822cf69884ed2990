"""Runs that become periodic soon: their first iterations show it, and the others need not be evaluated.

The tape of a whole run takes memory where it is evaluated, and most of it takes little time to make. So the first
iterations are evaluated on it as a run of their own. If that is in vain, the run starts anew on the same tape: a look
costs what it evaluates, and a fraction of a millisecond.
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.completion import ends_of, evaluate_all
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import COUNT, Tape, rewind
from ppnsim.model.steady import Steady

_FIRST = 32  # iterations
_GROWTH = 8
_SHARE = 1500  # one passing in so many may be evaluated in vain: a look itself takes as long as 20 000 of a run
_LAST_SHARE = 30  # of a run at which nobody looks afterwards


def look_early(
    repetition: Repetition, recurrences: Recurrences, tape: Tape, horizon: int, *, last: bool
) -> tuple[Steady, int, int] | None:
    """Return the steady state that the first iterations of a run show, the end of a repetition, and how many follow.

    ``horizon`` is longer than any wait, and this the ``last`` look if none follows the run. The tape, which has nothing
    evaluated before, then has the run of the network with those repetitions fewer. If None is returned, it is as it
    was.
    """
    counts, per_node = tape.nodes[:, COUNT].copy(), _per_node(repetition, recurrences)
    iterations, left = _FIRST, int(counts.sum()) // (_LAST_SHARE if last else _SHARE)
    while 2 * iterations < repetition.iterations:
        tape.nodes[:, COUNT] = counts - (repetition.iterations - iterations) * per_node
        left -= int(tape.nodes[:, COUNT].sum())
        if left < 0:
            break
        rewind(tape)
        if not evaluate_all(tape):
            break
        if found := _found(tape, recurrences, per_node, horizon):
            steady, after = found
            rounds, rest = divmod(repetition.iterations - iterations, steady.iterations)
            if rest:
                tape.nodes[:, COUNT] += rest * per_node
                rewind(tape)
                evaluate_all(tape)
            return steady, after, rounds
        iterations *= _GROWTH
    tape.nodes[:, COUNT] = counts
    rewind(tape)
    return None


def _found(tape: Tape, recurrences: Recurrences, per_node: Int64Array, horizon: int) -> tuple[Steady, int] | None:
    """Return the steady state that an evaluated tape came to, and the end of its last whole repetition."""
    found = find_period(tape, 0 * per_node, ends_of(recurrences, tape), per_node, horizon)
    return (Steady(*found[:3]), found[3]) if found[0] else None


def _per_node(repetition: Repetition, recurrences: Recurrences) -> Int64Array:
    names = [process.name for process in recurrences.program.network.processes]
    return recurrences.per_node([repetition.firings[name] for name in names])
