"""Sources and sinks in fixed steps: from which depth on nobody ever waits for a slot of their FIFOs.

A source waits for nothing but slots. If its reader takes long enough from the token that frees a slot to the one that
is written late for want of it, the wait never shows: the reader cannot come there earlier. A sink is the same seen from
the other end. Both hold whatever else holds up the reader or the writer, since lost steps are never made up for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppnsim.explore.fifo.lane_steps import LaneSteps, lane_of
from ppnsim.explore.fifo.variables import DepthVariable
from ppnsim.model.network import Channel, Network


def enough_at_ends(
    network: Network, variables: Sequence[DepthVariable], unbounded: frozenset[str] = frozenset()
) -> dict[str, int]:
    """Return for FIFOs behind sources and before sinks the least depth, in tokens, that is as good as any.

    All FIFOs of a source lead to one process, all of a sink come from one, and share a depth. Those in ``unbounded``
    have no slots to wait for.

    Examples
    --------
    >>> from ppnsim import Channel, Network, Process
    >>> from ppnsim.model.step_lists import StepList
    >>> processes = [Process.scheduled(name="a", steps=6), Process.scheduled(name="b", steps=20)]
    >>> def enough(every: int) -> dict[str, int]:
    ...     steps = StepList(((0, 1, 6),)), StepList(((2, every, 6),))
    ...     channel = Channel(name="c", source="a", target="b", write_steps=steps[0], read_steps=steps[1])
    ...     variable = DepthVariable(channels=("c",), low=1)
    ...     return enough_at_ends(Network(processes=processes, channels=[channel]), [variable])
    >>> enough(2), enough(1)
    ({'c': 1}, {'c': 2})
    """
    variable_of = {name: each for each in variables for name in each.channels}
    found: dict[str, int] = {}
    for process in network.processes:
        into, out_of = network.inputs(process.name), network.outputs(process.name)
        channels = into or out_of
        if (into and out_of) or len({(each.source, each.target) for each in channels}) != 1:
            continue
        bounded = [each.name for each in channels if each.name in variable_of and each.name not in unbounded]
        shared = {variable_of[name].channels: variable_of[name].low for name in bounded}
        if len(shared) == 1 and all(_is_regular(network, channel) for channel in channels):
            end = _End(network, {each.name: lane_of(network, each.name) for each in channels}, bounded)
            [low] = shared.values()
            least = end.least(low, source=not into)
            found |= {name: min(least, found.get(name, least)) for name in bounded}
    return found


def _is_regular(network: Network, channel: Channel) -> bool:
    """Return whether both ends have a schedule, and what is written is read, once, and nothing else."""
    counts = network.counts[channel.name]
    return (
        all(network.process(name).schedule is not None for name in (channel.source, channel.target))
        and channel.initial == 0
        and channel.read_tokens is None
        and counts.written == counts.read_count == counts.freed_total
    )


@dataclass(frozen=True, slots=True, eq=False)
class _End:
    """All FIFOs between a source or a sink and its only neighbour; those in ``bounded`` have slots to wait for."""

    network: Network
    lanes: Mapping[str, LaneSteps]
    bounded: Sequence[str]

    def least(self, low: int, *, source: bool) -> int:
        """Return the least depth from ``low`` on at which no wait for a slot shows; deeper, none shows either."""
        shows = self._shows_behind_source if source else self._shows_before_sink
        fails, step = low - 1, 1
        while shows(fails + step):
            fails, step = fails + step, 2 * step
        works = fails + step
        while works - fails > 1:
            middle = (fails + works) // 2
            fails, works = (middle, works) if shows(middle) else (fails, middle)
        return works

    def _shows_behind_source(self, depth: int) -> bool:
        """Return whether a token that is written late, after a wait for a slot, may come too late."""
        for name in self.bounded:
            lane, release = self.lanes[name], self.network.release(name)
            late, freed = lane.written[depth:], lane.freed[: max(len(lane.freed) - depth, 0)]
            behind = np.maximum.accumulate(freed - late) + release  # the source's delay, for steps from `late` on
            if len(late) and behind[-1] > self._last_step(name, "target") - self._last_step(name, "source"):
                return True
            for other, tokens in self.lanes.items():
                waits = np.searchsorted(late, tokens.written, side="right")
                after = waits > 0
                spare = (tokens.needed - tokens.written)[after] - self.network.forward(other)
                if (behind[waits[after] - 1] + self._circle(name, other) > spare).any():
                    return True
        return False

    def _shows_before_sink(self, depth: int) -> bool:
        """Return whether a slot that is freed late, after a wait for a token, may come too late."""
        for name in self.bounded:
            lane, release = self.lanes[name], self.network.release(name)
            late, freed = lane.written[depth:], lane.freed[: max(len(lane.freed) - depth, 0)]
            spare = late - freed - release
            if (spare < 0).any():
                return True
            for other, tokens in self.lanes.items():
                behind = np.maximum.accumulate(tokens.written - tokens.needed) + self.network.forward(other)
                waits = np.searchsorted(tokens.needed, freed, side="right")
                after = waits > 0
                if (behind[waits[after] - 1] + self._circle(name, other) > spare[after]).any():
                    return True
        return False

    def _circle(self, slots: str, tokens: str) -> int:
        """Return 1 if two steps in one cycle can wait for each other, for a slot and for a token, which never ends."""
        return int(self.network.release(slots) + self.network.forward(tokens) == 0)

    def _last_step(self, channel: str, end: str) -> int:
        schedule = self.network.process(getattr(self.network.channel(channel), end)).schedule
        assert schedule is not None
        return schedule.steps * schedule.runs - 1
