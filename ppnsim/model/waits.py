"""From a timeline: when each access was due, and when its token or slot was there. The gap between them is the wait."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network
from ppnsim.model.timeline import NEVER, Timeline


def readable_from(timeline: Timeline, channel: str) -> Int64Array:
    """Return, per consumer firing, the cycle from which all tokens that it reads are there; `stopped` if never."""
    network = timeline.network
    passings = network.passings_of(network.channel(channel).target)
    counts = network.counts[channel]
    writes = _or_stopped(timeline, timeline.token_writes(channel)) + network.forward(channel)
    there = np.zeros(passings, dtype=np.int64)
    if counts.freed.is_one_each and counts.in_order:  # firing n reads token n
        there[counts.initial :] = writes[: max(passings - counts.initial, 0)]
        return there
    need = counts.need.first(passings)
    reads = need >= 0
    there[reads] = writes[need[reads]]
    return there


def writable_from(timeline: Timeline, channel: str) -> Int64Array:
    """Return, per producer firing, the cycle from which all slots that it fills are free; `stopped` if never."""
    network = timeline.network
    passings = network.passings_of(network.channel(channel).source)
    depth = network.channel(channel).depth
    free = np.zeros(passings, dtype=np.int64)
    if depth is None:
        return free
    counts, releases = network.counts[channel], timeline.releases(channel)
    if counts.put.is_one_each:  # firing n waits for the release before its own token by the depth
        there = depth - counts.initial
        known = min(len(releases), max(passings - there, 0))
        free[there : there + known] = releases[:known]
        free[there + known :] = timeline.stopped
        return free
    count, level = counts.put_by(passings)
    slot = level - depth - 1
    waits = (count > 0) & (slot >= 0)
    releases = np.append(releases, timeline.stopped)
    free[waits] = releases[np.minimum(slot[waits], len(releases) - 1)]
    return free


def due_cycles(timeline: Timeline, process: str) -> Int64Array:
    """Return the cycle from which its own process let firing n pass step k, shape of ``timeline.passed``."""
    style = timeline.network.process(process).style
    if style == "frozen":
        return _due_frozen(timeline, process)
    if style == "flushable":
        return _due_flushable(timeline, process)
    return _due_elastic(timeline, process)


def frozen_steps(timeline: Timeline, process: str) -> tuple[Int64Array, Int64Array]:
    """Return the pipeline steps of a frozen process in which something is due, ascending, and their cycles T(x).

    The steps between two of them follow the first one without waiting. What never happens has cycle `stopped`.
    """
    place = _pipeline_steps(timeline.network, process)
    step, index = np.unique(place, return_index=True)
    return step, _or_stopped(timeline, timeline.passed[process]).ravel()[index]


def held_before(holds: Int64Array, cycles: Int64Array, *, stopped: int) -> Int64Array:
    """Return in how many cycles before each of ``cycles`` a flushable process was held."""
    after, lengths = _hold_ends(holds, stopped)
    return lengths[np.searchsorted(after, cycles, side="right")]


def _hold_ends(holds: Int64Array, stopped: int) -> tuple[Int64Array, Int64Array]:
    """Return the cycle after each hold, and the held cycles in the first 0, 1, 2, ... holds."""
    after = np.where(holds[:, 1] == NEVER, stopped, holds[:, 1])
    return after, np.concatenate([[0], np.cumsum(after - holds[:, 0])])


def ii_over(timeline: Timeline, process: str) -> Int64Array:
    """Return, per firing, the first cycle that is not too early after the start before it (0 for the first firing)."""
    ii = timeline.network.process(process).ii
    start = _or_stopped(timeline, timeline.start(process))
    if timeline.network.process(process).style != "flushable":
        return np.concatenate([[0], start[:-1] + ii])
    holds = timeline.holds[process]
    beat = start[:-1] - held_before(holds, start[:-1], stopped=timeline.stopped) + ii
    hold_beat = holds[:, 0] - held_before(holds, holds[:, 0], stopped=timeline.stopped)
    _, lengths = _hold_ends(holds, timeline.stopped)
    return np.concatenate([[0], beat + lengths[np.searchsorted(hold_beat, beat, side="left")]])


def beats_in_flight(timeline: Timeline, process: str) -> dict[tuple[int, int], int]:
    """Return for every (firing, step) in flight in a flushable process in which beat it is due.

    A beat is a cycle in which the process was not held, counted from 0.
    """
    steps, rows = timeline.network.steps[process], timeline.passed[process]
    offsets = np.stack([steps.offsets_of(k, rows.shape[1]) for k in range(steps.count)])
    at_beat = rows - held_before(timeline.holds[process], rows, stopped=timeline.stopped)
    ended = int(np.argmax((rows == NEVER).any(axis=0)))  # firings before the first that has not ended
    beats: dict[tuple[int, int], int] = {}
    for firing in range(ended, int(np.count_nonzero(rows[0] != NEVER))):
        beat = last = 0
        for offset in np.unique(offsets[:, firing]).tolist():
            together = [k for k in range(steps.count) if offsets[k, firing] == offset]
            if rows[together[0], firing] != NEVER:
                beat = int(at_beat[together[0], firing])
            else:
                before = [beats.get((firing - 1, k), int(at_beat[k, firing - 1])) + 1 for k in together if firing]
                beat = max([beat + offset - last, *before])
                beats |= {(firing, k): beat for k in together}
            last = offset
    return beats


def _due_elastic(timeline: Timeline, process: str) -> Int64Array:
    network = timeline.network
    steps, ii = network.steps[process], network.process(process).ii
    passed = _or_stopped(timeline, timeline.passed[process])
    count, firings = passed.shape
    in_turn = np.zeros_like(passed)
    np.add(passed[:, :-1], 1 if ii else 0, out=in_turn[:, 1:])
    in_turn[0] = ii_over(timeline, process)
    if steps.capacity is not None and firings > steps.capacity:
        room = passed.max(axis=0)[: firings - steps.capacity]
        in_turn[0, steps.capacity :] = np.maximum(in_turn[0, steps.capacity :], room)
    due = in_turn.copy()
    for k, j in permutations(range(count), 2):
        gap = steps.offsets[k] - steps.offsets[j]  # one for all firings, or one per firing
        if (later := gap > 0).any():
            np.maximum(due[k], passed[j] + gap, out=due[k], where=later)
        if (together := gap == 0).any():
            np.maximum(due[k], in_turn[j], out=due[k], where=together)
    return due


def _due_frozen(timeline: Timeline, process: str) -> Int64Array:
    place = _pipeline_steps(timeline.network, process)
    step, cycle = frozen_steps(timeline, process)
    before = np.searchsorted(step, place) - 1
    # The steps from the one before up to this one take a cycle each; the first of all is due at 0.
    return np.where(before < 0, 0, cycle[before] + place - step[before])


def _due_flushable(timeline: Timeline, process: str) -> Int64Array:
    holds, rows, steps = timeline.holds[process], timeline.passed[process], timeline.network.steps[process]
    due = _or_stopped(timeline, rows).copy()
    due[0] = ii_over(timeline, process)
    for k in range(1, steps.count):
        at_start = steps.offsets_of(k, rows.shape[1])[1:] == 0
        np.maximum(due[0, 1:], _or_stopped(timeline, rows[k, :-1]) + 1, out=due[0, 1:], where=at_start)
    ended = holds[holds[:, 1] != NEVER]
    if len(ended):
        # What passed at the end of a hold was due at its beginning.
        at = np.minimum(np.searchsorted(ended[:, 1], rows[1:]), len(ended) - 1)
        due[1:] = np.where(ended[at, 1] == rows[1:], ended[at, 0], due[1:])
    if len(ended) < len(holds):
        beats = beats_in_flight(timeline, process)
        for (firing, step), beat in beats.items():
            if beat == min(beats.values()):
                due[step, firing] = holds[-1, 0]
    for k in range(1, steps.count):
        due[k] = np.where(steps.offsets_of(k, rows.shape[1]) == 0, due[0], due[k])
    return due


def _pipeline_steps(network: Network, process: str) -> Int64Array:
    """Return the pipeline step n * ii + a of firing n at step a of a frozen process."""
    declared = network.process(process)
    return network.steps[process].places(declared.firings, declared.ii)


def _or_stopped(timeline: Timeline, cycles: Int64Array) -> Int64Array:
    return cycles if timeline.complete else np.where(cycles == NEVER, timeline.stopped, cycles)
