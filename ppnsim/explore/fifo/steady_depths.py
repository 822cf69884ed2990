"""Depths for a steady state by linear programming: potentials of the moments of one iteration, and circles as its dual.

With a period T, moment v of iteration i may happen at x_v + i T if x_v >= x_u + weight - T * iterations for every wait
of v for u. A slot of a FIFO reaches floor((depth + ahead) / tokens) + 1 iterations back; (depth + ahead + 1) / tokens
is not more, so the depths of the program suffice, and with one token per iteration it is the same. Its dual is a flow
on circles of waits: those that force the depths.

Source: Govindarajan, Gao and Desai 2002 (one rate); Wiggers, Bekooij and Smit 2007 (linear bounds on token times).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.lifting import Circle
from ppnsim.explore.fifo.linear_program import LinearProgram, circles_of
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.slot_hops import Hop, Hops

_LARGEST = 60_000  # waits of one iteration


@dataclass(frozen=True, slots=True)
class Arc:
    """A wait of one iteration: moment ``target`` waits ``weight`` cycles after ``source``, ``shift`` iterations back.

    For a wait for a slot these are those of the smallest depth; ``hop`` says between which firings.
    """

    source: int
    target: int
    weight: int
    shift: int
    hop: Hop | None


class SteadyDepths:
    """The program of one network that repeats.

    Parameters
    ----------
    moments : of its runs.
    hops : looks up its slots.
    """

    def __init__(self, moments: Moments, hops: Hops) -> None:
        self.moments, self._hops = moments, hops
        self.middle = (int(moments.iteration.max()) + 1) // 2
        mine = np.flatnonzero(moments.iteration == self.middle)
        self._column = {int(state): column for column, state in enumerate(moments.state[mine].tolist())}
        self._mine: Int64Array = mine
        self.arcs = list(self._fixed())
        self.slots = list(self._slots())
        self.frees = dict(self._frees())

    @classmethod
    def of(cls, moments: Moments, hops: Hops) -> SteadyDepths | None:
        """Return the program of a network, None if it does not repeat or is too large."""
        mine = int(np.count_nonzero(moments.iteration == 0))
        if int(moments.iteration.max()) < 3 or 4 * mine > _LARGEST:
            return None
        return cls(moments, hops)

    def period(self) -> float | None:
        """Return the cycles per iteration without any limit on depths."""
        program = LinearProgram(len(self._mine) + 1)
        time = len(self._mine)
        program.highs.changeColCost(time, 1.0)
        for arc in self.arcs:
            program.row(arc.weight, [(arc.target, 1.0), (arc.source, -1.0), (time, float(arc.shift))])
        return program.solved()[0][time] if program.run() else None

    def depths(
        self, period: float, low: tuple[int, ...], most: tuple[int, ...], prices: list[float]
    ) -> tuple[list[int], list[Circle]] | None:
        """Return depths for a period, and the circles that force them; None if no depth is enough.

        ``low``, ``most`` and ``prices`` are the smallest and largest depths and the cost of a token, by variable.
        """
        nodes, channels = len(self._mine), sorted(self.frees)
        room = {channel: nodes + place for place, channel in enumerate(channels)}
        program = LinearProgram(nodes + len(channels))
        depth = program.highs.getNumCol()
        for least, price in zip(low, prices, strict=True):
            program.highs.addCol(price, float(least), program.highs.inf, 0, [], [])
        ends: list[tuple[int, int, Arc | None, tuple[int, int] | None]] = []
        for arc in self.arcs:
            program.row(arc.weight - period * arc.shift, [(arc.target, 1.0), (arc.source, -1.0)])
            ends.append((arc.source, arc.target, arc, None))
        for channel, frees in self.frees.items():
            for column, freed, read in frees:
                program.row(-period * freed / self._tokens(channel), [(room[channel], 1.0), (column, -1.0)])
                ends.append((column, room[channel], None, (channel, read)))
        for entry, column, channel, level in self.slots:
            if channel not in room:
                continue
            per_token = period / self._tokens(channel)
            variable = self._hops.variable_of[channel]
            assert variable is not None
            release = float(self.moments.reads.release[channel])
            row = [(column, 1.0), (room[channel], -1.0), (depth + variable, per_token)]
            program.row(release + per_token * (level - 1), row)
            ends.append((room[channel], column, None, (channel, entry)))
        if not program.run():
            return None
        values, flow = program.solved()
        chosen = [min(largest, ceil(values[depth + variable] - 1e-6)) for variable, largest in enumerate(most)]
        circles = [self._circle(rows, ends) for rows in circles_of([(s, t) for s, t, _, _ in ends], flow)]
        return chosen, [circle for circle in circles if circle.reaches]

    def _tokens(self, channel: int) -> int:
        return self._hops.tokens[channel]

    def _fixed(self) -> Iterator[Arc]:
        """Yield the waits that do not depend on depths."""
        moments = self.moments
        for column, moment in enumerate(self._mine.tolist()):
            for wait in range(int(moments.first[moment]), int(moments.first[moment + 1])):
                source = int(moments.source[wait])
                there = self._column.get(int(moments.state[source]))
                if there is not None:
                    hop = None
                    if moments.kind[wait] == Kind.TOKEN:
                        firings = (moment, moments.waiting[wait]), (source, moments.waited_for[wait])
                        hop = self._hops.token(*((int(moments.process[at]), int(firing)) for at, firing in firings))
                    shift = self.middle - int(moments.iteration[source])
                    yield Arc(there, column, int(moments.weight[wait]), shift, hop)

    def _slots(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (entry, column of the write, channel, tokens that have come in, from some write on)."""
        slots = self.moments.slots
        self._base: dict[int, int] = {}
        for column, moment in enumerate(self._mine.tolist()):
            for entry in range(int(slots.first[moment]), int(slots.first[moment + 1])):
                channel = int(slots.channel[entry])
                if self._hops.variable_of[channel] is not None:
                    base = self._base.setdefault(channel, int(slots.level[entry]))
                    yield entry, column, channel, int(slots.level[entry]) - base

    def _frees(self) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
        """Yield per channel (column of a read, tokens that left before it, its firing)."""
        reads, iteration = self.moments.reads, self.moments.iteration
        for channel, level in self._base.items():
            base = int(reads.base[channel])
            mine = reads.moment[base : int(reads.base[channel + 1])]
            freed = reads.freed[base : int(reads.base[channel + 1])]
            before = np.concatenate([[0], freed[:-1]])
            found = np.flatnonzero((iteration[mine] == self.middle) & (freed > before)).tolist()
            yield (
                channel,
                [
                    (self._column[int(self.moments.state[mine[read]])], int(before[read]) - level, read)
                    for read in found
                ],
            )

    def _circle(self, rows: list[int], ends: list[tuple[int, int, Arc | None, tuple[int, int] | None]]) -> Circle:
        """Return the circle of waits that rows of the program are, which follow each other in time."""
        arcs: list[Arc] = []
        for place, row in enumerate(rows):
            _, target, arc, slot = ends[row]
            if arc is not None:
                arcs.append(arc)
            elif target < len(self._mine):
                assert slot is not None
                channel, entry = slot
                source, _, _, freed = ends[rows[place - 1]]
                assert freed is not None
                arcs.append(self._slot_arc(source, target, channel, entry, freed[1]))
        arcs.reverse()
        return Circle(
            self._mine[[arc.target for arc in arcs]], np.array([arc.weight for arc in arcs], dtype=np.int64),
            np.array([arc.shift for arc in arcs], dtype=np.int64),
            {number: arc.hop for number, arc in enumerate(arcs) if arc.hop is not None},
        )  # fmt: skip

    def _slot_arc(self, source: int, target: int, channel: int, entry: int, read: int) -> Arc:
        hop = self._hops.slot_of(entry, read)
        write, freed = hop.ends
        there = replace(freed, iteration=write.iteration - hop.least)
        shift = freed.iteration - write.iteration + hop.least
        weight = int(self.moments.reads.release[channel])
        return Arc(source, target, weight, shift, replace(hop, ends=(write, there), back=hop.least))
