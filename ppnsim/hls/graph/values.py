"""Known values of locations while a body is built: the last value stored or loaded (R2.2), merged after branches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from ppnsim.hls.graph.branches import Branches
from ppnsim.hls.graph.else_values import ElseValues
from ppnsim.hls.graph.exclusive import BranchWays, read_test
from ppnsim.hls.graph.memory_order import InFlight
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.counting import DATA_MARK, is_data
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access

_INTEGER = Format("integer", 32)


@dataclass(slots=True)
class Values:
    """The nodes that hold the values of locations.

    ``known`` are the values of locations with affine subscripts. Values of data-dependent elements are kept by the
    nodes of their subscripts. ``dividend`` gives the bits of the number of which a condition on iterators takes a
    remainder, 0 without one.
    """

    operators: Operators
    branches: Branches = field(default_factory=Branches)
    places: BranchWays = field(default_factory=BranchWays)
    known: dict[Access, int] = field(default_factory=dict)
    dividend: Callable[[Condition], int] = lambda _: 0
    _flying: defaultdict[str, InFlight] = field(default_factory=lambda: defaultdict(InFlight))
    _indexed: dict[tuple[Access, tuple[int, ...]], int] = field(default_factory=dict)
    _tests: dict[Condition, int] = field(default_factory=dict)

    def find(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return the value of a location, None if it has to be loaded."""
        if self.branches.open and (value := self.branches.value(access)) is not None:
            return value
        if (value := self.known.get(access)) is not None or not access.random:
            return value
        return self._indexed.get((access, index))

    def without(self, number: int, variable: Access) -> int | None:
        """Return the value of a variable without an open branch that has not changed it, None if there is none."""
        around = self.branches.open[number - 1 :: -1] if number else ()
        tables = [*(each.raw for each in around), *(each.before for each in around if each.other), self.known]
        return next((table[variable] for table in tables if variable in table), None)

    def scalar(self, access: Access) -> int:
        """Return the value of a variable; before the first write it is an input."""
        if (value := self.find(access)) is not None:
            return value
        return self.known.setdefault(access, self.operators.input(str(access), self.operators.format(access)))

    def know(self, access: Access, node: int, index: tuple[int, ...] = ()) -> None:
        """Note the value of a location; ``index`` are the nodes of data-dependent subscripts."""
        if access.random:
            self._indexed[access, index] = node
            return
        if access not in self.known:
            if not (places := self._flying[access.array]).same(access):
                places.add(access, 0)
            if self.branches.open and self.operators.graph.nodes[node].kind == "load":
                self.branches.loaded(access, node)
        self.known[access] = node

    def assign(self, variable: Access, node: int) -> None:
        """Note the value of a variable: it has no elements, so only data-dependent locations may alias it."""
        for key in [key for key in self._indexed if key[0].array == variable.array]:
            del self._indexed[key]
        self.branches.assign(variable)
        self.know(variable, node)

    def meeting(self, access: Access) -> set[Access]:
        """Return the locations that may alias a stored one, of all whose values were known once, and itself."""
        places = self._flying.get(access.array)
        return {access} if places is None else {access, *(other for other, _ in places.meeting(access))}

    def overwrite(self, access: Access) -> None:
        """Forget the values of all other locations that may alias a stored one."""
        meeting = self.meeting(access)
        for other in meeting:
            if other != access:
                self.known.pop(other, None)
        for key in [key for key in self._indexed if not surely_apart(key[0], access)]:
            del self._indexed[key]
        self.branches.forget(access, meeting)

    def forget(self, array: str) -> None:
        """Forget the values of all locations of an array."""
        for access in [known for known in self.known if known.array == array]:
            del self.known[access]

    def enter(self, conditions: tuple[Condition, ...]) -> dict[Access, int] | None:
        """Enter the branches around a statement; for an ``else``, return the values that the branch before has left.

        An ``else`` starts with the values from before the ``if``, and with the loads of the branch before it.
        """
        if not conditions and not self.branches.open:  # most statements
            return None
        other = self.branches.turn(conditions, self.known)
        if other is None:
            return None
        after = self.known
        self.known = ElseValues(other, after, self.operators.graph.nodes)
        return after

    def merge(self, after: dict[Access, int]) -> None:
        """Go back from an ``else`` to the values of the branch before it, from which multiplexers choose.

        A value that a store of the branch before may have replaced is unknown after both.
        """
        branch = self.branches.open[-1]
        assert isinstance(self.known, ElseValues)
        for access, node in self.known.changed():
            if all(surely_apart(each, access) for each in branch.against.get(access.array, ())):
                after[access] = node
            elif branch.before.get(access) != node:
                branch.raw.setdefault(access, node)  # the ``else`` knows it
        self.known = after

    def condition(self, condition: Condition) -> int:
        """Return the node of a condition: a comparison of iterators, or the number for a condition on data."""
        if (known := self._tests.get(condition)) is not None:
            return known
        data, names, text = read_test(condition)
        if data:
            return self.operators.wire(text, BIT, *self.tested(condition))
        counter = self.remainder(condition, "".join(names))
        number = self.operators.constant(text, BIT)
        self._tests[condition] = self.operators.op("cmp", BIT, (counter, number), wide=_INTEGER)
        return self._tests[condition]

    def remainder(self, condition: Condition, name: str) -> int:
        """Return the iterators of a condition, after the divider for a remainder of them (R2.8)."""
        counter, bits = self.operators.input(name, _INTEGER), self.dividend(condition)
        if not bits:
            return counter
        by = self.operators.constant("by", _INTEGER)
        return self.operators.op("div", _INTEGER, (counter, by), wide=Format("integer", bits))

    def tested(self, condition: Condition) -> tuple[int, ...]:
        """Return the data-dependent numbers that decide a condition: they tell the copies of a branch apart."""
        data, names, _ = read_test(condition)
        return tuple(self.scalar(Access(name)) for name in names if data and DATA_MARK in name)

    def tests(self) -> tuple[int, ...]:
        """Return the nodes of the conditions on data around the statement."""
        return tuple([self.condition(each.condition) for each in self.branches.open if is_data(each.condition)])
