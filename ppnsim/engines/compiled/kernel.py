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
from ppnsim.engines.compiled.flushable_pair import walk_flushable_pair
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
    kernel = _evaluate if tape.actors[:, KIND].any() else _evaluate_elastic
    if interpreter.left != 0 and interpreter.takes(_seconds(tape)):
        return bool(interpreter.run(kernel, tape, budget))
    return bool(machine_code(kernel)(tape, budget))


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
    while True:
        if not control[LENGTH] and not _decide(nodes, actors, queue, control, beats):
            return False
        actor = _pop(actors, queue, control)
        kind = actors[actor, KIND]
        if kind == ELASTIC:
            passed = _walk_elastic(nodes, edges, tables, x, actors, actor)
        elif kind == FROZEN:
            passed = walk_frozen(nodes, edges, tables, x, actors, actor)
        elif nodes[actors[actor, FIRST], PAIR]:
            passed = walk_flushable_pair(nodes, edges, tables, x, beats, actors, actor)
        else:
            passed = walk_flushable(nodes, edges, tables, x, beats, actors, actor)
        if passed and _wake(actors, wakes, queue, control, actor, passed) >= until:
            return True


@kernel
def _evaluate_elastic(tape: Tape, budget: int) -> bool:
    """Evaluate as `_evaluate` does where all processes are elastic: that compiles in a third of the time."""
    nodes, edges, actors, wakes, tables, x, _, queue, control = tape
    until = control[PASSED] + budget
    while control[LENGTH]:
        actor = _pop(actors, queue, control)
        passed = _walk_elastic(nodes, edges, tables, x, actors, actor)
        if passed and _wake(actors, wakes, queue, control, actor, passed) >= until:
            return True
    return False


@kernel
def _walk_elastic(
    nodes: Int64Array, edges: Int64Array, tables: Int64Array, x: Int64Array, actors: Int64Array, actor: int
) -> int:
    first = actors[actor, FIRST]
    if nodes[first, PAIR]:
        return walk_pair(nodes, edges, x, first)
    return walk_elastic(nodes, edges, tables, x, first, actors[actor, LAST])


@kernel
def _pop(actors: Int64Array, queue: Int64Array, control: Int64Array) -> int:
    head = control[HEAD]
    actor: int = queue[head]
    control[HEAD] = head + 1 if head + 1 < len(queue) else 0
    control[LENGTH] -= 1
    actors[actor, QUEUED] = 0
    return actor


@kernel
def _wake(
    actors: Int64Array, wakes: Int64Array, queue: Int64Array, control: Int64Array, actor: int, passed: int
) -> int:
    """Take account of what has passed, let those who wait for it try, and return how much has passed in all."""
    control[PASSED] += passed
    for place in range(actors[actor, WAKES], actors[actor, WAKES_END]):
        _push(actors, queue, control, wakes[place])
    in_all: int = control[PASSED]
    return in_all


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
