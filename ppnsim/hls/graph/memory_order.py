"""The order of loads and stores in one iteration: accesses that may alias keep the order of the program (R5.7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from ppnsim.c.blocks import FULL
from ppnsim.hls.graph.exclusive import Ways, exclude
from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.places import place_of
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.work import spend
from ppnsim.loops.expressions import Atom
from ppnsim.loops.program import Access

Shape = tuple[tuple[tuple[Atom, int], ...], ...]
"""The subscripts of an access without their constants."""


@dataclass(slots=True)
class InFlight:
    """Accesses to one array with their nodes, indexed so that few pairs of accesses have to be compared.

    Accesses whose subscripts differ only by constants alias only if they are the same element.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> found = InFlight()
    >>> first, second, moving = (Access("a", (Affine.of(at),)) for at in (0, 1, "i"))
    >>> found.add(first, 7), found.add(moving, 8)
    (None, None)
    >>> list(found.meeting(second)), [node for _, node in found.meeting(moving)]
    ([(Access(array='a', subscripts=(Affine(terms=(('i', 1),), constant=0),), random=False), 8)], [7, 8])
    """

    known: dict[Shape, dict[Access, list[tuple[Access, int]]]] = field(default_factory=dict)
    random: list[tuple[Access, int]] = field(default_factory=list)

    def add(self, access: Access, node: int) -> None:
        """Add an access."""
        if access.random:
            self.random.append((access, node))
        else:
            self.known.setdefault(shape(access), {}).setdefault(access, []).append((access, node))

    def same(self, access: Access) -> list[tuple[Access, int]]:
        """Return the accesses to exactly this element, oldest first."""
        if access.random:
            return [found for found in self.random if found[0] == access]
        return list(self.known.get(shape(access), {}).get(access, ()))

    def last(self, access: Access) -> int:
        """Return the last access at a data-dependent address; -1 if there is none, or the address is not one.

        Every access that may alias it comes before it: later accesses need to follow only this one.
        """
        return max((node for _, node in self.same(access)), default=-1) if access.random else -1

    def meeting(self, access: Access, since: int = -1) -> Iterator[tuple[Access, int]]:
        """Yield the accesses that may alias an access in an iteration, from a node on."""
        own = None if access.random else shape(access)
        for kind, places in self.known.items():
            if kind == own:
                yield from (each for each in places.get(access, ()) if each[1] >= since)
                continue
            for place, found in places.items():
                late = [each for each in found if each[1] >= since]
                if late and not surely_apart(place, access):
                    yield from late
        for other, node in self.random:
            if node >= since and not surely_apart(other, access):
                yield other, node

    def remove(self, access: Access, node: int) -> None:
        """Remove an access."""
        (self.random if access.random else self.known[shape(access)][access]).remove((access, node))

    def __iter__(self) -> Iterator[tuple[Access, int]]:
        yield from chain(*(found for places in self.known.values() for found in places.values()), self.random)


def shape(access: Access) -> Shape:
    """Return the iterators in the subscripts: with the same ones, accesses are to one element or a constant apart."""
    return tuple([subscript.terms for subscript in access.subscripts])


def releases(lock: GraphNode) -> bool:
    """Return whether the token of a lock ends it: a write lock fills the block, a read lock holds it until then."""
    assert lock.access is not None
    return (lock.name == "put") == (FULL in lock.access.array)


@dataclass(slots=True)
class MemoryOrder:
    """The order of loads and stores in a graph.

    Attributes
    ----------
    apart : arrays whose accesses never alias in one iteration, as directives say.
    strictly_apart : returns whether the bounds of loops around prove that two stores never alias.
    """

    graph: Graph
    apart: frozenset[str] = frozenset()
    strictly_apart: Callable[[Access, Access], bool] = lambda *_: False
    _stores: defaultdict[str, InFlight] = field(default_factory=lambda: defaultdict(InFlight))
    _loads: defaultdict[str, InFlight] = field(default_factory=lambda: defaultdict(InFlight))
    _alone: set[int] = field(default_factory=set)
    _loose: set[str] = field(default_factory=set)
    _locks: dict[str, int] = field(default_factory=dict)
    _placed: dict[int, Access] = field(default_factory=dict)
    _volatile: list[tuple[int, int, int]] = field(default_factory=list)

    def load(self, access: Access, node: int, *, alone: bool = False) -> None:
        """Let a load come after the stores that it may need.

        ``alone``: the load and the last store to its location exclude each other; the store uses the load's port.
        """
        stores = self._stores[access.array]
        self._behind_lock(access.array, node)
        other = max((stored for _, stored in stores.same(access)), default=-1) if alone else -1
        if access.array not in self.apart:
            since = self._since(access, node)
            spend(len(stores.random) if since < 0 else 0)
            for _, stored in stores.meeting(access, since):
                if stored != other and not self.counted_apart(stored, node):
                    self.graph.order(stored, node, 1)
        if alone:
            self._alone.add(node)
            if other >= 0:
                self.graph.nodes[other].port = ""
        self._loads[access.array].add(access, node)

    def store(self, access: Access, node: int) -> None:
        """Let a store come after earlier loads that may alias it, and one state after stores that it may replace."""
        stores = self._stores[access.array]
        self._behind_lock(access.array, node)
        if access.array not in self.apart:
            since = self._since(access, node)
            spend(len(stores.random) if since < 0 else 0)  # each of them is compared
            for _, loaded in self._loads[access.array].meeting(access, since + 1):
                if not self.counted_apart(loaded, node):
                    self.graph.order(loaded, node, 0)
            for other, stored in stores.meeting(access, since):
                if not (self.strictly_apart(other, access) or self.counted_apart(stored, node)):
                    self.graph.order(stored, node, 1)
        stores.add(access, node)

    def _since(self, access: Access, node: int) -> int:
        """Return the store that all earlier stores come before, if this access may alias it, else -1."""
        last = self._stores[access.array].last(access)
        apart = access.array in self._loose or (last >= 0 and self.counted_apart(last, node))
        return -1 if apart else last

    def is_loose(self, array: str) -> bool:
        """Return whether two data-dependent accesses of an iteration have no order, since they never alias."""
        return array in self._loose

    def counted_apart(self, one: int, other: int) -> bool:
        """Return whether two accesses never alias: ``a[k]`` and ``a[k + 1]`` differ by a constant (R5.7).

        Accesses on the two ways of a branch never alias, either (R3.6).
        """
        left, right = (self.graph.nodes[each] for each in (one, other))
        by_data = left.access is not None and left.access.random and right.access is not None and right.access.random
        apart = by_data and surely_apart(self._place(one), self._place(other))
        found = exclude(left.ways, right.ways) or apart
        if found and left.access is not None:
            self._loose.add(left.access.array)
        return found

    def _place(self, node: int) -> Access:
        """Return the element of a load or a store, with the values that choose it as subscripts."""
        if (found := self._placed.get(node)) is None:
            at = self.graph.nodes[node]
            assert at.access is not None
            first = int(at.kind == "store")
            index = at.operands[first : first + len(at.access.subscripts)]
            found = self._placed[node] = place_of(self.graph, at.access, index)
        return found

    def lock(self, array: str, node: int) -> None:
        """Let a lock begin or end after all earlier accesses to its block, and let all later ones follow it (R7.7).

        A block is released one state before the next block is acquired.
        """
        for _, earlier in chain(self._stores.pop(array, ()), self._loads.pop(array, ())):
            self.graph.order(earlier, node, 0)
        if (before := self._locks.get(array)) is not None:
            self.graph.order(before, node, int(releases(self.graph.nodes[before])))
        self._locks[array] = node

    def volatile(self, node: int, busy: int, following: int) -> None:
        """Let an access to a volatile element come after the earlier ones, as in the program (R1.2).

        ``busy`` are the states from its start until a store may start, ``following`` those until a load may.
        """
        at, still = self.graph.nodes[node], list[tuple[int, int, int]]()
        for earlier, stored, loaded in self._volatile:
            if exclude(self.graph.nodes[earlier].ways, at.ways):
                still.append((earlier, stored, loaded))
            else:
                self.graph.order(earlier, node, stored if at.kind == "store" else loaded)
        self._volatile = [*still, (node, busy, following)]

    def _behind_lock(self, array: str, node: int) -> None:
        if (lock := self._locks.get(array)) is not None:
            self.graph.order(lock, node, 0)

    def drop(self, access: Access, place: Access | None = None, ways: Ways | None = None) -> int | None:
        """Remove the last store to a location if no load after it may need it, and return it.

        ``place`` is a data-dependent element with the values that choose it as subscripts. With ``ways``, only a store
        that is made on all of them is removed.
        """
        for other, node in self._stores[access.array].same(access):
            if place is not None and self._place(node) != place:
                continue
            if ways is not None and not ways <= self.graph.nodes[node].ways:
                continue
            meeting = (load for _, load in self._loads[access.array].meeting(access, node + 1))
            if not any(load not in self._alone and not (place and self.counted_apart(load, node)) for load in meeting):
                self.graph.nodes[node].kind = "dead"
                self._stores[access.array].remove(other, node)
                return node
        return None

    def call(self, node: int, array: str, *, stores: bool) -> None:
        """Let a loop start after the accesses to an array that it loads, or ``stores`` (R5.4).

        The loop may load a value that was stored before, so that no later store replaces that store.
        """
        self._behind_lock(array, node)
        for _, earlier in self._stores.pop(array, InFlight()):
            value = self.graph.nodes[earlier].operands[0]
            self.graph.order(earlier, node, int(value not in self.graph.wired[node]))
        for _, earlier in self._loads.pop(array, InFlight()):
            if stores:
                self.graph.order(earlier, node, 0)
