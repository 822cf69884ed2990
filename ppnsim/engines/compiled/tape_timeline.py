"""The timeline that an evaluated tape has recorded, and when flushable processes were held."""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, FIRST, HELD, NOW, Tape
from ppnsim.model.network import Network
from ppnsim.model.timeline import NEVER, Timeline

_PIECE = 2**14


def timeline_of(network: Network, recurrences: Recurrences, tape: Tape) -> Timeline:
    """Return what a tape has of a network's passings, up to the end of the run or its deadlock."""
    passed, holds = {}, {}
    actor_of = {int(actor[FIRST]): actor for actor in tape.actors}
    for number, process in enumerate(network.processes):
        nodes = tape.nodes[recurrences.first[number] : recurrences.first[number + 1]]
        rows = _rows(tape.cycles, nodes)
        if process.style == "flushable":
            actor = actor_of[recurrences.first[number]]
            holds[process.name] = holds_of(rows, _rows(tape.beats, nodes), int(actor[NOW]) if actor[HELD] else None)
        rows.flags.writeable = False  # not `read_only`, which would make a copy
        passed[process.name] = rows
    return Timeline(network=network, passed=passed, holds=holds)


def _rows(values: Int64Array, nodes: Int64Array) -> Int64Array:
    """Return what a tape has for the nodes of a process, shape ``(nodes, firings)``: itself where all firings ended.

    A copy of it would be as much new memory, which takes as long as the run.
    """
    apart = nodes[1:, BASE] - nodes[:-1, BASE]
    if (nodes[:, DONE] == nodes[:, COUNT]).all() and (apart == apart[:1]).all():
        size, step = values.itemsize, int(apart[0]) if len(apart) else 0
        shape = len(nodes), int(nodes[0, COUNT])
        return np.ndarray(shape, values.dtype, values, int(nodes[0, BASE]) * size, (size * step, size))
    rows = np.empty((len(nodes), int(nodes[0, COUNT])), dtype=np.int64)
    for row, node in zip(rows, nodes, strict=True):
        row[:] = values[node[BASE] : node[BASE] + node[COUNT]]
        row[node[DONE] :] = NEVER
    return rows


def holds_of(passed: Int64Array, beats: Int64Array, held_since: int | None) -> Int64Array:
    """Return the cycles in which a flushable process was held: those by which time ran ahead of its beats.

    Starts wait outside and hold nothing: they are not looked at.
    """
    if len(passed) == 1:
        return read_only(np.zeros((0, 2), dtype=np.int64))
    found = [_lost(row, own) for row, own in zip(passed[1:], beats[1:], strict=True)]
    beat, when = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(beat, kind="stable")  # later beats are later cycles, of all steps alike
    beat, when = np.append(0, beat[order]), np.append(0, when[order])
    lost = np.diff(when - beat)
    ends = when[1:][lost > 0]
    holds = np.stack([ends - lost[lost > 0], ends], axis=1)
    if held_since is not None:
        holds = np.concatenate([holds, [[held_since, NEVER]]])
    return read_only(holds.astype(np.int64))


def _lost(passed: Int64Array, beats: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return beat and cycle of a step's passings by which more was lost than by the passing before: a few of many."""
    if len(passed) and passed[-1] == NEVER:
        passed = passed[: np.count_nonzero(passed != NEVER)]
        beats = beats[: len(passed)]
    at, before = [], int(passed[0] - beats[0]) - 1 if len(passed) else 0
    for begin in range(0, len(passed), _PIECE):  # in pieces that a cache holds
        lost = np.subtract(passed[begin : begin + _PIECE], beats[begin : begin + _PIECE])
        if int(lost[-1]) != before:
            at.append(begin + np.flatnonzero(np.diff(lost, prepend=before)))
            before = int(lost[-1])
    places = np.concatenate(at) if at else np.zeros(0, dtype=np.int64)
    return beats[places], passed[places]
