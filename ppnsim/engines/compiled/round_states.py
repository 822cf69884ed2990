"""What flushable processes remember while rounds are walked by tables, and their starts and accesses.

A pipeline counts beats, which are cycles in which it is not held; access j, due in beat ``D[j]``, has been held for
``x[j] - D[j]`` cycles when it passes, and those before it by as much when it comes due. Only accesses have their beats
written down: each array that a round writes to is one more that the processor's cache has to follow.
"""

from __future__ import annotations

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import (
    ASKS,
    BASE,
    BEAT,
    DECIDED,
    DONE,
    DUE,
    FIRST,
    HELD,
    HELD_BEFORE,
    LAST,
    NEXT,
    NOW,
    OFFSET,
    Tape,
)
from ppnsim.machine_code.marks import kernel, unsigned

# of a process: the cycle of its last start; where the first access due after it lies, and after how many cycles its own
# access comes due; for how many cycles the pipeline has been held by the last start, and by all accesses so far
_START, NEXT_DUE, _UNTIL_DUE, _HELD, _HELD_LATER, COUNT_OF_STATES = range(6)
_NO_ACCESS = 1 << 60  # a place behind all others


def states_of(tape: Tape, rounds: Rounds, begin: int) -> list[int]:
    """Return what all flushable processes remember before a round, as the tape has it."""
    found: list[int] = []
    for actor, later in rounds.flushable.items():
        first = int(tape.actors[actor, FIRST])
        start = int(tape.cycles[tape.nodes[first, BASE] + rounds.passed(first, begin) - 1])
        if later == first:
            found += [start, _NO_ACCESS, 0, 0, 0]
            continue
        end = int(tape.nodes[later, BASE]) + rounds.passed(later, begin)
        place = next_due(tape, end, start)
        held, held_later = (int(tape.cycles[at - 1] - tape.beats[at - 1]) for at in (place, end))
        depth = int(tape.tables[tape.nodes[later, OFFSET]])
        found += [start, place, depth + held_later - held, held, held_later]
    return found


def next_due(tape: Tape, end: int, start: int) -> int:
    """Return where the first access that is due after a start lies; those from ``end`` on are."""
    while tape.cycles[end - 1] > start:
        end -= 1
    return end


def leave_at_last_start(tape: Tape, actor: Int64Array) -> None:
    """Put a flushable process to its last start: what is due after it has yet to pass, in the same cycles."""
    first, later = tape.nodes[actor[FIRST]], tape.nodes[actor[LAST] - 1]
    at = int(first[BASE] + first[DONE]) - 1
    start, held = int(tape.cycles[at]), 0
    if actor[LAST] > actor[FIRST] + 1:
        place = next_due(tape, int(later[BASE] + later[DONE]), start)
        later[DONE] = actor[DUE] = place - later[BASE]
        held = int(tape.cycles[place - 1] - tape.beats[place - 1])
    tape.beats[at] = start - held
    actor[NEXT], actor[NOW], actor[BEAT], actor[HELD_BEFORE] = first[DONE], start, start - held, held
    actor[[HELD, ASKS, DECIDED]] = 0


@kernel
def start_of(
    x: Int64Array, beats: Int64Array, states: Int64Array, own: int, gap: int, ready: int, behind: int
) -> tuple[int, int]:
    """Return the cycle of a start, the first that is not held, and that in which its access comes due."""
    start, held = states[own] + gap, states[own + unsigned(_HELD)]
    place, until = unsigned(states[own + unsigned(NEXT_DUE)]), states[own + unsigned(_UNTIL_DUE)]
    while place < behind:
        due = beats[place] + held
        if due > max(start, ready):
            break
        lost = x[place] - due
        start = max(start, due) + lost
        held += lost
        until -= lost
        place = place + unsigned(1)
    states[own + unsigned(NEXT_DUE)], states[own + unsigned(_HELD)] = int(place), held
    states[own + unsigned(_UNTIL_DUE)] = until
    start = max(start, ready)
    states[own] = start
    return start, start + until


@kernel
def access_of(beats: Int64Array, states: Int64Array, own: int, due: int, ready: int, to: int) -> int:
    """Return the cycle in which an access passes that comes due, and note its beat."""
    now, held = max(due, ready), states[own + unsigned(_HELD_LATER)]
    beats[to] = due - held
    states[own + unsigned(_HELD_LATER)] = held + now - due
    states[own + unsigned(_UNTIL_DUE)] += now - due
    return now


@kernel
def due_of(states: Int64Array, own: int) -> int:
    """Return the cycle in which the access of the last start comes due."""
    due: int = states[own] + states[own + unsigned(_UNTIL_DUE)]
    return due
