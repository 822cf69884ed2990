"""The critical path of a run: from the firing that ends last back to cycle 0, and whose cycles lie on it.

Every moment that does not happen in cycle 0 has a tight edge, so a path leads back. Where several edges are tight, the
one with the smallest `Kind` is followed, then the first declared process or channel: a busy process explains itself
before it points at others. The weights on the path and the write latency at its end add up to the finish, so every
cycle of the finish is accounted for exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.explore.event_graph import EventGraph, event_graph, names_of
from ppnsim.model.sequence import Int64Array
from ppnsim.model.timeline import Timeline

# What cycles on the path are, by whom they belong to.
PROCESS_KINDS = ("ii", "order", "read", "latency", "offset", "write", "capacity", "hold")
CHANNEL_KINDS = ("forward", "release")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Cycles of the finish that are of one kind and belong to one process, channel or resource.

    ``ii`` from start to start; ``order`` from a firing to the next at a later step; ``read``, ``latency`` and
    ``offset`` in the steps of a firing before, during and after its execution; ``write`` at the end of the run;
    ``capacity`` a full elastic pipeline (of no length itself: count says how often); ``hold`` in a frozen or flushable
    pipeline that an access of another firing held up; ``forward`` from the write of a missing token to its read,
    ``release`` from the read that makes a missing slot to its use; ``resource`` while others hold the units.
    """

    kind: str
    part: str
    cycles: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of the path that stays in one process, and what it waited for when it was entered.

    ``through`` is ``(kind, name)`` of the channel or resource, None at the beginning of the run.
    """

    process: str
    first: int
    last: int
    through: tuple[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalPath:
    """The path: ``edges`` of the graph in the direction of time, and the passing that it ends with.

    ``shares`` are sorted by cycles and add up to ``finish``.
    """

    graph: EventGraph
    edges: Int64Array
    process: str
    firing: int
    step: int
    finish: int
    shares: tuple[Share, ...]

    def stretches(self) -> Iterator[Stretch]:
        """Yield the path process by process, from cycle 0 to the finish."""
        graph, network = self.graph, self.graph.timeline.network
        crossing = self.edges[np.isin(graph.kind[self.edges], (Kind.TOKEN, Kind.SLOT, Kind.RESOURCE))]
        first = 0
        through: tuple[str, str] | None = None
        for edge in crossing.tolist():
            kind = Kind(int(graph.kind[edge]))
            yield Stretch(
                process=graph.process_of(int(graph.source[edge])), first=first,
                last=int(graph.cycle[graph.source[edge]]), through=through,
            )  # fmt: skip
            first = int(graph.cycle[graph.target[edge]])
            through = kind.name.lower(), names_of(network, kind)[int(graph.part[edge])]
        yield Stretch(process=self.process, first=first, last=self.finish, through=through)


def critical_path(timeline: Timeline) -> CriticalPath:
    """Return the critical path of a run that finished.

    Raises
    ------
    InputError
        If the run is too large to be held as a graph.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> path = critical_path(run(predictor()).timeline)
    >>> path.finish, [(share.kind, share.part, share.cycles) for share in path.shares[:2]]
    (83, [('latency', 'transformer', 48), ('read', 'transformer', 16)])
    """
    graph = event_graph(timeline)
    network = timeline.network
    process = next(each.name for each in network.processes if int(timeline.end(each.name).max()) == timeline.finish)
    firing = int(timeline.end(process).argmax())
    step = max(network.steps[process].ending_steps, key=lambda each: int(timeline.passed[process][each, firing]))
    moment = int(graph.moment[process][step, firing])
    edges = _walk(graph, moment)
    shares = _Shares(graph, edges, (process, firing, step)).sorted()
    assert sum(share.cycles for share in shares) == timeline.finish, "every cycle is somebody's"
    return CriticalPath(
        graph=graph, edges=edges, process=process, firing=firing, step=step, finish=timeline.finish, shares=shares
    )


def _walk(graph: EventGraph, moment: int) -> Int64Array:
    """Follow the first tight edge of each moment back to cycle 0."""
    tight = np.flatnonzero(graph.tight)
    tight = tight[np.lexsort((graph.part[tight], graph.kind[tight], graph.target[tight]))]
    targets, first = np.unique(graph.target[tight], return_index=True)
    binding = np.full(len(graph.cycle), -1, dtype=np.int64)
    binding[targets] = tight[first]
    path: list[int] = []
    while graph.cycle[moment] > 0:
        edge = int(binding[moment])
        assert edge >= 0, "what does not happen at once has a reason"
        path.append(edge)
        moment = int(graph.source[edge])
    return np.array(path[::-1], dtype=np.int64)


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
        """Return the shares, most cycles first; what costs none is named only where it is the reason of something."""
        order = {kind: number for number, kind in enumerate((*PROCESS_KINDS, *CHANNEL_KINDS, "resource"))}
        shares = [Share(kind=kind, part=part, cycles=w, count=n) for (kind, part), (w, n) in self.total.items()]
        said = [each for each in shares if each.cycles or each.kind in (*CHANNEL_KINDS, "capacity")]
        return tuple(sorted(said, key=lambda each: (-each.cycles, order[each.kind], each.part)))

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
            for number in np.unique(part).tolist():
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
            if m < n or b < a:
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
