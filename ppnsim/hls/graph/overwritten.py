"""Output dependences between iterations: the later of two stores to one element must be executed last (R9.37)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from operator import sub

from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import BackEdge
from ppnsim.hls.structure.aliases import never_meet
from ppnsim.loops.program import Access
from ppnsim.loops.work import spend

Form = tuple[object, ...]
MOST = 128
"""Most stores of an iteration to one memory that are compared pair by pair."""


def in_order(dependences: Dependences, builder: GraphBuilder) -> None:
    """Let a store come after stores of earlier iterations that are later in the code and that it may replace.

    If one address counts on from the other, the tool knows that they differ. Stores on the two ways of a branch are
    left out: they have no order in one iteration, and an order between iterations would make a recurrence.
    """
    graph, counted = builder.graph, builder.memories.order.counted_apart
    for places in _crowded(dependences, builder):
        spend(len(places) ** 2)  # two for each pair
        pairs = _Pairs(dependences)
        for (store, earlier), (other, later) in combinations([(pairs.store(one), node) for one, node in places], 2):
            if other.least is None or pairs.apart(store, other) or counted(earlier, later):
                continue
            if (distance := pairs.distance(other, store)) is not None:
                reason = f"order of stores to {store.access.array}"
                graph.back.append(BackEdge(later, earlier, max(other.least, distance), "ram", reason))


@dataclass(frozen=True, slots=True)
class _Store:
    """A store with what decides about it.

    Attributes
    ----------
    form : all that its distance to others depends on but for the constants in its subscripts; None if it is the access.
    constants : these.
    least : the least distance of accesses to its array, None if it is not ordered.
    """

    access: Access
    form: Form | None
    constants: tuple[int, ...]
    least: int | None


@dataclass(slots=True)
class _Pairs:
    """Results for pairs of stores to a memory: those whose forms and differences of constants are the same share them.

    Unrolled copies of a statement have few differences, and thousands of pairs.
    """

    dependences: Dependences
    _apart: dict[Form, bool] = field(default_factory=dict)
    _distances: dict[Form, int | None] = field(default_factory=dict)

    def store(self, access: Access) -> _Store:
        """Return a store for `apart` and `distance`."""
        role, least = self.dependences.roles.get(access), self.dependences.least(access.array)
        constants = tuple([each.constant for each in access.subscripts])
        return _Store(access, self.dependences.form(access), constants, least if role is not None and least else None)

    def apart(self, store: _Store, other: _Store) -> bool:
        """Return whether two stores never go to the same element."""
        if (key := _key(store, other)) not in self._apart:
            self._apart[key] = never_meet(store.access, other.access, self.dependences.pipeline.loops)
        return self._apart[key]

    def distance(self, store: _Store, other: _Store) -> int | None:
        """Return the iterations from a store, which has a role, to the other one at the same element."""
        if (key := _key(store, other)) not in self._distances:
            role = self.dependences.roles[store.access]
            self._distances[key] = self.dependences.distance(store.access, role, other.access)
        return self._distances[key]


def _key(store: _Store, other: _Store) -> Form:
    if store.form is None or other.form is None:
        return store.access, other.access
    return store.form, other.form, tuple(map(sub, other.constants, store.constants))


def _crowded(dependences: Dependences, builder: GraphBuilder) -> Iterator[list[tuple[Access, int]]]:
    """Yield the stores to each memory with stores to several places, in program order."""
    found: dict[str, list[tuple[Access, int]]] = {}
    for node in builder.graph.nodes:
        if node.kind == "store" and node.access is not None and node.access.array not in dependences.registers:
            found.setdefault(dependences.bank(node.access), []).append((node.access, node.index))
    return (each for each in found.values() if 1 < len(each) <= MOST)
