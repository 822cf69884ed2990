"""Runs that become periodic so late that no short run shows it: their repetitions are left out afterwards.

Trials that cost little beside the run do not reach far into it (`trials`). The tape of the whole run shows what they
would have found; to look there costs a few nanoseconds for a passing. What is kept is then the run of a shorter
network, as if that had been run.
"""

from __future__ import annotations

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.compiled.completion import longest_wait
from ppnsim.engines.compiled.periods import find_period
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, Tape
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.steady import LeftOut, Steady
from ppnsim.model.timeline import Timeline

_NO_END = 1 << 62
# Iterations of a repetition that are looked for, and one of so many of the run more: a look costs little.
_LEAST = 64
_SHARE = 256


def without_repetitions(whole: Run, recurrences: Recurrences, tape: Tape) -> Run:
    """Return a run without the repetitions of its steady state; itself if they are less than half of it.

    Processes are elastic or frozen: nothing but the cycles of passings says what they do next.

    Parameters
    ----------
    whole : the run that ``tape`` has recorded, with all firings.
    """
    network = whole.network
    if whole.deadlocked or any(each.style == "flushable" for each in network.processes):
        return whole
    repetition = Repetition.of(network)
    found = _repetition_on(tape, recurrences, repetition) if repetition else None
    if repetition is None or found is None:
        return whole
    steady, after, rounds = found
    missing = rounds * steady.iterations
    if 2 * missing < repetition.iterations:
        return whole
    firings = {name: each * steady.iterations for name, each in repetition.firings.items()}
    left_out = LeftOut(
        network=network, steady=steady, after=after, rounds=rounds, firings=firings,
        held={channel.name: 0 for channel in network.channels},
    )  # fmt: skip
    recorded = _cut(whole.recorded, repetition.shortened(missing), left_out)
    return Run(network=network, engine=whole.engine, finish=whole.finish, recorded=recorded, left_out=left_out)


def _repetition_on(tape: Tape, recurrences: Recurrences, repetition: Repetition) -> tuple[Steady, int, int] | None:
    """Return the steady state, the end of a repetition soon after it began, and how many follow that one."""
    names = [process.name for process in recurrences.program.network.processes]
    repeats = recurrences.per_node([repetition.firings[name] for name in names])
    begins, ends = np.zeros_like(repeats), np.full_like(repeats, _NO_END)
    starts = np.array(recurrences.first[:-1], dtype=np.int64)
    last = ends[starts] = tape.nodes[starts, COUNT] - 1
    horizon = 1 + longest_wait(recurrences)
    most = _LEAST + repetition.iterations // _SHARE
    *found, late = find_period(tape, begins, ends, repeats, horizon, most)
    steady = Steady(*found)
    distance = 2 * horizon + 3 * steady.cycles
    while steady.iterations and steady.since + distance < late:
        # The same test proves it again, with an end to the firings that comes soon.
        ends[starts] = np.minimum(last, [_passed_by(tape, node, steady.since + distance) for node in starts])
        iterations, cycles, _, after = find_period(tape, begins, ends, repeats, horizon, steady.iterations)
        if (iterations, cycles) == (steady.iterations, steady.cycles):
            return steady, after, (late - after) // cycles
        distance *= 2
    return None


def _passed_by(tape: Tape, node: int, cycle: int) -> int:
    base, done = tape.nodes[node, [BASE, DONE]].tolist()
    return int(np.searchsorted(tape.cycles[base : base + done], cycle))


def _cut(whole: Timeline, network: Network, left_out: LeftOut) -> Timeline:
    """Return the timeline of the shorter network: `LeftOut.put_back` undone."""
    passed: dict[str, Int64Array] = {}
    for name, rows in whole.passed.items():
        gone = left_out.rounds * left_out.firings[name]
        short = np.empty((len(rows), rows.shape[1] - gone), dtype=np.int64)
        for row, into in zip(rows, short, strict=True):
            here = int(np.searchsorted(row, left_out.after, side="right"))
            into[:here] = row[:here]
            np.subtract(row[here + gone :], left_out.cycles, out=into[here:])
        passed[name] = read_only(short)
    return Timeline(network=network, passed=passed, holds={})
