"""What the cycles on a critical path are, and whose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.path.event_graph import EventGraph, names_of
from ppnsim.arrays import Int64Array

# What cycles on the path are, by whom they belong to.
PROCESS_KINDS = ("ii", "steps", "order", "read", "latency", "offset", "write", "capacity", "hold")
CHANNEL_KINDS = ("forward", "release")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Cycles of the finish that are of one kind and belong to one process, channel or resource.

    ``ii`` from start to start; ``steps`` of a scheduled process; ``order`` from a firing to the next at a later step;
    ``read``, ``latency`` and ``offset`` in the steps of a firing before, during and after its execution; ``write`` at
    the end of the run; ``capacity`` a full elastic pipeline (of no length itself: count says how often); ``hold`` in a
    frozen or flushable pipeline that an access of another firing held up; ``forward`` from the write of a missing
    token to its read, ``release`` from the read that makes a missing slot to its use; ``resource`` while others hold
    the units.
    """

    kind: str
    part: str
    cycles: int
    count: int


def shares_of(graph: EventGraph, edges: Int64Array, end: tuple[str, int, int]) -> tuple[Share, ...]:
    """Return the shares of the path of these edges, in the direction of time, most cycles first.

    ``end`` is the process, the firing and the step at which it ends.
    """
    return _Shares(graph, edges, end).sorted()


def sorted_shares(total: Mapping[tuple[str, str], tuple[int, int]]) -> tuple[Share, ...]:
    """Return shares from cycles and counts by kind and part, most cycles first.

    What costs none is named only where it is the reason of something.

    Examples
    --------
    >>> [each.part for each in sorted_shares({("ii", "a"): (4, 1), ("ii", "b"): (6, 2), ("read", "b"): (0, 1)})]
    ['b', 'a']
    """
    order = {kind: number for number, kind in enumerate((*PROCESS_KINDS, *CHANNEL_KINDS, "resource"))}
    shares = [Share(kind=kind, part=part, cycles=cycles, count=n) for (kind, part), (cycles, n) in total.items()]
    said = [each for each in shares if each.cycles or each.kind in (*CHANNEL_KINDS, "capacity")]
    return tuple(sorted(said, key=lambda each: (-each.cycles, order[each.kind], each.part)))


class _Shares:
    """The cycles of a path by kind and part."""

    def __init__(self, graph: EventGraph, edges: Int64Array, end: tuple[str, int, int]) -> None:
        self.graph, self.network, self.edges, self.end = graph, graph.timeline.network, edges, end
        self.total: dict[tuple[str, str], list[int]] = {}
        self._plain()
        self._latency()
        self._frozen()
        self._add("write", end[0], self.network.steps[end[0]].write, 1)

    def sorted(self) -> tuple[Share, ...]:
        """Return the shares, most cycles first."""
        return sorted_shares({key: (cycles, count) for key, (cycles, count) in self.total.items()})

    def _add(self, kind: str, part: str, cycles: int, count: int) -> None:
        counted = self.total.setdefault((kind, part), [0, 0])
        counted[0] += cycles
        counted[1] += count

    def _plain(self) -> None:
        """Add the edges whose cycles are of one kind."""
        words = {
            Kind.II: "ii", Kind.ORDER: "order", Kind.CAPACITY: "capacity", Kind.HOLD: "hold", Kind.TOKEN: "forward",
            Kind.SLOT: "release", Kind.RESOURCE: "resource",
        }  # fmt: skip
        for kind, word in words.items():
            mine = self.edges[self.graph.kind[self.edges] == kind]
            part, weight = self.graph.part[mine], self.graph.weight[mine]
            names = names_of(self.network, kind)
            for number in np.flatnonzero(np.bincount(part)).tolist():
                here = part == number
                self._add(word, names[number], int(weight[here].sum()), int(here.sum()))

    def _latency(self) -> None:
        """Add the edges from step to step of a firing."""
        mine = self.edges[self.graph.kind[self.edges] == Kind.LATENCY]
        for number, process in enumerate(self.network.processes):
            here = mine[self.graph.part[mine] == number]
            firing, step = self.graph.target_firing[here], self.graph.source_step[here]
            steps = self.network.steps[process.name]
            offset = steps.offsets[step, firing] if steps.varies else steps.offsets[step]
            self._steps(process.name, firing, offset, offset + self.graph.weight[here])

    def _steps(self, process: str, firing: Int64Array, first: Int64Array, last: Int64Array) -> None:
        """Add the cycles between two offsets of firings of a process, by what a firing does there."""
        steps = self.network.steps[process]
        executed = steps.read + (steps.latencies[firing] if steps.varies else steps.latencies[0])
        begun = np.minimum(last, steps.read) - np.minimum(first, steps.read)
        done = np.maximum(last, executed) - np.maximum(first, executed)
        for kind, cycles in (("read", begun), ("latency", last - first - begun - done), ("offset", done)):
            self._add(kind, process, int(cycles.sum()), int(np.count_nonzero(cycles)))

    def _frozen(self) -> None:
        """Add the stretches that a frozen pipeline runs through without waiting, from access to access.

        From firing n at offset a to firing m >= n at offset b >= a these are (m - n) times ii and b - a of the latency.
        Otherwise the first access held up one that was ahead of it in the pipeline.
        """
        running = self.graph.kind[self.edges] == Kind.STEP
        change = np.flatnonzero(np.diff(running.astype(np.int8), prepend=0, append=0)).tolist()
        for first, last in zip(change[::2], change[1::2], strict=True):
            process = self.graph.process_of(int(self.graph.source[self.edges[first]]))
            steps = self.network.steps[process]
            n, a = self._access(self.edges[first - 1], "target") if first else (0, 0)
            m, b = (
                self._access(self.edges[last], "source") if last < len(self.edges)
                else (self.end[1], int(steps.offsets[self.end[2]]))
            )  # fmt: skip
            cycles = int(self.graph.weight[self.edges[first:last]].sum())
            if steps.stops is not None:
                self._add("steps", process, cycles, last - first)
            elif m < n or b < a:
                self._add("hold", process, cycles, 1)
            else:
                self._add("ii", process, (m - n) * self.network.process(process).ii, m - n)
                self._steps(process, np.array([m]), np.array([a]), np.array([b]))

    def _access(self, edge: int, side: str) -> tuple[int, int]:
        """Return firing and offset of the access at one end of an edge that crosses into or out of a process."""
        kind = Kind(int(self.graph.kind[edge]))
        firing = int((self.graph.source_firing if side == "source" else self.graph.target_firing)[edge])
        if kind == Kind.RESOURCE:
            return firing, 0
        name = names_of(self.network, kind)[int(self.graph.part[edge])]
        channel = self.network.channel(name)
        writes = (kind == Kind.TOKEN) == (side == "source")
        process = channel.source if writes else channel.target
        steps = self.network.steps[process]
        return firing, int(steps.offsets[steps.port["out" if writes else "in", name]])
