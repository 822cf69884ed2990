"""Elements that data chooses and that are never the same: two subscripts differ by an odd number (R4.14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.program import Access, Operation, Statement

Parity = tuple[frozenset[Access], bool]
"""The variables of which a number is odd or even with the sum, and whether it is the other way around."""
_Indexed = tuple[Sequence[Operation], Statement]
"""The subscripts of an access, and the statement that they are in."""


def parity(tree: Operation, statement: Statement) -> Parity | None:
    """Return the parity of a whole number that variables and constants make, None for others.

    Examples
    --------
    >>> side = Operation("read", "int", read=0)
    >>> other = Operation("-", "int", (Operation("constant", "int", text="1"), side))
    >>> swap = Statement(name="s", reads=(Access("side", ()),), writes=())
    >>> parity(side, swap) == (frozenset({Access("side", ())}), False)
    True
    >>> parity(other, swap) == (frozenset({Access("side", ())}), True)
    True
    """
    if any(word in tree.type for word in ("float", "double", "half", "fixed")):
        return None  # what a cast cuts off is no odd number
    if tree.kind == "constant" and tree.text.lstrip("-").isdecimal():
        return frozenset(), int(tree.text) % 2 == 1
    if tree.kind == "read" and tree.read is not None:
        access = statement.reads[tree.read]
        return None if access.subscripts or access.random else (frozenset({access}), False)
    if tree.kind == "cast" and tree.type not in ("bool", "_Bool"):
        return parity(tree.operands[0], statement)
    if tree.kind in ("+", "-", "^") and len(tree.operands) == 2:
        left, right = (parity(each, statement) for each in tree.operands)
        return None if left is None or right is None else (left[0] ^ right[0], left[1] != right[1])
    return None


class SubscriptParities:
    """The parities of the subscripts that data chooses in a loop; its statements are looked through once."""

    def __init__(self, steps: Sequence[GuardedStatement]) -> None:
        self._steps = steps
        self._of: dict[Access, list[Parity | None]] = {}

    @cached_property
    def _stored(self) -> dict[Access, list[_Indexed]]:
        found: dict[Access, list[_Indexed]] = {}
        for statement in (step.statement for step in self._steps):
            if statement.index:
                found.setdefault(statement.writes[0], []).append((statement.index, statement))
        return found

    @cached_property
    def _loaded(self) -> dict[Access, list[_Indexed]]:
        found: dict[Access, list[_Indexed]] = {}
        for statement in (step.statement for step in self._steps):
            for access, index in _reads(statement):
                found.setdefault(access, []).append((index, statement))
        return found

    @cached_property
    def changed(self) -> frozenset[Access]:
        """All that the loop writes."""
        return frozenset(access for step in self._steps for access in step.statement.writes)

    def of_stores(self, access: Access) -> list[Parity | None]:
        """Return the parity of each subscript of a location that the loop stores to."""
        if access not in self._of:
            self._of[access] = _parities(self._stored.get(access, ()))
        return self._of[access]

    def of_loads(self, access: Access) -> list[Parity | None]:
        """Return the parity of each subscript of a location that the loop loads."""
        return _parities(self._loaded.get(access, ()))


def oddly_apart(parities: SubscriptParities, store: Access, load: Access) -> bool:
    """Return whether an element that a loop stores is never one that it loads, by the parity of a subscript.

    Both have to be chosen by data, and no variable in that subscript may change in the loop.
    """
    ours = parities.of_stores(store)
    if not any(ours):  # which needs no look at what is loaded
        return False
    pairs = zip(ours, parities.of_loads(load), strict=False)
    return any(_differ(one, other, parities.changed) for one, other in pairs)


def _parities(indices: Sequence[_Indexed]) -> list[Parity | None]:
    """Return the parity of each subscript that all accesses share, None where it is not known or not the same."""
    dims = min((len(index) for index, _ in indices), default=0)
    found = [{parity(index[dim], statement) for index, statement in indices} for dim in range(dims)]
    return [each.pop() if len(each) == 1 else None for each in found]


def _differ(one: Parity | None, other: Parity | None, changed: frozenset[Access]) -> bool:
    if one is None or other is None or not changed.isdisjoint(one[0]):
        return False
    return one[0] == other[0] and one[1] != other[1]


def _reads(statement: Statement) -> Iterator[tuple[Access, Sequence[Operation]]]:
    """Yield the reads in the value and the subscripts of a statement, each with its subscripts."""
    for tree in (statement.value, *statement.index):
        for each in () if tree is None else tree.walk():
            if each.read is not None:
                yield statement.reads[each.read], each.operands
