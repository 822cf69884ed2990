"""Runs that become periodic soon: their first iterations show it, and the others need not be evaluated.

The tape of a whole run takes memory where it is evaluated, and most of it takes little time to make. So the first
iterations are evaluated on it as a run of their own, then more of them. What elastic processes have evaluated holds for
more iterations, too: if all looks are in vain, the run goes on from there. Other processes drain at the end of a run,
so that they start anew on the same tape.

All looks together, with what is evaluated in vain, cost a `ONE_IN`-th of the run, or a `ONE_IN_CODE`-th. Work is
counted in passings of elastic processes by the general kernel, the cheapest ones there are.
"""

from __future__ import annotations

from ppnsim.engines.compiled.budget import ONE_IN, ONE_IN_CODE
from ppnsim.engines.compiled.completion import ends_of, evaluate_all, is_over_before_half, longest_wait
from ppnsim.engines.compiled.generated import walks_rounds
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import COUNT, ELASTIC, FLUSHABLE, FROZEN, KIND, Tape, resume, rewind
from ppnsim.model.steady import Steady

_FIRST = 32  # iterations
_GROWTH = 2  # at least, from one look to the next
_LOOK, _NODE = 100_000, 250  # work of a look, a tenth of a millisecond and more, and for each node
_WORK = {ELASTIC: 1, FLUSHABLE: 3, FROZEN: 8}  # of a passing by the general kernel: 1.5 to 12 ns
_TURN = 20  # of a turn, that a process takes when others have come farther: 60 ns
_IN_ROUNDS = {ELASTIC: 2, FLUSHABLE: 3, FROZEN: 2}  # of one in the rounds of a long run
_LEAST = ONE_IN * _LOOK // 2  # of a run that may pay for a look


def look_early(repetition: Repetition, recurrences: Recurrences, tape: Tape) -> tuple[Steady, int, int] | None:
    """Return the steady state that the first iterations of a run show, the end of a repetition, and how many follow.

    The tape, which has nothing evaluated before, then has the run of the network with those repetitions fewer. If None
    is returned, it is as it was, or has a beginning of the whole run.
    """
    if len(tape.cycles) * max(_WORK.values()) < _LEAST:
        return None
    if not (looks := looks_at(repetition, tape, _turns(recurrences))):
        return None
    firings = [*repetition.firings.values()]
    counts, per_node = tape.nodes[:, COUNT].copy(), recurrences.per_node(firings)
    go_on = resume if _goes_on(tape) else rewind
    for iterations in looks:
        tape.nodes[:, COUNT] = counts - (repetition.iterations - iterations) * per_node
        go_on(tape)
        if not evaluate_all(tape):
            break
        ends = ends_of(recurrences, tape)
        if is_over_before_half(tape, recurrences, firings, iterations, ends):
            continue
        *found, after = find_period(tape, 0 * per_node, ends, per_node, 1 + longest_wait(recurrences))
        steady = Steady(*found)
        if steady.iterations:
            rounds, rest = divmod(repetition.iterations - iterations, steady.iterations)
            if rest:
                tape.nodes[:, COUNT] += rest * per_node
                go_on(tape)
                evaluate_all(tape)
            return steady, after, rounds
    tape.nodes[:, COUNT] = counts
    go_on(tape)
    return None


def looks_at(repetition: Repetition, tape: Tape, turns: int) -> list[int]:
    """Return after how many iterations of a run to look: at least doubled each time, and no more than the run pays for.

    ``turns`` are those that processes take at least where FIFOs hold them up. Where each look evaluates all before it
    anew, or slower than the rounds of a long run, a third is kept for that.
    """
    passings, left = int(tape.nodes[:, COUNT].sum()), repetition.iterations // 2
    by_rounds, kinds = walks_rounds(tape), {*tape.actors[:, KIND].tolist()}
    of_run = _IN_ROUNDS if by_rounds else _WORK
    of_one = passings * min(of_run[kind] for kind in kinds)
    room = of_one // ONE_IN_CODE if by_rounds else (of_one + _TURN * turns) // ONE_IN
    look, limited = _LOOK + _NODE * len(tape.nodes), by_rounds or not _goes_on(tape)
    count = (2 * room // 3 if limited else room) // look
    if limited:
        anew = passings * max(max(_WORK[kind], of_run[kind]) for kind in kinds)
        left = min(left, (room - count * look) * repetition.iterations // max(1, anew))
    # The last look is as late as can be if that is limited: at half of a run nothing is gained any more. A look that is
    # the only one comes later than the first of several.
    alone = count == 1
    growth = max(_GROWTH, (left / _FIRST) ** (1 / max(1, count + alone - limited)))
    found: list[int] = []
    for number in range(alone, count + alone):
        iterations = min(int(_FIRST * growth**number), left)
        if iterations < (_GROWTH * found[-1] if found else _FIRST):
            break
        found.append(iterations)
        left -= iterations if limited else 0
    return found


def _turns(recurrences: Recurrences) -> int:
    """Return how often processes take turns at least: a FIFO lets one end go on by its depth, then the other."""
    network = recurrences.program.network
    return sum(network.counts[channel.name].written // channel.depth for channel in network.channels if channel.depth)


def _goes_on(tape: Tape) -> bool:
    """Return whether what is evaluated of some iterations holds for more of them, too."""
    return not tape.actors[:, KIND].any()
