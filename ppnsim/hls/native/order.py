"""The order of a task's stream accesses: which may share a state, and which must wait for others (R11.1, R11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.native.places import StreamAccess
from ppnsim.hls.native.timing import PlaceKey

Branch = tuple[tuple[int, bool], ...]
TAKES = frozenset(("read", "read_nb", "empty", "size"))
_MOVES = frozenset(("read", "read_nb", "write", "write_nb"))


@dataclass(frozen=True, slots=True)
class PlacedAccess:
    """An access in the graph: its node and key, its stream, the branches around it, and the waits before it."""

    node: int
    key: PlaceKey
    access: StreamAccess
    stream: tuple[str, str | None]
    branch: Branch
    waits: int


class StreamOrder:
    """The accesses of straight-line code, in the order of the source."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.accesses: list[PlacedAccess] = []

    def add(self, new: PlacedAccess, tests: Sequence[int]) -> None:
        """Place an access after earlier ones: one per side of a stream and state, none before an earlier result.

        It is in a later state than the ``tests`` that may end the loop before it.
        """
        for test in tests:
            self.graph.order(test, new.node, 1)
        for old in self.accesses:
            if _exclusive(old.branch, new.branch):
                continue
            moved = _same_side(old, new) and old.access.kind in _MOVES
            if new.waits > old.waits or moved:
                self.graph.order(old.node, new.node, max(new.waits - old.waits, int(moved)))
            elif old.access.kind != "write":
                self.graph.order(old.node, new.node, 0)
        self.accesses.append(new)

    def close(self, tests: Sequence[int]) -> None:
        """Connect an iteration to the next one: tests that end the loop, and one access per stream and state."""
        edges = self.graph.back
        for each in self.accesses:
            edges += [BackEdge(test, each.node, 1, "register", "the test that ends the loop") for test in tests]
            for other in self.accesses:
                if each.access.kind in _MOVES and _same_side(each, other) and other is not each:
                    reason = f"accesses to stream '{each.stream[0]}'"
                    edges.append(BackEdge(each.node, other.node, 1, "ram", reason))


def _exclusive(one: Branch, other: Branch) -> bool:
    """Return whether two places are on different sides of one branch."""
    sides = dict(one)
    return any(sides.get(test, side) != side for test, side in other)


def _same_side(one: PlacedAccess, other: PlacedAccess) -> bool:
    """Return whether two accesses may be to the same side of one stream."""
    (name, element), (its_name, its_element) = one.stream, other.stream
    may_meet = name == its_name and (element == its_element or None in (element, its_element))
    return may_meet and (one.access.kind in TAKES) == (other.access.kind in TAKES)
