"""The kernels: actors evaluate their firings as far as others have come, and wake those that wait for them.

Values do not depend on the order in which actors are looked at. There is one exception to "as far as others have come":
a flushable process must know whether its next start comes before its next due access. Where the token of the start is
not known yet, it waits; when all others stand still as well, nothing can happen any more before the earliest of these
due accesses, so that one comes first (`_decide`).
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.elastic import walk_elastic, walk_pair
from ppnsim.engines.compiled.flushable import next_due, walk_flushable
from ppnsim.engines.compiled.frozen import walk_frozen
from ppnsim.engines.compiled.tape import (
    ASKS,
    BEAT,
    COUNT,
    DECIDED,
    DONE,
    ELASTIC,
    FIRST,
    FLUSHABLE,
    FROZEN,
    HEAD,
    KIND,
    LAST,
    LENGTH,
    NOW,
    PAIR,
    PASSED,
    QUEUED,
    WAKES,
    WAKES_END,
    Tape,
)
from ppnsim.kernel_cache import interpreter
from ppnsim.machine_code.kernels import machine_code
from ppnsim.machine_code.marks import kernel

_PER_PASSING = {ELASTIC: 2e-6, FROZEN: 2e-6, FLUSHABLE: 1e-5}  # seconds in Python


def evaluate(tape: Tape, budget: int) -> bool:
    """Evaluate about ``budget`` passings; return whether something is left to be tried."""
    if interpreter.left != 0 and interpreter.takes(_seconds(tape)):
        return bool(interpreter.run(_evaluate, tape, budget))
    return bool(machine_code(_evaluate)(tape, budget))


def _seconds(tape: Tape) -> float:
    """Return how long what is left to be evaluated takes in Python, at most."""
    kinds = set(tape.actors[:, KIND].tolist())
    passings = int(tape.nodes[:, COUNT].sum()) - int(tape.nodes[:, DONE].sum())
    return passings * max(_PER_PASSING[kind] for kind in kinds)


@kernel
def _evaluate(tape: Tape, budget: int) -> bool:
    """Evaluate about ``budget`` passings; return whether something is left to be tried."""
    nodes, edges, actors, wakes, tables, x, beats, queue, control = tape
    until = control[PASSED] + budget
    size = len(actors)
    while True:
        if not control[LENGTH] and not _decide(nodes, actors, queue, control, beats):
            return False
        head = control[HEAD]
        actor = queue[head]
        control[HEAD] = head + 1 if head + 1 < size else 0
        control[LENGTH] -= 1
        actors[actor, QUEUED] = 0
        kind, node = actors[actor, KIND], actors[actor, FIRST]
        if kind == ELASTIC:
            if nodes[node, PAIR]:
                passed = walk_pair(nodes, edges, x, node)
            else:
                passed = walk_elastic(nodes, edges, tables, x, node, actors[actor, LAST])
        elif kind == FROZEN:
            passed = walk_frozen(nodes, edges, tables, x, actors, actor)
        else:
            passed = walk_flushable(nodes, edges, tables, x, beats, actors, actor)
        if passed:
            control[PASSED] += passed
            for place in range(actors[actor, WAKES], actors[actor, WAKES_END]):
                _push(actors, queue, control, wakes[place])
            if control[PASSED] >= until:
                return True


@kernel
def _push(actors: Int64Array, queue: Int64Array, control: Int64Array, actor: int) -> None:
    if not actors[actor, QUEUED]:
        actors[actor, QUEUED] = 1
        place = control[HEAD] + control[LENGTH]
        queue[place if place < len(queue) else place - len(queue)] = actor
        control[LENGTH] += 1


@kernel
def _decide(nodes: Int64Array, actors: Int64Array, queue: Int64Array, control: Int64Array, beats: Int64Array) -> bool:
    """Let the earliest due access come before a start whose token is not known; return whether there was one."""
    earliest = -1
    for actor in range(len(actors)):
        if actors[actor, ASKS]:
            when = actors[actor, NOW] + next_due(nodes, beats, actors, actor) - actors[actor, BEAT]
            if earliest < 0 or when < earliest:
                earliest = when
    if earliest < 0:
        return False
    for actor in range(len(actors)):
        if actors[actor, ASKS]:
            when = actors[actor, NOW] + next_due(nodes, beats, actors, actor) - actors[actor, BEAT]
            if when == earliest:
                actors[actor, DECIDED] = 1
                _push(actors, queue, control, actor)
    return True
