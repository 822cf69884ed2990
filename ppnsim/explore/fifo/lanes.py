"""Channels that no run shows: lanes between the same two processes whose waits others always outlast.

An array of streams that share a depth is mostly written and read by unrolled loops, step by step. A lane that is
written no later and read no earlier than another one never makes its reader wait longer; a lane that is written no
earlier and read no later never makes its writer wait longer. What searches run again and again is a network without
the waits that follow from others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.ends import enough_at_ends
from ppnsim.explore.fifo.lane_steps import lane_of
from ppnsim.explore.fifo.variables import DepthVariable
from ppnsim.model.network import Network
from ppnsim.model.step_lists import StepList

_FIRST = 2**60
_MOST = 10**9  # steps that are compared for the lanes between two processes


@dataclass(frozen=True, slots=True, eq=False)
class Core:
    """A network without the channels that no run shows; ``unbounded`` are those whose slots alone do not show.

    ``enough`` are depths of channels from which on their slots do not show.
    """

    network: Network
    unbounded: frozenset[str] = frozenset()
    enough: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, network: Network, variables: Sequence[DepthVariable]) -> Core:
        """Return what is left of a network whose lanes share a depth where a variable says so.

        Examples
        --------
        >>> from ppnsim import Channel, Network, Process
        >>> a, b = (Process.scheduled(name=name, steps=9) for name in "ab")
        >>> lanes = [
        ...     Channel(name=f"s{lane}", source="a", target="b", write_steps=StepList((lane,)),
        ...             read_steps=StepList((3 - lane,)))
        ...     for lane in range(4)
        ... ]
        >>> both = DepthVariable(channels=("s0", "s1", "s2", "s3"), low=1)
        >>> core = Core.of(Network(processes=[a, b], channels=lanes), [both])
        >>> [channel.name for channel in core.network.channels]
        ['s0', 's3']
        """
        variable_of = {name: index for index, each in enumerate(variables) for name in each.channels}
        alike: dict[tuple[object, ...], list[str]] = {}
        for channel in network.channels:
            ends = network.process(channel.source), network.process(channel.target)
            if all(process.style == "frozen" for process in ends):
                counts = network.counts[channel.name]
                key = (
                    channel.source, channel.target, variable_of.get(channel.name), channel.initial, counts.written,
                    counts.freed_total, network.forward(channel.name), network.release(channel.name),
                )  # fmt: skip
                alike.setdefault(key, []).append(channel.name)
        hidden, unbounded = set[str](), set[str]()
        for names in alike.values():
            if len(names) > 1:
                tokens, slots = _that_count(network, names)
                hidden |= set(names) - tokens - slots
                unbounded |= tokens - slots
        if hidden:
            left = [channel for channel in network.channels if channel.name not in hidden]
            network = network.replace(channels=left).checked()
        return cls._with_ends(network, variables, frozenset(unbounded))

    @classmethod
    def _with_ends(cls, network: Network, variables: Sequence[DepthVariable], unbounded: frozenset[str]) -> Core:
        """Return a network without the waits at its ends that never show at the depths that variables allow."""
        low = {name: variable.low for variable in variables for name in variable.channels}
        enough = enough_at_ends(network, variables, unbounded)
        always = {name for name, depth in enough.items() if depth <= low[name]}
        if not always:
            return cls(network, unbounded, enough)
        unbounded |= always
        bounded = {channel.name for channel in network.channels} - unbounded
        return cls(without_needless_tokens(network, bounded), unbounded, enough)

    def depths(self, depths: Mapping[str, int | None]) -> dict[str, int | None]:
        """Return the depths that its channels run with."""
        return {
            channel.name: None if self._never_full(channel.name, depths[channel.name]) else depths[channel.name]
            for channel in self.network.channels
        }

    def _never_full(self, name: str, depth: int | None) -> bool:
        return name in self.unbounded or (depth is not None and depth >= self.enough.get(name, depth + 1))


def without_needless_tokens(network: Network, bounded: Collection[str]) -> Network:
    """Return a network without the tokens of scheduled sources that nobody ever waits for.

    Of its channels only ``bounded`` ones are. A source without inputs and slots to wait for writes as scheduled. Its
    reader has waited for some token so long that it cannot come too early for most that follow.

    Examples
    --------
    >>> from ppnsim import Channel, Network, Process
    >>> weights, product = (Process.scheduled(name=name, steps=9) for name in ("weights", "product"))
    >>> steps = StepList.of([1, 2, 8]), StepList.of([0, 4, 5])
    >>> late = Channel(name="w", source="weights", target="product", write_steps=steps[0], read_steps=steps[1])
    >>> network = without_needless_tokens(Network(processes=[weights, product], channels=[late]), ())
    >>> network.channel("w").read_steps.expand().tolist()
    [0, 5]
    """
    channels = []
    for channel in network.channels:
        ends = network.process(channel.source), network.process(channel.target)
        free = not network.inputs(channel.source) and not any(
            out.name in bounded for out in network.outputs(channel.source)
        )
        if (
            free
            and all(process.schedule is not None and process.schedule.runs == 1 for process in ends)
            and channel.initial == 0
            and channel.read_tokens is None
            and network.counts[channel.name].written == network.counts[channel.name].read_count
        ):
            lane = lane_of(network, channel.name)
            early = lane.written - lane.needed
            waits = np.flatnonzero(early > np.maximum.accumulate(np.concatenate([[-_FIRST], early[:-1]])))
            written, needed = (StepList.of(steps[waits].tolist()) for steps in (lane.written, lane.needed))
            channel = replace(channel, write_steps=written, read_steps=needed)
        channels.append(channel)
    return network.replace(channels=channels).checked()


def _that_count(network: Network, names: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the lanes for whose tokens, and those for whose slots, somebody may wait longest."""
    lanes = {name: lane_of(network, name) for name in names}
    distinct = {tuple(column.tobytes() for column in lane): name for name, lane in reversed(lanes.items())}
    kept = [name for name in names if name in set(distinct.values())]
    if len(kept) ** 2 * len(lanes[kept[0]].written) > _MOST:
        return set(kept), set(kept)
    return (
        _undominated(kept, lambda lane, other: _before(lanes[lane].written, lanes[other].written)
                     and _before(lanes[other].needed, lanes[lane].needed)),
        _undominated(kept, lambda lane, other: _before(lanes[other].written, lanes[lane].written)
                     and _before(lanes[lane].freed, lanes[other].freed)),
    )  # fmt: skip


def _undominated(names: Sequence[str], dominated: Callable[[str, str], bool]) -> set[str]:
    """Return names that are dominated by none that stays."""
    left = set(names)
    for name in names:
        if any(dominated(name, other) for other in names if other != name and other in left):
            left.discard(name)
    return left


def _before(steps: Int64Array, others: Int64Array) -> bool:
    """Return whether nothing comes later than its counterpart."""
    return len(steps) == len(others) and bool((steps <= others).all())
