"""The value of each location while a body is built: what was stored or loaded last, as branches leave it (R2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.graph.branches import Branches
from ppnsim.hls.graph.in_flight import InFlight
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.counting import DATA_MARK, is_data
from ppnsim.loops.expressions import Condition, condition_iterators
from ppnsim.loops.program import Access


@dataclass(slots=True)
class Values:
    """The nodes that hold the values of locations.

    ``known`` are those of locations whose subscripts are affine. Of elements that data chooses, the values are kept by
    the nodes of their subscripts.
    """

    operators: Operators
    branches: Branches = field(default_factory=Branches)
    known: dict[Access, int] = field(default_factory=dict)
    _places: dict[str, InFlight] = field(default_factory=dict)
    _indexed: dict[tuple[Access, tuple[int, ...]], int] = field(default_factory=dict)

    def find(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return the value of a location, None if it has to be loaded."""
        if (value := self.branches.value(access)) is not None:
            return value
        return self.known[access] if access in self.known else self._indexed.get((access, index))

    def scalar(self, access: Access) -> int:
        """Return the value of a variable; before it is written it is an input."""
        if (value := self.find(access)) is not None:
            return value
        return self.known.setdefault(access, self.operators.input(str(access), self.operators.format(access)))

    def know(self, access: Access, node: int, index: tuple[int, ...] = ()) -> None:
        """Note the value of a location; ``index`` are the nodes of subscripts that are data."""
        if access.random:
            self._indexed[access, index] = node
            return
        if access not in self.known:
            self._places.setdefault(access.array, InFlight()).add(access, 0)
        self.known[access] = node

    def overwrite(self, access: Access) -> None:
        """Forget the values of all other locations that a store to this one may change."""
        places = self._places.get(access.array, InFlight())
        for other in {other for other, _ in places.meeting(access) if other in self.known and other != access}:
            del self.known[other]
        for key in [key for key in self._indexed if not surely_apart(key[0], access)]:
            del self._indexed[key]
        self.branches.forget(lambda other: surely_apart(other, access))

    def forget(self, array: str) -> None:
        """Forget the values of all locations of an array."""
        for access in [known for known in self.known if known.array == array]:
            del self.known[access]

    def enter(self, conditions: tuple[Condition, ...]) -> dict[Access, int] | None:
        """Go into the branches around a statement; in an ``else``, return what the branch before it has left.

        In an ``else``, the values are those of before the ``if``, and what the branch before it has loaded.
        """
        other = self.branches.turn(conditions, self.known)
        if other is None:
            return None
        after, nodes = self.known, self.operators.graph.nodes
        loaded = {a: n for a, n in after.items() if a not in other.before and nodes[n].kind == "load"}
        self.known = {**other.before, **loaded}
        return after

    def merge(self, after: dict[Access, int]) -> None:
        """Go back from an ``else`` to what the branch before it has left, which multiplexers choose from."""
        self.known = {**after, **{a: n for a, n in self.known.items() if a not in after}}

    def condition(self, condition: Condition) -> int:
        """Return the comparison of iterators that a condition is, or the number that a condition on data is."""
        names = condition_iterators(condition)
        if is_data(condition):
            tests = tuple(self.scalar(Access(name)) for name in sorted(names) if DATA_MARK in name)
            return self.operators.joined(tests, BIT, str(condition))
        integer = Format("integer", 32)
        counter = self.operators.input("".join(sorted(names)), integer)
        number = self.operators.constant(str(condition), BIT)
        return self.operators.op("cmp", BIT, (counter, number), wide=integer)

    def tests(self) -> tuple[int, ...]:
        """Return the conditions on data that the statement is under."""
        return tuple(self.condition(each) for each in self.branches.tests())
