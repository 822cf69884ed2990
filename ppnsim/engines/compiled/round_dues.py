"""When accesses of flushable pipelines are due: in beats for the kernels, in cycles while generated code walks rounds.

A beat is a cycle in which the pipeline is not held. Access j, due in beat ``D[j]``, comes due in cycle ``U[j] = D[j] +
held[j - 1]`` and holds the pipeline from then on until it passes: ``held[j] = held[j - 1] + x[j] - U[j]``. A start then
is the earliest cycle in which the pipeline is not held, and needs no beat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ppnsim.engines.compiled.round_states import next_due
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, FIRST, Tape

_PIECE = 1 << 16  # firings that a cache holds


class Due(NamedTuple):
    """A flushable process whose accesses from ``place`` on are due in cycles; before, it was held by ``held`` beats.

    ``later`` is the node of its accesses.
    """

    later: int
    place: int
    held: int


def in_cycles(tape: Tape, rounds: Rounds, begin: int) -> list[Due]:
    """Note in which cycle each access is due that was in flight at the last start before round ``begin``."""
    found = []
    for actor, later in rounds.flushable.items():
        first = int(tape.actors[actor, FIRST])
        if later == first:
            continue
        start, end = (int(tape.nodes[node, BASE]) + rounds.passed(node, begin) for node in (first, later))
        place = next_due(tape, end, int(tape.cycles[start - 1]))
        before = tape.cycles[place - 1 : end] - tape.beats[place - 1 : end]
        tape.beats[place:end] += before[:-1]
        found.append(Due(later, place, int(before[0])))
    return found


def moved(tape: Tape, dues: list[Due], kept: dict[int, int], by: dict[int, int]) -> list[Due]:
    """Return dues after all has been moved down the tape ``by`` so many places of a node, and lies from ``kept`` on.

    Where nothing is left that is due in beats, any beat may be the first: only beats apart count.
    """
    found = []
    for due in dues:
        least = max(kept[due.later], int(tape.nodes[due.later, BASE]))
        place = due.place - by[due.later]
        found.append(due._replace(place=place) if place >= least else due._replace(place=least, held=0))
    return found


def in_beats(tape: Tape, rounds: Rounds, dues: list[Due], end: int) -> None:
    """Note in which beat each access is due of the first ``end`` rounds: what the kernel has."""
    x, beats = tape.cycles, tape.beats
    for later, place, held in dues:
        behind = int(tape.nodes[later, BASE]) + rounds.passed(later, end)
        for at in range(place, behind, _PIECE):
            own = slice(at, min(at + _PIECE, behind))
            holds = x[own] - beats[own]
            until = held + np.cumsum(holds)
            beats[own] -= until - holds
            held = int(until[-1])
