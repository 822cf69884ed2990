"""Runs that become periodic soon: their first iterations show it, and the others need not be evaluated.

The tape of a whole run takes memory where it is evaluated, and most of it takes little time to make. So the first
iterations are evaluated on it as a run of their own, then more of them. What elastic processes have evaluated holds for
more iterations, too: if all looks are in vain, the run goes on from there. Other processes drain at the end of a run,
so that they start anew on the same tape.

All looks together, with what is evaluated in vain, cost a `ONE_IN`-th of the run: work is counted in passings of
elastic processes by the general kernel, the cheapest ones there are.
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.budget import ONE_IN
from ppnsim.engines.compiled.completion import ends_of, evaluate_all, longest_wait
from ppnsim.engines.compiled.generated import walks_rounds
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import COUNT, ELASTIC, FLUSHABLE, FROZEN, KIND, Tape, resume, rewind
from ppnsim.model.steady import Steady

_FIRST = 32  # iterations
_GROWTH = 2  # at least, from one look to the next
_LOOK, _NODE = 80_000, 100  # work of a look, a tenth of a millisecond, and for each node
_WORK = {ELASTIC: 1, FLUSHABLE: 3, FROZEN: 6}  # of a passing by the general kernel: 1.5 to 12 ns
_IN_ROUNDS = {ELASTIC: 2, FLUSHABLE: 3, FROZEN: 2}  # of one in the rounds of a long run


def look_early(repetition: Repetition, recurrences: Recurrences, tape: Tape) -> tuple[Steady, int, int] | None:
    """Return the steady state that the first iterations of a run show, the end of a repetition, and how many follow.

    The tape, which has nothing evaluated before, then has the run of the network with those repetitions fewer. If None
    is returned, it is as it was, or has a beginning of the whole run.
    """
    if not (looks := looks_at(repetition, tape)):
        return None
    counts, per_node = tape.nodes[:, COUNT].copy(), _per_node(repetition, recurrences)
    horizon = 1 + longest_wait(recurrences)
    go_on = resume if _goes_on(tape) else rewind
    for iterations in looks:
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


def looks_at(repetition: Repetition, tape: Tape) -> list[int]:
    """Return after how many iterations of a run to look: at least doubled each time, and no more than the run pays for.

    What each look evaluates anew, or slower than the rounds of a long run, gets half of that. As each look has twice as
    much before it, that is twice the last one.
    """
    if len(tape.cycles) * max(_WORK.values()) < ONE_IN * _LOOK:
        return []
    passings, most = int(tape.nodes[:, COUNT].sum()), repetition.iterations // 2
    by_rounds, kinds = walks_rounds(tape), {*tape.actors[:, KIND].tolist()}
    room = passings * min((_IN_ROUNDS if by_rounds else _WORK)[kind] for kind in kinds) // ONE_IN
    limited = by_rounds or not _goes_on(tape)
    if limited:
        room //= 2
        anew = passings * max(_WORK[kind] for kind in kinds)
        most = min(most, room // _GROWTH * repetition.iterations // max(1, anew))
    count = room // (_LOOK + _NODE * len(tape.nodes))
    if not count or most < _FIRST:
        return []
    # At half of a run nothing is gained any more; a limit that comes sooner is looked at.
    growth = max(_GROWTH, (most / _FIRST) ** (1 / max(1, count - limited)))
    return [each for each in (int(_FIRST * growth**number) for number in range(count)) if each <= most]


def _goes_on(tape: Tape) -> bool:
    """Return whether what is evaluated of some iterations holds for more of them, too."""
    return not tape.actors[:, KIND].any()


def _found(tape: Tape, recurrences: Recurrences, per_node: Int64Array, horizon: int) -> tuple[Steady, int] | None:
    """Return the steady state that an evaluated tape came to, and the end of its last whole repetition."""
    found = find_period(tape, 0 * per_node, ends_of(recurrences, tape), per_node, horizon)
    return (Steady(*found[:3]), found[3]) if found[0] else None


def _per_node(repetition: Repetition, recurrences: Recurrences) -> Int64Array:
    names = [process.name for process in recurrences.program.network.processes]
    return recurrences.per_node([repetition.firings[name] for name in names])
