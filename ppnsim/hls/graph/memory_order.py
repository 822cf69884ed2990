"""Loads and stores of one iteration keep their order where they may be the same element (R5.7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.in_flight import InFlight
from ppnsim.loops.program import Access


@dataclass(slots=True)
class _Accesses:
    """The accesses to one array: stores that no later store has replaced, and loads, with their nodes."""

    stores: InFlight = field(default_factory=InFlight)
    loads: InFlight = field(default_factory=InFlight)

    def since(self, access: Access) -> int:
        """Return the last store whose address depends on data, at this address; -1 if there is none.

        Every access that may be the same element comes before it: later accesses need to follow it only.
        """
        return max((node for _, node in self.stores.same(access)), default=-1) if access.random else -1


@dataclass(slots=True)
class MemoryOrder:
    """The order of loads and stores in a graph.

    Attributes
    ----------
    apart : arrays of which no two accesses in an iteration meet, as directives say.
    strictly_apart : whether the bounds of loops around prove two stores apart.
    """

    graph: Graph
    apart: frozenset[str] = frozenset()
    strictly_apart: Callable[[Access, Access], bool] = lambda *_: False
    _arrays: dict[str, _Accesses] = field(default_factory=dict)

    def load(self, access: Access, node: int) -> None:
        """Let a load come after the stores that it may need."""
        others = self._arrays.setdefault(access.array, _Accesses())
        if access.array not in self.apart:
            since = others.since(access)
            for _, stored in others.stores.meeting(access):
                if stored >= since:
                    self.graph.order(stored, node, 1)
        others.loads.add(access, node)

    def store(self, access: Access, node: int) -> None:
        """Let a store come after the loads that may not see it, and a state after the stores that it may replace."""
        others = self._arrays.setdefault(access.array, _Accesses())
        if access.array not in self.apart:
            since = others.since(access)
            for _, loaded in others.loads.meeting(access):
                if loaded > since:
                    self.graph.order(loaded, node, 0)
            for other, stored in others.stores.meeting(access):
                if stored >= since and not self.strictly_apart(other, access):
                    self.graph.order(stored, node, 1)
        others.stores.add(access, node)

    def drop(self, access: Access) -> None:
        """Remove the last store to a location if no load after it may need it."""
        others = self._arrays.get(access.array, _Accesses())
        for other, node in others.stores.same(access):
            if not any(later > node for _, later in others.loads.meeting(access)):
                self.graph.nodes[node].kind = "dead"
                others.stores.remove(other, node)
                return

    def call(self, node: int, array: str, *, stores: bool) -> None:
        """Let a loop start after the accesses to an array that it loads, or ``stores`` (R5.4).

        It may load what was stored before: no later store replaces that any more.
        """
        others = self._arrays.get(array, _Accesses())
        for _, earlier in others.stores:
            value = self.graph.nodes[earlier].operands[0]
            self.graph.order(earlier, node, int(value not in self.graph.wired[node]))
        for _, earlier in others.loads if stores else ():
            self.graph.order(earlier, node, 0)
        others.stores.clear()
        others.loads.clear()
