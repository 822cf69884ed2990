"""The rounds of a network, walked by a table or by code generated for it, many times faster than the general kernel.

The generated text is a round as straight-line code. It depends on the network's shape alone: one compiled function
serves a whole search. In a round each step passes as in a graph iteration; the general kernel does all around them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.completion import BETWEEN_LOOKS
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.round_dues import Due, in_beats, in_cycles, moved
from ppnsim.engines.compiled.round_states import leave_at_last_start
from ppnsim.engines.compiled.round_text import text_of
from ppnsim.engines.compiled.round_walk import RoundWalker, round_walker
from ppnsim.engines.compiled.rounds import Rounds, rounds_of
from ppnsim.engines.compiled.tape import (
    BASE,
    COUNT,
    DONE,
    FIRST,
    FLUSHABLE,
    FROZEN,
    HEAD,
    II,
    KIND,
    LAST,
    LAST_CYCLE,
    LAST_STEP,
    LENGTH,
    OFFSET,
    PASSED,
    QUEUED,
    Tape,
)  # fmt: skip
from ppnsim.machine_code.kernels import machine_code_of

WINDOW = 500  # rounds at least between two moves; with a power of two, all steps would share a few lines of the cache
_NO_LIMIT = 1 << 60
# Passings. Compiling takes tenths of a second, in which the general kernel goes a long way, and tables a longer one.
_PAYS_BY_TABLE, _PAYS = 3_000_000, 100_000_000
# Passings of a round whose text compiles in two seconds; twice as many take four times as long. One of a flushable
# process, with loop and state, counts as several others.
_LONGEST, _FLUSHABLE = 300, 4
_NO_MOVES = np.empty((0, 3), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Generated:
    """A tape's rounds, and what evaluates them: generated code, unless they are walked ``by_table``."""

    tape: Tape
    rounds: Rounds
    by_table: RoundWalker | None = None

    @classmethod
    def of(cls, tape: Tape, repeats: Int64Array) -> Generated | None:
        """Return the rounds of a tape as it stands, with nothing evaluated; None if it has none.

        ``repeats`` are the firings of each node in a graph iteration.
        """
        rounds = rounds_of(tape, [int(q) for q in repeats])
        return None if rounds is None else cls(tape, rounds)

    def suited(self, passings: int) -> Generated:
        """Return these rounds as they are evaluated soonest if so many passings are left."""
        units = self.rounds.units
        length = sum(_FLUSHABLE if unit.later >= 0 else len(unit.passings) for unit in units)
        if passings >= _PAYS and length <= _LONGEST:
            return self
        return replace(self, by_table=round_walker(self.rounds, self.tape))

    @property
    def source(self) -> str:
        """The text of the generated code."""
        return self._text[0]

    @cached_property
    def _text(self) -> tuple[str, Int64Array, Int64Array]:
        return text_of(self.rounds, self.tape)

    def start(self) -> None:
        """Evaluate all that comes before the rounds."""
        nodes, begin = self.tape.nodes, self.rounds.begin
        counts = nodes[:, COUNT].copy()
        nodes[:, COUNT] = [max(done, self.rounds.passed(node, begin)) for node, done in enumerate(nodes[:, DONE])]
        evaluate(self.tape, _NO_LIMIT)
        nodes[:, COUNT] = counts

    def walk(self, begin: int, end: int, report: Callable[[], None] | None = None) -> None:
        """Evaluate rounds ``begin`` .. ``end`` - 1, with those before them on the tape."""
        some = max(1, BETWEEN_LOOKS // len(self.rounds.at))
        dues = self._dues(begin)
        while begin < end:
            span = min(some, end - begin)
            self._call(begin, span, _NO_MOVES, 1)
            begin += span
            if report is not None:
                report()
        in_beats(self.tape, self.rounds, dues, end)
        self._leave_at(end)

    def walk_in_place(self, rounds: int) -> None:
        """Evaluate ``rounds`` rounds from the first one on, each firing taking the place of one before it.

        The tape then looks as before, with all firings (and steps of frozen pipelines) renumbered.
        """
        begin, kept = self.rounds.begin, self._kept()
        dues = self._dues(begin)
        most, by = self.rounds.end - begin, {node: rounds * q for node, q in enumerate(self.rounds.repeats)}
        longest = max((count // self.rounds.repeats[node] for node, _, count in kept), default=0)
        while rounds:
            span = min(most, max(WINDOW, 4 * longest), rounds)
            blocks = min(rounds // span, max(1, BETWEEN_LOOKS // (span * len(self.rounds.at))))
            moves = [(to, to + span * self.rounds.repeats[node], count) for node, to, count in kept]
            self._call(begin, span, np.array(moves, dtype=np.int64), blocks)
            rounds -= blocks * span
        places = {node: place for node, place, _ in kept}
        in_beats(self.tape, self.rounds, moved(self.tape, dues, places, by), begin)
        self._leave_at(begin)

    def _dues(self, begin: int) -> list[Due]:
        """Have accesses of flushable processes due in cycles, as generated code has them; tables have beats."""
        return in_cycles(self.tape, self.rounds, begin) if self.by_table is None else []

    def _kept(self) -> list[tuple[int, int, int]]:
        """Return what may still be looked at in the first round: node, place and number of passings."""
        begin, nodes = self.rounds.begin, self.tape.nodes
        ends = [self.rounds.passed(node, begin) for node in range(len(nodes))]
        lowest = [end - q for end, q in zip(ends, self.rounds.repeats, strict=True)]
        for passing in self.rounds.at.values():
            for term in passing.looks_at:
                at = self.rounds.index(passing, term) + begin * self.rounds.repeats[term.source]
                lowest[term.source] = min(lowest[term.source], at)
        return [(node, int(nodes[node, BASE]) + lowest[node], ends[node] - lowest[node]) for node in range(len(nodes))]

    def _call(self, begin: int, span: int, moves: Int64Array, blocks: int) -> None:
        if self.by_table is not None:
            self.by_table(begin, span, moves, blocks)
            return
        source, at, weights = self._text
        kernel, (x, beats) = machine_code_of(source, "rounds"), (self.tape.cycles, self.tape.beats)
        kernel(x, beats, at.view(np.uint64), weights, moves, np.uint64(begin), np.uint64(span), blocks)

    def _leave_at(self, end: int) -> None:
        """Note on the tape that the first ``end`` rounds have been evaluated."""
        nodes, actors, control = self.tape.nodes, self.tape.actors, self.tape.control
        control[PASSED] -= nodes[:, DONE].sum()
        nodes[:, DONE] = [self.rounds.passed(node, end) for node in range(len(nodes))]
        for actor in (row for row in actors if row[KIND] == FROZEN):
            own = nodes[actor[FIRST] : actor[LAST]]
            steps = (own[:, DONE] - 1) * actor[II] + self.tape.tables[own[:, OFFSET]]
            latest = own[int(steps.argmax())]
            actor[LAST_STEP], actor[LAST_CYCLE] = steps.max(), self.tape.cycles[latest[BASE] + latest[DONE] - 1]
        for actor in (row for row in actors if row[KIND] == FLUSHABLE):
            leave_at_last_start(self.tape, actor)
        control[PASSED] += nodes[:, DONE].sum()
        actors[:, QUEUED] = 1
        self.tape.queue[:] = np.arange(len(actors))
        control[HEAD], control[LENGTH] = 0, len(actors)


def repeats_of(recurrences: Recurrences) -> Int64Array:
    """Return the firings of each node in a graph iteration; 1 each where the network has none."""
    network = recurrences.program.network
    repetition = Repetition.of(network)
    return recurrences.per_node([repetition.firings[each.name] if repetition else 1 for each in network.processes])


def walks_rounds(tape: Tape) -> bool:
    """Return whether a tape is so long that `evaluate_rounds` pays."""
    return int(tape.nodes[:, COUNT].sum()) >= _PAYS_BY_TABLE


def evaluate_rounds(recurrences: Recurrences, tape: Tape, report: Callable[[], None]) -> None:
    """Evaluate the rounds of a tape by generated code or by table, where that pays; `evaluate` does what is left.

    Of elastic processes whole iterations may have been evaluated before. ``report`` is called now and then.
    """
    if not walks_rounds(tape):
        return
    repeats = repeats_of(recurrences)
    generated = Generated.of(tape, repeats)
    if generated is None:
        return
    generated = generated.suited(int(tape.nodes[:, COUNT].sum()))
    # No step passes more often in the first rounds than in as many iterations.
    begin = int((tape.nodes[:, DONE] // repeats).min())
    if begin <= generated.rounds.begin:
        begin = generated.rounds.begin
        generated.start()
    generated.walk(min(begin, generated.rounds.end), generated.rounds.end, report)
