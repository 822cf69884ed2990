"""Long runs that never repeat themselves, in memory that does not grow with the firings, with all figures of a run.

A short copy of the network is on the tape. When its rounds are evaluated, the figures of their cycles are added up, and
its firings move down by whole graph iterations: they are then a run of the same short network again, later in time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppnsim.arrays import read_only
from ppnsim.engines.compiled.block_figures import BlockFigures
from ppnsim.engines.compiled.completion import evaluate_all
from ppnsim.engines.compiled.generated import Generated, repeats_of
from ppnsim.engines.compiled.long_run import looks_back
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, Tape, tape_of
from ppnsim.engines.compiled.tape_timeline import holds_of
from ppnsim.engines.program import Program
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.timeline import Timeline

_BLOCK = 1_000_000  # passings on the tape
_LEAST = 16  # a block moves on by this part of it at least, or processes run too far apart for blocks


def run_in_blocks(network: Network, progress: Callable[[int, int], None] | None = None) -> Run | None:
    """Return a run with all figures but without its timeline; None if the network has no rounds, or deadlocks.

    Memory grows with the depths, with the firings of a graph iteration, and with how far apart processes run; None too
    if they come to run farther apart than a block.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.model.summary import summary_of
    >>> outcome = run_in_blocks(chain(firings=400_000, depth=1))
    >>> outcome.finish, summary_of(outcome).processes["p0"].cycles.blocked
    (800011, {'c0': 399999})
    """
    repetition = Repetition.of(network)
    if repetition is None or network.resources:
        return None
    passings = sum(network.steps[name].count * each for name, each in repetition.firings.items())
    margin = looks_back(repetition)
    iterations = max(8 * margin, _BLOCK // passings)
    if iterations >= repetition.iterations:
        return None
    blocks = _Blocks(repetition, iterations, margin)
    return blocks.run(progress) if blocks.generated is not None else None


class _Blocks:
    """The short copy, and how far the run has come on it."""

    def __init__(self, repetition: Repetition, iterations: int, margin: int) -> None:
        self.repetition, self.margin = repetition, margin
        self.left, self._moved = repetition.iterations - iterations, 0
        self.short = repetition.shortened(self.left)
        self.recurrences = Recurrences.of(Program.of(self.short))
        self.tape: Tape = tape_of(self.recurrences)
        self.repeats = repeats_of(self.recurrences)
        generated = Generated.of(self.tape, self.repeats)
        self.generated = generated.suited(repetition.network.passings) if generated else None

    def run(self, progress: Callable[[int, int], None] | None) -> Run | None:
        assert self.generated is not None
        rounds, figures, seen = self.generated.rounds, BlockFigures(self.repetition.network), 0
        whole = rounds.end - max(passing.lag for passing in rounds.at.values())  # iterations of which all is known
        if 4 * (rounds.begin + self.margin) > whole:
            return None
        shown = self.repetition.only(whole)
        self.generated.start()
        self.generated.walk(rounds.begin, rounds.end)
        while self.left:
            later = self._first()
            until = int(self.tape.cycles[self.tape.nodes[:, BASE] + whole * self.repeats - 1].min())
            figures.add(self._timeline(shown, later), later, max(until, seen))
            seen = max(until, seen)
            moved = min(self._behind(until) - self.margin, rounds.end - rounds.begin, self.left)
            if moved * _LEAST < min(whole, self.left):
                return None
            self._move(moved)
            self.generated.walk(rounds.end - moved, rounds.end)
            if progress is not None:
                progress(self._done(), self.repetition.network.passings)
        if not evaluate_all(self.tape):
            return None
        later = self._first()
        last = self._timeline(self.short, later)
        figures.add(last, later, last.finish + later, ends=True)
        return figures.run(last, later)

    def _done(self) -> int:
        """Return the firings that have been evaluated."""
        return self.short.passings + sum(self.repetition.firings.values()) * self._moved

    def _first(self) -> int:
        """Return the first cycle on the tape: everything on it is later by that much than a network by itself."""
        return int(self.tape.cycles[self.tape.nodes[:, BASE]].min())

    def _behind(self, cycle: int) -> int:
        """Return the graph iterations that every step had begun in all its firings before a cycle."""
        nodes, cycles = self.tape.nodes, self.tape.cycles
        rows = [cycles[node[BASE] : node[BASE] + node[DONE]] for node in nodes]
        return min(int(np.searchsorted(row, cycle)) // int(q) for row, q in zip(rows, self.repeats, strict=True))

    def _move(self, iterations: int) -> None:
        """Forget the oldest iterations on the tape."""
        columns = [self.tape.cycles, self.tape.beats] if len(self.tape.beats) > 1 else [self.tape.cycles]
        for node, q in zip(self.tape.nodes, self.repeats, strict=True):
            begin, end = int(node[BASE]), int(node[BASE] + node[COUNT])
            for column in columns:
                column[begin : end - iterations * int(q)] = column[begin + iterations * int(q) : end]
        self.left -= iterations
        self._moved += iterations

    def _timeline(self, network: Network, later: int) -> Timeline:
        """Return the first firings on the tape as a run of their own, which begins in cycle 0."""
        passed, holds = {}, {}
        for number, process in enumerate(network.processes):
            count = network.passings_of(process.name)
            base = self.tape.nodes[self.recurrences.first[number] : self.recurrences.first[number + 1], BASE].tolist()
            rows = np.stack([self.tape.cycles[first : first + count] for first in base]) - later
            if process.style == "flushable":
                beats = np.stack([self.tape.beats[first : first + count] for first in base])
                again = [*range(len(base))]
                if len(base) > 1:  # beats of starts are not kept: an access comes due so long after its start
                    beats[0] = beats[1] - network.steps[process.name].offsets_of(1, count)
                    again = [0, *again]  # what was held before these firings shows at a start, which is looked at, too
                holds[process.name] = holds_of(rows[again], (beats - beats.min())[again], None)
            passed[process.name] = read_only(rows)
        return Timeline(network=network, passed=passed, holds=holds)
