"""The known values of locations in an ``else``, looked up where they stand instead of copied for each statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ppnsim.hls.graph.exclusive import OpenBranch
from ppnsim.hls.graph.graph import GraphNode
from ppnsim.loops.program import Access

_Other = TypeVar("_Other")


class ElseValues(dict[Access, int]):
    """The values that a statement of an ``else`` knows; its own items are those that this statement adds.

    Below them are the values from before the ``if``, the loads that the ``else`` can use of the branch before it, and
    the other loads. A statement asks for a few of these locations, and each of these tables may have thousands.
    Only look-ups and `changed` see the values below.

    Parameters
    ----------
    branch : the ``else``.
    after : the values that the branch before has left; an ``else`` takes only loads from them.
    nodes : the nodes of the graph.
    """

    __slots__ = ("_after", "_branch", "_nodes")

    def __init__(self, branch: OpenBranch, after: dict[Access, int], nodes: Sequence[GraphNode]) -> None:
        super().__init__()
        self._branch, self._after, self._nodes = branch, after, nodes

    def _below(self, access: Access) -> int | None:
        for table in (self._branch.before, self._branch.loaded):
            if (node := table.get(access)) is not None:
                return node
        node = self._after.get(access)
        return node if node is not None and self._nodes[node].kind == "load" else None

    def __missing__(self, access: Access) -> int:
        if (node := self._below(access)) is None:
            raise KeyError(access)
        return node

    def __contains__(self, access: object) -> bool:
        return super().__contains__(access) or (isinstance(access, Access) and self._below(access) is not None)

    def get(self, access: Access, default: int | _Other | None = None) -> int | _Other | None:  # type: ignore[override]
        """Return the value of a location, or the default."""
        node = super().get(access)
        node = self._below(access) if node is None else node
        return default if node is None else node

    def setdefault(self, access: Access, default: int) -> int:
        """Return the value of a location; an unknown one gets the default."""
        if (node := self.get(access)) is None:
            self[access] = node = default
        return node

    def changed(self) -> list[tuple[Access, int]]:
        """Return the values of the locations of which the branch before has left none, the oldest nodes first."""
        new = {*self, *self._branch.before, *self._branch.loaded}.difference(self._after)
        return sorted(((access, self[access]) for access in new), key=lambda each: each[1])
