"""Loads under conditions on data: which of them wait for the conditions, and which are made in any case (R4.16)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ppnsim.hls.structure.counting import is_data
from ppnsim.hls.structure.locations import GuardedStatement, arms, distinct, plain
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access


@dataclass(frozen=True, slots=True)
class Speculation:
    """The conditions of a body under which loads are not made in advance.

    Attributes
    ----------
    storing : conditions on data under which an element is stored, or a token put, that the other way does not store:
        a store of both ways moves behind them.
    common : elements that are loaded whether a condition holds or not, with that condition.
    chained : elements that arms of a chain of branches store, with the conditions of the arms (R5.8).
    """

    storing: frozenset[Condition] = frozenset()
    common: frozenset[tuple[Condition, Access]] = frozenset()
    chained: frozenset[tuple[Condition, Access]] = frozenset()

    @classmethod
    def of(cls, steps: Iterable[GuardedStatement], held: Collection[Access] = ()) -> Speculation:
        """Return the object for the statements of a body; elements ``held`` in registers are not stored in it."""
        steps = distinct(steps)
        loads, stores = defaultdict[Condition, set[Access]](set), defaultdict[Condition, set[Access]](set)
        for step in steps:
            elements = (access for access in step.statement.writes if access.subscripts or access.random)
            kept = [access for access in elements if access not in held]
            for test in (plain(each) for each in step.conditions if is_data(each)):
                loads[test].update(step.statement.reads)
                stores[test].update(kept)
        storing = frozenset(test for test in tuple(stores) if stores[test] - stores.get(plain(Not(test)), set()))
        both = ((test, each) for test in tuple(loads) for each in loads[test] & loads.get(plain(Not(test)), set()))
        return cls(storing, frozenset(both), arms(steps))

    def waits(self, access: Access, condition: Condition) -> bool:
        """Return whether a load waits for a condition around it (R4.16)."""
        test = plain(condition)
        return test in self.storing and (test, access) not in self.common

    def is_arm(self, access: Access, condition: Condition) -> bool:
        """Return whether a condition opens an arm of a chain of branches, two of which store an element (R5.8)."""
        return (plain(condition), access) in self.chained


ALL_EARLY = Speculation()
"""No load waits for a condition."""
