"""Waits of the source in a graph: states between the accesses before and behind them (R3.14)."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.library.types import Format


@dataclass(slots=True)
class AskedWaits:
    """The waits in a graph: each comes after all accesses before it, and all accesses behind it come after it.

    A wait is between two states: the code goes on in the state behind it, also where nothing is left.
    """

    graph: Graph
    last: int = -1
    seen: int = 0

    def add(self, states: int) -> None:
        """Add a wait."""
        self.follow()
        node = self.graph.add("op", "wait", Format("integer", 1), states=states)
        for each in self.graph.nodes:
            if _is_access(each) and each.index != node:
                self.graph.order(each.index, node, each.states if each.kind == "call" else 0)
        if self.last >= 0:
            self.graph.order(self.last, node, self.graph.nodes[self.last].states)
        behind = self.graph.add("op", "resume", Format("integer", 1), (node,))
        self.graph.order(node, behind, states)
        self.last, self.seen = node, behind + 1

    def follow(self) -> None:
        """Let the accesses that have been added since then come after the last wait."""
        for each in self.graph.nodes[self.seen :] if self.last >= 0 else ():
            if _is_access(each):
                self.graph.order(self.last, each.index, self.graph.nodes[self.last].states)
        self.seen = len(self.graph.nodes)


def _is_access(node: GraphNode) -> bool:
    return node.reads or node.writes or node.kind == "call"
