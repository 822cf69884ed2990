"""The finish of very long runs, in memory that does not grow with the firings.

A short copy of the network is put on a tape and the iterations that it lacks are walked in place, in the middle of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.engines.compiled.completion import evaluate_all, finish_of
from ppnsim.engines.compiled.generated import WINDOW, Generated, repeats_of
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import Tape, tape_of
from ppnsim.engines.compiled.trials import MOST_ACCESSES, MOST_FIRINGS
from ppnsim.engines.program import Program
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.network import Network


def finish(network: Network, depths: Mapping[str, int | None] | None = None) -> int | None:
    """Return the finish of a network in cycles, None after a deadlock.

    Memory grows with the depths and with the firings of a graph iteration, not with the number of iterations.

    Parameters
    ----------
    network : processes with one latency each, channels with rates.
    depths : other depths in tokens for some channels, None = unbounded.

    Raises
    ------
    UnsupportedByEngine
        If the network does not repeat, shares resources, has too long an iteration, or a flushable process that
        accesses channels at several steps after its start.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> finish(chain(firings=1_000_000, depth=1), {"c0": None})
    2000011
    """
    network = network.checked().with_depths(depths or {})
    repetition = Repetition.of(network)
    if repetition is None or network.resources:
        reason = "the network does not repeat: listed tokens, rates without balance, a latency per firing, or resources"
        raise UnsupportedByEngine("finish of a long run", reason)
    firings = repetition.firings
    accesses = sum(firings[channel.source] + firings[channel.target] for channel in network.channels)
    if sum(firings.values()) > MOST_FIRINGS or accesses > MOST_ACCESSES:
        words = f"a graph iteration has {sum(firings.values())} firings and {accesses} accesses of channels"
        words += (
            f" (at most {MOST_FIRINGS} and {MOST_ACCESSES}); `ppnsim estimate` has period and depths from the graph"
        )
        raise UnsupportedByEngine("finish of a long run", words)
    iterations = 4 * max(WINDOW, looks_back(repetition))
    while iterations < repetition.iterations:
        left_out = repetition.iterations - iterations
        recurrences = Recurrences.of(Program.of(repetition.shortened(left_out)))
        tape = tape_of(recurrences)
        generated = Generated.of(tape, repeats_of(recurrences))
        if generated is None:
            _refuse_unless_circle(recurrences, tape)
            return None
        if 4 * generated.rounds.begin <= iterations:
            generated = generated.suited(network.passings)
            generated.start()
            generated.walk_in_place(left_out)
            generated.walk(generated.rounds.begin, generated.rounds.end)
            return _to_the_end(recurrences, tape)
        iterations *= 4
    recurrences = Recurrences.of(Program.of(network))
    return _to_the_end(recurrences, tape_of(recurrences))


def looks_back(repetition: Repetition) -> int:
    """Return more than the graph iterations over which tokens, slots and room in a pipeline are waited for."""
    network, farthest = repetition.network, 0
    for channel in network.channels:
        rates = repetition.rates[channel.name].produce
        tokens = sum(rates) * repetition.firings[channel.source] // len(rates)
        farthest = max(farthest, ((channel.depth or 0) + channel.initial) // max(1, tokens))
    for process in network.processes:
        farthest = max(farthest, (network.steps[process.name].capacity or 0) // repetition.firings[process.name])
    return farthest + 2


def _refuse_unless_circle(recurrences: Recurrences, tape: Tape) -> None:
    """A network that waits for itself in every round stands still in the short copy as well; others are refused."""
    if _to_the_end(recurrences, tape) is not None:
        reasons = (
            "a flushable process with several steps after its start, too many firings in an iteration, "
            "or steps in no order that every round can have"
        )
        raise UnsupportedByEngine("finish of a long run", reasons)


def _to_the_end(recurrences: Recurrences, tape: Tape) -> int | None:
    """Evaluate what is left, and return the largest end of a firing, None after a deadlock."""
    return finish_of(recurrences, tape) if evaluate_all(tape) else None
