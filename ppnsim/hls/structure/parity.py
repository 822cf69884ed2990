"""Alias proof by parity: elements whose subscripts depend on data, and differ by an odd number, never alias (R4.14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.program import Access, Operation, Statement

Parity = tuple[frozenset[Access], bool]
"""The variables whose sum decides the parity of a number, and whether the number has the opposite parity."""
_Indexed = tuple[Sequence[Operation], Statement]
"""The subscripts of an access, and the statement that contains them."""


def parity(tree: Operation, statement: Statement) -> Parity | None:
    """Return the parity of an integer that is computed from variables and constants, None for others.

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
        return None  # a cast may cut off bits
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
    """The parities of data-dependent subscripts in a loop; its statements are searched once."""

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
        """All locations that the loop writes."""
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
    """Return whether a loop never loads an element that it stores, by the parity of a subscript.

    Both addresses must depend on data, and the loop must not change a variable in that subscript.
    """
    ours = parities.of_stores(store)
    if not any(ours):  # the loads then need no search
        return False
    pairs = zip(ours, parities.of_loads(load), strict=False)
    return any(_differ(one, other, parities.changed) for one, other in pairs)


def _parities(indices: Sequence[_Indexed]) -> list[Parity | None]:
    """Return the parity of each subscript that all accesses share; None if it is unknown or differs."""
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
