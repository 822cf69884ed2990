"""Runs a program with the compiled kernels and collects the timeline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.engines.compiled.budget import ALL_TRIED
from ppnsim.engines.compiled.generated import evaluate_rounds
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.late_period import without_repetitions
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, FIRST, HELD, NOW, Tape, tape_of
from ppnsim.engines.compiled.tapes import Depths, Tapes
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.deadlock import run_of
from ppnsim.engines.program import Program
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.steady import LeftOut
from ppnsim.model.timeline import NEVER, Timeline

Progress = Callable[[int, int], None]

_PIECE = 2**14
_BETWEEN_REPORTS = 5_000_000  # passings: some hundredths of a second, so that Ctrl-C is heard


def unsupported(network: Network) -> str | None:
    """Return what this engine cannot do about a network, None if it can run it."""
    shared = (each for each in network.processes if each.resource is not None)
    return next((f"process '{each.name}' shares the resource '{each.resource}'" for each in shared), None)


def run(program: Program, *, progress: Progress | None = None, cut: bool = False) -> Run:
    """Run a program to its end or to its deadlock.

    Parameters
    ----------
    program : the lowered network.
    progress : called now and then with firings started and firings in all.
    cut : leave out the repetitions of a long run that has become periodic too late for `run_cut_short`.

    Raises
    ------
    UnsupportedByEngine
        If a process shares a resource.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> run(Program.of(chain(firings=20, depth=1))).finish
    51
    """
    if reason := unsupported(program.network):
        raise UnsupportedByEngine("engine compiled", reason)
    recurrences = Recurrences.of(program)
    tape = tape_of(recurrences)

    def report() -> None:
        if progress is not None:
            progress(int(tape.nodes[list(recurrences.first[:-1]), DONE].sum()), program.passings)

    evaluate_rounds(recurrences, tape, report)
    while evaluate(tape, _BETWEEN_REPORTS):
        report()
    whole = run_of(program, _timeline(program.network, recurrences, tape), engine="compiled")
    return without_repetitions(whole, recurrences, tape) if cut and program.passings > ALL_TRIED else whole


class Reruns:
    """A program that is run with many depths: its tape is made once, and each run keeps cycles of its own.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> reruns = Reruns(Program.of(fork_join(firings=20)))
    >>> [reruns.run({"short_in": depth, "short_out": depth}).finish for depth in (1, 2, 8)]
    [92, 70, 37]
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._tapes = Tapes(program.network)

    @staticmethod
    def takes(network: Network) -> bool:
        """Return whether a network's recurrences are the same for all depths (`Evaluator`), and this engine's."""
        return unsupported(network) is None and not any(steps.varies for steps in network.steps.values())

    def run(self, depths: Depths) -> Run:
        """Run with other depths for some channels, to the end or to a deadlock."""
        program = self._program.with_depths(depths)
        self._tapes.run({channel.name: channel.depth for channel in program.network.channels})
        tape = self._tapes.tape._replace(cycles=self._tapes.tape.cycles.copy())
        return run_of(program, _timeline(program.network, self._tapes.recurrences, tape), engine="compiled")


def run_cut_short(network: Network, most: int | None = None, *, sparing: bool = True) -> Run | None:
    """Run a network and leave out the repetitions of its steady state; None if it does not show one and finish.

    ``most`` firings are kept to look for one, and ``sparing`` trials cost little beside the whole run (`Trials`).

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> outcome = run_cut_short(chain(firings=10**9, depth=1))
    >>> outcome.finish, outcome.steady
    (2000000011, Steady(iterations=1, cycles=2, since=3))
    """
    if unsupported(network) or any(steps.varies for steps in network.steps.values()):
        return None
    depths = {channel.name: channel.depth for channel in network.channels}
    settled = Trials(network, most=most, apart=False, sparing=sparing).cut_short(depths)
    if settled is None or not settled.ended or settled.steady is None or settled.repetition is None:
        return None  # a deadlock behind its rows is told from the whole run
    repetition = settled.repetition
    firings = {name: each * settled.steady.iterations for name, each in repetition.firings.items()}
    missing = settled.rounds * settled.steady.iterations
    left_out = LeftOut(
        network=network, steady=settled.steady, after=settled.after, rounds=settled.rounds, firings=firings,
        held={channel.name: repetition.fewer_tokens(channel.name, missing) for channel in network.channels},
    )  # fmt: skip
    recorded = _timeline(repetition.shortened(missing), settled.tapes.recurrences, settled.tapes.tape)
    return Run(network=network, engine="compiled", finish=settled.finish, recorded=recorded, left_out=left_out)


def _timeline(network: Network, recurrences: Recurrences, tape: Tape) -> Timeline:
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
    apart = np.diff(nodes[:, BASE])
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
