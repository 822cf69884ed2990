"""Runs that become periodic soon: their first iterations show it, and the others need not be evaluated.

The tape of a whole run takes memory where it is evaluated, and most of it takes little time to make. So the first
iterations are evaluated on it as a run of their own, then more of them. What elastic processes have evaluated holds for
more iterations, too: if all looks are in vain, the run goes on from there. Other processes drain at the end of a run,
so that they start anew on the same tape. A look itself takes a tenth of a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.completion import ends_of, evaluate_all
from ppnsim.engines.compiled.generated import walks_rounds
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import COUNT, KIND, Tape, resume, rewind
from ppnsim.model.steady import Steady

_FIRST = 32  # iterations
_LOOK = 1_000_000  # passings of a run to each look, which takes as long as 40 000 of them
_GROWTH = 2  # at least, from one look to the next
_GROWTH_ANEW = 8  # where each look evaluates all that is before it
_SHARE = 30  # one passing in so many may be evaluated in vain, or slower than the rounds of a long run


def look_early(
    repetition: Repetition, recurrences: Recurrences, tape: Tape, horizon: int
) -> tuple[Steady, int, int] | None:
    """Return the steady state that the first iterations of a run show, the end of a repetition, and how many follow.

    ``horizon`` is longer than any wait. The tape, which has nothing evaluated before, then has the run of the network
    with those repetitions fewer. If None is returned, it is as it was, or has a beginning of the whole run.
    """
    counts, per_node = tape.nodes[:, COUNT].copy(), _per_node(repetition, recurrences)
    go_on = rewind if tape.actors[:, KIND].any() else resume
    most = int(counts.sum()) // _SHARE if go_on is rewind or walks_rounds(tape) else None
    for iterations in _looks(repetition, int(counts.sum()), most, anew=go_on is rewind):
        tape.nodes[:, COUNT] = counts - (repetition.iterations - iterations) * per_node
        go_on(tape)
        if not evaluate_all(tape):
            break
        if found := _found(tape, recurrences, per_node, horizon):
            steady, after = found
            rounds, rest = divmod(repetition.iterations - iterations, steady.iterations)
            if rest:
                tape.nodes[:, COUNT] += rest * per_node
                go_on(tape)
                evaluate_all(tape)
            return steady, after, rounds
    tape.nodes[:, COUNT] = counts
    go_on(tape)
    return None


def _looks(repetition: Repetition, passings: int, most: int | None, *, anew: bool) -> Iterator[int]:
    """Yield after how many iterations to look: as often as it costs little, and each time after as much more.

    ``most`` passings may be evaluated in all, if each look evaluates them ``anew``.
    """
    looks, half = passings // _LOOK, repetition.iterations // 2
    growth = max(_GROWTH_ANEW if anew else _GROWTH, (half / _FIRST) ** (1 / max(1, looks)))
    iterations, before = float(_FIRST), 0.0
    for _ in range(looks):
        if iterations >= half:
            return
        if most is not None and (before + iterations) / repetition.iterations * passings > most:
            return
        yield int(iterations)
        before += iterations if anew else 0
        iterations *= growth


def _found(tape: Tape, recurrences: Recurrences, per_node: Int64Array, horizon: int) -> tuple[Steady, int] | None:
    """Return the steady state that an evaluated tape came to, and the end of its last whole repetition."""
    found = find_period(tape, 0 * per_node, ends_of(recurrences, tape), per_node, horizon)
    return (Steady(*found[:3]), found[3]) if found[0] else None


def _per_node(repetition: Repetition, recurrences: Recurrences) -> Int64Array:
    names = [process.name for process in recurrences.program.network.processes]
    return recurrences.per_node([repetition.firings[name] for name in names])
