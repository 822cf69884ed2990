"""Depths of cyclic rates from a schedule in which some firings of each process repeat, whatever an iteration has.

The firings of a process that repeat are its *round*; each of them starts at a time of its own, and a round later again.
Which firings of a writer and a reader wait for each other follows from the tokens of their rounds: with Pw written and
Pr read in a round of each, rounds of both are any multiple of g = gcd(Pw, Pr) tokens apart, so that a pair of firings
waits longest at one known distance. The starts are those of a linear program over depths and start times; they are then
moved, in whole numbers, until each wait holds, and the depths are those that just these starts need.

Source: Bodin, Munier-Kordon and Dupont de Dinechin 2013, Periodic schedules for cyclo-static dataflow; Benazouz,
Munier-Kordon, Hujsa and Bodin 2013, Liveness evaluation of a cyclo-static dataflow graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, gcd, lcm

from ppnsim.analysis.k_periodic import PeriodBounds
from ppnsim.errors import InputError
from ppnsim.explore.fifo.linear_program import LinearProgram
from ppnsim.explore.fifo.round_ends import RoundEnd, ends_of
from ppnsim.model.network import Channel, Network

_AT_ONCE = Fraction(1, 10**6)  # cycles between accesses in the same cycle of which one needs the other
_SLOWER = (0, Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 1000), Fraction(1, 10))
_PAIRS = 60_000  # pairs of firings in a linear program
_LARGEST = 2_000_000  # pairs at all
_ROUNDS = 2000  # of moving starts


@dataclass(frozen=True, slots=True)
class _Wait:
    """Start ``target`` is at least ``cycles`` - ``tokens`` x cycles per token of the channel after start ``source``."""

    source: int
    target: int
    cycles: Fraction
    tokens: int
    channel: int


class RoundStarts:
    """A connected part of an elastic network with unbounded channels, and the rounds of its processes.

    Raises
    ------
    InputError
        If no rounds were found, they have too many firings, or a process is not elastic.
    """

    def __init__(self, network: Network, part: PeriodBounds) -> None:
        if part.pace is None:
            words = "no depths from the graph: no schedule was found in which few firings of each process repeat"
            raise InputError(words, where=next(iter(part.firings)))
        self.channels = [channel for channel in network.channels if channel.source in part.firings]
        self._part, self._name = part, next(iter(part.firings))
        self._ends = [ends_of(network, channel, part) for channel in self.channels]
        if sum(len(put.moves) * len(taken.moves) for put, taken in self._ends) > _LARGEST:
            raise InputError("no depths from the graph: its rounds have too many firings", where=self._name)
        first = [0, *accumulate(part.repeated.values())]
        self._first = dict(zip(part.repeated, first, strict=False))
        self._count = first[-1]
        self._tokens = [put.total * part.firings[c.source] // part.repeated[c.source] for c, (put, _) in self._pairs()]
        self._own = [each for name in part.firings for each in self._order(network, name)]
        self._data = [wait for number, (c, ends) in enumerate(self._pairs()) for wait in self._reads(number, c, *ends)]

    def schedule(self) -> tuple[Fraction, list[Fraction]]:
        """Return a period, the one that is known or little more, and a start for each firing of all rounds."""
        assert self._part.pace is not None
        for more in _SLOWER:
            period = self._part.pace * (1 + more)
            if period and (starts := self._moved(period, self._wished(period))) is not None:
                return period, starts
        raise InputError("no depths from the graph: no starts were found for its period", where=self._name)

    def depths(self, period: Fraction, starts: Sequence[Fraction]) -> dict[str, int]:
        """Return the least depths that these starts are a schedule with."""
        return {c.name: self._depth(number, c, period, starts) for number, (c, _) in enumerate(self._pairs())}

    def _pairs(self) -> list[tuple[Channel, tuple[RoundEnd, RoundEnd]]]:
        return list(zip(self.channels, self._ends, strict=True))

    def _order(self, network: Network, name: str) -> list[tuple[int, int, Fraction]]:
        """Return pairs of starts one after the other, and the cycles between them; a round is added to the last."""
        process, steps = network.process(name), network.steps[name]
        if process.style != "elastic" or (steps.varies and process.ii):
            words = "rates or latencies differ between firings, and it is not elastic with one latency or with ii = 0"
            raise InputError(f"no depths from the graph: {words}", where=process.where)
        count, first = self._part.repeated[name], self._first[name]
        behind = 1 if process.ii else 0
        offsets = [[int(row[n % len(row)]) for row in steps.offsets.reshape(steps.count, -1)] for n in range(count)]
        apart = [
            max(process.ii, *(early - late + behind for early, late in zip(offsets[n - 1], offsets[n], strict=True)))
            for n in range(count)
        ]
        return [(first + (n - 1) % count, first + n, Fraction(apart[n])) for n in range(count)]

    def _reads(self, number: int, channel: Channel, put: RoundEnd, taken: RoundEnd) -> list[_Wait]:
        """Return for each pair of firings how much later the reader is at least, where it reads what that one wrote."""
        common, found = gcd(put.total, taken.total), []
        writer, reader = self._first[channel.source], self._first[channel.target]
        for j, read in enumerate(taken.moves):
            wanted = taken.before[j] + read - 1 - channel.initial
            for i, written in enumerate(put.moves):
                apart = -((wanted - put.before[i]) // common) * common
                if read and written and apart + wanted < put.before[i] + written:
                    # A moment at least: what happens in one cycle then has an order (T2.5).
                    later = max(Fraction(put.there[i]), put.access[i] + _AT_ONCE) - taken.access[j]
                    found.append(_Wait(writer + i, reader + j, later, apart, number))
        return found

    def _wished(self, period: Fraction) -> list[Fraction]:
        """Return starts with which the depths are few, by a linear program; zeros where that is too large."""
        pairs = sum(len(put.moves) * len(taken.moves) for put, taken in self._ends)
        if pairs > _PAIRS:
            return [Fraction(0)] * self._count
        program = LinearProgram(self._count + len(self.channels))
        most = max(self._tokens, default=1)
        for number, tokens in enumerate(self._tokens):
            program.highs.changeColCost(self._count + number, tokens / most)
            program.row(0.0, [(self._count + number, 1.0)])
        for wait in self._data:
            program.row(float(self._gap(wait, period) / period), [(wait.target, 1.0), (wait.source, -1.0)])
        for source, target, apart in self._own:
            least = apart - (self._round_of(target, period) if source >= target else 0)
            program.row(float(least / period), [(target, 1.0), (source, -1.0)])
        for number, (channel, (put, taken)) in enumerate(self._pairs()):
            tokens, common = self._tokens[number], gcd(put.total, taken.total)
            writer, reader = self._first[channel.source], self._first[channel.target]
            for i, written in enumerate(put.moves):
                for j, read in enumerate(taken.moves):
                    if read and written:
                        cycles = taken.there[j] - put.claim[i]
                        held = put.before[i] + written + channel.initial - taken.before[j] - common
                        least = Fraction(cycles) / period + Fraction(held, tokens)
                        entries = [(writer + i, 1.0), (reader + j, -1.0), (self._count + number, 1.0)]
                        program.row(float(least), entries)
        values = program.solved()[0][: self._count] if program.run() else [0.0] * self._count
        return [period * Fraction(value) for value in values]

    def _gap(self, wait: _Wait, period: Fraction) -> Fraction:
        return wait.cycles - wait.tokens * period / self._tokens[wait.channel]

    def _round_of(self, start: int, period: Fraction) -> Fraction:
        """Return the cycles of a round of the process that a start belongs to."""
        name = next(name for name, first in reversed(self._first.items()) if first <= start)
        return period * self._part.repeated[name] / self._part.firings[name]

    def _moved(self, period: Fraction, starts: Sequence[Fraction]) -> list[Fraction] | None:
        """Return starts no earlier than these with which nothing comes too early, None if none are found."""
        gaps = [(wait.source, wait.target, self._gap(wait, period)) for wait in self._data]
        for source, target, apart in self._own:
            gaps.append((source, target, apart - (self._round_of(target, period) if source >= target else 0)))
        unit = lcm(*(gap.denominator for *_, gap in gaps))
        found = [-(-start.numerator * unit // start.denominator) for start in starts]
        whole = [(source, target, int(gap * unit)) for source, target, gap in gaps]
        for _ in range(min(self._count + 1, _ROUNDS)):
            settled = True
            for source, target, gap in whole:
                if found[source] + gap > found[target]:
                    found[target], settled = found[source] + gap, False
            if settled:
                return [Fraction(start, unit) for start in found]
        return None

    def _depth(self, number: int, channel: Channel, period: Fraction, starts: Sequence[Fraction]) -> int:
        """Return the least depth with which no write comes before the slot that it takes is free."""
        put, taken = self._ends[number]
        common, per_token = gcd(put.total, taken.total), period / self._tokens[number]
        writer, reader = self._first[channel.source], self._first[channel.target]
        held = [channel.initial, *put.moves, *taken.moves]
        for i, written in enumerate(put.moves):
            there = put.before[i] + written + channel.initial
            for j, read in enumerate(taken.moves):
                if read and written:
                    free = max(Fraction(taken.there[j]), taken.access[j] + _AT_ONCE) - put.claim[i]
                    late = starts[reader + j] - starts[writer + i] + free
                    # Before this time: as many tokens ahead, the slots of this firing are not free at that write.
                    ahead = common * (ceil(late / per_token / common) - 1)
                    held.append(ahead + there - taken.before[j])
        return max(held)
