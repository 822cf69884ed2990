"""Runs a program with the compiled kernels and collects the timeline."""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.engines.compiled.budget import Budget, pay_beside
from ppnsim.engines.compiled.completion import finish_of
from ppnsim.engines.compiled.early_period import look_early
from ppnsim.engines.compiled.generated import evaluate_rounds, walks_rounds
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.late_period import without_repetitions
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.settled import left_out_of
from ppnsim.engines.compiled.tape import DONE, tape_of
from ppnsim.engines.compiled.tape_timeline import timeline_of
from ppnsim.engines.compiled.tapes import Depths, Tapes
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.deadlock import run_of, standstill_of
from ppnsim.engines.program import Program
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.run import Run

Progress = Callable[[int, int], None]

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
    cut : leave out the repetitions of a run that has become periodic, which `run_cut_short` has not found.

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

    network = program.network
    repetition = Repetition.of(network) if cut and not _varies(network) else None
    # Rounds keep no beats of the starts of flushable processes, which a look afterwards compares.
    last = walks_rounds(tape) and any(process.style == "flushable" for process in network.processes)
    found = None
    if repetition is not None and not pay_beside(network):
        found = look_early(repetition, recurrences, tape)
    if repetition is not None and found is not None:
        left_out = left_out_of(network, repetition, *found)
        recorded = timeline_of(repetition.shortened(left_out.iterations), recurrences, tape)
        finish = finish_of(recurrences, tape) + left_out.cycles
        return Run(network=network, engine="compiled", finish=finish, recorded=recorded, left_out=left_out)
    evaluate_rounds(recurrences, tape, report)
    while evaluate(tape, _BETWEEN_REPORTS):
        report()
    whole = run_of(program, timeline_of(network, recurrences, tape), engine="compiled")
    return without_repetitions(whole, repetition, recurrences, tape) if repetition and not last else whole


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
        return unsupported(network) is None and not _varies(network) and not network.credits

    def run(self, depths: Depths) -> Run:
        """Run with other depths for some channels, to the end or to a deadlock."""
        program = self._program.with_depths(depths)
        self._tapes.run({channel.name: channel.depth for channel in program.network.channels})
        tape = self._tapes.tape._replace(cycles=self._tapes.tape.cycles.copy())
        return run_of(program, timeline_of(program.network, self._tapes.recurrences, tape), engine="compiled")


def run_cut_short(
    network: Network, most: int | None = None, *, sparing: bool = False, deadlocks: bool = False
) -> Run | None:
    """Run a network and leave out the repetitions of its steady state; None if it does not show one and finish.

    ``most`` firings are kept to look for one, and ``sparing`` trials cost little beside the whole run (`Budget`): there
    are none if that is short. With ``deadlocks``, a run that stands still before any process has started all its
    firings is returned, too: what is recorded is then that of fewer firings.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> outcome = run_cut_short(chain(firings=10**9, depth=1))
    >>> outcome.finish, outcome.steady
    (2000000011, Steady(iterations=1, cycles=2, since=3))
    """
    if unsupported(network) or _varies(network):
        return None
    budget = Budget.of_one_run(network) if sparing else None
    depths = {channel.name: channel.depth for channel in network.channels}
    settled = Trials(network, most=most, apart=False, budget=budget).cut_short(depths)
    if settled is not None and not settled.ended and settled.steady is None and deadlocks:
        settled.tapes.run(depths)  # all that is on the tape
        if settled.tapes.some_process_started_all():  # as a frame with few rows may have it
            return None
        timeline = timeline_of(settled.tapes.network, settled.tapes.recurrences, settled.tapes.tape)
        return standstill_of(network, timeline, engine="compiled")
    if settled is None or not settled.ended or settled.steady is None or settled.repetition is None:
        return None  # a deadlock behind its rows is told from the whole run
    left_out = left_out_of(network, settled.repetition, settled.steady, settled.after, settled.rounds)
    short = settled.repetition.shortened(left_out.iterations)
    recorded = timeline_of(short, settled.tapes.recurrences, settled.tapes.tape)
    return Run(network=network, engine="compiled", finish=settled.finish, recorded=recorded, left_out=left_out)


def _varies(network: Network) -> bool:
    """Return whether a process has a latency per firing, with which the recurrences depend on the depths."""
    return any(steps.varies for steps in network.steps.values())
