"""Exclusive accesses: accesses on the two ways of a branch share a port, since an iteration makes only one (R3.6)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ppnsim.hls.structure.counting import is_data
from ppnsim.loops.expressions import Condition, Not, condition_iterators
from ppnsim.loops.program import Access

Ways = frozenset[int]
"""The ways of branches that contain an access: the number of a condition, negative where the condition is false."""
NONE: Ways = frozenset()
Stored = dict[str, dict[object, set[Access]]]
"""Locations by their array and the iterators in their subscripts, which tell most of them apart at once."""


def exclude(one: Ways, other: Ways) -> bool:
    """Return whether no iteration makes both of two accesses.

    Examples
    --------
    >>> exclude(frozenset((1, 2)), frozenset((1, -2, 3))), exclude(frozenset((1,)), frozenset((2,)))
    (True, False)
    """
    return any(-way in other for way in one)


@dataclass(slots=True)
class Sharing:
    """The accesses of one state in the least number of groups: the accesses of a group exclude each other.

    Each group takes one port. Branches are nested, so that any order of the accesses leads to the fewest groups.

    Examples
    --------
    >>> shared = Sharing()
    >>> [shared.add(frozenset(each)) for each in ((1,), (-1, 2), (-1, -2), (3,), (-1,))]
    [True, False, False, True, True]
    """

    groups: list[list[Ways]] = field(default_factory=list)
    _of: dict[int, list[int]] = field(default_factory=dict)

    def fits(self, ways: Ways) -> int | None:
        """Return a group whose accesses all exclude this one, None if there is none."""
        near = dict.fromkeys(group for way in ways for group in self._of.get(-way, ()))
        return next((each for each in sorted(near) if all(exclude(ways, other) for other in self.groups[each])), None)

    def add(self, ways: Ways) -> bool:
        """Add an access; return whether it takes a port of its own."""
        group = self.fits(ways)
        if group is None:
            group = len(self.groups)
            self.groups.append([])
            for way in ways:
                self._of.setdefault(way, []).append(group)
        self.groups[group].append(ways)
        return len(self.groups[group]) == 1


def ports_taken(accesses: Iterable[Ways]) -> int:
    """Return the number of ports that accesses of one state take.

    Examples
    --------
    >>> ports_taken([frozenset(), frozenset(), frozenset((1,)), frozenset((-1,))])
    3
    """
    shared = Sharing()
    return sum(not ways or shared.add(ways) for ways in accesses)


@dataclass(slots=True)
class BranchWays:
    """The ways around a statement while a graph is built; ``arms`` are those inside its expression."""

    arms: list[int] = field(default_factory=list)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def way(self, test: Hashable, data: tuple[int, ...] = ()) -> int:
        """Return the number of the way in which a test holds; ``data`` tells copies of a branch apart."""
        if isinstance(test, Not):
            return -self.way(test.part, data)
        return self._numbers.setdefault((test, data), len(self._numbers) + 1)

    def of(self, conditions: Sequence[tuple[Condition, tuple[int, ...]]]) -> Ways:
        """Return the ways of a statement under some conditions, each with the data that decides it."""
        if not conditions and not self.arms:
            return NONE
        return frozenset((*(self.way(*each) for each in conditions), *self.arms))


@dataclass(slots=True)
class OpenBranch:
    """A branch around the statement that is being added.

    Attributes
    ----------
    before : the known values from before the branch.
    outside : the same for ``raw`` of the branches around it.
    raw : values of locations in the branch; code after the branch sees them through a multiplexer.
    unsure : locations whose value is unknown if the branch is not executed.
    ports : accesses to FIFOs in the branch.
    free : accesses to FIFOs in the branch that excludes this one, as far as they have no alternative yet.
    stored : locations that are stored in the branch.
    against : locations that the excluding branch has stored, by array.
    other : the branch is an ``else``.
    left : values of variables without the branch: from before it, or from the branch that excludes it.
    loaded : the loads in it and in the branch that excludes it, of locations not stored before in that branch.
    """

    condition: Condition
    before: dict[Access, int]
    outside: list[dict[Access, int]] = field(default_factory=list)
    raw: dict[Access, int] = field(default_factory=dict)
    unsure: set[Access] = field(default_factory=set)
    ports: list[tuple[str, int]] = field(default_factory=list)
    free: list[tuple[str, int]] = field(default_factory=list)
    stored: Stored = field(default_factory=dict)
    against: dict[str, set[Access]] = field(default_factory=dict)
    other: bool = False
    left: dict[Access, int] = field(default_factory=dict)
    loaded: dict[Access, int] = field(default_factory=dict)


@lru_cache(maxsize=4096)  # each statement in a branch calls it
def read_test(condition: Condition) -> tuple[bool, tuple[str, ...], str]:
    """Return whether a condition depends on data, its names in order, and its text."""
    return is_data(condition), tuple(sorted(condition_iterators(condition))), str(condition)
