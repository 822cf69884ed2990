"""The critical path of a run: from the firing that ends last back to cycle 0, and whose cycles lie on it.

Every moment that does not happen in cycle 0 has a tight edge, so a path leads back. Where several edges are tight, the
one with the smallest `Kind` is followed, then the first declared process or channel: a busy process explains itself
before it points at others. The weights on the path and the write latency at its end add up to the finish, so every
cycle of the finish is accounted for exactly once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.path.event_edges import event_graph
from ppnsim.analysis.path.event_graph import EventGraph, names_of
from ppnsim.analysis.path.path_shares import PROCESS_KINDS, Share, shares_of
from ppnsim.arrays import Int64Array
from ppnsim.model.timeline import Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of the path that stays in one process, and what it waited for when it was entered.

    ``through`` is ``(kind, name)`` of the channel or resource, None at the beginning of the run.
    """

    process: str
    first: int
    last: int
    through: tuple[str, str] | None

    @property
    def cycles(self) -> str:
        """Its cycles in words: those before ``last``, at which it hands on; one that takes none has its moment.

        Examples
        --------
        >>> Stretch(process="p", first=50, last=55, through=None).cycles
        '50..54'
        """
        return f"{self.first}..{self.last - 1}" if self.last > self.first + 1 else str(self.first)


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

    @property
    def busiest(self) -> str:
        """The process that most cycles of the path are of, the first on the path if several are."""
        cycles: Counter[str] = Counter()
        for share in self.shares:
            if share.kind in PROCESS_KINDS:
                cycles[share.part] += share.cycles
        most = [name for name, each in cycles.items() if each == max(cycles.values())]
        return next((each.process for each in self.stretches() if each.process in most), self.process)

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
    (83, [('latency', 'transformer', 39), ('read', 'transformer', 13)])
    """
    graph = event_graph(timeline)
    network = timeline.network
    process = next(each.name for each in network.processes if timeline.last_end(each.name) == timeline.finish)
    firing = int(timeline.ends(process).argmax())
    step = max(network.steps[process].ending_steps, key=lambda each: int(timeline.passed[process][each, firing]))
    moment = int(graph.moment[process][step, firing])
    edges = _walk(graph, moment)
    shares = shares_of(graph, edges, (process, firing, step))
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
