"""The value of each location while a body is built: what was stored or loaded last (R2.2), as branches leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.hls.graph.exclusive import BranchWays, OpenBranch, read_test
from ppnsim.hls.graph.memory_order import InFlight
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.counting import DATA_MARK, is_data
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access


@dataclass(slots=True)
class Branches:
    """The branches around a statement, outermost first: both branches of an ``if`` are executed (R5.8).

    ``given`` is the value that a location has under some conditions, before they are opened.
    """

    open: list[OpenBranch] = field(default_factory=list)
    given: dict[tuple[Condition, ...], tuple[Access, int]] = field(default_factory=dict)

    def turn(self, conditions: tuple[Condition, ...], known: dict[Access, int]) -> OpenBranch | None:
        """Close and open branches until those around are ``conditions``; return the last one if it is an ``else``."""
        same = 0
        while same < min(len(self.open), len(conditions)) and self.open[same].condition == conditions[same]:
            same += 1
        closed, self.open = self.open[same:], self.open[:same]
        if closed and same < len(conditions) and conditions[same] == Not(closed[0].condition):
            branch = closed.pop(0)
            for around, raw in zip(self.open, branch.outside, strict=True):
                around.raw = raw
            other = OpenBranch(conditions[same], branch.before, unsure=branch.unsure, free=branch.ports, other=True)
            other.against = frozenset(branch.stored)
            other.left = {access: node for access, node in branch.raw.items() if access in branch.stored}
            self.open.append(other)
        for access in {access for branch in closed for access in branch.unsure}:
            known.pop(access, None)
        for condition in conditions[len(self.open) :]:
            outside = [dict(branch.raw) for branch in self.open]
            self.open.append(OpenBranch(condition, dict(known), outside))
            if conditions in self.given and len(self.open) == len(conditions):
                access, value = self.given[conditions]
                self.open[-1].raw[access] = value
        return self.open[-1] if self.open and self.open[-1].other else None

    def value(self, access: Access) -> int | None:
        """Return the value that the branches around give a location, None if they give it none."""
        if not self.open:
            return None
        tables = [branch.raw for branch in reversed(self.open)]
        # An else sees the values of before the if.
        tables += [branch.before for branch in reversed(self.open) if branch.other]
        return next((table[access] for table in tables if access in table), None)

    def wrote(self, access: Access, raw: int, outside: Sequence[int]) -> None:
        """Note the value that a statement gives a location: only the innermost branch sees it without a multiplexer.

        ``outside`` are those that the others see, outermost first; a single one if all see the same.
        """
        for n, branch in enumerate(self.open):
            branch.raw[access] = outside[min(n, len(outside) - 1)]
        self.open[-1].raw[access] = raw

    def forget(self, written: Access) -> None:
        """Forget the values of all locations that may be the one that is written; most are of other arrays."""
        array = written.array
        for branch in self.open:
            branch.stored.add(written)
            for table in (branch.raw, branch.before if branch.other else {}):
                for access in [each for each in table if each.array == array and not surely_apart(each, written)]:
                    del table[access]

    def assign(self, variable: Access) -> None:
        """Forget the values of a variable that is given a new one."""
        for branch in self.open:
            branch.stored.add(variable)
            branch.raw.pop(variable, None)
            if branch.other:
                branch.before.pop(variable, None)

    def alternative(self, port: str) -> int | None:
        """Return the first access to a port, in the nearest branch that excludes this one, without an alternative yet.

        It is an access of the branches inside that, too: their ``else`` has it as an alternative in turn.
        """
        for depth, branch in reversed(list(enumerate(self.open))):
            for found in branch.free:
                if found[0] == port:
                    branch.free.remove(found)
                    for inner in self.open[depth + 1 :]:
                        inner.ports.append(found)
                    return found[1]
        return None


@dataclass(slots=True)
class Values:
    """The nodes that hold the values of locations.

    ``known`` are those of locations whose subscripts are affine. Of elements that data chooses, the values are kept by
    the nodes of their subscripts.
    """

    operators: Operators
    branches: Branches = field(default_factory=Branches)
    places: BranchWays = field(default_factory=BranchWays)
    known: dict[Access, int] = field(default_factory=dict)
    _flying: dict[str, InFlight] = field(default_factory=dict)
    _indexed: dict[tuple[Access, tuple[int, ...]], int] = field(default_factory=dict)

    def find(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return the value of a location, None if it has to be loaded."""
        if (value := self.branches.value(access)) is not None:
            return value
        return self.known[access] if access in self.known else self._indexed.get((access, index))

    def without(self, number: int, variable: Access) -> int | None:
        """Return the value of a variable without an open branch that has not changed it; None: there is none."""
        around = self.branches.open[number - 1 :: -1] if number else ()
        tables = [*(each.raw for each in around), *(each.before for each in around if each.other), self.known]
        return next((table[variable] for table in tables if variable in table), None)

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
            self._flying.setdefault(access.array, InFlight()).add(access, 0)
        self.known[access] = node

    def assign(self, variable: Access, node: int) -> None:
        """Note the value of a variable: it has no elements, so that only what data chooses may be the same location."""
        for key in [key for key in self._indexed if key[0].array == variable.array]:
            del self._indexed[key]
        self.branches.assign(variable)
        self.know(variable, node)

    def overwrite(self, access: Access) -> None:
        """Forget the values of all other locations that a store to this one may change."""
        if (places := self._flying.get(access.array)) is not None:
            for other in {other for other, _ in places.meeting(access) if other in self.known and other != access}:
                del self.known[other]
        for key in [key for key in self._indexed if not surely_apart(key[0], access)]:
            del self._indexed[key]
        self.branches.forget(access)

    def forget(self, array: str) -> None:
        """Forget the values of all locations of an array."""
        for access in [known for known in self.known if known.array == array]:
            del self.known[access]

    def enter(self, conditions: tuple[Condition, ...]) -> dict[Access, int] | None:
        """Go into the branches around a statement; in an ``else``, return what the branch before it has left.

        In an ``else``, the values are those of before the ``if``, and what the branch before it has loaded.
        """
        if not conditions and not self.branches.open:  # most statements
            return None
        other = self.branches.turn(conditions, self.known)
        if other is None:
            return None
        after, nodes = self.known, self.operators.graph.nodes
        loaded = {a: n for a, n in after.items() if a not in other.before and nodes[n].kind == "load"}
        self.known = {**other.before, **loaded}
        return after

    def merge(self, after: dict[Access, int]) -> None:
        """Go back from an ``else`` to what the branch before it has left, which multiplexers choose from.

        What a store of the branch before may have replaced is not known behind both.
        """
        branch, kept = self.branches.open[-1], dict(after)
        against: dict[str, list[Access]] = {}
        for each in branch.against:
            against.setdefault(each.array, []).append(each)
        for access, node in self.known.items():
            if all(surely_apart(each, access) for each in against.get(access.array, ())):
                kept.setdefault(access, node)
            elif access not in after and branch.before.get(access) != node:
                branch.raw.setdefault(access, node)  # it is known in the ``else``
        self.known = kept

    def condition(self, condition: Condition) -> int:
        """Return the comparison of iterators that a condition is, or the number that a condition on data is."""
        data, names, text = read_test(condition)
        if data:
            return self.operators.wire(text, BIT, *self.tested(condition))
        integer = Format("integer", 32)
        counter = self.operators.input("".join(names), integer)
        number = self.operators.constant(text, BIT)
        return self.operators.op("cmp", BIT, (counter, number), wide=integer)

    def tested(self, condition: Condition) -> tuple[int, ...]:
        """Return the numbers of data that decide a condition: they tell the copies of a branch apart."""
        data, names, _ = read_test(condition)
        return tuple(self.scalar(Access(name)) for name in names if data and DATA_MARK in name)

    def tests(self) -> tuple[int, ...]:
        """Return the conditions on data that the statement is under."""
        return tuple(self.condition(each.condition) for each in self.branches.open if is_data(each.condition))
