"""The loads of a loop's body by memory: which of them may need a value that an earlier iteration stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import GraphNode
from ppnsim.hls.structure.aliases import is_fixed
from ppnsim.loops.program import Access


class Loads:
    """The loads among the nodes of a body, in their order."""

    def __init__(self, nodes: Iterable[GraphNode], dependences: Dependences) -> None:
        self._dependences = dependences
        self._of_memory = defaultdict[str, list[GraphNode]](list)
        self._of_register = defaultdict[Access, list[GraphNode]](list)
        self._others = defaultdict[str, list[GraphNode]](list)
        for node in nodes:
            if node.kind == "load" and node.access is not None:
                bank = dependences.bank(node.access)
                self._of_memory[bank].append(node)
                alone = is_fixed(node.access) and node.access not in dependences.reused
                (self._of_register[node.access] if alone else self._others[bank]).append(node)

    def beside(self, access: Access) -> list[GraphNode]:
        """Return the loads of a location's memory; of those from registers at other fixed places none can need it."""
        bank = self._dependences.bank(access)
        if access.array not in self._dependences.registers or not is_fixed(access):
            return self._of_memory[bank]
        return sorted((*self._others[bank], *self._of_register[access]), key=lambda node: node.index)
