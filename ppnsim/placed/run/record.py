"""What a network across nodes did: cycles of every step, tokens and slots as they came, messages; times in picoseconds.

Cycles are those of the clock of the node where they are counted; `PlacedRun.times` makes picoseconds of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.metrics import Curve, curve
from ppnsim.model.timeline import NEVER, Timeline, stands_from
from ppnsim.placed.model.links import Link, Message
from ppnsim.placed.model.placement import Placement
from ppnsim.units import edge


class PortRequests(NamedTuple):
    """The requests of a memory port: when they were asked for (ps), taken and completed (memory clocks)."""

    asked: Int64Array
    taken: Int64Array
    done: Int64Array


@dataclass(frozen=True, kw_only=True, eq=False)
class NodeTimeline(Timeline):
    """The timeline of one process, in cycles of its node; tokens and slots are those that came from other nodes, too.

    ``until`` is the first cycle from which nothing happens any more, anywhere.
    """

    readable: Mapping[str, Int64Array]
    writable: Mapping[str, Int64Array]
    until: int

    @property
    def stopped(self) -> int:
        """The first cycle from which nothing happens any more."""
        return self.until

    def token_writes(self, channel: str) -> Int64Array:
        """Return the cycle in which each token would have been written on this node to be there when it was."""
        came = self.readable[channel] - self.network.forward(channel)
        missing = self.network.counts[channel].written - len(came)
        return np.concatenate([came, np.full(missing, NEVER, dtype=np.int64)])

    def releases(self, channel: str) -> Int64Array:
        """Return the cycles from which slots can be written again, ascending."""
        return self.writable[channel]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedRun:
    """A run of a placed network.

    Attributes
    ----------
    placement : what ran, and where.
    finish : when the last firing ended, in picoseconds; None if something never happened.
    passed : per process, the cycle of its node's clock in which firing n passed step k, `NEVER` if it did not.
    readable : per channel, the reader's cycle from which its k-th written token could be read.
    writable : per channel, the writer's cycle from which the k-th slot that became free could be written again.
    holds : per process, the ``[first, last + 1)`` cycles in which it was held (flushable ones).
    messages : in order of their start.
    asked : per memory port, its requests.
    """

    placement: Placement
    finish: int | None
    passed: Mapping[str, Int64Array]
    readable: Mapping[str, Int64Array]
    writable: Mapping[str, Int64Array]
    holds: Mapping[str, Int64Array]
    messages: tuple[Message, ...]
    asked: Mapping[str, PortRequests]

    def times(self, process: str, cycles: Int64Array) -> Int64Array:
        """Return cycles of a process's node in picoseconds; `NEVER` stays."""
        period = self.period(process)
        return np.array([NEVER if k == NEVER else edge(period, k) for k in cycles.tolist()], dtype=np.int64)

    def start(self, process: str) -> Int64Array:
        """Return the start of every firing in picoseconds, `NEVER` if it did not happen."""
        stops = self.placement.running.stops.get(process)
        passed = self.passed[process][0]
        return self.times(process, passed if stops is None else passed[stops.starts])

    def finish_of(self, process: str) -> int | None:
        """Return when the last firing of a process ended, in picoseconds."""
        steps = self.placement.running.steps[process]
        rows = self.passed[process][steps.ending_steps]
        if (rows == NEVER).any():
            return None
        return edge(self.period(process), int(rows.max()) + steps.write)

    def sent(self, link: Link, source: str) -> list[Message]:
        """Return the messages of one direction of a link, in order of their start."""
        return [message for message in self.messages if (message.link, message.source) == (link.name, source)]

    def stuck(self) -> list[str]:
        """Return the processes that did not pass all their steps, in order of declaration."""
        return [name for name, rows in self.passed.items() if (rows == NEVER).any()]

    def period(self, process: str) -> Fraction:
        """Return the period of a process's clock in picoseconds."""
        return self.placement.node(self.placement.node_of[process]).period

    def timeline(self, process: str) -> NodeTimeline:
        """Return the timeline of a process, for what `model.cycles` and `model.waits` say of it.

        Examples
        --------
        >>> from ppnsim.placed.run.network import run_placed
        >>> from ppnsim.model.builders import chain
        >>> from ppnsim.model.cycles import cycle_classes
        >>> from ppnsim.placed.model.placement import one_node
        >>> run = run_placed(one_node(chain(firings=20, depth=1)))
        >>> cycle_classes(run.timeline("p1"), "p1").counts()["starved"]
        {'c0': 23}
        """
        return NodeTimeline(
            network=self.placement.running, passed={process: self.passed[process]},
            holds={process: self.holds[process]}, readable=self.readable, writable=self.writable,
            until=-int(-self.stopped // self.period(process)),
        )  # fmt: skip

    def taken(self, channel: str) -> Curve:
        """Return how many slots of a channel are taken over time, in cycles of its writer, which sees them so.

        A slot is taken from the write of a token until it can be written again, so that credits count that are still
        on their way.
        """
        ends = self.placement.running.channel(channel)
        own = self.timeline(ends.source)
        writes = Timeline.token_writes(own, channel)  # as the writer made them, not as they came
        return curve(writes[writes != NEVER], self.writable[channel], base=ends.initial, until=own.stopped + 1)

    @property
    def stopped(self) -> int:
        """The finish, or the first moment from which nothing happens any more in a deadlock (ps)."""
        if self.finish is not None:
            return self.finish
        stops = self.placement.running.stops
        return max(edge(self.period(name), stands_from(rows, stops.get(name))) for name, rows in self.passed.items())
