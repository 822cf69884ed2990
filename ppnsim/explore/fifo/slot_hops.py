"""The slots that a walk waits for, as reaches of the depths: how far back each goes, and between which firings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.explore.fifo.cuts import WHOLE, Reach
from ppnsim.explore.fifo.moments import Moments
from ppnsim.explore.fifo.tracing import NO_SLOT, WayBack


@dataclass(frozen=True, slots=True)
class End:
    """A firing at an end of a wait: its iteration, and the last iteration in which its process has that firing."""

    iteration: int
    last: int


@dataclass(frozen=True, slots=True)
class Hop:
    """A wait between two processes. ``back`` iterations lie between its ends in the run it was read from.

    A wait for a slot has a ``reach``, which is ``back - 1`` in that run, ``least - 1`` at the smallest depth; ``until``
    is the largest depth at which just this write has to wait for just this read.
    """

    ends: tuple[End, End]
    back: int
    least: int
    reach: Reach | None = None
    until: int = 0


class Hops:
    """Looks up the hops of walks through the moments of one scenario.

    Parameters
    ----------
    moments : of its runs.
    variable_of : the number of the variable of each channel, None if it is not sized.
    low : the smallest depths.
    """

    def __init__(self, moments: Moments, variable_of: list[int | None], low: tuple[int, ...]) -> None:
        self.moments, self.variable_of, self._low = moments, variable_of, low
        network = moments.network
        self._firings = [network.passings_of(process.name) for process in network.processes]
        self._period = [moments.period[process.name] for process in network.processes]
        number = {process.name: index for index, process in enumerate(network.processes)}
        self._ends = [(number[channel.source], number[channel.target]) for channel in network.channels]
        self.tokens = [
            self._per_iteration(network.counts[channel.name].put.first(self._firings[number[channel.source]]), *ends)
            for channel, ends in zip(network.channels, self._ends, strict=True)
        ]

    def _per_iteration(self, put: np.ndarray, source: int, target: int) -> int:
        """Return the tokens that come in with an iteration; without a second one, more than there are."""
        period = self._period[source]
        if self._firings[source] <= period or self._firings[target] <= self._period[target]:
            return WHOLE
        return int(put[period] - put[0])

    def of(self, walk: WayBack) -> WalkHops:
        """Return the hops of a walk between processes, each of which is looked up when it is asked for."""
        own = np.flatnonzero(walk.slot == NO_SLOT)
        token = own[self.moments.kind[walk.by[own]] == Kind.TOKEN]
        slot = np.flatnonzero(walk.slot != NO_SLOT)
        return WalkHops(self, walk, dict.fromkeys(sorted([*token.tolist(), *slot.tolist()])), slot.tolist())

    def token(self, waiting: tuple[int, int], waited_for: tuple[int, int]) -> Hop:
        """Return the wait of a process and its firing for another one's."""
        return Hop((self._end(*waiting), self._end(*waited_for)), 0, 0)

    def token_of(self, walk: WayBack, hop: int) -> Hop:
        """Return a hop that waits for a token."""
        moments, wait = self.moments, int(walk.by[hop])
        target, source = (int(moments.process[walk.moment[at]]) for at in (hop, hop + 1))
        return self.token((target, int(moments.waiting[wait])), (source, int(moments.waited_for[wait])))

    def slot_of(self, entry: int, read: int) -> Hop:
        """Return the wait of an entry of `Slots` for what a firing of the reader frees."""
        moments = self.moments
        channel, write = int(moments.slots.channel[entry]), int(moments.slots.firing[entry])
        level = int(moments.slots.level[entry])
        (source, target), variable = self._ends[channel], self.variable_of[channel]
        assert variable is not None, "a FIFO without limit is never full"
        ends = self._end(source, write), self._end(target, min(read, self._firings[target] - 1))
        base = int(moments.reads.base[channel])
        before = int(moments.reads.freed[base + read - 1]) if read else 0
        back, tokens = ends[0].iteration - ends[1].iteration, self.tokens[channel]
        if tokens == WHOLE:
            back = 0
        reach = Reach(variable, tokens, before - level + back * tokens)
        return Hop(ends, back, reach.at(self._low[variable]) + 1, reach, level - before - 1)

    def _end(self, process: int, firing: int) -> End:
        iteration, phase = divmod(firing, self._period[process])
        return End(iteration, (self._firings[process] - 1 - phase) // self._period[process])


class WalkHops(Mapping[int, Hop]):
    """The hops between processes of one walk, by number of the hop; ``slots`` are the numbers of those for slots."""

    def __init__(self, hops: Hops, walk: WayBack, known: dict[int, Hop | None], slots: list[int]) -> None:
        self._hops, self._walk, self._known, self.slots = hops, walk, known, slots

    def __getitem__(self, number: int) -> Hop:
        known = self._known[number]
        if known is None:
            walk = self._walk
            entry = int(walk.slot[number])
            is_token = entry == NO_SLOT
            known = self._hops.token_of(walk, number) if is_token else self._hops.slot_of(entry, int(walk.by[number]))
            self._known[number] = known
        return known

    def __iter__(self) -> Iterator[int]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, number: object) -> bool:
        return number in self._known
